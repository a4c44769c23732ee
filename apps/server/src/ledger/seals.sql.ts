/** The seals of the ledger (migrations 0039, 0043): their chain, the figures from which a check goes on, and, read whole, what they seal. */
import type { Db } from '@aval/db'
import { query, queryColumn, queryValue } from '../core/query.sql.ts'
import type { Look } from './check.sql.ts'

interface Chained {
  readonly part: bigint
  readonly is_hashed: boolean
  readonly is_chained: boolean
  /** As the audit trail has it, whose head is signed. */
  readonly is_recorded: boolean
}

const selectChain = (db: Db) => query<Chained>(db)`
  SELECT s.part, s.hash = ledger_seal_hash(s) AS is_hashed, coalesce(a.hash = s.hash, false) AS is_recorded,
    s.until_journal = (s.part + 1) * 131072 AND s.previous_hash = lag(s.hash, 1, '') OVER w AND s.part = row_number() OVER w - 1 AS is_chained
  FROM ledger_seal s LEFT JOIN (SELECT DISTINCT ON (subject) subject, details->>'hash' AS hash FROM audit_event
    WHERE action = 'ledger.seal' ORDER BY subject, id) a ON a.subject = 'ledger_part:' || s.part
  WINDOW w AS (ORDER BY s.part) ORDER BY s.part`

/** Parts with a kind that comes to another number or sum than was sealed: of what is copied into rows, or of the payouts. */
const selectOtherRows = (db: Db) => queryColumn<bigint>(db)`
  WITH kept AS (SELECT journal_id / 131072 AS part, kind, count(*) AS postings, sum(amount) AS amount FROM archived_posting GROUP BY 1, 2),
    sealed AS (SELECT * FROM ledger_seal_sum WHERE kind NOT IN ('passive', 'direct', 'master', 'binary'))
  SELECT DISTINCT part FROM kept FULL JOIN sealed USING (part, kind)
  WHERE (kept.postings, kept.amount) IS DISTINCT FROM (sealed.postings::bigint, sealed.amount::numeric) ORDER BY part`
const selectOtherPayouts = (db: Db) => queryColumn<bigint>(db)`
  WITH kept AS (SELECT journal_id / 131072 AS part, a.kind, sum(cardinality(members)) AS postings, sum((SELECT sum(n) FROM unnest(amounts) n)) AS amount
      FROM archived_payout a GROUP BY 1, 2
    UNION ALL SELECT journal_id / 131072, kind, count(*), sum(amount) FROM public.posting
      WHERE kind IN ('passive', 'direct', 'master', 'binary') AND journal_id < (SELECT sealed_until()) GROUP BY 1, 2),
    sealed AS (SELECT * FROM ledger_seal_sum WHERE kind IN ('passive', 'direct', 'master', 'binary'))
  SELECT DISTINCT part FROM kept FULL JOIN sealed USING (part, kind)
  WHERE (kept.postings, kept.amount) IS DISTINCT FROM (sealed.postings::bigint, sealed.amount::numeric) ORDER BY part`

/** Members for whom the figures differ from the archive's, and points from those of the sealed matches. */
const countOtherEarnings = (db: Db) => queryValue<number>(db)`
  WITH paid AS (
    SELECT member_id, coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0) AS passive, count(*) FILTER (WHERE kind = 'passive') AS passive_days,
      coalesce(sum(amount) FILTER (WHERE kind IN ('direct', 'master')), 0) AS commission, coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS matched
    FROM ledger_whole.posting WHERE kind IN ('passive', 'direct', 'master', 'binary') AND journal_id < (SELECT sealed_until()) GROUP BY member_id),
  points AS (SELECT i.member_id, sum(i.basis) AS points FROM public.payout_item i JOIN public.payout_run r ON r.id = i.run_id
    WHERE i.kind = 'binary' AND r.journal_id < (SELECT sealed_until()) GROUP BY i.member_id)
  SELECT count(*)::int AS count FROM paid FULL JOIN points USING (member_id) FULL JOIN ledger_open.earned_before e USING (member_id)
  WHERE (coalesce(paid.passive, 0), coalesce(paid.passive_days, 0), coalesce(paid.commission, 0), coalesce(paid.matched, 0), coalesce(points.points, 0))
    IS DISTINCT FROM (e.passive::numeric, e.passive_days::bigint, e.commission::numeric, e.matched::numeric, e.points::numeric)`

/** What every check looks at: that nobody has touched a seal, or the figures it goes on from. */
async function findChainFaults(db: Db, chain: readonly Chained[]): Promise<string[]> {
  const faults = chain.flatMap(({ part, ...seal }) => [
    ...(seal.is_hashed ? [] : [`the seal of part ${part} says other sums than it was sealed with`]),
    ...(seal.is_chained ? [] : [`the seal of part ${part} does not follow the one before it`]),
    ...(seal.is_recorded ? [] : [`the seal of part ${part} is not the one in the audit trail`]),
  ])
  if (chain.length === 0) return faults
  const earnings = await queryValue<boolean>(db)`
    SELECT earnings_hash = sealed_earnings_hash() AS same FROM ledger_seal ORDER BY part DESC LIMIT 1`
  if (!earnings) faults.push('what members were paid by sealed parts is another sum than was sealed')
  return faults
}

/** Every posting of a part, and of one that still has its rows also what was copied out of it. */
const isAsSealed = (db: Db, part: bigint) => queryValue<boolean>(db)`
  SELECT content_hash = archived_content_hash(part) AND (part < archived_until() / 131072 OR copied_otherwise(part, false) = 0) AS same
  FROM ledger_seal WHERE part = ${part}`

const otherThan = (part: bigint) => `part ${part} has other postings in the archive than were sealed`

async function findOtherEarnings(db: Db): Promise<string[]> {
  const members = await countOtherEarnings(db)
  return members === 0 ? [] : [`${members} members were paid another sum by sealed parts than was sealed`]
}

/** What is looked at of sealed parts; every posting in them where the ledger is read whole. */
export async function looksAtSeals(db: Db, whole: boolean): Promise<Look[]> {
  const chain = await selectChain(db)
  const looks: Look[] = [
    { of: 'the seals', find: (reader) => findChainFaults(reader, chain) },
    { of: 'what sealed parts hold', find: async (reader) => (await selectOtherRows(reader)).map(otherThan) },
  ]
  if (!whole || chain.length === 0) return looks
  const parts = chain.map(
    ({ part }): Look => ({
      of: `part ${part}`,
      find: async (reader) => ((await isAsSealed(reader, part)) ? [] : [otherThan(part)]),
    }),
  )
  return [
    ...looks,
    {
      of: 'what sealed parts paid',
      find: async (reader) => (await selectOtherPayouts(reader)).map(otherThan),
    },
    ...parts,
    { of: 'what members earned in sealed parts', find: findOtherEarnings },
  ]
}
