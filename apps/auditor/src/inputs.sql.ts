/** What the auditor reads: closed inputs, whole networks packed into arrays by member id, and what runs sealed. */
import type { Database, Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import type { Trees } from './binary.rules.ts'
import type { Invested, Upline } from './direct.rules.ts'
import { BLOCK } from './seal.rules.ts'

export interface Run {
  readonly id: bigint
  readonly kind: 'passive' | 'direct' | 'binary'
  readonly period: string
  readonly cutoff_at: Date
  readonly items_hash: string
  readonly first_investment: bigint
  readonly last_investment: bigint
  readonly as_of: bigint
  /** Declared for the day; null where nothing was. */
  readonly declared: string | null
  readonly plan_version: number
  readonly document: unknown
}

/**
 * The next sealed run that waits for a word of this version. A match is computed on what the day before carries, so that day comes first.
 */
export async function selectWaiting(db: Db, after: bigint, version: string): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    SELECT r.id, r.kind, r.period, r.cutoff_at, r.items_hash, r.first_investment, r.last_investment, r.as_of, d.percentage AS declared,
      r.plan_version, p.document
    FROM payout_run r JOIN plan_version p ON p.version = r.plan_version LEFT JOIN declared_rate d ON d.id = r.declared_id
      LEFT JOIN payout_audit a ON a.run_id = r.id
    WHERE r.state NOT IN ('done', 'cancelled') AND r.state IN ('sealed', 'held') AND r.id > ${after}
      AND (a.run_id IS NULL OR (a.verdict = 'unable' AND a.version <> ${version}))
      AND (r.kind <> 'binary' OR NOT EXISTS (SELECT FROM payout_run e LEFT JOIN payout_audit b ON b.run_id = e.id
        WHERE e.kind = 'binary' AND e.period < r.period AND e.state IN ('computing', 'sealed', 'held') AND b.verdict IS DISTINCT FROM 'matches'))
    ORDER BY r.id LIMIT 1`.execute(db)
  return rows[0]
}

/** Reads one moment of everything; a network of millions takes longer than a call may. */
export function inSnapshot<Result>(db: Database, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (tx) => {
    await sql`SET LOCAL statement_timeout = '10min'`.execute(tx)
    return work(tx)
  })
}

/** What the auditor says of a run. */
export async function recordAudit(
  db: Db,
  run: bigint,
  said: {
    readonly hash: string | null
    readonly count: number | null
    readonly sum: bigint | null
    readonly differences: readonly object[]
    readonly reason: string | null
    readonly version: string
  },
): Promise<string> {
  const { hash, count, sum, differences, reason, version } = said
  const { rows } = await sql<{ verdict: string }>`
    SELECT record_payout_audit(${run}, ${hash}, ${count}, ${sum}, ${JSON.stringify(differences)}::jsonb, ${reason}, ${version})
      AS verdict`.execute(db)
  return rows[0]?.verdict ?? ''
}

/** Ids a query: a megabyte or two an answer, whatever the network's size. */
const STRIDE = 262_144

/** Takes each row of `width` bytes that a query answers packed, a range of ids at a time. */
async function eachPacked(
  db: Db,
  size: number,
  width: number,
  packed: (from: number, to: number) => RawBuilder<{ packed: Buffer | null }>,
  take: (row: DataView, at: number) => void,
): Promise<void> {
  for (let from = 0; from < size; from += STRIDE) {
    const { rows } = await packed(from, from + STRIDE - 1).execute(db)
    const bytes = rows[0]?.packed
    if (bytes == null) continue
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.byteLength; at += width) take(view, at)
  }
}

/** One more than the highest member id. */
export async function networkSize(db: Db): Promise<number> {
  const { rows } = await sql<{
    size: number
  }>`SELECT (coalesce(max(member_id), 0) + 1)::int AS size FROM sponsorship`.execute(db)
  return rows[0]?.size ?? 1
}

/** What changed principal from one instant up to another, added to what each member had. */
export async function addPrincipals(
  db: Db,
  to: BigInt64Array,
  from: Date | null,
  until: Date,
): Promise<void> {
  const since = from ?? sql`'-infinity'::timestamptz`
  const between = (column: string, low: number, high: number) =>
    sql`${sql.ref(column)} >= ${since} AND ${sql.ref(column)} < ${until} AND member_id BETWEEN ${low} AND ${high}`
  await eachPacked(
    db,
    to.length,
    12,
    (low, high) => sql`
      SELECT string_agg(int4send(member_id::int) || int8send(amount), ''::bytea) AS packed FROM (
        SELECT member_id, sum(amount)::bigint AS amount FROM (
          SELECT member_id, amount FROM investment WHERE ${between('credited_at', low, high)}
          UNION ALL SELECT member_id, -amount FROM reversal WHERE ${between('at', low, high)}
          UNION ALL SELECT member_id, amount FROM principal_movement WHERE ${between('at', low, high)}) change
        GROUP BY member_id) moved`,
    (row, at) => {
      const id = row.getInt32(at)
      to[id] = (to[id] ?? 0n) + row.getBigInt64(at + 4)
    },
  )
}

/** What members had earned of passive profit before a day: what stands now, without what this day and later ones paid, with what was taken back since. */
export async function readEarned(db: Db, size: number, run: Run): Promise<BigInt64Array> {
  const earned = new BigInt64Array(size)
  await eachPacked(
    db,
    size,
    12,
    (low, high) => sql`
      SELECT string_agg(int4send(member_id::int) || int8send(amount), ''::bytea) AS packed FROM (
        SELECT member_id, sum(amount)::bigint AS amount FROM (
          SELECT member_id, earned_passive AS amount FROM member_balance
          UNION ALL SELECT p.member_id, -p.amount FROM payout_run r JOIN posting p ON p.journal_id = r.journal_id
            WHERE r.kind = 'passive' AND r.period >= ${run.period}
          UNION ALL SELECT member_id, amount FROM reversal_part WHERE pool = 'profit' AND at >= ${run.cutoff_at}) part
        WHERE member_id BETWEEN ${low} AND ${high} GROUP BY member_id) had`,
    (row, at) => {
      earned[row.getInt32(at)] = row.getBigInt64(at + 4)
    },
  )
  return earned
}

export async function readTrees(db: Db, size: number): Promise<Trees> {
  const trees = { parent: new Int32Array(size), side: new Uint8Array(size), sponsor: new Int32Array(size) }
  await eachPacked(
    db,
    size,
    13,
    (low, high) => sql`
      SELECT string_agg(int4send(s.member_id::int) || int4send(s.sponsor_id::int) || int4send(coalesce(p.parent_id, 0)::int)
        || CASE p.leg WHEN 'L' THEN '\\x01'::bytea WHEN 'R' THEN '\\x02' ELSE '\\x00' END, ''::bytea) AS packed
      FROM sponsorship s LEFT JOIN placement p ON p.member_id = s.member_id
      WHERE s.sponsor_id IS NOT NULL AND s.member_id BETWEEN ${low} AND ${high}`,
    (row, at) => {
      const id = row.getInt32(at)
      trees.sponsor[id] = row.getInt32(at + 4)
      trees.parent[id] = row.getInt32(at + 8)
      trees.side[id] = row.getUint8(at + 12)
    },
  )
  return trees
}

/** What was invested from where the day before ended, and, below zero, taken back. */
export async function selectMovements(db: Db, run: Run): Promise<{ member: number; amount: bigint }[]> {
  const { rows } = await sql<{ member: number; amount: bigint }>`
    WITH day AS (SELECT coalesce((SELECT max(cutoff_at) FROM payout_run
      WHERE kind = 'binary' AND state <> 'cancelled' AND period < ${run.period}), '-infinity') AS begins)
    SELECT member_id::int AS member, amount FROM investment, day WHERE credited_at >= begins AND credited_at < ${run.cutoff_at}
    UNION ALL SELECT member_id::int, -amount FROM reversal, day WHERE at >= begins AND at < ${run.cutoff_at}`.execute(
    db,
  )
  return rows
}

/** What earlier days carry into a run's, with room for the last block whole. */
export async function readCarried(db: Db, size: number, run: Run) {
  const room = Math.ceil(size / BLOCK) * BLOCK
  const carried = {
    lefts: new BigInt64Array(room),
    rights: new BigInt64Array(room),
    events: new Int32Array(room),
  }
  for (let block = 0; block * BLOCK < room; block += STRIDE / BLOCK) {
    const { rows } = await sql<{ block: number; lefts: bigint[]; rights: bigint[]; events: number[] }>`
      SELECT c.block, c.lefts, c.rights, c.events
      FROM generate_series(${block}::int, ${block + STRIDE / BLOCK - 1}::int) AS b (block) CROSS JOIN LATERAL (
        SELECT c.* FROM binary_carry c JOIN payout_run e ON e.id = c.run_id AND e.state <> 'cancelled'
        WHERE c.block = b.block AND c.period < ${run.period} ORDER BY c.period DESC LIMIT 1) c`.execute(db)
    for (const row of rows) {
      carried.lefts.set(row.lefts.map(BigInt), row.block * BLOCK)
      carried.rights.set(row.rights.map(BigInt), row.block * BLOCK)
      carried.events.set(row.events, row.block * BLOCK)
    }
  }
  return carried
}

export async function selectBatch(db: Db, run: Run): Promise<Invested[]> {
  const { rows } = await sql<Invested>`
    SELECT id, member_id::int AS member, amount FROM investment WHERE id BETWEEN ${run.first_investment} AND ${run.last_investment}
    ORDER BY id`.execute(db)
  return rows
}

/** Everybody above these members, as of a run's number of history. */
export async function readUpline(
  db: Db,
  size: number,
  investors: readonly number[],
  run: Run,
): Promise<Upline> {
  const { rows: links } = await sql<{ member: number; sponsor: number; master: boolean }>`
    WITH RECURSIVE up AS (
      SELECT member_id, sponsor_id FROM sponsorship WHERE member_id = ANY(${investors}::bigint[])
      UNION SELECT s.member_id, s.sponsor_id FROM up JOIN sponsorship s ON s.member_id = up.sponsor_id)
    SELECT up.member_id::int AS member, up.sponsor_id::int AS sponsor, m.member_id IS NOT NULL AS master
    FROM up LEFT JOIN master_code m ON m.member_id = up.member_id AND m.id < ${run.as_of} WHERE up.sponsor_id IS NOT NULL`.execute(
    db,
  )
  const upline = { sponsor: new Int32Array(size), master: new Uint8Array(size), active: new Uint8Array(size) }
  for (const { member, sponsor, master } of links) {
    upline.sponsor[member] = sponsor
    upline.master[member] = master ? 1 : 0
  }
  const payees = [...new Set(links.map(({ sponsor }) => sponsor))]
  const { rows: active } = await sql<{ member: number }>`
    SELECT member_id::int AS member FROM (
      SELECT member_id, amount FROM investment WHERE member_id = ANY(${payees}::bigint[]) AND id < ${run.as_of}
      UNION ALL SELECT member_id, -amount FROM reversal WHERE member_id = ANY(${payees}::bigint[]) AND id < ${run.as_of}
      UNION ALL SELECT member_id, amount FROM principal_movement WHERE member_id = ANY(${payees}::bigint[]) AND id < ${run.as_of}) change
    GROUP BY member_id HAVING sum(amount) > 0`.execute(db)
  for (const { member } of active) upline.active[member] = 1
  const { rows: extras } = await sql<{ member: number; micro: bigint }>`
    SELECT DISTINCT ON (sponsor_id) sponsor_id::int AS member, (percent::numeric * 1000000)::bigint AS micro FROM extra_percent
    WHERE sponsor_id = ANY(${payees}::bigint[]) AND id < ${run.as_of} ORDER BY sponsor_id, id DESC`.execute(
    db,
  )
  return { ...upline, extra: new Map(extras.map(({ member, micro }) => [member, micro])) }
}
