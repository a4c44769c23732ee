import type { Database, Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { inSnapshot } from '../core/query.sql.ts'
import {
  chooseReading,
  countRows,
  membersThatDiffer,
  selectBacking,
  storedCustody,
  storedHouse,
  sumAccounts,
} from './check.sql.ts'
import { findLegFaults } from './check-legs.ts'
import { findFaults } from './faults.sql.ts'
import { findSealFaults } from './seals.sql.ts'

export interface LedgerReport {
  readonly accounts: readonly { readonly account: string; readonly amount: string }[]
  /** `uncredited` and `unbooked` transfers and `uncommissioned` investments wait for their job: work, not a fault. */
  readonly counts: Readonly<Record<string, number>>
  /** One sentence each; empty when the ledger is clean. */
  readonly faults: readonly string[]
}

export interface Reading {
  /** Every posting since the first, instead of going on from the sealed parts of the ledger. */
  readonly whole?: boolean
  /** Hears of each step before it begins, of so many. */
  readonly progress?: (step: number, steps: number) => void
}

/** The check in the caller's transaction, which sees one moment of everything. */
export async function inspectLedger(
  tx: Db,
  { whole = false, progress }: Reading = {},
): Promise<LedgerReport> {
  await chooseReading(tx, whole)
  const summed = new Map((await sumAccounts(tx)).map(({ account, amount }) => [account, amount]))
  const faults: string[] = []
  const { arrived, owed } = await selectBacking(tx)
  if (arrived !== owed)
    faults.push(`${arrived} arrived on the chain, was credited and has not left, ${owed} is owed for it`)
  for (const { account, amount } of await storedHouse(tx)) {
    if ((summed.get(account) ?? 0n) !== amount)
      faults.push(`${account} is stored as ${amount}, its postings say otherwise`)
  }
  for (const { account, amount } of await storedCustody(tx)) {
    if ((summed.get(account) ?? 0n) !== -amount)
      faults.push(`${account} is stored as ${amount}, its postings say otherwise`)
  }
  if ((summed.get('receivable') ?? 0n) + (summed.get('company:claims') ?? 0n) !== 0n)
    faults.push('what members owe and what the company claims do not cancel out')
  for (const row of await membersThatDiffer(tx)) {
    faults.push(
      `member ${row.member_id}: ${row.account} is stored as ${row.stored}, its postings say ${row.summed}`,
    )
  }
  faults.push(
    ...(await findSealFaults(tx, whole, progress)),
    ...(await findFaults(tx, progress)),
    ...(await findLegFaults(tx)),
  )
  const accounts = [...summed].map(([account, amount]) => {
    const asset = account.startsWith('custody:')
    return { account, amount: formatMicro(micro(asset ? -amount : amount)) }
  })
  return { accounts, counts: await countRows(tx), faults }
}

/**
 * Reads the ledger, from its seals or whole, and recomputes what is stored: every account from its postings, every credit against the chain
 * it came from, every run against its sealed items and the history it was computed from, every reversal against what had
 * been paid, every withdrawal against its hold and the transfer that ended it, every leg of the binary tree from its
 * beginning. From the seals, what sealed parts paid is taken as it was sealed. Changes nothing.
 */
export function checkLedger(db: Database, reading: Reading = {}): Promise<LedgerReport> {
  return inSnapshot(db, (tx) => inspectLedger(tx, reading))
}
