/** Writes a generated network into an empty database as the owner of its tables, thousands of rows a statement. */
import { DEFAULT_PLAN } from '@aval/plan'
import type pg from 'pg'

const STRUCTURE = ['sponsorship', 'placement', 'placement_chain', 'member_balance', 'investment'] as const
const PEOPLE = ['member', 'member_identifier', 'deposit_address'] as const
const CHAIN = ['incoming_transfer', 'custody_holding', 'deposit_credit', 'invoice', 'invoice_key'] as const

/** The tables that are filled; `thin` is what payouts read and write, without the people and where money came from. */
export function tablesOf(thin: boolean): readonly string[] {
  return thin ? STRUCTURE : [...STRUCTURE, ...PEOPLE, ...CHAIN]
}

/** The default plan, under which no day is held because it pays more than the one before: a loaded history grows within days. */
const PLAN = { ...DEFAULT_PLAN, guards: { ...DEFAULT_PLAN.guards, changeFrom: '1000000000' } }

/** Before the investments: it says until when each of them is locked. */
export async function storePlan(client: pg.ClientBase): Promise<void> {
  await client.query('SELECT store_first_plan($1::jsonb)', [JSON.stringify(PLAN)])
}

export async function refuseFilled(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ filled: boolean }>(
    'SELECT EXISTS (SELECT FROM sponsorship) OR EXISTS (SELECT FROM posting) OR EXISTS (SELECT FROM member) AS filled',
  )
  if (rows[0]?.filled !== false) throw new Error('this database holds members already: give an empty one')
}

/**
 * Empties the tables that may be emptied, in the transaction that fills them: with `wal_level=minimal` PostgreSQL writes no log for their
 * rows (200,000 members: 10 s, not 15). The product's own level is `replica`, so that it can be backed up; what is append-only refuses.
 */
export async function emptyTables(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) name WHERE NOT EXISTS (
       SELECT FROM pg_trigger t WHERE t.tgrelid = name::regclass AND t.tgtype & ${ON_TRUNCATE} <> 0)`,
    [tables],
  )
  if (rows.length > 0) await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`)
}

/** The bit of `pg_trigger.tgtype` that stands for TRUNCATE. */
const ON_TRUNCATE = 32

/**
 * Takes away the indexes that no constraint stands on; answers how to make them again. In random order (a sponsor's
 * referrals, a parent's legs) a row's way into such an index costs more than the row itself.
 */
