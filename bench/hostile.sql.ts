/** What hostile traffic leaves in the database, and what it costs there. */
import type pg from 'pg'

const TABLES = [
  'guess_level',
  'failed_try',
  'password_reset',
  'spent_captcha',
  'audit_event',
  'mail_message',
  'session',
] as const

export interface TableSize {
  readonly rows: number
  readonly kb: number
}

/** Rows of each, and what they take with their indexes. */
export async function selectSizes(client: pg.ClientBase): Promise<Readonly<Record<string, TableSize>>> {
  const sizes: Record<string, TableSize> = {}
  for (const table of TABLES) {
    const { rows } = await client.query<{ rows: number; kb: number }>(
      `SELECT count(*)::int AS rows, (pg_total_relation_size('${table}') / 1024)::int AS kb FROM ${table}`,
    )
    sizes[table] = rows[0] ?? { rows: 0, kb: 0 }
  }
  return sizes
}

/** E-mails that a member got, by kind. */
export async function selectMails(client: pg.ClientBase, memberId: bigint): Promise<Record<string, number>> {
  const { rows } = await client.query<{ template: string; count: number }>(
    'SELECT template, count(*)::int AS count FROM mail_message WHERE member_id = $1 GROUP BY 1 ORDER BY 1',
    [String(memberId)],
  )
  return Object.fromEntries(rows.map(({ template, count }) => [template, count]))
}

/** The most e-mails of any one kind that a member got, and what kind. */
export async function selectMostMails(client: pg.ClientBase) {
  const { rows } = await client.query<{ template: string; most: number }>(
    `SELECT template, max(count)::int AS most FROM (
       SELECT template, member_id, count(*) FROM mail_message GROUP BY 1, 2) AS each GROUP BY 1 ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ template, most }) => [template, most]))
}

/** Tries that failed, by kind, as members see them. */
export async function selectFailedTries(client: pg.ClientBase) {
  const { rows } = await client.query<{ kind: string; count: number }>(
    "SELECT kind || CASE member_id WHEN 0 THEN ', nobody''s' ELSE '' END AS kind, sum(count)::int AS count FROM failed_try GROUP BY 1 ORDER BY 1",
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}
