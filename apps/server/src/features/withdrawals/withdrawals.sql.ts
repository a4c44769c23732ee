import type { WithdrawalRisk } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { sql } from 'kysely'
import type { ClosedState, Transfer, WithdrawalState } from './withdrawals.rules.ts'

export function selectMember(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['id', 'email', 'locale', 'usdt_wallet'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** What a member asked for from an instant on, without what came to nothing. */
export async function selectAskedSince(db: Db, memberId: bigint, from: Date): Promise<Micro> {
  const { rows } = await sql<{ amount: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM withdrawal
    WHERE member_id = ${memberId} AND requested_at >= ${from} AND state IN ('requested', 'approved', 'completed')`.execute(
    db,
  )
  return micro(rows[0]?.amount ?? 0n)
}

/** What tells an operator whether a request looks like its member. */
export async function selectRiskFacts(
  db: Db,
  asked: { memberId: bigint; sessionId: string; userAgent: string; wallet: string },
) {
  const { memberId, sessionId, userAgent, wallet } = asked
  const { rows } = await sql<{
    walletSince: Date | null
    securityChangedAt: Date | null
    hasWithdrawn: boolean
    deviceSeenBefore: boolean
    walletShared: boolean
  }>`
    SELECT (SELECT max(at) FROM security_event WHERE member_id = ${memberId} AND kind = 'wallet_changed') AS "walletSince",
      (SELECT max(at) FROM security_event WHERE member_id = ${memberId}
        AND kind NOT IN ('wallet_changed', 'signed_in_new')) AS "securityChangedAt",
      EXISTS (SELECT FROM withdrawal WHERE member_id = ${memberId} AND state = 'completed') AS "hasWithdrawn",
      EXISTS (SELECT FROM session old JOIN session own ON own.member_id = old.member_id AND own.id = ${sessionId}
        WHERE old.member_id = ${memberId} AND old.id <> own.id AND old.started_at < own.started_at
          AND old.user_agent = ${userAgent}) AS "deviceSeenBefore",
      EXISTS (SELECT FROM member WHERE usdt_wallet = ${wallet} AND usdt_wallet <> '' AND id <> ${memberId}) AS "walletShared"`.execute(
    db,
  )
  if (rows[0] === undefined) throw new Error('the question answered nothing')
  return rows[0]
}

/** The number of the next withdrawal: drawn first, because the journal of its hold is named by it. */
export async function nextNumber(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`SELECT nextval('withdrawal_id_seq') AS id`.execute(tx)
  if (rows[0] === undefined) throw new Error('no number was drawn')
  return rows[0].id
}

export async function insertWithdrawal(
  tx: Tx,
  row: {
    memberId: bigint
    id: bigint
    amount: Micro
    fee: Micro
    fromBalance: Micro
    fromPrincipal: Micro
    wallet: string
    approvalsNeeded: number
    planVersion: number
    risks: readonly WithdrawalRisk[]
    device: string
    journalId: bigint
    at: Date
  },
): Promise<void> {
  await sql`INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed,
      plan_version, risks, device, hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${row.memberId}, ${row.id}, ${row.amount}, ${row.fee}, ${row.fromBalance}, ${row.fromPrincipal}, ${row.wallet},
      ${row.approvalsNeeded}, ${row.planVersion}, ${JSON.stringify(row.risks)}::jsonb, ${row.device}, ${row.journalId}, ${row.at})`.execute(
    tx,
  )
}

/** Principal that leaves for a withdrawal, below zero, or comes back from one, in the order of history. */
export async function insertPrincipalMovement(
  tx: Tx,
  moved: { memberId: bigint; withdrawalId: bigint; amount: bigint; at: Date },
): Promise<void> {
  await tx
    .insertInto('principal_movement')
    .values({
      member_id: moved.memberId,
      withdrawal_id: moved.withdrawalId,
      amount: moved.amount,
      at: moved.at,
    })
    .execute()
}

const ROW = [
  'member_id',
  'id',
  'amount',
  'fee',
  'from_balance',
  'from_principal',
  'wallet_address',
  'state',
  'approvals_needed',
] as const

/** A withdrawal as it stands; undefined also for another member's. */
export async function selectRow(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('withdrawal')
    .select(ROW)
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type WithdrawalRow = NonNullable<Awaited<ReturnType<typeof selectRow>>>

/** Whose these are; what nobody knows is left out. */
export function selectOwners(db: Db, ids: readonly bigint[]) {
  return db
    .selectFrom('withdrawal')
    .select(['member_id', 'id'])
    .where('id', 'in', [...ids])
    .orderBy('member_id')
    .orderBy('id')
    .execute()
}

export async function selectRequested(db: Db, memberId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectFrom('withdrawal')
    .select('id')
    .where('member_id', '=', memberId)
    .where('state', '=', 'requested')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateApproved(tx: Tx, memberId: bigint, id: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({ state: 'approved', approved_at: at })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .execute()
}

export interface Closing {
  readonly state: ClosedState
  readonly journalId: bigint
  readonly at: Date
  /** A stable name, or an operator's words. */
  readonly reason: string | null
  /** The operator or member who ended it; null for the chain. */
  readonly by: bigint | null
  readonly txid: string | null
}

export async function updateClosed(tx: Tx, memberId: bigint, id: bigint, closing: Closing): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({
      state: closing.state,
      closed_at: closing.at,
      close_journal_id: closing.journalId,
      reason: closing.reason,
      closed_by: closing.by,
      txid: closing.txid,
    })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .execute()
}

/** False when this operator approved it before. */
export async function insertApproval(
  tx: Tx,
  approval: { memberId: bigint; id: bigint; operatorId: bigint; at: Date },
): Promise<boolean> {
  const rows = await tx
    .insertInto('withdrawal_approval')
    .values({
      member_id: approval.memberId,
      withdrawal_id: approval.id,
      operator_id: approval.operatorId,
      at: approval.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('operator_id')
    .execute()
  return rows.length === 1
}

export async function countApprovals(db: Db, memberId: bigint, id: bigint): Promise<number> {
  const row = await db
    .selectFrom('withdrawal_approval')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Whether a transfer of it can still arrive, or the chain has ended one and that is to be booked. */
export async function hasLiveTransfer(db: Db, memberId: bigint, id: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_transfer')
    .select('txid')
    .where('purpose', '=', 'withdrawal')
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .where('state', '<>', 'expired')
    .executeTakeFirst()
  return row !== undefined
}

/** Columns of a withdrawal `w` and its newest transfer `t`, and where they come from. */
export const SHOWN =
  sql.raw(`w.member_id, w.id, w.amount, w.fee, w.from_balance, w.from_principal, w.wallet_address, w.state,
  w.requested_at, w.approved_at, w.closed_at, w.reason, t.txid, t.state AS transfer_state, t.signed_at, t.broadcast_at,
  t.seen_at, t.seen_block, t.block, t.block_at, t.arrived, t.amount AS sent`)
export const NEWEST_TRANSFER =
  sql.raw(`LEFT JOIN LATERAL (SELECT p.txid, p.state, p.signed_at, p.broadcast_at, p.seen_at, p.seen_block,
    p.block, p.block_at, p.arrived, p.amount FROM outgoing_transfer p
  WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
  ORDER BY p.prepared_at DESC, p.txid LIMIT 1) t ON true`)

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
}

/** The newest block that the gateway has seen. */
export async function selectHead(db: Db): Promise<bigint> {
  const { rows } = await sql<{
    head: bigint
  }>`SELECT coalesce(max(head_block), 0) AS head FROM chain_cursor`.execute(db)
  return rows[0]?.head ?? 0n
}

/** A member's withdrawals, newest first. */
export async function selectWithdrawals(db: Db, memberId: bigint, limit: number, offset: number) {
  const { rows } = await sql<ShownWithdrawal>`
    SELECT ${SHOWN} FROM (SELECT * FROM withdrawal WHERE member_id = ${memberId} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}) w
      ${NEWEST_TRANSFER} ORDER BY w.id DESC`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM withdrawal WHERE member_id = ${memberId}`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

/** One of a member's withdrawals; undefined also for somebody else's. */
export async function selectWithdrawal(
  db: Db,
  memberId: bigint,
  id: bigint,
): Promise<ShownWithdrawal | undefined> {
  const { rows } = await sql<ShownWithdrawal>`
    SELECT ${SHOWN} FROM withdrawal w ${NEWEST_TRANSFER} WHERE w.member_id = ${memberId} AND w.id = ${id}`.execute(
    db,
  )
  return rows[0]
}
