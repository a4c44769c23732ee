/**
 * The ledger: the only writer of postings.
 *
 * Terms. A *posting* moves one amount from a source account to a destination account. A *journal* is one event under one
 * idempotency key, with the postings it caused. The *house* is member 0: company money is booked under it.
 */
import { createHash } from 'node:crypto'
import type { DB, Tx } from '@aval/db'
import type { Micro } from '@aval/money'
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

/** Opens the journal of a key, or answers the one that has it. @throws KeyReused when that is another event's. */
async function openJournal(
  tx: Tx,
  journal: { key: string; kind: string; at: Date; input_hash: string },
): Promise<Journal> {
  const opened = await tx
    .insertInto('journal')
    .values(journal)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (opened !== undefined) return { id: opened.id, replayed: false }
  const known = await tx
    .selectFrom('journal')
    .select(['id', 'input_hash'])
    .where('key', '=', journal.key)
    .executeTakeFirst()
  if (known?.input_hash !== journal.input_hash) throw new KeyReused(journal.key)
  return { id: known.id, replayed: true }
}

/**
 * Posts one event of one member in the caller's transaction.
 *
 * The same event again answers the first journal and posts nothing. @throws KeyReused when the key belongs to another
 * event; a database error when an account would fall below zero.
 */
export async function post(tx: Tx, event: Event): Promise<Journal> {
  const { key, kind, memberId, at } = event
  const journal = await openJournal(tx, { key, kind, at, input_hash: hashOf(event) })
  if (journal.replayed) return journal
  const rows = event.movements
    .filter(({ amount }) => amount !== 0n)
    .map(({ kind, amount }, leg) => {
      const [source, destination] = CHART[kind]
      return { member_id: memberId, journal_id: journal.id, leg, kind, source, destination, amount, at }
    })
  if (rows.length > 0) await tx.insertInto('posting').values(rows).execute()
  return journal
}

/** Opens the journal that a payout run posts its items under, batch by batch. */
export async function openRunJournal(tx: Tx, run: { key: string; at: Date; hash: string }): Promise<bigint> {
  return (await openJournal(tx, { key: run.key, kind: 'payout', at: run.at, input_hash: run.hash })).id
}

interface RunJournal {
  readonly runId: bigint
  readonly journalId: bigint
  readonly at: Date
  readonly source: LedgerAccount
}

/** Members whose items are posted together. */
interface PostingRange {
  readonly first: bigint
  readonly last: bigint
}

/** Posts the sealed items of a run that belong to a range of members; answers how many there were. */
export async function postItems(tx: Tx, run: RunJournal, { first, last }: PostingRange): Promise<number> {
  return queryValue<number>(tx)`
    WITH sealed AS MATERIALIZED (
      SELECT i.member_id, i.leg, i.kind, coalesce(s.amount, i.amount) AS amount
      FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.run_id = ${run.runId} AND i.member_id BETWEEN ${first} AND ${last}
    ), posted AS (
      INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT member_id, ${run.journalId}, leg, kind, ${run.source}::ledger_account, 'balance', amount, ${run.at}
      FROM sealed WHERE amount > 0 ORDER BY member_id, leg
    )
    SELECT count(*)::int AS count FROM sealed`
}

/** The same for a passive run, whose items stand in pages by blocks of 1,024 ids. */
export async function postPages(tx: Tx, run: RunJournal, { first, last }: PostingRange): Promise<number> {
  return queryValue<number>(tx)`
    WITH sealed AS MATERIALIZED (
      SELECT p.block, p.item_count, p.members, coalesce(s.amounts, p.amounts) AS amounts
      FROM payout_page p LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
      WHERE p.run_id = ${run.runId} AND p.block BETWEEN ${first / 1024n} AND ${last / 1024n} ORDER BY p.block
    ), posted AS (
      INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT i.member_id, ${run.journalId}, 0, 'passive', ${run.source}::ledger_account, 'balance', i.amount, ${run.at}
      FROM sealed n, unnest(n.members, n.amounts) AS i (member_id, amount) WHERE i.amount > 0
    )
    SELECT coalesce(sum(item_count), 0)::int AS count FROM sealed`
}

/**
 * The date a change of principal carries: now, or the first open instant when the books are closed past now. Until the
 * transaction ends no day can be closed over it.
 */
export async function openInstant(tx: Tx, now: Date): Promise<Date> {
  await query(tx)`SELECT pg_advisory_xact_lock_shared(7201)`
  const closed = await queryValue<Date | null>(tx)`
    SELECT CASE WHEN isfinite(closed_until) THEN closed_until END FROM period_close`
  return closed !== null && closed.getTime() > now.getTime() ? closed : now
}

/** Closes the books up to an instant: later changes of principal are dated after it. */
export async function closePeriod(tx: Tx, until: Date): Promise<void> {
  await query(tx)`SELECT close_period(${until})`
}

/** Lets no other command change the member's balances until this transaction ends: all of them lock the member's row. */
export async function lockMember(tx: Tx, memberId: bigint): Promise<void> {
  await query(tx)`SELECT FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
}

/** The same for the company's money, which has no member row. */
export async function lockHouse(tx: Tx): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(7202)`
}
