/** Reading both trees whole, and writing their numberings. */
import type { Database, Db, Tx } from '@aval/db'
import type { Numbering } from '@aval/genealogy'
import { type RawBuilder, sql } from 'kysely'
import { readPlacements, readPrincipals, readSponsors, selectNetworkSize } from '../../core/network.sql.ts'
import { query, queryOne } from '../../core/query.sql.ts'
import type { Anchor, Newcomer, NumberingFacts } from './numbering.rules.ts'

export type Tree = 'unilevel' | 'binary'

/** Members a row. */
export const BLOCK = 32
/** Rows a statement. */
const BLOCKS = 2048
/** Registrations wait behind a numbering that waits for the lock; rather than let them wait for long, it gives up. */
const MOST_WAIT = '5s'

export async function selectFacts(db: Db, now: Date, most: number): Promise<NumberingFacts> {
  return queryOne<NumberingFacts>(db)`
    SELECT g.generation, CASE WHEN g.generation > 0 THEN g.members ELSE (SELECT count(*)::int FROM (SELECT FROM sponsorship LIMIT 1) any_) END AS members,
      (SELECT count(*)::int FROM downline_recent) AS recent,
      (SELECT count(*)::int FROM (SELECT FROM investment WHERE id > g.as_of LIMIT ${most}) i)
        + (SELECT count(*)::int FROM (SELECT FROM reversal WHERE id > g.as_of LIMIT ${most}) r)
        + (SELECT count(*)::int FROM (SELECT FROM principal_movement WHERE id > g.as_of LIMIT ${most}) m) AS moved,
      coalesce(extract(epoch FROM ${now}::timestamptz - nullif(g.at, '-infinity')) * 1000, 0)::float8 AS "ageMs"
    FROM downline_generation g`
}

export interface Network {
  /** The one in force when this was read. */
  readonly generation: number
  /** The first member of all; 0 when there is none. */
  readonly root: number
  readonly sponsors: Int32Array
  readonly parents: Int32Array
  readonly principals: BigInt64Array
}

/** Both trees and what everybody had invested at a moment, as one snapshot. */
export async function readNetwork(db: Database, asOf: bigint): Promise<Network> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const size = await selectNetworkSize(tx)
      const rows = await query<{ generation: number; root: bigint | null }>(tx)`
        SELECT generation, (SELECT min(member_id) FROM sponsorship WHERE sponsor_id IS NULL) AS root
        FROM downline_generation`
      const { sponsor } = await readSponsors(tx, size, null)
      const { parent } = await readPlacements(tx, size)
      const principals = await readPrincipals(tx, size, { asOf })
      return {
        generation: rows[0]?.generation ?? 0,
        root: Number(rows[0]?.root ?? 0n),
        sponsors: sponsor,
        parents: parent,
        principals,
      }
    })
}

/** Whether this transaction may number: nobody else does, and nobody has since the trees were read. */
export async function claimNumbering(tx: Tx, generation: number): Promise<boolean> {
  const lock = sql<{ held: boolean }>`SELECT try_lock('numbering') AS held`
  if ((await lock.execute(tx)).rows[0]?.held !== true) return false
  const row = await tx.selectFrom('downline_generation').select('generation').executeTakeFirstOrThrow()
  return row.generation === generation
}

const literal = (values: { join(separator: string): string }) => `{${values.join(',')}}`

/** Writes one tree's numbering, some ten thousand members a statement. Readers do not see it until the generation changes. */
export async function insertNumbering(tx: Tx, generation: number, tree: Tree, numbering: Numbering) {
  const { enters, sizes, depths, jumps, volumes, order } = numbering
  const span = BLOCK * BLOCKS
  for (let first = 0; first < enters.length; first += span) {
    const part = (array: Int32Array | BigInt64Array) => literal(array.subarray(first, first + span))
    const count = Math.ceil(Math.min(span, enters.length - first) / BLOCK)
    await query(tx)`
      WITH whole AS MATERIALIZED (SELECT ${part(enters)}::int[] AS enters, ${part(sizes)}::int[] AS sizes, ${part(depths)}::int[] AS depths,
        ${part(jumps)}::int[] AS jumps, ${part(volumes)}::bigint[] AS volumes, ${part(order)}::int[] AS members)
      INSERT INTO downline (generation, tree, block, enters, sizes, depths, jumps, volumes, members)
      SELECT ${generation}, ${tree}, ${first / BLOCK} + b, enters[f:t], sizes[f:t], depths[f:t], jumps[f:t], volumes[f:t], members[f:t]
      FROM whole, generate_series(0, ${count - 1}::int) AS b, LATERAL (VALUES (b * ${BLOCK}::int + 1, (b + 1) * ${BLOCK}::int)) v (f, t)`
  }
}

