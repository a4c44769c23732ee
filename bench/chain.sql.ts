/** What the benchmarks of the chain write and ask, as the owner of the tables. */
import type pg from 'pg'

/** Sets the database up for the development chain, with these deposit addresses of members 1, 2, … */
export async function installChain(
  owner: pg.Pool,
  usdt: string,
  xpub: string,
  addresses: readonly string[],
): Promise<void> {
  await owner.query(
    "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', $1, $2)",
    [usdt, xpub],
  )
  await owner.query(
    'INSERT INTO deposit_address (address, member_id) SELECT a, n FROM unnest($1::text[]) WITH ORDINALITY AS t (a, n)',
    [addresses],
  )
}

export async function countTransfers(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM chain_transfer')
  return rows[0]?.n ?? 0
}

/** Approved withdrawals, a member each, of `amount` micro-USDT with a fee of 1 USDT. */
export async function approveWithdrawals(
  owner: pg.Pool,
  wallets: readonly string[],
  amount: bigint,
): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed,
       plan_version, hold_journal_id, requested_at)
     SELECT 1000000 + n, $2::bigint, 1000000, $2::bigint, 0, a, 0, 1, 1, clock_timestamp()
     FROM unnest($1::text[]) WITH ORDINALITY AS t (a, n) RETURNING id`,
    [wallets, amount],
  )
  await owner.query(
    "UPDATE withdrawal SET state = 'approved', approved_at = clock_timestamp() WHERE id = any($1::bigint[])",
    [rows.map(({ id }) => id)],
  )
}

export interface Progress {
  readonly settled: number
  readonly failed: number
  readonly dead: number
  readonly live: number
}

export async function progressOf(owner: pg.Pool): Promise<Progress> {
  const { rows } = await owner.query<Progress>(
    `SELECT count(*) FILTER (WHERE state = 'settled')::int AS settled, count(*) FILTER (WHERE state = 'failed')::int AS failed,
       count(*) FILTER (WHERE state = 'dead')::int AS dead, count(*) FILTER (WHERE state IN ('prepared', 'signed'))::int AS live
     FROM chain_payment WHERE purpose = 'withdrawal'`,
  )
  return rows[0] ?? { settled: 0, failed: 0, dead: 0, live: 0 }
}

/** From the approval to the first hand-over, in milliseconds, of the newest withdrawals. */
export async function handOverTimes(owner: pg.Pool, newest: number): Promise<number[]> {
  const { rows } = await owner.query<{ ms: string }>(
    `SELECT extract(epoch FROM p.broadcast_at - w.approved_at) * 1000 AS ms FROM chain_payment p
     JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id
     WHERE p.broadcast_at IS NOT NULL ORDER BY w.id DESC LIMIT $1`,
    [newest],
  )
  return rows.map(({ ms }) => Number.parseInt(ms, 10))
}

/** What arrived by the books, and how many withdrawals have more than one payment that was not buried. */
export async function auditPayments(owner: pg.Pool): Promise<{ arrived: bigint; doubled: number }> {
  const { rows } = await owner.query<{ arrived: string; doubled: number }>(
    `SELECT (SELECT coalesce(sum(arrived), 0) FROM chain_payment WHERE state = 'settled' AND purpose = 'withdrawal') AS arrived,
       (SELECT count(*)::int FROM (SELECT FROM chain_payment WHERE state <> 'dead' AND purpose = 'withdrawal'
         GROUP BY member_id, withdrawal_id HAVING count(*) > 1) d) AS doubled`,
  )
  return { arrived: BigInt(rows[0]?.arrived ?? 0), doubled: rows[0]?.doubled ?? 0 }
}
