/**
 * What somebody who holds a database role could try: every statement on every table, every function with many arguments, and the known
 * ways to more rights. Made from the catalog, so that a new table or function is tried as well.
 */
import type pg from 'pg'

export interface Attempt {
  /** In one line, for the report. */
  readonly what: string
  readonly sql: string
}

interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

async function tablesOf(owner: pg.ClientBase): Promise<Table[]> {
  const { rows } = await owner.query<Table>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'p', 'v') GROUP BY 1 ORDER BY 1`,
  )
  return rows
}

const LOCKS = ['ROW SHARE', 'ROW EXCLUSIVE', 'SHARE', 'EXCLUSIVE', 'ACCESS EXCLUSIVE']

/** Copies of rows, each column changed, all rows taken away, locks, and what would change the table itself. */
function onTable({ name, columns }: Table): Attempt[] {
  const statements = [
    `INSERT INTO ${name} SELECT * FROM ${name} LIMIT 3`,
    `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${name} LIMIT 3`,
    `INSERT INTO ${name} DEFAULT VALUES`,
    ...columns.map((column) => `UPDATE ${name} SET ${column} = DEFAULT`),
    ...columns.map((column) => `UPDATE ${name} SET ${column} = (SELECT max(${column}) FROM ${name})`),
    `DELETE FROM ${name}`,
    `TRUNCATE ${name} CASCADE`,
    `ALTER TABLE ${name} DISABLE TRIGGER ALL`,
    `ALTER TABLE ${name} OWNER TO CURRENT_USER`,
    `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS balance_not_below_zero`,
    `CREATE TRIGGER mine AFTER INSERT ON ${name} EXECUTE FUNCTION refuse_change()`,
    `CREATE RULE mine AS ON INSERT TO ${name} DO INSTEAD NOTHING`,
    `CREATE POLICY mine ON ${name} USING (true)`,
    `GRANT ALL ON ${name} TO PUBLIC`,
    `COPY ${name} FROM PROGRAM 'true'`,
  ]
  return [
    ...statements.map((sql) => ({ what: sql, sql })),
    ...LOCKS.map((mode) => ({
      what: `LOCK ${name} ${mode}`,
      sql: `BEGIN; LOCK TABLE ${name} IN ${mode} MODE NOWAIT; COMMIT`,
    })),
  ]
}

interface Callable {
  readonly name: string
  readonly types: readonly string[]
}

async function functionsOf(owner: pg.ClientBase): Promise<Callable[]> {
  const { rows } = await owner.query<Callable>(
    `SELECT format('%I.%I', n.nspname, f.proname) AS name,
       coalesce((SELECT array_agg(format_type(t, NULL) ORDER BY place) FROM unnest(f.proargtypes) WITH ORDINALITY AS a (t, place)), '{}') AS types
     FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
     WHERE n.nspname IN ('public', 'graphile_worker') AND f.prokind = 'f' AND f.prorettype <> 'trigger'::regtype ORDER BY f.oid::regprocedure::text`,
  )
  return rows
}

/** Deterministic: the same seed makes the same attempts. */
export function diceOf(seed: number): (sides: number) => number {
  let state = BigInt(seed) * 2_862_933_555_777_941_757n + 3_037_000_493n
  return (sides) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn
    return Number((state >> 33n) % BigInt(sides))
  }
}

const ARRAY = /\[\]$/
const BIGINTS = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '-1',
  '1000000',
  '50000000',
  '3000000000',
  '9223372036854775807',
  'NULL',
]
const VALUES: Readonly<Record<string, readonly string[]>> = {
  bigint: BIGINTS,
  integer: ['0', '1', '2', '-1', '2147483647', 'NULL'],
  smallint: ['0', '1', '5', '-1', 'NULL'],
  numeric: ['0', '1000000', '3000000000', '1e77', 'NULL'],
  boolean: ['true', 'false', 'NULL'],
  'timestamp with time zone': ['now()', "now() + interval '9 minutes'", "'-infinity'", "'infinity'", 'NULL'],
  jsonb: [
    "'{}'",
    "'[]'",
    `'{"run":"1"}'`,
    `'{"run":"2","note":"all is well"}'`,
    `'{"starts_on":"2099-01-01"}'`,
    `'{"pool":"profit","amount":"1000000","reason":"a reason"}'`,
    `'{"address":"x","difference":"-1000000","reason":"a reason"}'`,
    `'{"stop":"1","reason":"a reason"}'`,
    `'{"investment":"1","reason":"a reason","parts":"0"}'`,
    `'{"member":"3","from":"0","to":"20","reason":"a reason"}'`,
    `'{"kind":"code","code":"000000"}'`,
    'NULL',
  ],
  json: ["'{}'", 'NULL'],
  bytea: ["'\\x'", "decode(repeat('00', 65), 'hex')", 'NULL'],
  posting_kind: ["'deposit_to_balance'", "'passive'", "'withdraw'", 'NULL'],
  ledger_account: ["'pool:profit'", "'balance'", "'custody:hot'", 'NULL'],
}
/** Facts of the very database, where the caller may read them. */
const TEXTS = [
  `''`,
  `'hold'`,
  `'release'`,
  `'withdrawal'`,
  `'profit'`,
  `'commission'`,
  `'expired'`,
  `'no_invoice'`,
  `'approved'`,
  `'withdrawals'`,
  `'run_release'`,
  `'run_prorate'`,
  `'plan'`,
  `'fund_pool'`,
  `'explain_difference'`,
  `'resume_payments'`,
  `'reverse_investment'`,
  `'set_extra_percent'`,
  `'set_fundator'`,
  `'2099-01-01'`,
  `'99'`,
  `'devnet'`,
  `'a reason'`,
  `repeat('a', 64)`,
  `(SELECT txid FROM incoming_transfer ORDER BY seq DESC LIMIT 1)`,
  `(SELECT txid FROM outgoing_transfer LIMIT 1)`,
  `(SELECT wallet_address FROM withdrawal LIMIT 1)`,
  'NULL',
]

/** A call with values of its types: some that exist, some that make no sense. */
function callOf({ name, types }: Callable, roll: (sides: number) => number): Attempt {
  const pick = (values: readonly string[]) => values[roll(values.length)] ?? 'NULL'
  const literalOf = (type: string): string => {
    const single = type.replace(ARRAY, '')
    if (ARRAY.test(type)) return `ARRAY[${pick(VALUES[single] ?? TEXTS)}]::${type}`
    return `${pick(VALUES[single] ?? TEXTS)}::${type}`
  }
  const sql = `SELECT ${name}(${types.map(literalOf).join(', ')})`
  return { what: sql, sql }
}

/** Ways to more rights than one's own. */
const TRICKS = (roles: readonly string[]): string[] => [
  ...roles.map((role) => `SET ROLE "${role}"`),
  ...roles.map((role) => `SET SESSION AUTHORIZATION "${role}"`),
  ...roles.map((role) => `GRANT "${role}" TO CURRENT_USER`),
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'ALTER ROLE CURRENT_USER CREATEROLE',
  'ALTER ROLE CURRENT_USER BYPASSRLS',
  `CREATE ROLE mine SUPERUSER LOGIN`,
  `SET session_replication_role = replica`,
  `ALTER SYSTEM SET session_replication_role = replica`,
  `ALTER DATABASE CURRENT SET session_replication_role = replica`,
  `ALTER ROLE CURRENT_USER SET session_replication_role = replica`,
  `CREATE SCHEMA mine`,
  `CREATE TABLE public.mine (id int)`,
  `CREATE TEMPORARY TABLE member_balance (member_id bigint, balance bigint)`,
  `CREATE FUNCTION public.post_event() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
  `CREATE FUNCTION pg_temp.post_event() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
  `CREATE FUNCTION graphile_worker.mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  `CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  `ALTER FUNCTION public.close_period(timestamptz) SECURITY INVOKER`,
  `ALTER FUNCTION public.close_period(timestamptz) SET search_path = pg_temp`,
  `ALTER FUNCTION public.close_period(timestamptz) OWNER TO CURRENT_USER`,
  `DROP FUNCTION public.refuse_change() CASCADE`,
  `CREATE OPERATOR public.+ (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = int8pl)`,
  `CREATE EXTENSION dblink`,
  `CREATE EXTENSION pgcrypto`,
  `CREATE LANGUAGE plperlu`,
  `CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION refuse_change()`,
  `CREATE SERVER mine FOREIGN DATA WRAPPER postgres_fdw`,
  `CREATE PUBLICATION mine FOR ALL TABLES`,
  `COPY (SELECT 1) TO PROGRAM 'true'`,
  `COPY (SELECT 1) TO '/tmp/aval-red-team'`,
  `SELECT pg_read_file('postgresql.conf')`,
  `SELECT pg_ls_dir('.')`,
  `SELECT lo_import('/etc/passwd')`,
  `SELECT pg_reload_conf()`,
  `SELECT pg_promote()`,
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user AND datname = current_database()`,
  `SELECT rolpassword FROM pg_authid`,
  `UPDATE pg_catalog.pg_class SET relacl = NULL`,
  `UPDATE pg_catalog.pg_proc SET prosecdef = false`,
  `ALTER DEFAULT PRIVILEGES FOR ROLE aval_ledger GRANT ALL ON TABLES TO PUBLIC`,
  `REASSIGN OWNED BY aval_ledger TO CURRENT_USER`,
  `DROP OWNED BY aval_ledger`,
  `SET search_path = pg_temp, public; SELECT public.hold_period(now())`,
  `DO $$ BEGIN EXECUTE 'SET LOCAL ROLE aval_ledger'; UPDATE member_balance SET balance = balance + 1; END $$`,
  `WITH up AS (UPDATE member_balance SET balance = balance + 1 RETURNING 1) SELECT count(*) FROM up`,
  `MERGE INTO member_balance b USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET balance = balance + 1`,
  `SELECT setval('withdrawal_id_seq', 1)`,
  `SELECT setval('investment_id_seq', 1)`,
  `SELECT setval(pg_get_serial_sequence('journal', 'id'), 1)`,
]

