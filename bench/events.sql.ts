/** Members who are signed in, for the benchmark of their streams. */
import type pg from 'pg'

export interface OpenSession {
  readonly memberId: bigint
  readonly sessionId: string
}

/** So many new members, each with one session. Nobody can sign in as one. */
export async function insertSignedIn(owner: pg.Client, count: number): Promise<OpenSession[]> {
  const { rows } = await owner.query<{ member_id: string; id: string }>(
    `WITH joined AS (
       INSERT INTO member (username, email, password_hash, ref_code, terms_accepted_at, joined_at)
       SELECT 'm' || n, 'm' || n || '@example.com', 'x', (1000000 + n)::text, now(), now() FROM generate_series(1, $1::int) AS n
       RETURNING id
     ), opened AS (SELECT id, open_member_accounts(id) FROM joined)
     INSERT INTO session (member_id, started_at, user_agent) SELECT id, now(), 'bench' FROM opened RETURNING member_id, id`,
    [count],
  )
  return rows.map(({ member_id, id }) => ({ memberId: BigInt(member_id), sessionId: id }))
}

/** Tells these members that money moved, as a batch of a payout run does. */
export async function announceMoney(owner: pg.Client, first: bigint, last: bigint): Promise<void> {
  await owner.query('SELECT pg_notify($1, $2)', ['member_notices', `money ${first}-${last}`])
}
