/**
 * What the owner of the database does for the ledger, at the start and by the hour: partitions ahead of what is numbered, and parts
 * that are full turned over (migration 0038). No program's role may make a table.
 */
import type pg from 'pg'

interface Full {
  readonly aMember: number
  readonly atLeast: number
}

/**
 * A part is full when it holds so many postings for each member, and so many at the least. The index of a part is written all over by
 * a day that pays everybody: each of its pages once, whole, into the log. At five days a part that costs less than the payments do.
 */
const FULL: Full = { aMember: 5, atLeast: 250_000 }

/** A part that is being read for long is left for the next time, rather than having everybody wait behind us. */
const PATIENCE = "SET lock_timeout = '2s'"

/**
 * @param owner connected as the owner of the tables
 * @returns what was done, a line each
 */
export async function keepLedger(owner: pg.Client, full: Full = FULL): Promise<string[]> {
  await owner.query(PATIENCE)
  await owner.query('SELECT extend_all_partitions()')
  const { rows } = await owner.query<{ turned: boolean; part: string }>(
    `SELECT turn_ledger_part(greatest($1, $2 * (SELECT count(*) FROM member_balance))) AS turned, ledger_part() AS part`,
    [full.atLeast, full.aMember],
  )
  return rows
    .filter(({ turned }) => turned)
    .map(({ part }) => `The ledger’s part ${part} is full: the next journal begins part ${Number(part) + 1}.`)
}
