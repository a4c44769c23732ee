/** Withdrawals as they are shown: each with the newest transfer that was prepared for it. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Course, Transfer, WithdrawalState } from './withdrawals.rules.ts'

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

export interface ShownRow {
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

/** Where a shown withdrawal stands, as the rules read it. */
export function courseOf(row: ShownRow): Course {
  const { txid, transfer_state: state } = row
  const transfer =
    txid === null || state === null
      ? null
      : {
          txid,
          state,
          signedAt: row.signed_at,
          broadcastAt: row.broadcast_at,
          seenAt: row.seen_at,
          seenBlock: row.seen_block,
          block: row.block,
          blockAt: row.block_at,
        }
  return {
    state: row.state,
    requestedAt: row.requested_at,
    approvedAt: row.approved_at,
    closedAt: row.closed_at,
    transfer,
  }
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
  const { rows } = await sql<ShownRow>`
    SELECT ${SHOWN} FROM (SELECT * FROM withdrawal WHERE member_id = ${memberId} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}) w
      ${NEWEST_TRANSFER} ORDER BY w.id DESC`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM withdrawal WHERE member_id = ${memberId}`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

/** One of a member's withdrawals; undefined also for somebody else's. */
export async function selectWithdrawal(db: Db, memberId: bigint, id: bigint): Promise<ShownRow | undefined> {
  const { rows } = await sql<ShownRow>`
    SELECT ${SHOWN} FROM withdrawal w ${NEWEST_TRANSFER} WHERE w.member_id = ${memberId} AND w.id = ${id}`.execute(
    db,
  )
  return rows[0]
}
