/** What the benchmark of withdrawals asks and arranges as the owner of the database. */
import type pg from 'pg'

/** Members `1` and following get a wallet and a deposit address each, in their order. */
export async function givePlaces(
  client: pg.ClientBase,
  wallets: readonly string[],
  deposits: readonly string[],
): Promise<void> {
  await client.query(
    'UPDATE member m SET usdt_wallet = u.wallet, email_proven_at = joined_at FROM unnest($1::text[]) WITH ORDINALITY AS u (wallet, id) WHERE m.id = u.id',
    [wallets],
  )
  await client.query(
    `UPDATE deposit_address d SET address = u.address FROM unnest($1::text[]) WITH ORDINALITY AS u (address, id)
     WHERE d.member_id = u.id`,
    [deposits],
  )
}

const count = async (client: pg.ClientBase, text: string, values: readonly unknown[] = []) => {
  const { rows } = await client.query<{ count: number }>(text, [...values])
  return rows[0]?.count ?? 0
}

export const countCredited = (client: pg.ClientBase): Promise<number> =>
  count(client, 'SELECT count(*)::int AS count FROM deposit_credit')

/** What the books say that the hot wallet holds, in micro-USDT. */
export async function selectHotBook(client: pg.ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ amount: string }>(
    "SELECT amount FROM custody_balance WHERE account = 'custody:hot'",
  )
  return BigInt(rows[0]?.amount ?? 0)
}

export interface Mail {
  readonly sent: number
  readonly queued: number
}

export async function countMail(client: pg.ClientBase): Promise<Mail> {
  const { rows } = await client.query<Mail>(
    `SELECT count(*) FILTER (WHERE state = 'sent')::int AS sent, count(*) FILTER (WHERE state = 'queued')::int AS queued
     FROM mail_message`,
  )
  return rows[0] ?? { sent: 0, queued: 0 }
}

export const countApproved = (client: pg.ClientBase): Promise<number> =>
  count(client, "SELECT count(*)::int AS count FROM withdrawal WHERE state = 'approved'")

export async function selectRequested(client: pg.ClientBase): Promise<bigint[]> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM withdrawal WHERE state = 'requested' ORDER BY id",
  )
  return rows.map(({ id }) => BigInt(id))
}

/** What keeps all of them from being paid, or any. */
export async function selectDelay(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ text: string }>(
    "SELECT concat_ws(' ', code, detail) AS text FROM withdrawal_delay ORDER BY withdrawal_id LIMIT 1",
  )
  return rows[0]?.text ?? null
}

/** When the last of them got so far, by the system's clock. */
export interface Milestones {
  readonly prepared: Date
  readonly signed: Date
  readonly settled: Date
  readonly booked: Date
}

/** Of withdrawals up to number `last`. */
export async function selectMilestones(client: pg.ClientBase, last: bigint): Promise<Milestones> {
  const { rows } = await client.query<Milestones>(
    `SELECT max(p.prepared_at) AS prepared, max(p.signed_at) AS signed,
       max(p.closed_at) AS settled, max(b.at) AS booked
     FROM outgoing_transfer p JOIN outgoing_transfer_booking b USING (txid) WHERE p.withdrawal_id <= $1`,
    [last],
  )
  if (rows[0] === undefined) throw new Error('the question answered nothing')
  return rows[0]
}

/** What may not be, in a sentence each. */
export async function selectWrongs(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT count(*) || ' withdrawals are ' || state AS text FROM withdrawal WHERE state <> 'completed' GROUP BY state
     UNION ALL SELECT count(*) || ' transfers are ' || state FROM outgoing_transfer WHERE state NOT IN ('settled', 'expired') GROUP BY state
     UNION ALL SELECT count(*) || ' transfers brought less than was sent' FROM outgoing_transfer WHERE arrived <> amount HAVING count(*) > 0
     UNION ALL SELECT count(*) || ' transfers are explained by nothing' FROM unexplained_outflow HAVING count(*) > 0
     UNION ALL SELECT 'payouts are stopped: ' || reason FROM payout_stop WHERE stopped`,
  )
  return rows.map(({ text }) => text)
}

/** Transfers that were prepared in vain. */
export const countDead = (client: pg.ClientBase): Promise<number> =>
  count(client, "SELECT count(*)::int AS count FROM outgoing_transfer WHERE state = 'expired'")

/** Whether a member's newest mail with a code is out. */
export async function isCodeSent(client: pg.ClientBase, memberId: bigint): Promise<boolean> {
  const { rows } = await client.query<{ sent: boolean }>(
    `SELECT state = 'sent' AS sent FROM mail_message
     WHERE member_id = $1 AND template = 'withdrawal_code' ORDER BY id DESC LIMIT 1`,
    [memberId],
  )
  return rows[0]?.sent === true
}

/** Whether a transfer of it was handed to the node, as the gateway notes it. */
export async function isHandedOver(client: pg.ClientBase, memberId: bigint, id: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM outgoing_transfer WHERE purpose = 'withdrawal' AND member_id = $1 AND withdrawal_id = $2 AND broadcasts > 0`,
    [memberId, id],
  )
  return rowCount !== 0
}

/** The processes of the database that serve somebody. */
export async function selectSessions(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  return rows.map(({ pid }) => pid)
}
