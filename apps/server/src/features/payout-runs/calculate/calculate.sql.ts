/** What runs read of closed history: principal, investments, chains, as of a moment that never changes again. */
import type { Db, Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { Upline } from '@aval/plan'
import { sql } from 'kysely'
import { BLOCK } from '../runs/runs.rules.ts'
import type { Invested } from './engine.rules.ts'

/** How principal is read as of a moment: what stands now less what came since, plus what was taken back or withdrawn since. */
export type Moment = { readonly before: Date } | { readonly asOf: bigint }

/** Every change of principal since the moment. */
export function since(moment: Moment) {
  return 'before' in moment
    ? sql`SELECT member_id, amount FROM investment WHERE credited_at >= ${moment.before}
        UNION ALL SELECT member_id, -amount FROM reversal WHERE at >= ${moment.before}
        UNION ALL SELECT member_id, amount FROM principal_movement WHERE at >= ${moment.before}`
    : sql`SELECT member_id, amount FROM investment WHERE id > ${moment.asOf}
        UNION ALL SELECT member_id, -amount FROM reversal WHERE id > ${moment.asOf}
        UNION ALL SELECT member_id, amount FROM principal_movement WHERE id > ${moment.asOf}`
}

export interface Principals {
  readonly members: bigint[]
  readonly principals: bigint[]
}

/**
 * Members with principal at the moment, ids `from` to `to`, in order. Once the period is closed the answer never changes
 * again.
 */
export async function selectPrincipals(
  db: Db,
  moment: Moment,
  from: number,
  to: number,
): Promise<Principals> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    WITH later AS MATERIALIZED (SELECT member_id, sum(amount)::bigint AS amount FROM (${since(moment)}) changes
      WHERE member_id BETWEEN ${from} AND ${to} GROUP BY member_id)
    SELECT string_agg(int8send(member_id) || int8send(principal), ''::bytea) AS packed FROM (
      SELECT b.member_id, b.principal - coalesce(l.amount, 0) AS principal
      FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
      WHERE b.member_id BETWEEN ${from} AND ${to} ORDER BY b.member_id) standing
    WHERE principal <> 0`.execute(db)
  const packed = rows[0]?.packed ?? null
  const members: bigint[] = []
  const principals: bigint[] = []
  if (packed !== null) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let at = 0; at < packed.byteLength; at += 16) {
      members.push(view.getBigInt64(at))
      principals.push(view.getBigInt64(at + 8))
    }
  }
  return { members, principals }
}

/**
 * What members had earned of passive profit before a day, net of reversals: what stands now, less what runs of this day and
 * later posted, plus what reversals since took back.
 */
export async function selectPassiveEarned(
  db: Db,
  run: { period: string; cutoff: Date },
  members: readonly bigint[],
): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint; earned: bigint }>`
    SELECT b.member_id, (b.earned_passive
      - coalesce((SELECT sum(p.amount) FROM payout_run r JOIN posting p ON p.member_id = b.member_id AND p.journal_id = r.journal_id
          WHERE r.kind = 'passive' AND r.period >= ${run.period}), 0)
      + coalesce((SELECT sum(t.amount) FROM reversal_part t
          WHERE t.member_id = b.member_id AND t.pool = 'profit' AND t.at >= ${run.cutoff}), 0))::bigint AS earned
    FROM member_balance b WHERE b.member_id = ANY(${members.map(String)}::bigint[]) ORDER BY b.member_id`.execute(
    db,
  )
  const earned = new Map(rows.map((row) => [row.member_id, row.earned]))
  return members.map((id) => earned.get(id) ?? 0n)
}

/** Investments of a batch, in the order in which they were made. */
export async function selectBatch(db: Db, first: bigint, last: bigint): Promise<Invested[]> {
  const { rows } = await sql<{ id: bigint; member_id: bigint; amount: bigint }>`
    SELECT id, member_id, amount FROM investment WHERE id BETWEEN ${first} AND ${last} ORDER BY id`.execute(
    db,
  )
  return rows.map((row) => ({ id: row.id, memberId: row.member_id, amount: micro(row.amount) }))
}

export interface Movement {
  readonly memberId: bigint
  readonly amount: bigint
}

/** What was invested from `from` up to `until`, and, below zero, what was taken back. A withdrawal takes no points back. */
export async function selectMovements(db: Db, from: Date, until: Date): Promise<Movement[]> {
  const { rows } = await sql<{ member_id: bigint; amount: bigint }>`
    SELECT member_id, amount FROM (
      SELECT id, member_id, amount FROM investment WHERE credited_at >= ${from} AND credited_at < ${until}
      UNION ALL SELECT id, member_id, -amount FROM reversal WHERE at >= ${from} AND at < ${until}) moved
    ORDER BY id`.execute(db)
  return rows.map((row) => ({ memberId: row.member_id, amount: row.amount }))
}

/** Sponsors with extra percentage points at the first level. */
export async function selectExtraPercents(db: Db): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('sponsorship')
    .select(['member_id', 'extra_percent'])
    .where('extra_percent', '<>', '0')
    .execute()
  return new Map(rows.map((row) => [Number(row.member_id), row.extra_percent]))
}

/**
 * The sponsor chain above a member, nearest first, as of a number of history: the levels that pay by distance and every
 * master link up to the root, or the whole chain when `levels` is null. It recurses over the narrow sponsor table alone; who
 * was active is read after it.
 */
export async function selectUplines(
  db: Db,
  memberId: bigint,
  levels: number | null,
  asOf: bigint,
): Promise<Upline[]> {
  const { rows } = await sql<{ member_id: bigint; level: number; extra: string; master: boolean }>`
    WITH RECURSIVE up (member_id, below, level) AS (
      SELECT sponsor_id, member_id, 1 FROM sponsorship WHERE member_id = ${memberId} AND sponsor_id IS NOT NULL
      UNION ALL
      SELECT s.sponsor_id, s.member_id, up.level + 1 FROM up JOIN sponsorship s ON s.member_id = up.member_id
      WHERE s.sponsor_id IS NOT NULL
    )
    SELECT up.member_id, up.level, s.extra_percent AS extra, m.member_id IS NOT NULL AS master
    FROM up JOIN sponsorship s ON s.member_id = up.member_id
      LEFT JOIN master_code m ON m.member_id = up.below AND m.id < ${asOf}
    WHERE up.level <= coalesce(${levels}::int, up.level) OR m.member_id IS NOT NULL ORDER BY up.level`.execute(
    db,
  )
  const active = await selectActive(
    db,
    rows.map((row) => row.member_id),
    asOf,
  )
  return rows.map((row) => ({
    memberId: row.member_id,
    level: row.level,
    active: active.has(row.member_id),
    extraPercent: row.extra,
    masterLink: row.master,
  }))
}

/** Which of these had principal as of a number of history. */
export async function selectActive(db: Db, ids: readonly bigint[], asOf: bigint): Promise<Set<bigint>> {
  const { rows } = await sql<{ member_id: bigint }>`
    SELECT b.member_id FROM member_balance b WHERE b.member_id = ANY(${ids.map(String)}::bigint[]) AND b.principal
      - coalesce((SELECT sum(amount) FROM investment i WHERE i.member_id = b.member_id AND i.id > ${asOf}), 0)
      + coalesce((SELECT sum(amount) FROM reversal v WHERE v.member_id = b.member_id AND v.id > ${asOf}), 0)
      - coalesce((SELECT sum(amount) FROM principal_movement w WHERE w.member_id = b.member_id AND w.id > ${asOf}), 0) > 0`.execute(
    db,
  )
  return new Set(rows.map((row) => row.member_id))
}

/** Ids a query of arrays: a megabyte or two an answer, whatever the network's size. */
const STRIDE = 262_144
const MOST_IDS = 2_000_000_000n

/** One more than the highest member id there is. */
export async function selectNetworkSize(db: Db): Promise<number> {
  const { rows } = await sql<{
    top: bigint
  }>`SELECT coalesce(max(member_id), 0) AS top FROM sponsorship`.execute(db)
  const top = rows[0]?.top ?? 0n
  if (top > MOST_IDS) throw new Error(`member ids up to ${top} do not fit into arrays of 32 bits`)
  return Number(top) + 1
}

/** Reads packed rows of `width` bytes, big-endian as PostgreSQL sends them, range of ids by range of ids. */
async function eachPacked(
  size: number,
  width: number,
  read: (after: number, to: number) => Promise<Buffer | null>,
  take: (row: DataView, at: number) => void,
): Promise<void> {
  for (let after = -1; after < size; after += STRIDE) {
    const packed = await read(after, after + STRIDE)
    if (packed === null) continue
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let at = 0; at < packed.byteLength; at += width) take(view, at)
  }
}

const packedOf = (rows: { packed: Buffer | null }[]): Buffer | null => rows[0]?.packed ?? null

export async function readSponsors(db: Db, size: number, asOf: bigint | null) {
  const sponsor = new Int32Array(size)
  const master = new Uint8Array(size)
  await eachPacked(
    size,
    8,
    async (after, to) =>
      packedOf(
        (
          await sql<{ packed: Buffer | null }>`
          SELECT string_agg(int4send(member_id::int) || int4send(sponsor_id::int), ''::bytea) AS packed
          FROM sponsorship WHERE sponsor_id IS NOT NULL AND member_id > ${after} AND member_id <= ${to}`.execute(
            db,
          )
        ).rows,
      ),
    (row, at) => {
      sponsor[row.getInt32(at)] = row.getInt32(at + 4)
    },
  )
  const { rows } = await sql<{ member_id: bigint }>`
    SELECT member_id FROM master_code WHERE id < ${asOf ?? 9_223_372_036_854_775_807n}::bigint`.execute(db)
  for (const { member_id } of rows) if (member_id < BigInt(size)) master[Number(member_id)] = 1
  return { sponsor, master }
}

export async function readPlacements(db: Db, size: number) {
  const parent = new Int32Array(size)
  const leg = new Uint8Array(size)
  await eachPacked(
    size,
    9,
    async (after, to) =>
      packedOf(
        (
          await sql<{ packed: Buffer | null }>`
          SELECT string_agg(int4send(member_id::int) || int4send(parent_id::int) || CASE leg WHEN 'L' THEN '\\x01'::bytea ELSE '\\x02'::bytea END,
            ''::bytea) AS packed
          FROM placement WHERE parent_id IS NOT NULL AND member_id > ${after} AND member_id <= ${to}`.execute(
            db,
          )
        ).rows,
      ),
    (row, at) => {
      const id = row.getInt32(at)
      parent[id] = row.getInt32(at + 4)
      leg[id] = row.getUint8(at + 8)
    },
  )
  return { parent, leg }
}

/** Principal of all members at the moment, by member id. */
export async function readPrincipals(db: Db, size: number, moment: Moment): Promise<BigInt64Array> {
  const all = new BigInt64Array(size)
  await eachPacked(
    size,
    12,
    async (after, to) =>
      packedOf(
        (
          await sql<{ packed: Buffer | null }>`
          WITH later AS MATERIALIZED (SELECT member_id, sum(amount)::bigint AS amount FROM (${since(moment)}) changes
            WHERE member_id > ${after} AND member_id <= ${to} GROUP BY member_id)
          SELECT string_agg(int4send(b.member_id::int) || int8send(b.principal - coalesce(l.amount, 0)), ''::bytea) AS packed
          FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
          WHERE b.member_id > ${after} AND b.member_id <= ${to}`.execute(db)
        ).rows,
      ),
    (row, at) => {
      const id = row.getInt32(at)
      if (id < size) all[id] = row.getBigInt64(at + 4)
    },
  )
  return all
}

export interface Carry {
  readonly left: BigInt64Array
  readonly right: BigInt64Array
  readonly events: Int32Array
}

/** What the day carries into the block `b.block`: what the latest earlier run that changed it carried out. Reads that row alone. */
export const carriedInto = (period: string) => sql`
  SELECT c.run_id, c.lefts, c.rights, c.events FROM binary_carry c JOIN payout_run e ON e.id = c.run_id AND e.state <> 'cancelled'
  WHERE c.block = b.block AND c.period < ${period} ORDER BY c.period DESC LIMIT 1`

/** What a day carries in. */
export async function readCarry(db: Db, size: number, period: string): Promise<Carry> {
  // Room for the last block whole.
  const room = Math.ceil(size / BLOCK) * BLOCK
  const carry = {
    left: new BigInt64Array(room),
    right: new BigInt64Array(room),
    events: new Int32Array(room),
  }
  for (let after = -1; after * BLOCK < size; after += 256) {
    const { rows } = await sql<{ block: number; lefts: string; rights: string; events: string }>`
      SELECT b.block, c.lefts::text AS lefts, c.rights::text AS rights, c.events::text AS events
      FROM generate_series(${after + 1}::int, ${after + 256}::int) AS b (block) CROSS JOIN LATERAL (${carriedInto(period)}) c`.execute(
      db,
    )
    for (const row of rows) {
      const at = row.block * BLOCK
      fill(row.lefts, (index, text) => {
        carry.left[at + index] = BigInt(text)
      })
      fill(row.rights, (index, text) => {
        carry.right[at + index] = BigInt(text)
      })
      fill(row.events, (index, text) => {
        carry.events[at + index] = Number.parseInt(text, 10)
      })
    }
  }
  return carry
}

function fill(array: string, put: (index: number, text: string) => void): void {
  for (const [index, text] of array.slice(1, -1).split(',').entries())
    if (text !== '0' && text !== '') put(index, text)
}

export interface StoredRate {
  readonly day: string
  readonly percentage: string
  readonly declared_by: string | null
  readonly declared_at: Date
}

/** What was said last about each day, newest day first. */
export async function selectDeclaredDays(
  db: Db,
  limit: number,
  offset: number,
): Promise<{ rows: StoredRate[]; count: number }> {
  const { rows } = await sql<StoredRate>`
    SELECT d.day, d.percentage, m.username AS declared_by, d.declared_at
    FROM (SELECT DISTINCT ON (day) day, percentage, declared_by, declared_at FROM declared_rate
      ORDER BY day DESC, id DESC LIMIT ${limit} OFFSET ${offset}) d LEFT JOIN member m ON m.id = d.declared_by
    ORDER BY d.day DESC`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(DISTINCT day)::int AS count FROM declared_rate`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

/** The rate declared for a day; the last one counts. */
export async function selectDeclared(
  db: Db,
  day: string,
): Promise<{ id: bigint; percentage: string } | undefined> {
  const { rows } = await sql<{ id: bigint; percentage: string }>`
    SELECT id, percentage FROM declared_rate WHERE day = ${day} ORDER BY id DESC LIMIT 1`.execute(db)
  return rows[0]
}

export async function selectDeclaredById(db: Db, id: bigint): Promise<string | null> {
  const { rows } = await sql<{
    percentage: string
  }>`SELECT percentage FROM declared_rate WHERE id = ${id}`.execute(db)
  return rows[0]?.percentage ?? null
}

export async function insertDeclared(
  tx: Tx,
  declared: { day: string; percentage: string; operatorId: bigint; now: Date },
): Promise<void> {
  await sql`INSERT INTO declared_rate (day, percentage, declared_by, declared_at)
    VALUES (${declared.day}, ${declared.percentage}, ${declared.operatorId}, ${declared.now})`.execute(tx)
}