/** An address of a thief's own, or a wallet of the company's, as a member's; addresses that no key derived; and money that came to either. */
const THIEF = `'T${'X'.repeat(33)}'`
const HOT = `(SELECT address FROM custody_address WHERE role = 'hot')`
const ADDRESSES = [THIEF, HOT]
  .flatMap((address) => [
    `INSERT INTO deposit_address (address, member_id) VALUES (${address}, (SELECT max(id) FROM member))`,
    `INSERT INTO deposit_address (address, member_id, key_index) VALUES (${address}, (SELECT max(id) FROM member), 2000000000)`,
    `UPDATE deposit_address SET address = ${address} WHERE member_id = (SELECT min(member_id) FROM deposit_address WHERE member_id > 0)`,
    `UPDATE deposit_address SET member_id = (SELECT max(id) FROM member) WHERE address = ${address}`,
  ])
  .concat([
    `SELECT store_deposit_addresses(0, ARRAY[${THIEF}])`,
    `SELECT record_incoming_transfer(repeat('c', 64), 0, 1, now(), 'credit', 'usdt', 'sender', ${THIEF}, 2500000000)`,
    `UPDATE installation SET deposit_xpub = 'xpub'`,
  ])

/** Jobs in the worker's queue that nobody asked for. */
const FORGED = [
  'deposits.credit',
  'outgoing_transfers.settle',
  'custody.book_opening',
  'payout_runs.daily',
  'reserves.check',
  'integrity.check',
  'no.such.task',
].flatMap((task) => [
  `SELECT graphile_worker.add_job('${task}', json_build_object('txid', repeat('a', 64), 'position', 0, 'address', 'T'))`,
  `SELECT graphile_worker.add_job('${task}', '[]'::json, job_key => 'forged')`,
])

/** Everything that can be tried with a role. @param calls how often each function is called */
export async function attemptsOn(
  owner: pg.ClientBase,
  options: { seed: number; calls: number },
): Promise<Attempt[]> {
  const roll = diceOf(options.seed)
  const { rows } = await owner.query<{ rolname: string }>(
    `SELECT rolname FROM pg_roles WHERE rolname LIKE 'aval\\_%' AND rolname !~ '^aval_test_' OR rolname LIKE current_database() || '%' OR rolsuper ORDER BY 1`,
  )
  const tricks = TRICKS(rows.map(({ rolname }) => rolname))
  const tables = await tablesOf(owner)
  const functions = await functionsOf(owner)
  return [
    ...[...tricks, ...ADDRESSES, ...FORGED].map((sql) => ({ what: sql, sql })),
    ...tables.flatMap(onTable),
    ...functions.flatMap((each) => Array.from({ length: options.calls }, () => callOf(each, roll))),
  ]
}
