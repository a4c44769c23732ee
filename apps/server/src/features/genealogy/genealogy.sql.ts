import type { DB, Db, Tx } from '@aval/db'
import type { Side } from '@aval/genealogy'
import { type Insertable, sql } from 'kysely'

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

export async function insertRootSponsorship(tx: Tx, memberId: bigint): Promise<void> {
  await tx.insertInto('sponsorship').values({ member_id: memberId, sponsor_id: null, depth: 0 }).execute()
}

/** One deeper than the sponsor. */
export async function insertSponsorship(tx: Tx, memberId: bigint, sponsorId: bigint): Promise<void> {
  const { rows } = await sql`
    INSERT INTO sponsorship (member_id, sponsor_id, depth)
    SELECT ${memberId}, member_id, depth + 1 FROM sponsorship WHERE member_id = ${sponsorId}
    RETURNING depth`.execute(tx)
  if (rows.length !== 1) throw new Error(`sponsor ${sponsorId} is nobody`)
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

export async function insertPlacement(tx: Tx, placement: Insertable<DB['placement']>): Promise<void> {
  await tx.insertInto('placement').values(placement).execute()
}

export async function insertChains(tx: Tx, memberId: bigint, sides: readonly Side[]): Promise<void> {
  await tx
    .insertInto('placement_chain')
    .values(sides.map((side) => ({ head_id: memberId, side, tail_id: memberId })))
    .execute()
}

export async function moveTail(tx: Tx, headId: bigint, side: Side, tailId: bigint): Promise<void> {
  await tx
    .updateTable('placement_chain')
    .set({ tail_id: tailId })
    .where('head_id', '=', headId)
    .where('side', '=', side)
    .execute()
}

export async function countReferral(tx: Tx, sponsorId: bigint, side: Side): Promise<void> {
  const column = side === 'L' ? 'left_referrals' : 'right_referrals'
  await tx
    .updateTable('placement')
    .set((row) => ({ [column]: row(column, '+', 1) }))
    .where('member_id', '=', sponsorId)
    .execute()
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

export async function countDirect(db: Db, memberId: bigint): Promise<number> {
  const row = await db
    .selectFrom('sponsorship')
    .select((row) => row.cast<number>(row.fn.countAll(), 'integer').as('count'))
    .where('sponsor_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Newest first: ids are given in the order in which members join. */
export function selectReferrals(db: Db, memberId: bigint, limit: number, offset: number) {
  return db
    .selectFrom('sponsorship')
    .innerJoin('member', 'member.id', 'sponsorship.member_id')
    .innerJoin('member_balance', 'member_balance.member_id', 'sponsorship.member_id')
    .select([
      'member.id',
      'member.joined_at',
      'member.username',
      'member.email',
      'member.phone_number',
      'sponsorship.is_master',
      'member_balance.principal',
    ])
    .where('sponsorship.sponsor_id', '=', memberId)
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
