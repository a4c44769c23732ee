/** Puts a database's rows back to what they once were. Its connections stay open, and what they have planned stays planned. */
import type pg from 'pg'

const SCHEMA = 'beginning'

/** Every table but the kept copies; its columns that are written, in order. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name, format('${SCHEMA}.%I', n.nspname || '.' || c.relname) AS copy,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', '${SCHEMA}')
  GROUP BY n.nspname, c.relname, c.oid ORDER BY c.oid`

/** As calls that put each sequence back to where it stands. */
const SEQUENCES = `
  SELECT format('SELECT setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
    coalesce(last_value, start_value), last_value IS NOT NULL) AS call FROM pg_sequences`

/**
 * Keeps a copy of all rows and of where each sequence stands.
 *
 * @param owner of the tables, who may also switch off triggers (`session_replication_role`)
 * @returns puts all of it back; nobody else may be in a transaction meanwhile
 */
export async function keepRows(owner: pg.Pool): Promise<() => Promise<void>> {
  const { rows: tables } = await owner.query<{ name: string; copy: string; columns: string }>(TABLES)
  const { rows: sequences } = await owner.query<{ call: string }>(SEQUENCES)
  const copies = tables.map(
    ({ name, copy, columns }) => `CREATE TABLE ${copy} AS SELECT ${columns} FROM ${name}`,
  )
  await owner.query([`CREATE SCHEMA ${SCHEMA}`, ...copies].join(';'))
  const restoreRows = tables.flatMap(({ name, copy, columns }) => [
    `DELETE FROM ${name}`,
    `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${copy}`,
  ])
  const restore = [
    'BEGIN',
    'SET LOCAL session_replication_role = replica',
    ...restoreRows,
    ...sequences.map(({ call }) => call),
    'COMMIT',
  ].join(';')
  return async () => {
    await owner.query(restore)
  }
}
