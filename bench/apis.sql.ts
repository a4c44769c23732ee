/** Sessions of members who are there, for the benchmark of several APIs. */
import type pg from 'pg'
import type { OpenSession } from './events.sql.ts'

/** One for each of so many members, spread over all of them. */
export async function insertSessions(owner: pg.Client, count: number): Promise<OpenSession[]> {
  const { rows } = await owner.query<{ member_id: string; id: string }>(
    `INSERT INTO session (member_id, started_at, user_agent)
     SELECT id, now(), 'bench' FROM member WHERE id % greatest(1, (SELECT max(id) FROM member) / $1::bigint) = 0 ORDER BY id LIMIT $1
     RETURNING member_id, id`,
    [count],
  )
  return rows.map(({ member_id, id }) => ({ memberId: BigInt(member_id), sessionId: id }))
}

export async function sessionPid(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}
