/** Withdrawals as operators see them: a page in one query, whatever the queue's length. */
import { MOST_COUNTED, type SecurityEventKind } from '@aval/contract'
import type { Db } from '@aval/db'
import { micro } from '@aval/money'
import { approvalsNeeded } from '@aval/plan'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { countUpTo, query, queryFirst, queryOne } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { NEWEST_TRANSFER, SHOWN, type ShownWithdrawal } from './withdrawals.queries.ts'

type QueueState = 'requested' | 'approved' | 'closed' | null

export interface QueuedWithdrawalRow extends ShownWithdrawal {
  readonly username: string
  readonly email: string
  readonly risks: unknown
  readonly approvals_needed: number
  /** Operator, username and instant of each approval, oldest first. */
  readonly approvals: readonly [operatorId: number, username: string, at: string][]
  readonly wallet_since: Date | null
  readonly refused_by: string | null
  readonly delay: string | null
  readonly delay_detail: string | null
  readonly delay_since: Date | null
}

/** As constants, so that each finds its partial index. */
const OF_STATE: Readonly<Record<'requested' | 'approved' | 'closed' | 'open', RawBuilder<unknown>>> = {
  requested: sql.raw(`state = 'requested'`),
  approved: sql.raw(`state = 'approved'`),
  open: sql.raw(`state IN ('requested', 'approved')`),
  closed: sql.raw(`closed_at IS NOT NULL`),
}

const QUEUED = sql`${SHOWN}, m.username, m.email, w.risks, w.approvals_needed,
  coalesce((SELECT jsonb_agg(jsonb_build_array(a.operator_id, o.username, a.at) ORDER BY a.at, a.operator_id)
    FROM withdrawal_approval a JOIN member o ON o.id = a.operator_id
    WHERE a.member_id = w.member_id AND a.withdrawal_id = w.id), '[]') AS approvals,
  (SELECT max(e.at) FROM security_event e WHERE e.member_id = w.member_id AND e.kind = 'wallet_changed'
    AND e.details->>'wallet' = w.wallet_address) AS wallet_since,
  (SELECT c.username FROM member c WHERE w.state = 'refused' AND c.id = w.closed_by) AS refused_by,
  b.code AS delay, b.detail AS delay_detail, b.since AS delay_since`

/** A withdrawal's own delay, else the one of all of them, which is stored under (0, 0). */
const DELAY = sql.raw(`LEFT JOIN LATERAL (SELECT code, detail, since FROM withdrawal_delay
    WHERE w.state = 'approved' AND (member_id, withdrawal_id) IN ((w.member_id, w.id), (0, 0))
    ORDER BY withdrawal_id DESC LIMIT 1) b ON true`)

/** What counts together with the withdrawal `w`: its member's requests of the 24 hours before it and since, but for those that nothing came of. */
const DAY_AMOUNT = sql.raw(`(SELECT coalesce(sum(d.amount), 0)::bigint FROM withdrawal d
  WHERE d.member_id = w.member_id AND d.requested_at >= w.requested_at - interval '24 hours'
    AND (d.id = w.id OR d.state NOT IN ('cancelled', 'refused', 'failed')))`)

/**
 * A page of the queue, and how many are in it, up to a limit: open ones oldest first, closed ones newest first. What is to be decided
 * needs as many operators as the signer will ask for, which counts a member's requests of a day together.
 */
export async function listQueue(db: Db, state: QueueState, limit: number, offset: number, now: Date) {
  const where = OF_STATE[state ?? 'open']
  const order = sql.raw(state === 'closed' ? 'id DESC' : 'id')
  const rows = await query<QueuedWithdrawalRow & { day_amount: bigint }>(db)`
    SELECT ${QUEUED}, ${DAY_AMOUNT} AS day_amount FROM (SELECT * FROM withdrawal WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${Math.min(offset, MOST_COUNTED)}) w
      JOIN member m ON m.id = w.member_id ${NEWEST_TRANSFER} ${DELAY} ORDER BY w.${order}`
  const { plan } = await planAt(db, now)
  const needed = (row: (typeof rows)[number]) =>
    row.state === 'requested'
      ? Math.max(row.approvals_needed, approvalsNeeded(plan, micro(row.day_amount)))
      : row.approvals_needed
  return {
    rows: rows.map((row) => ({ ...row, approvals_needed: needed(row) })),
    count: await countUpTo(db, MOST_COUNTED)`withdrawal WHERE ${where}`,
  }
}

async function selectQueued(db: Db, id: bigint): Promise<QueuedWithdrawalRow | undefined> {
  return queryFirst<QueuedWithdrawalRow>(db)`
    SELECT ${QUEUED} FROM withdrawal w JOIN member m ON m.id = w.member_id ${NEWEST_TRANSFER} ${DELAY} WHERE w.id = ${id}`
}

