/** Withdrawals as their members see them, and what a member can withdraw. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import {
  addDays,
  dayAt,
  dayStart,
  type Lock,
  type Plan,
  splitWithdrawal,
  withdrawalRefusal,
} from '@aval/plan'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { countOf, query, queryFirst, queryValue } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { findFreeze } from '../identity/freezing/freezing.queries.ts'
import { findKeyInForce } from '../identity/member-key/member-key.queries.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import { lockedOf, spendableBy } from '../investments/investments.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../reserves/reserves.queries.ts'
import type { Transfer, WithdrawalState } from './withdrawals.rules.ts'
import { selectMember } from './withdrawals.sql.ts'

/** Columns of a withdrawal `w` and its newest transfer `t`, and where they come from. */
export const SHOWN =
  sql.raw(`w.member_id, w.id, w.amount, w.fee, w.from_balance, w.from_principal, w.wallet_address, w.state,
  w.requested_at, w.approved_at, w.closed_at, w.reason, t.txid, t.state AS transfer_state, t.signed_at, t.broadcast_at,
  t.seen_at, t.seen_block, t.block, t.block_at, t.arrived, t.amount AS sent, w.closed_at IS NULL AND is_frozen(w.member_id) AS frozen`)
export const NEWEST_TRANSFER =
  sql.raw(`LEFT JOIN LATERAL (SELECT p.txid, p.state, p.signed_at, p.broadcast_at, p.seen_at, p.seen_block,
    p.block, p.block_at, p.arrived, p.amount FROM outgoing_transfer p
  WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
  ORDER BY p.prepared_at DESC, p.txid LIMIT 1) t ON true`)

/** A withdrawal with its newest transfer. */
export interface ShownWithdrawal {
  readonly member_id: bigint
  readonly id: bigint
  readonly amount: bigint
  readonly fee: bigint
  readonly from_balance: bigint
  readonly from_principal: bigint
  readonly wallet_address: string
  readonly state: WithdrawalState
  readonly requested_at: Date
  readonly approved_at: Date | null
  readonly closed_at: Date | null
  readonly reason: string | null
  readonly txid: string | null
  readonly transfer_state: Transfer['state'] | null
  readonly signed_at: Date | null
  readonly broadcast_at: Date | null
  readonly seen_at: Date | null
  readonly seen_block: bigint | null
  readonly block: bigint | null
  readonly block_at: Date | null
  readonly arrived: bigint | null
  readonly sent: bigint | null
  /** It is open, and its member's account is frozen. */
  readonly frozen: boolean
}

/** What a withdrawal is shown against. */
export interface View {
  /** The newest block that the gateway has seen. */
  readonly head: bigint
  /** Business time, and how many milliseconds it is ahead of the system's. */
  readonly now: Date
  readonly ahead: number
}

/** @param now business time */
export async function viewAt(db: Db, now: Date): Promise<View> {
  const head = await queryValue<bigint>(db)`SELECT coalesce(max(head_block), 0) FROM chain_cursor`
  return { head, now, ahead: now.getTime() - Date.now() }
}

/** A member's withdrawals, newest first, and how many there are. */
export async function listWithdrawals(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<ShownWithdrawal>(db)`
    SELECT ${SHOWN} FROM (SELECT * FROM withdrawal WHERE member_id = ${memberId} ORDER BY requested_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) w
      ${NEWEST_TRANSFER} ORDER BY w.requested_at DESC, w.id DESC`
  return { rows, count: await countOf(db)`withdrawal WHERE member_id = ${memberId}` }
}

/** One of a member's withdrawals. @throws Refusal `withdrawal_not_found`, also for another member's */
export async function readWithdrawal(db: Db, memberId: bigint, id: bigint | null): Promise<ShownWithdrawal> {
  const row = await queryFirst<ShownWithdrawal>(db)`
    SELECT ${SHOWN} FROM withdrawal w ${NEWEST_TRANSFER} WHERE w.member_id = ${memberId} AND w.id = ${id}`
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  return row
}

/** What a member has that can be withdrawn. */
export interface Funds {
  readonly version: number
  readonly plan: Plan
  readonly balance: Micro
  readonly principal: Micro
  /** The balance without what the member owes: that is taken from it elsewhere, and never leaves before. */
  readonly spendable: Micro
  readonly owed: Micro
  /** Principal that can be withdrawn; and how the rest is locked. */
  readonly unlocked: Micro
  readonly lock: Lock
  readonly askedToday: Micro
  readonly dayTurnsAt: Date
}

/** What a member can withdraw at a business time. */
export async function fundsOf(db: Db, memberId: bigint, now: Date): Promise<Funds> {
  const { version, plan } = await planAt(db, now)
  const lock = await lockedOf(db, memberId, now)
  const today = dayAt(now, plan.timeZone)
  return {
    version,
    plan,
    ...(await spendableBy(db, memberId)),
    lock,
    unlocked: lock.unlocked,
    askedToday: await askedSince(db, memberId, dayStart(today, plan.timeZone)),
    dayTurnsAt: dayStart(addDays(today, 1), plan.timeZone),
  }
}

/** What a member asked for from an instant on, without what came to nothing. */
async function askedSince(db: Db, memberId: bigint, from: Date): Promise<Micro> {
  const asked = await queryValue<bigint>(db)`SELECT coalesce(sum(amount), 0)::bigint FROM withdrawal
    WHERE member_id = ${memberId} AND requested_at >= ${from} AND state IN ('requested', 'approved', 'completed')`
  return micro(asked)
}

/** What a withdrawal of this amount would be; where it is not covered, the part that is. */
function quoteOf(funds: Funds, amount: Micro) {
  const { spendable, unlocked, askedToday, plan } = funds
  const refused = withdrawalRefusal(plan, amount, { balance: spendable, unlocked, askedToday })
  const parts = splitWithdrawal(amount, spendable, unlocked)
  const { fee } = plan.withdrawals
  return {
    amount,
    arrives: micro(amount > fee ? amount - fee : 0n),
    fromBalance: parts?.fromBalance ?? spendable,
    fromPrincipal: parts?.fromPrincipal ?? unlocked,
    /** Why this amount cannot be asked for now; null when it can. */
    refusal: refused === null ? null : new Refusal(refused.code, { ...refused.params }),
  }
}

/** The later one that is still to come; null for none. */
function latest(one: Date | null, other: Date | null): Date | null {
  const ends = [one, other].filter((end) => end !== null && end.getTime() > Date.now()) as Date[]
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())))
}

/** What a member needs to know before a request. @param amount to be quoted; null for none */
export async function readTerms(context: Context, memberId: bigint, amount: Micro | null) {
  const { db, config } = context
  const funds = await fundsOf(db, memberId, await context.clock.now())
  const { dailyLimit } = funds.plan.withdrawals
  const key = await findKeyInForce(db, memberId)
  const { usdt_wallet: wallet } = await selectMember(db, memberId)
  return {
    funds,
    leftToday: micro(funds.askedToday > dailyLimit ? 0n : dailyLimit - funds.askedToday),
    coolsUntil: latest(await findCoolingEnd(db, memberId, config, new Date()), key?.usableFrom ?? null),
    paused: await isStopped(db),
    frozen: (await findFreeze(db, memberId))?.reason ?? null,
    wallet,
    needsOtp: await hasSecondFactor(db, memberId),
    /** Where `sendCode` makes one without an amount. */
    codeFirst: config.unboundCodes && key === null && wallet !== '',
    quote: amount === null ? null : quoteOf(funds, amount),
  }
}

export type Terms = Awaited<ReturnType<typeof readTerms>>
