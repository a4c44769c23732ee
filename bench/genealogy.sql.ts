import type pg from 'pg'

export async function selectMostReferrals(pool: pg.Pool): Promise<{ memberId: number; direct: number }> {
  const { rows } = await pool.query<{ memberId: number; direct: number }>(
    `SELECT member_id::int AS "memberId", left_referrals + right_referrals AS direct FROM placement
     ORDER BY left_referrals + right_referrals DESC LIMIT 1`,
  )
  if (rows[0] === undefined) throw new Error('there are no members')
  return rows[0]
}

/** Of the root's referrals the one with most below. */
export async function selectLeader(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT s.member_id::int AS id FROM sponsorship s JOIN downline_generation g ON true
       JOIN downline d ON d.generation = g.generation AND d.tree = 'unilevel' AND d.block = s.member_id::int / 32
     WHERE s.sponsor_id = 1 ORDER BY d.sizes[s.member_id::int % 32 + 1] DESC LIMIT 1`,
  )
  return rows[0]?.id ?? 1
}
