import type { Db, Tx } from '@aval/db'
import { chainOn, type Place, type Preference, type Side } from '@aval/genealogy'
import { sql } from 'kysely'
import { countOf, query } from '../../core/query.sql.ts'
import { recentOf } from './numbering.sql.ts'

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

/**
 * The sponsor's own place, locked: two referrals at once must see each other's count. Until this transaction ends no other
 * numbering of the trees comes into force; the statement that writes the new place sees the one that is.
 */
export function lockPlacement(tx: Tx, memberId: bigint) {
  return tx
    .selectFrom('placement')
    .select(['left_chain', 'right_chain', 'preference', 'left_referrals', 'right_referrals'])
    .select(sql`share_lock('joining')`.as('joining'))
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function selectPreference(db: Db, memberId: bigint): Promise<string> {
  const places = db.selectFrom('placement').select('preference').where('member_id', '=', memberId)
  return (await places.executeTakeFirstOrThrow()).preference
}

export async function updatePreference(db: Db, memberId: bigint, preference: Preference): Promise<void> {
  await db.updateTable('placement').set({ preference }).where('member_id', '=', memberId).execute()
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
  await query(tx)`
    WITH linked AS (INSERT INTO sponsorship (member_id, sponsor_id, depth, joined_at) VALUES (${memberId}, ${sponsorId},
        coalesce((SELECT depth + 1 FROM sponsorship WHERE member_id = ${sponsorId}), 0),
        coalesce((SELECT joined_at FROM member WHERE id = ${memberId}), '-infinity'))),
      recent AS (${recentOf(memberId, sponsorId, parent?.id ?? null)}),
      placed AS (INSERT INTO placement (member_id, parent_id, leg, left_chain, right_chain)
        VALUES (${memberId}, ${parent?.id ?? null}, ${leg}, ${chains.left}, ${chains.right})),
      begun AS (INSERT INTO placement_chain (head_id, side, tail_id)
        SELECT ${memberId}::bigint, side, ${memberId}::bigint FROM unnest(${headOf}::text[]) AS side),
      moved AS (UPDATE placement_chain SET tail_id = ${memberId} WHERE head_id = ${joined} AND side = ${leg}),
      counted AS (UPDATE placement SET left_referrals = left_referrals + ${leg === 'L' ? 1 : 0},
        right_referrals = right_referrals + ${leg === 'R' ? 1 : 0} WHERE member_id = ${sponsorId})
    SELECT`
}

export async function selectIsFundator(db: Db, memberId: bigint): Promise<boolean> {
  const members = db.selectFrom('member').select('is_fundator').where('id', '=', memberId)
  return (await members.executeTakeFirstOrThrow()).is_fundator
}

/** Undefined when the member introduced nobody by that number. */
export function selectReferral(db: Db, sponsorId: bigint, memberId: bigint) {
  return db
    .selectFrom('sponsorship')
    .select('is_master')
    .where('member_id', '=', memberId)
    .where('sponsor_id', '=', sponsorId)
    .executeTakeFirst()
}

export async function countMasters(db: Db, sponsorId: bigint): Promise<number> {
  return countOf(db)`master_code WHERE sponsor_id = ${sponsorId}`
}

/** Numbered in the order of history. */
export async function insertMaster(tx: Tx, memberId: bigint, sponsorId: bigint, at: Date): Promise<void> {
  await query(tx)`SELECT activate_master(${sponsorId}, ${memberId}, ${at})`
}

/** What a sponsor gets on top of the plan's first level from now on, as decimal text. */
export async function selectExtraPercent(db: Db, sponsorId: bigint): Promise<string> {
  const row = await db
    .selectFrom('extra_percent')
    .select('percent')
    .where('sponsor_id', '=', sponsorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.percent ?? '0'
}

/** Numbered in the order of history: the period must be held open before. */
export async function insertExtraPercent(
  tx: Tx,
  row: { readonly sponsorId: bigint; readonly percent: string; readonly by: string; readonly at: Date },
): Promise<void> {
  const { sponsorId: sponsor_id, percent, by: set_by, at } = row
  await tx.insertInto('extra_percent').values({ sponsor_id, percent, set_by, at }).execute()
}
