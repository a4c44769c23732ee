import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { countAll, membersThatDiffer, storedHouse, sumAccounts } from './check.sql.ts'

export interface LedgerReport {
  readonly accounts: readonly { readonly account: string; readonly amount: string }[]
  /** `uncredited` counts transfers whose job has yet to run: work, not a fault. */
  readonly counts: Readonly<Record<string, number>>
  /** One sentence each; empty when the ledger is clean. */
  readonly faults: readonly string[]
}

const MUST_BE_ZERO: Readonly<Record<string, string>> = {
  unfounded: 'credits have no transfer on the chain behind them',
  misposted: 'credits posted another amount than arrived',
  unfaithful_runs: 'finished runs posted something else than they sealed',
  uninvested: 'members have another principal than their investments add up to',
}

function liabilities(accounts: ReadonlyMap<string, bigint>): bigint {
  return [...accounts]
    .filter(([name]) => !name.startsWith('custody:'))
    .reduce((sum, [, amount]) => sum + amount, 0n)
}

/**
 * Reads the whole ledger and recomputes what is stored: every account from its postings, every credit against the chain
 * it came from, every run against its sealed items. Changes nothing.
 */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const summed = new Map((await sumAccounts(tx)).map(({ account, amount }) => [account, amount]))
      const counts = await countAll(tx)
      const faults: string[] = []
      const custody = -[...summed]
        .filter(([name]) => name.startsWith('custody:'))
        .reduce((sum, [, a]) => sum + a, 0n)
      if (custody !== liabilities(summed)) faults.push('custody differs from what is owed')
      for (const { account, amount } of await storedHouse(tx)) {
        if ((summed.get(account) ?? 0n) !== amount)
          faults.push(`${account} is stored as ${amount}, its postings say otherwise`)
      }
      for (const row of await membersThatDiffer(tx)) {
        faults.push(
          `member ${row.member_id}: ${row.account} is stored as ${row.stored}, its postings say ${row.summed}`,
        )
      }
      for (const [name, sentence] of Object.entries(MUST_BE_ZERO)) {
        const count = counts[name as keyof typeof counts]
        if (count !== 0) faults.push(`${count} ${sentence}`)
      }
      const accounts = [...summed].map(([account, amount]) => {
        const asset = account.startsWith('custody:')
        return { account, amount: formatMicro(micro(asset ? -amount : amount)) }
      })
      return { accounts, counts: { ...counts }, faults }
    })
}
