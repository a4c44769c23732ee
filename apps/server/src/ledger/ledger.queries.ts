import type { Db } from '@aval/db'
import type { Micro } from '@aval/money'
import {
  type GuardedAccount,
  type Owed,
  selectBalances,
  selectGuarded,
  selectOwed,
  selectOwing,
} from './ledger.sql.ts'

/** Balance, principal and earnings of a member. */
export function balancesOf(db: Db, memberId: bigint) {
  return selectBalances(db, memberId)
}

/** What a company account holds that may not fall below zero. */
export function guardedBalance(db: Db, account: GuardedAccount): Promise<Micro> {
  return selectGuarded(db, account)
}

/** What a member owes to each pool after reversals. */
export function owedBy(db: Db, memberId: bigint): Promise<Owed> {
  return selectOwed(db, memberId)
}

/** Members with a receivable and a balance to recover it from, above `after`, in order. */
export function membersOwing(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  return selectOwing(db, after, limit)
}
