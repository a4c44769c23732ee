/** What payouts left in a database, as one fingerprint a table: equal for two databases exactly when every row is. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Numbers of runs and journals may differ where an attempt was killed; what they are called may not. */
const RUN = "r.kind || ' ' || r.period"

const FINGERPRINTS = {
  runs: `SELECT concat_ws('|', ${RUN}, r.state, r.plan_version, r.rate, r.item_count, r.item_sum, r.item_largest, r.payable, r.not_paid,
      r.posted_count, r.input_hash, r.items_hash, r.inputs, r.at) AS line FROM payout_run r`,
  seals: `SELECT ${RUN} || seal_payout_run(r.id) AS line FROM payout_run r`,
  items: `SELECT concat_ws('|', ${RUN}, i.member_id, i.leg, i.kind, i.amount, i.basis, i.level, i.investment_id) AS line
    FROM payout_item i JOIN payout_run r ON r.id = i.run_id`,
  pages: `SELECT concat_ws('|', ${RUN}, p.block, p.members, p.bases, p.amounts) AS line FROM payout_page p JOIN payout_run r ON r.id = p.run_id`,
  postings: `SELECT concat_ws('|', p.member_id, p.leg, p.kind, p.source, p.destination, p.amount, p.at, coalesce(${RUN}, j.kind)) AS line
    FROM posting p JOIN journal j ON j.id = p.journal_id LEFT JOIN payout_run r ON r.journal_id = j.id`,
  balances: `SELECT b::text AS line FROM member_balance b`,
  house: `SELECT h::text AS line FROM house_balance h`,
} as const

export type Fingerprints = Readonly<Record<keyof typeof FINGERPRINTS, string>>

export async function fingerprintsOf(client: pg.ClientBase): Promise<Fingerprints> {
  const found: [string, string][] = []
  for (const [name, query] of Object.entries(FINGERPRINTS)) {
    const { rows } = await client.query<{ print: string }>(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(line), '' ORDER BY md5(line))), '') AS print FROM (${query}) lines`,
    )
    found.push([name, rows[0]?.print ?? ''])
  }
  return Object.fromEntries(found) as Fingerprints
}

async function asAdmin(ownerUrl: string, statement: (client: pg.Client) => string): Promise<void> {
  const admin = new URL(ownerUrl)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href, application_name: 'bench' })
  await client.connect()
  await client.query(statement(client)).finally(() => client.end())
}

const IN_USE = '55006'
const MOST_TRIES = 100
const WAIT_MS = 100

/**
 * A copy of a database to the last row, under another name. Nobody may be connected to it: who has just gone, and a vacuum
 * that looks in, are waited for.
 */
export async function copyDatabase(ownerUrl: string, name: string): Promise<string> {
  const copy = new URL(ownerUrl)
  const source = copy.pathname.slice(1)
  for (let tries = 1; ; tries += 1) {
    try {
      await asAdmin(
        ownerUrl,
        (client) =>
          `CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${client.escapeIdentifier(source)}`,
      )
      break
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE || tries === MOST_TRIES) throw error
      await sleep(WAIT_MS)
    }
  }
  copy.pathname = `/${name}`
  return copy.href
}

export async function dropCopy(ownerUrl: string, name: string): Promise<void> {
  await asAdmin(ownerUrl, (client) => `DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`)
}
