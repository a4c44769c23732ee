import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { eachIsolated, inPages } from '../../../core/isolated.ts'
import { lockMember, post } from '../../../ledger/ledger.commands.ts'
import { balancesOf, membersOwing, owedBy } from '../../../ledger/ledger.queries.ts'
import { countParts } from './reversals.sql.ts'

const lesser = (left: bigint, right: bigint) => micro(left < right ? left : right)

/** Takes what a member owes out of the balance, as far as it goes: commission first, then profit. */
async function recoverFrom(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await lockMember(tx, memberId)
  const { balance } = await balancesOf(tx, memberId)
  const owed = await owedBy(tx, memberId)
  const commission = lesser(balance, owed.commission)
  const profit = lesser(balance - commission, owed.profit)
  if (commission + profit === 0n) return
  await post(tx, {
    // What is owed falls with every recovery, and rises with every reversal only: the same key never comes again.
    key: `recover:${memberId}:${owed.commission}:${owed.profit}:${await countParts(tx, memberId)}`,
    kind: 'recover',
    memberId,
    at: now,
    movements: [
      { kind: 'recover_commission', amount: commission },
      { kind: 'repay_commission', amount: commission },
      { kind: 'recover_profit', amount: profit },
      { kind: 'repay_profit', amount: profit },
    ],
  })
}

/** Recovers receivables from balances as soon as there is one. Few members ever owe anything. */
export async function recoverOwed(db: Database, now: Date): Promise<void> {
  const owing = inPages(
    (after, limit) => membersOwing(db, after, limit),
    (id) => id,
  )
  await eachIsolated(owing, (memberId) => inTransaction(db, (tx) => recoverFrom(tx, memberId, now)))
}
