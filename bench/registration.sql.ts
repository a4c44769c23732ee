import type pg from 'pg'

/** Whoever stands furthest below the root in the sponsor tree. */
export async function selectDeepest(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ id: bigint }>(
    'SELECT member_id AS id FROM sponsorship ORDER BY depth DESC, member_id DESC LIMIT 1',
  )
  if (rows[0] === undefined) throw new Error('there are no members')
  return rows[0].id
}
