/**
 * The ledger: the only writer of postings.
 *
 * Terms. A *posting* moves one amount from a source account to a destination account. A *journal* is one event under one
 * idempotency key, with the postings it caused. The *house* is member 0: company money is booked under it.
 */
import { createHash } from 'node:crypto'
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import {
  closePeriodAt,
  findJournal,
  holdPeriodOpen,
  insertItemPostings,
  insertJournal,
  insertPagePostings,
  insertPostings,
  type LedgerAccount,
  lockHouseRow,
  lockMemberRow,
  type PostingKind,
  type PostingRange,
  type PostingRow,
  type RunJournal,
} from './ledger.sql.ts'

export const HOUSE = 0n

/** What each kind of posting moves, from where to where. A test compares it with the database's constraint. */
export const CHART = {
  deposit_to_principal: ['custody:deposits', 'principal'],
  deposit_to_balance: ['custody:deposits', 'balance'],
  deposit_fee: ['custody:deposits', 'company:revenue'],
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

export interface Movement {
  readonly kind: PostingKind
  readonly amount: Micro
}

export interface Event {
  /** The caller's idempotency key, unique over the whole ledger. */
  readonly key: string
  readonly kind: string
  readonly memberId: bigint
  /** Business time. */
  readonly at: Date
  /** Movements of nothing are left out. */
  readonly movements: readonly Movement[]
}

export interface Journal {
  readonly id: bigint
  /** True when this event had been posted before; nothing was posted now. */
  readonly replayed: boolean
}

/** The same key was used for something else: a broken assumption, not a member's mistake. */
export class KeyReused extends Error {
  constructor(key: string) {
    super(`the idempotency key ${key} was used for another event`)
    this.name = 'KeyReused'
  }
}

function hashOf(event: Event): string {
  const parts = event.movements.map(({ kind, amount }) => `${kind}:${amount}`)
  return createHash('sha256')
    .update([event.kind, event.memberId, ...parts].join('|'))
    .digest('hex')
}

/**
 * Posts one event of one member in the caller's transaction.
 *
 * The same event again answers the first journal and posts nothing. @throws KeyReused when the key belongs to another
 * event; a database error when an account would fall below zero.
 */
export async function post(tx: Tx, event: Event): Promise<Journal> {
  const input_hash = hashOf(event)
  const id = await insertJournal(tx, { key: event.key, kind: event.kind, at: event.at, input_hash })
  if (id === null) {
    const known = await findJournal(tx, event.key)
    if (known === undefined || known.input_hash !== input_hash) throw new KeyReused(event.key)
    return { id: known.id, replayed: true }
  }
  const rows = event.movements
    .filter(({ amount }) => amount !== 0n)
    .map(({ kind, amount }, leg): PostingRow => {
      const [source, destination] = CHART[kind]
      return { member_id: event.memberId, leg, kind, source, destination, amount }
    })
  if (rows.length > 0) await insertPostings(tx, id, event.at, rows)
  return { id, replayed: false }
}

/** Opens the journal that a payout run posts its items under, batch by batch. */
export async function openRunJournal(tx: Tx, run: { key: string; at: Date; hash: string }): Promise<bigint> {
  const id = await insertJournal(tx, { key: run.key, kind: 'payout', at: run.at, input_hash: run.hash })
  if (id !== null) return id
  const known = await findJournal(tx, run.key)
  if (known === undefined || known.input_hash !== run.hash) throw new KeyReused(run.key)
  return known.id
}

/**
 * The date a change of principal carries: now, or the first open instant when the books are closed past now. Until the
 * transaction ends no day can be closed over it.
 */
export async function openInstant(tx: Tx, now: Date): Promise<Date> {
  const closed = await holdPeriodOpen(tx)
  return closed !== null && closed.getTime() > now.getTime() ? closed : now
}

/** Closes the books up to an instant: later changes of principal are dated after it. */
export function closePeriod(tx: Tx, until: Date): Promise<void> {
  return closePeriodAt(tx, until)
}

/** Lets no other transaction change the member's balances until this one ends. */
export function lockMember(tx: Tx, memberId: bigint): Promise<void> {
  return lockMemberRow(tx, memberId)
}

/** Lets no other transaction change company money until this one ends. */
export function lockHouse(tx: Tx): Promise<void> {
  return lockHouseRow(tx)
}

/** Posts a batch of a run's items of commission; returns how many. */
export function postItems(tx: Tx, run: RunJournal, range: PostingRange): Promise<number> {
  return insertItemPostings(tx, run, range)
}

/** Posts a batch of a run's pages of passive profit; returns how many items. */
export function postPages(tx: Tx, run: RunJournal, range: PostingRange): Promise<number> {
  return insertPagePostings(tx, run, range)
}
