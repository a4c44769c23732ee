/**
 * What the owner of the database does for the ledger, at the start and by the hour: partitions ahead of what is numbered, parts that are
 * full turned over (migration 0038), sealed once their days are over, and archived when they are old (0043). No program's role may make or drop
 * a table.
 */
import type pg from 'pg'

/**
 * A part is full when it holds so many postings for each member, and so many at the least. The index of a part is written all over by
 * a day that pays everybody: each of its pages once, whole, into the log. At five days a part that costs less than the payments do.
 * It is sealed, and archived, when its latest journal is so many days older than the latest of all.
 */
export interface Upkeep {
  readonly aMember: number
  readonly atLeast: number
  readonly sealDays: number
  readonly keepDays: number
}
const UPKEEP: Upkeep = { aMember: 5, atLeast: 250_000, sealDays: 1, keepDays: 62 }

/** A part that is being read for long is left for the next time, rather than having everybody wait behind us. */
const PATIENCE = "SET lock_timeout = '2s'"

/** In one go. A part takes seconds; more wait for the next hour. */
const MOST_PARTS = 20

/** @returns the parts that `step` was taken for, one after the other */
async function eachPart(
  owner: pg.Client,
  step: 'seal_ledger_part' | 'archive_ledger_part',
  days: number,
  now: Date,
): Promise<string[]> {
  const parts: string[] = []
  while (parts.length < MOST_PARTS) {
    const { rows } = await owner.query<{ part: string | null }>(
      `SELECT ${step}(make_interval(days => $1), $2) AS part`,
      [days, now],
    )
    const part = rows[0]?.part ?? null
    if (part === null) break
    parts.push(part)
  }
  return parts
}

/**
 * @param owner connected as the owner of the tables
 * @param now system time
 * @returns what was done, a line each
 */
export async function keepLedger(owner: pg.Client, now: Date, upkeep = UPKEEP): Promise<string[]> {
  await owner.query(PATIENCE)
  await owner.query('SELECT extend_all_partitions()')
  const { rows } = await owner.query<{ turned: boolean; part: string }>(
    `SELECT turn_ledger_part(greatest($1, $2 * (SELECT count(*) FROM member_balance))) AS turned, ledger_part() AS part`,
    [upkeep.atLeast, upkeep.aMember],
  )
  const turned = rows
    .filter(({ turned }) => turned)
    .map(({ part }) => `The ledger’s part ${part} is full: the next journal begins part ${Number(part) + 1}.`)
  const sealed = await eachPart(owner, 'seal_ledger_part', upkeep.sealDays, now)
  const archived = await eachPart(owner, 'archive_ledger_part', upkeep.keepDays, now)
  return [
    ...turned,
    ...sealed.map((part) => `The ledger’s part ${part} is sealed.`),
    ...archived.map((part) => `The ledger’s part ${part} is in the archive.`),
  ]
}