export async function dropIndexes(client: pg.ClientBase, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = ANY($1::text[]::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}

/** With room to sort in; the product's own settings leave little, because it has to idle in 900 MB. */
export async function makeIndexes(client: pg.ClientBase, definitions: readonly string[]): Promise<void> {
  await client.query("SET LOCAL maintenance_work_mem = '512MB'")
  for (const definition of definitions) await client.query(definition)
}

/** When members joined: number 1 at `oldest`, number `to` at `newest`, the others evenly between. */
export interface JoiningDates {
  readonly to: number
  readonly oldest: Date
  readonly newest: Date
}

const joinedAt = (id: string, { to, oldest, newest }: JoiningDates) =>
  `'${oldest.toISOString()}'::timestamptz + make_interval(secs => ${(newest.getTime() - oldest.getTime()) / 1000}::float8 * (${id} - 1) / ${Math.max(1, to - 1)})`

/** What is known of each member, in the order in which the statement takes it; 0 is nobody. */
export const STRUCTURE_COLUMNS = [
  'sponsor',
  'depth',
  'parent',
  'leg',
  'leftChain',
  'rightChain',
  'leftTail',
  'rightTail',
  'leftReferrals',
  'rightReferrals',
] as const

const insertStructureAt = (joined: JoiningDates) => `
  WITH fresh AS MATERIALIZED (
    SELECT $1::bigint + n - 1 AS id, nullif(sponsor, 0) AS sponsor, depth, nullif(parent, 0) AS parent,
      CASE leg WHEN 1 THEN 'L' WHEN 2 THEN 'R' END AS leg, left_chain, right_chain, left_tail, right_tail,
      left_referrals, right_referrals
    FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[])
      WITH ORDINALITY AS u (sponsor, depth, parent, leg, left_chain, right_chain, left_tail, right_tail,
        left_referrals, right_referrals, n)
  ), sponsored AS (
    INSERT INTO sponsorship (member_id, sponsor_id, depth, joined_at) SELECT id, sponsor, depth, ${joinedAt('id', joined)} FROM fresh
  ), placed AS (
    INSERT INTO placement (member_id, parent_id, leg, left_chain, right_chain, left_referrals, right_referrals)
    SELECT id, parent, leg, left_chain, right_chain, left_referrals, right_referrals FROM fresh
  ), chained AS (
    INSERT INTO placement_chain (head_id, side, tail_id)
    SELECT id, side, tail FROM fresh, LATERAL (VALUES ('L', left_tail), ('R', right_tail)) v (side, tail) WHERE tail > 0
  )
  INSERT INTO member_balance (member_id) SELECT id FROM fresh`

/** Members `first` and following; each of the columns is an array literal ("{1,2,3}"). */
export async function insertStructure(
  client: pg.ClientBase,
  first: number,
  columns: readonly string[],
  joined: JoiningDates,
): Promise<void> {
  const text = insertStructureAt(joined)
  await client.query({ name: 'insert-structure', text, values: [first, ...columns] })
}

/** There are 9,000,000 ref codes of seven digits; beyond so many members nobody gets one of their own. */
export const MOST_REF_CODES = 9_000_000

/* What generated members are called, so that searching has something to find. */
const FIRST =
  'Sofía Mateo Valentina Santiago Camila Sebastián Isabella Diego Lucía Nicolás Mariana Andrés Gabriela Felipe Daniela Tomás Paula Emilio Renata Joaquín Elena Bruno Carla Hugo Irene Julián Laura Martín Natalia Óscar María José Ximena Iván Zoe Raúl Noemí Ángel Úrsula Efraín Begoña Íñigo Yolanda Wilmer Fernanda Rodrigo'
const LAST =
  'Rangel Díaz Gil Ortega Castro Mejía Rojas Vargas Salazar Peña Herrera Cruz Molina Arias Campos Vega Fuentes Navarro Ríos Muñoz Quintero Ibáñez Zúñiga Núñez Pérez Gómez López Hernández Álvarez Ospina Restrepo Uribe Jaramillo Echeverri Bedoya Cárdenas Agudelo'

export const FIRST_NAMES: readonly string[] = FIRST.split(' ')
export const LAST_NAMES: readonly string[] = LAST.split(' ')

/** One of a list by a member's number; `step` shares no factor with its length. */
const oneOf = (names: readonly string[], step: number) =>
  `(ARRAY['${names.join("','")}'])[1 + id * ${step} / 7 % ${names.length}]`

/** One in four has two first names; everybody has two last names. */
const NAMES = `${oneOf(FIRST_NAMES, 7919)} || CASE WHEN id % 4 = 0 THEN ' ' || ${oneOf(FIRST_NAMES, 1299709)} ELSE '' END,
  ${oneOf(LAST_NAMES, 104729)} || ' ' || ${oneOf(LAST_NAMES, 15485863)}`

export interface PeopleOptions {
  readonly joined: JoiningDates
  readonly passwordHash: string
  readonly withRefCodes: boolean
  /** What the first member is called. */
  readonly root: string
}

/**
 * The people behind the ids `first` to `last`: m1, m2, … with names, mail, ref code and an address that nobody has a key for.
 * Where there are more members than ref codes they share them, and the list of who has which stays without any, so that
 * registrations still find a free one.
 */
export async function insertPeople(
  client: pg.ClientBase,
  range: { first: number; last: number },
  options: PeopleOptions,
): Promise<void> {
  const ids = 'FROM generate_series($1::bigint, $2::bigint) AS id'
  const bounds = [range.first, range.last]
  const username = `CASE id WHEN 1 THEN '${options.root}' ELSE 'm' || id END`
  await client.query(
    `INSERT INTO member (id, username, email, password_hash, ref_code, first_name, last_name, terms_accepted_at, joined_at)
     OVERRIDING SYSTEM VALUE
     SELECT id, ${username}, ${username} || '@bench.example', $3, 1000000 + (id - 1) % ${MOST_REF_CODES}, ${NAMES}, joined, joined
     ${ids}, LATERAL (VALUES (${joinedAt('id', options.joined)})) j (joined)`,
    [...bounds, options.passwordHash],
  )
  await client.query(
    `INSERT INTO deposit_address (address, member_id, key_index) SELECT 'B' || lpad(id::text, 33, '0'), id, id ${ids}`,
    bounds,
  )
  // As the server computes it for ASCII.
  const skeleton = `replace(translate(${username}, 'i01', 'lol'), 'm', 'rn')`
  // In the order of the key, which is that of text: m10 stands before m2.
  const kinds: [string, string][] = [
    ['email', `${username} || '@bench.example'`],
    ['username', username],
    ['skeleton', skeleton],
  ]
  if (options.withRefCodes) kinds.push(['ref_code', '(999999 + id)::text'])
  for (const [kind, value] of kinds) {
    await client.query(
      `INSERT INTO member_identifier (kind, value, member_id) SELECT '${kind}', ${value} AS value, id ${ids} ORDER BY value`,
      bounds,
    )
  }
}

/** Investments `first` and following: who, how much, and what had been invested before; array literals. */
export interface InvestmentBatch {
  readonly first: number
  readonly member: string
  readonly amount: string
  readonly before: string
}

/** When they were made: number `from` (excluded) at `oldest`, number `to` at `newest`, the others evenly between. */
export interface InvestmentDates extends JoiningDates {
  readonly from: number
}

const FRESH_INVESTMENTS = `
  WITH fresh AS MATERIALIZED (
    SELECT $1::bigint + n - 1 AS id, member_id, amount, before, (amount + amount / 200 + 9999) / 10000 * 10000 - amount AS fee,
      $7::timestamptz + ($8::timestamptz - $7) * (($1::bigint + n - 1 - $5::int)::float8 / ($6::int - $5::int)) AS at,
      lpad(to_hex($1::bigint + n - 1), 64, '0') AS txid, lpad(to_hex($1::bigint + n - 1), 32, '0') AS txn_id
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS u (member_id, amount, before, n)
  )`

/** Each paid by an invoice, with the fee of 0.5 % up to the cent, through a transfer on the chain: all that the ledger's check asks for. */
const INSERT_INVESTMENTS = `${FRESH_INVESTMENTS}, transferred AS (
    INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value)
    SELECT txid, 0, member_id, least(id, $9::bigint), at, 'credit', 'usdt', 'sender', 'B' || lpad(member_id::text, 33, '0'), amount + fee
    FROM fresh
  ), held AS (
    INSERT INTO custody_holding AS h (address, role, member_id, amount, moved_block)
    SELECT 'B' || lpad(member_id::text, 33, '0'), 'deposit', member_id, sum(amount + fee), max(least(id, $9::bigint)) FROM fresh GROUP BY member_id
    ON CONFLICT (address) DO UPDATE SET amount = h.amount + excluded.amount, moved_block = greatest(h.moved_block, excluded.moved_block)
  ), credited AS (
    INSERT INTO deposit_credit (txid, position, member_id, journal_id, amount, outcome, invoice_id, credited_at)
    SELECT txid, 0, member_id, id, amount + fee, 'paid', id, at FROM fresh
  ), invoiced AS (
    INSERT INTO invoice (member_id, id, txn_id, amount, fee, plan_version, created_at, expires_at, received, state, closed_at,
      paid_txid)
    OVERRIDING SYSTEM VALUE
    SELECT member_id, id, txn_id, amount, fee, 1, at - interval '1 hour', at + interval '1 hour', amount + fee, 'paid', at, txid FROM fresh
  ), keyed AS (
    INSERT INTO invoice_key (txn_id, member_id, invoice_id) SELECT txn_id, member_id, id FROM fresh
  )
  INSERT INTO investment (member_id, id, journal_id, amount, value_after, from_balance, txn_id, txid, plan_version, credited_at)
  OVERRIDING SYSTEM VALUE
  SELECT member_id, id, id, amount, before + amount, false, txn_id, txid, 1, at FROM fresh`

const INSERT_THIN_INVESTMENTS = `${FRESH_INVESTMENTS}
  INSERT INTO investment (member_id, id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
  OVERRIDING SYSTEM VALUE
  SELECT member_id, id, id, amount, before + amount, false, 1, at FROM fresh`

export async function insertInvestments(
  client: pg.ClientBase,
  batch: InvestmentBatch,
  dates: InvestmentDates,
  { thin, block }: { thin: boolean; block: number },
): Promise<void> {
  const { first, member, amount, before } = batch
  const values = [first, member, amount, before, dates.from, dates.to, dates.oldest, dates.newest]
  await client.query({
    name: 'insert-investments',
    text: thin ? INSERT_THIN_INVESTMENTS : INSERT_INVESTMENTS,
    values: thin ? values : [...values, block],
  })
}

/**
 * Makes the rest of this connection find rows by index alone. The tables have no statistics yet, and a planner that chose to
 * read all balances for every batch would make the work grow with the square of the network.
 */
export async function lookUpByIndex(client: pg.ClientBase): Promise<void> {
  await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off')
}

/**
 * Books the investments of these members: a journal each, its postings, and the balances that follow. Without the fee where there
 * is no invoice to pay it with.
 */
export async function postInvestments(
  client: pg.ClientBase,
  range: { first: number; last: number },
  thin: boolean,
): Promise<void> {
  const where = 'WHERE i.member_id BETWEEN $1::bigint AND $2::bigint'
  const bounds = [range.first, range.last]
  const key = thin ? "'bench:' || i.id" : "'deposit:' || i.txid || ':0'"
  await client.query(
    `INSERT INTO journal (key, id, kind, at, input_hash) OVERRIDING SYSTEM VALUE
     SELECT ${key}, i.id, 'deposit', i.credited_at, repeat('0', 64) FROM investment i ${where} ORDER BY i.id`,
    bounds,
  )
  const fee = `UNION ALL
    SELECT i.member_id, i.journal_id, 1::smallint, 'deposit_fee', 'custody:deposits', 'company:revenue', v.fee, i.credited_at
    FROM investment i JOIN invoice v ON v.member_id = i.member_id AND v.id = i.id ${where}`
  await client.query(
    `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
     SELECT i.member_id, i.journal_id, 0::smallint, 'deposit_to_principal'::posting_kind, 'custody:deposits'::ledger_account,
       'principal'::ledger_account, i.amount, i.credited_at
     FROM investment i ${where} ${thin ? '' : fee} ORDER BY 1, 2, 3`,
    bounds,
  )
  await client.query(
    `WITH invested AS (SELECT i.member_id, sum(i.amount) AS amount FROM investment i ${where} GROUP BY i.member_id)
     UPDATE member_balance b SET principal = b.principal + n.amount FROM invested n WHERE b.member_id = n.member_id`,
    bounds,
  )
  await client.query(
    `UPDATE custody_balance SET amount = amount + (SELECT coalesce(sum(p.amount), 0)::bigint FROM posting p
       WHERE p.source = 'custody:deposits' AND p.member_id BETWEEN $1::bigint AND $2::bigint) WHERE account = 'custody:deposits'`,
    bounds,
  )
}

/** Makes room for as many journals, and those of the days to come. */
export async function extendPostings(client: pg.ClientBase, journals: number): Promise<void> {
  await client.query("SELECT extend_partitions('posting', 131072, $1)", [Math.ceil(journals / 131_072) + 4])
}

/** The next member, investment, invoice and journal get numbers behind the loaded ones. */
export async function setSequences(
  client: pg.ClientBase,
  last: { member: number; investment: number },
): Promise<void> {
  const counters = { member: last.member, investment: last.investment, invoice: last.investment }
  for (const [table, value] of Object.entries({ ...counters, journal: last.investment }))
    await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, 'id', Math.max(1, value)])
}
