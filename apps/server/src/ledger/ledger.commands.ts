/**
 * The ledger. PostgreSQL's functions write it, one an event (db/migrations): no program's role can insert a posting.
 *
 * Terms. A *posting* moves one amount from a source account to a destination account. A *journal* is one event under one
 * idempotency key, with the postings it caused. The *house* is member 0: company money is booked under it.
 */
import type { DB, Tx } from '@aval/db'
import { query, queryValue } from '../core/query.sql.ts'

export type PostingKind = DB['posting']['kind']
type LedgerAccount = DB['posting']['source']

export const HOUSE = 0n

/** What each kind of posting moves, from where to where. A test compares it with the database's constraint. */
export const CHART = {
  deposit_to_principal: ['custody:deposits', 'principal'],
  deposit_to_balance: ['custody:deposits', 'balance'],
  deposit_fee: ['custody:deposits', 'company:revenue'],
  deposit_to_pending: ['custody:deposits', 'pending'],
  pending_to_principal: ['pending', 'principal'],
  pending_fee: ['pending', 'company:revenue'],
  pending_to_balance: ['pending', 'balance'],
  reinvest: ['balance', 'principal'],
  company_deposit: ['custody:deposits', 'company:capital'],
  fund_profit: ['company:capital', 'pool:profit'],
  fund_commission: ['company:capital', 'pool:commission'],
  release_profit: ['pool:profit', 'due:profit'],
  release_commission: ['pool:commission', 'due:commission'],
  passive: ['due:profit', 'balance'],
  direct: ['due:commission', 'balance'],
  master: ['due:commission', 'balance'],
  binary: ['due:commission', 'balance'],
  reverse_investment: ['principal', 'balance'],
  clawback_profit: ['balance', 'pool:profit'],
  clawback_commission: ['balance', 'pool:commission'],
  owed_profit: ['company:claims', 'receivable'],
  owed_commission: ['company:claims', 'receivable'],
  recover_profit: ['balance', 'pool:profit'],
  recover_commission: ['balance', 'pool:commission'],
  repay_profit: ['receivable', 'company:claims'],
  repay_commission: ['receivable', 'company:claims'],
  hold_balance: ['balance', 'held'],
  hold_principal: ['principal', 'held'],
  release_balance: ['held', 'balance'],
  release_principal: ['held', 'principal'],
  withdraw: ['held', 'custody:hot'],
  withdraw_fee: ['held', 'company:revenue'],
  sweep: ['custody:hot', 'custody:deposits'],
  to_cold: ['custody:cold', 'custody:hot'],
  refill_hot: ['custody:hot', 'custody:cold'],
  company_deposit_hot: ['custody:hot', 'company:capital'],
  company_deposit_cold: ['custody:cold', 'company:capital'],
  custody_loss_deposits: ['company:capital', 'custody:deposits'],
  custody_loss_hot: ['company:capital', 'custody:hot'],
  custody_loss_cold: ['company:capital', 'custody:cold'],
  custody_gain_deposits: ['custody:deposits', 'company:capital'],
  custody_gain_hot: ['custody:hot', 'company:capital'],
  custody_gain_cold: ['custody:cold', 'company:capital'],
} as const satisfies Record<PostingKind, readonly [LedgerAccount, LedgerAccount]>

/**
 * The date a change of principal carries: now, or the first open instant when the books are closed past now. Until the
 * transaction ends no day can be closed over it.
 */
export async function openInstant(tx: Tx, now: Date): Promise<Date> {
  return queryValue<Date>(tx)`SELECT hold_period(${now})`
}

/** Closes the books up to an instant: later changes of principal are dated after it. */
export async function closePeriod(tx: Tx, until: Date): Promise<void> {
  await query(tx)`SELECT close_period(${until})`
}

/** Lets no other command change the member's balances until this transaction ends: all of them lock the member's row. */
export async function lockMember(tx: Tx, memberId: bigint): Promise<void> {
  await query(tx)`SELECT FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
}
