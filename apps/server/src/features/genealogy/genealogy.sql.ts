import type { ReferralStatus } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { chainOn, type Place, type Side } from '@aval/genealogy'
import { sql } from 'kysely'

export async function selectRoot(db: Db): Promise<bigint | null> {
  const row = await db
    .selectFrom('sponsorship')
    .select('member_id')
    .where('sponsor_id', 'is', null)
    .orderBy('member_id')
    .limit(1)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** The sponsor's own place, locked: two referrals at once must see each other's count. */
export function lockPlacement(tx: Tx, memberId: bigint) {
  return tx
    .selectFrom('placement')
    .select(['left_chain', 'right_chain', 'preference', 'left_referrals', 'right_referrals'])
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** The outer end of a chain, locked until this transaction has put its member there. */
export async function lockTail(tx: Tx, headId: bigint, side: Side): Promise<bigint> {
  const row = await tx
    .selectFrom('placement_chain')
    .select('tail_id')
    .where('head_id', '=', headId)
    .where('side', '=', side)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.tail_id
}

/**
 * Gives a new member a place in both trees: under a sponsor at the end of a chain, or, without one, at the top of all. The
 * chain gets a new end, and the sponsor one referral more on that side. One statement, at any depth.
 */
export async function insertPlace(
  tx: Tx,
  memberId: bigint,
  sponsorId: bigint | null,
  { parent, chains, headOf }: Place,
): Promise<void> {
  const leg = parent?.leg ?? null
  const joined = leg === null ? null : chainOn(chains, leg)
  await sql`
    WITH linked AS (INSERT INTO sponsorship (member_id, sponsor_id, depth) VALUES (${memberId}, ${sponsorId},
        coalesce((SELECT depth + 1 FROM sponsorship WHERE member_id = ${sponsorId}), 0))),
      placed AS (INSERT INTO placement (member_id, parent_id, leg, left_chain, right_chain)
        VALUES (${memberId}, ${parent?.id ?? null}, ${leg}, ${chains.left}, ${chains.right})),
      begun AS (INSERT INTO placement_chain (head_id, side, tail_id)
        SELECT ${memberId}::bigint, side, ${memberId}::bigint FROM unnest(${headOf}::text[]) AS side),
      moved AS (UPDATE placement_chain SET tail_id = ${memberId} WHERE head_id = ${joined} AND side = ${leg}),
      counted AS (UPDATE placement SET left_referrals = left_referrals + ${leg === 'L' ? 1 : 0},
        right_referrals = right_referrals + ${leg === 'R' ? 1 : 0} WHERE member_id = ${sponsorId})
    SELECT`.execute(tx)
}

/** Over the narrow sponsor table alone. */
export async function countBelow(db: Db, memberId: bigint): Promise<{ direct: number; indirect: number }> {
  const { rows } = await sql<{ direct: number; indirect: number }>`
    WITH RECURSIVE team AS (
      SELECT member_id, 1 AS level FROM sponsorship WHERE sponsor_id = ${memberId}
      UNION ALL
      SELECT s.member_id, t.level + 1 FROM team t JOIN sponsorship s ON s.sponsor_id = t.member_id
    )
    SELECT count(*) FILTER (WHERE level = 1)::int AS direct, count(*) FILTER (WHERE level > 1)::int AS indirect
    FROM team`.execute(db)
  return rows[0] ?? { direct: 0, indirect: 0 }
}

/** Those whom the member introduced: all, or by whether they have principal. */
function referralsOf(db: Db, memberId: bigint, status: ReferralStatus | undefined) {
  return db
    .selectFrom('sponsorship')
    .innerJoin('member_balance', 'member_balance.member_id', 'sponsorship.member_id')
    .where('sponsorship.sponsor_id', '=', memberId)
    .$if(status === 'active', (query) => query.where('member_balance.principal', '>', 0n))
    .$if(status === 'inactive', (query) => query.where('member_balance.principal', '=', 0n))
}

export async function countDirect(
  db: Db,
  memberId: bigint,
  status: ReferralStatus | undefined,
): Promise<number> {
  // Everybody has a balance; only who asks for some of them has to look at it.
  const found =
    status === undefined
      ? db.selectFrom('sponsorship').where('sponsorship.sponsor_id', '=', memberId)
      : referralsOf(db, memberId, status)
  const row = await found
    .select((row) => row.cast<number>(row.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

interface ReferralRows {
  readonly status: ReferralStatus | undefined
  readonly limit: number
  readonly offset: number
}

/** Newest first: ids are given in the order in which members join. */
export function selectReferrals(db: Db, memberId: bigint, { status, limit, offset }: ReferralRows) {
  return referralsOf(db, memberId, status)
    .innerJoin('member', 'member.id', 'sponsorship.member_id')
    .select([
      'member.id',
      'member.joined_at',
      'member.username',
      'member.email',
      'member.phone_number',
      'sponsorship.is_master',
      'member_balance.principal',
    ])
    .orderBy('sponsorship.member_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export interface TreeLink {
  readonly member_id: bigint
  readonly depth: number
}

/** The caller and the first members below, level by level: the recursion stops as soon as it has given enough. */
export async function selectTreeLinks(db: Db, memberId: bigint, limit: number): Promise<TreeLink[]> {
  const { rows } = await sql<TreeLink>`
    WITH RECURSIVE tree AS (
      SELECT member_id, 0 AS depth FROM sponsorship WHERE member_id = ${memberId}
      UNION ALL
      SELECT s.member_id, t.depth + 1 FROM tree t JOIN sponsorship s ON s.sponsor_id = t.member_id
    )
    SELECT member_id, depth FROM tree LIMIT ${limit}`.execute(db)
  return rows
}

/** What the nodes of a tree show. */
export function selectTreeMembers(db: Db, ids: readonly bigint[]) {
  return db
    .selectFrom('member')
    .innerJoin('sponsorship', 'sponsorship.member_id', 'member.id')
    .innerJoin('placement', 'placement.member_id', 'member.id')
    .innerJoin('member_balance', 'member_balance.member_id', 'member.id')
    .select([
      'member.id',
      'member.username',
      'member.first_name',
      'member.last_name',
      'member.avatar',
      'sponsorship.sponsor_id',
      'sponsorship.is_master',
      'placement.leg',
      'placement.left_referrals',
      'placement.right_referrals',
      'member_balance.principal',
    ])
    .where('member.id', 'in', ids)
    .execute()
}