/** Takes away what the new numbering stands for: the numberings before it, and who was new and has a number now. */
export async function dropReplaced(tx: Tx, generation: number): Promise<void> {
  await query(tx)`DELETE FROM downline WHERE generation < ${generation}`
  await query(tx)`DELETE FROM downline_recent r USING downline d
    WHERE d.generation = ${generation} AND d.tree = 'unilevel' AND d.block = (r.member_id / ${BLOCK}::bigint)::int
      AND d.enters[(r.member_id % ${BLOCK}::bigint)::int + 1] > 0`
}

/**
 * Nobody joins from here to the end of the transaction: every registration shares this lock until it commits. So a new member is
 * counted under the old numbering or under the one that takes its place, never under neither. @throws when registrations under way take too long */
export async function holdJoining(tx: Tx): Promise<void> {
  await query(tx)`SELECT set_config('lock_timeout', ${MOST_WAIT}, true)`
  await query(tx)`SELECT hold_lock('joining')`
}

export async function selectNewcomers(tx: Tx): Promise<Newcomer[]> {
  return query<Newcomer>(tx)`
    SELECT r.member_id AS id, s.sponsor_id AS "sponsorId", p.parent_id AS "parentId" FROM downline_recent r
    JOIN sponsorship s USING (member_id) JOIN placement p USING (member_id)`
}

/** Positions and depths of those of these who have a number in a generation. */
export async function selectNumbered(db: Db, generation: number, tree: Tree, ids: readonly bigint[]) {
  const rows = await query<{ id: bigint; position: number; depth: number }>(db)`
    SELECT i.id, d.enters[(i.id % ${BLOCK}::bigint)::int + 1] AS position, d.depths[(i.id % ${BLOCK}::bigint)::int + 1] AS depth
    FROM unnest(${ids.map(String)}::bigint[]) AS i (id)
    JOIN downline d ON d.generation = ${generation} AND d.tree = ${tree} AND d.block = (i.id / ${BLOCK}::bigint)::int
    WHERE d.enters[(i.id % ${BLOCK}::bigint)::int + 1] > 0`
  return new Map(rows.map(({ id, position, depth }) => [id, { position, depth }]))
}

export async function updateAnchors(
  tx: Tx,
  sponsors: ReadonlyMap<bigint, Anchor>,
  places: ReadonlyMap<bigint, Anchor>,
): Promise<void> {
  const ids = [...sponsors.keys()]
  await query(tx)`
    UPDATE downline_recent r SET sponsor_at = a.sponsor_at, place_at = a.place_at, place_depth = a.place_depth
    FROM unnest(${ids.map(String)}::bigint[], ${ids.map((id) => sponsors.get(id)?.position)}::int[],
      ${ids.map((id) => places.get(id)?.position)}::int[], ${ids.map((id) => places.get(id)?.depth)}::int[]) AS a (member_id, sponsor_at, place_at, place_depth)
    WHERE r.member_id = a.member_id`
}

export async function setGeneration(
  tx: Tx,
  { generation, members, asOf, at }: { generation: number; members: number; asOf: bigint; at: Date },
): Promise<void> {
  await tx.updateTable('downline_generation').set({ generation, members, as_of: asOf, at }).execute()
}

/** What a registration writes besides its places: under which numbered positions the new member stands. */
export const recentOf = (memberId: bigint, sponsorId: bigint | null, parentId: bigint | null) => sql`
  INSERT INTO downline_recent (member_id, sponsor_at, place_at, place_depth)
  SELECT ${memberId}::bigint, coalesce(s.position, sr.sponsor_at), coalesce(p.position, pr.place_at), coalesce(p.depth, pr.place_depth) + 1
  FROM downline_generation g
    LEFT JOIN LATERAL (${numberedOf('unilevel', sponsorId)}) s ON true
    LEFT JOIN LATERAL (${numberedOf('binary', parentId)}) p ON true
    LEFT JOIN downline_recent sr ON sr.member_id = ${sponsorId}::bigint
    LEFT JOIN downline_recent pr ON pr.member_id = ${parentId}::bigint`

/** Of one member in the generation `g`, or of the one that a column names; no row for a member without a number. */
export const numberedOf = (tree: Tree, memberId: bigint | null | RawBuilder<bigint>) => sql`
  SELECT d.enters[e.i] AS position, d.sizes[e.i] AS size, d.depths[e.i] AS depth, d.volumes[e.i] AS volume
  FROM downline d, (VALUES ((${memberId}::bigint % ${BLOCK}::bigint)::int + 1)) e (i)
  WHERE d.generation = g.generation AND d.tree = ${tree} AND d.block = (${memberId}::bigint / ${BLOCK}::bigint)::int AND d.enters[e.i] > 0`