interface MemberFacts {
  readonly joined_at: Date
  readonly principal: bigint
  readonly balance: bigint
  readonly held: bigint
  readonly earned: bigint
  readonly invested: bigint
  readonly withdrawn: bigint
  readonly withdrawals: number
  readonly sponsor: string | null
  readonly sponsor_id: bigint | null
}

/** What a member has done so far. `invested` is what was put in, without what was taken back. */
async function selectMemberFacts(db: Db, memberId: bigint): Promise<MemberFacts> {
  return queryOne<MemberFacts>(db)`
    SELECT m.joined_at, b.principal, b.balance, b.held, b.earned, u.username AS sponsor, s.sponsor_id,
      (coalesce((SELECT sum(amount) FROM investment WHERE member_id = m.id), 0)
        - coalesce((SELECT sum(amount) FROM reversal WHERE member_id = m.id), 0))::bigint AS invested,
      coalesce(w.amount, 0)::bigint AS withdrawn, coalesce(w.count, 0)::int AS withdrawals
    FROM member m JOIN member_balance b ON b.member_id = m.id
      LEFT JOIN sponsorship s ON s.member_id = m.id LEFT JOIN member u ON u.id = s.sponsor_id
      LEFT JOIN (SELECT member_id, sum(amount) FILTER (WHERE state = 'completed') AS amount,
          count(*) FILTER (WHERE state = 'completed') AS count
        FROM withdrawal WHERE member_id = ${memberId} GROUP BY member_id) w ON w.member_id = m.id
    WHERE m.id = ${memberId}`
}

const MOST_EVENTS = 20

/** What happened to the account lately, newest first. */
function selectSecurityEvents(db: Db, memberId: bigint) {
  return db
    .selectFrom('security_event')
    .select(['kind', 'at', 'user_agent'])
    .$narrowType<{ kind: SecurityEventKind }>()
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(MOST_EVENTS)
    .execute()
}

const MOST_ON_A_WALLET = 10

/** Other accounts that are paid to this wallet. */
function selectSameWallet(db: Db, { member_id: memberId, wallet_address: wallet }: QueuedWithdrawalRow) {
  return db
    .selectFrom('member')
    .select(['id', 'username'])
    .where('usdt_wallet', '=', wallet)
    .where('usdt_wallet', '<>', '')
    .where('id', '<>', memberId)
    .orderBy('id')
    .limit(MOST_ON_A_WALLET)
    .execute()
}

/** What counts together: the member's requests of the 24 hours before this one and since, but for those that nothing came of. */
function selectDay(db: Db, { member_id: memberId, id, requested_at: at }: QueuedWithdrawalRow) {
  return queryOne<{ amount: bigint; count: number }>(db)`
    SELECT coalesce(sum(amount), 0)::bigint AS amount, count(*)::int AS count FROM withdrawal
    WHERE member_id = ${memberId} AND requested_at >= ${at}::timestamptz - interval '24 hours'
      AND (id = ${id} OR state NOT IN ('cancelled', 'refused', 'failed'))`
}

/** What an amount within 24 hours means: how many operators by the plan, and from where on more of them. */
async function readDay(db: Db, row: QueuedWithdrawalRow, now: Date) {
  const [{ amount, count }, { plan }] = await Promise.all([selectDay(db, row), planAt(db, now)])
  const operators = approvalsNeeded(plan, micro(amount))
  const more = plan.withdrawals.approvals.find((step) => step.from > amount && step.operators > operators)
  return { amount, count, operators, moreFrom: more?.from ?? null }
}

const MOST_TRANSFERS = 50

/** The transfers prepared for a withdrawal, newest first. */
function selectTransfersOf(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('outgoing_transfer')
    .select(['txid', 'state', 'prepared_at', 'expires_at', 'broadcasts', 'reply', 'result', 'arrived'])
    .where('purpose', '=', 'withdrawal')
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .orderBy('prepared_at', 'desc')
    .limit(MOST_TRANSFERS)
    .execute()
}

/** One withdrawal with its member's history. @param now business time @throws Refusal `withdrawal_not_found` */
export async function readDossier({ db, config }: Context, id: bigint | null, now: Date) {
  const row = id === null ? undefined : await selectQueued(db, id)
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  const memberId = row.member_id
  const [facts, twoFactor, cooling, events, transfers, sameWallet, day] = await Promise.all([
    selectMemberFacts(db, memberId),
    hasSecondFactor(db, memberId),
    findCoolingEnd(db, memberId, config, new Date()),
    selectSecurityEvents(db, memberId),
    selectTransfersOf(db, memberId, row.id),
    selectSameWallet(db, row),
    readDay(db, row, now),
  ])
  return { row, member: { ...facts, twoFactor, coolsUntil: cooling }, events, transfers, sameWallet, day }
}

export type Dossier = Awaited<ReturnType<typeof readDossier>>
