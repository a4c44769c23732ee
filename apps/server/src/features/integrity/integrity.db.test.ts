import { operatorReserves, reserves } from '@aval/contract'
import { type Database, inTransaction, type Tx } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { countOf, query, queryOne } from '../../core/query.sql.ts'
import { operatorClient } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { tamperWith } from '../../testing/tampering.ts'
import { createCustodyFixture } from '../reserves/testing/custody-fixture.ts'
import { HOT } from '../withdrawals/testing/withdrawal-fixture.ts'
import { checkIntegrity } from './integrity.commands.ts'
import { findDifferences } from './integrity.queries.ts'

const custody = await suiteFixture(createCustodyFixture, '2026-05-03T15:00:00Z')
const { money } = custody
const { db, owner } = money
const { ownerUrl } = money.server.database
const tampering = tamperWith(ownerUrl)
const api = new URL(ownerUrl).pathname.slice(1)

/** Each is planted in a transaction of its own that is rolled back. */
const finds =
  (what: string, ...differences: readonly string[]) =>
  (statements: TemplateStringsArray) =>
    it(`finds ${what}`, async () => {
      const text = String.raw(statements).replaceAll('<database>', api)
      expect(await tampering.after(text, findDifferences)).toEqual(differences)
    })

describe('a database that was migrated and nothing else', () => {
  it('has no difference, whatever its rows are, and beside databases that have sign-ins of their own', async () => {
    expect(await inTransaction(owner, findDifferences)).toEqual([])
    await custody.mine()
    await custody.readAll()
    expect(await inTransaction(db, findDifferences)).toEqual([])
  })

  it('is read by the worker’s role, and the caller finds names as before', async () => {
    const path = (tx: Tx | Database) => queryOne(tx)`SELECT current_setting('search_path') AS path`
    const [before, after] = await inTransaction(
      db,
      async (tx) => [await path(tx), await findDifferences(tx).then(() => path(tx))] as const,
    )
    expect(after).toEqual(before)
  })
})

describe('of roles and settings, the check', () => {
  finds('a sign-in that became superuser', 'role <database>_api_login: superuser')`
    ALTER ROLE "<database>_api_login" SUPERUSER`
  finds(
    'a sign-in that sees every row and makes roles',
    'role <database>_worker_login: bypasses row security',
    'role <database>_worker_login: creates roles',
  )`
    ALTER ROLE "<database>_worker_login" BYPASSRLS CREATEROLE`
  finds(
    'a sign-in that joined the owner of the books',
    'role <database>_gateway_login: member of aval_ledger inherits, may become it instead of nothing',
  )`
    GRANT aval_ledger TO "<database>_gateway_login"`
  finds(
    'a sign-in that may read files of the server',
    'role <database>_api_login: member of pg_read_server_files inherits, may become it instead of nothing',
  )`
    GRANT pg_read_server_files TO "<database>_api_login"`
  finds('a stranger among our roles', 'role stranger_of_the_test: not of ours')`
    CREATE ROLE stranger_of_the_test LOGIN; GRANT aval_signer TO stranger_of_the_test`
  finds(
    'a setting of a role',
    'role <database>_api_login: setting session_replication_role replica instead of nothing',
  )`
    ALTER ROLE "<database>_api_login" SET session_replication_role = replica`
  finds('a setting of the database', 'database: setting search_path evil, public instead of nothing')`
    ALTER DATABASE "<database>" SET search_path = evil, public`
  finds('temporary tables', 'database: public may TEMPORARY instead of nothing')`
    GRANT TEMPORARY ON DATABASE "<database>" TO PUBLIC`
  finds('rights that future tables will have', 'default privileges of <owner> for r in public: not of ours')`
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT INSERT ON TABLES TO aval_api`
})

describe('of tables, the check', () => {
  finds(
    'another owner',
    'table public.posting: aval_server may nothing instead of SELECT',
    'table public.posting: owner aval_server instead of <owner>',
  )`GRANT CREATE ON SCHEMA public TO aval_server; ALTER TABLE posting OWNER TO aval_server; REVOKE CREATE ON SCHEMA public FROM aval_server`
  finds('a right on a table', 'table public.withdrawal: aval_gateway may DELETE instead of nothing')`
    GRANT DELETE ON withdrawal TO aval_gateway`
  finds(
    'a right on a column',
    'column stopped of public.payout_stop: aval_api may UPDATE instead of nothing',
  )`
    GRANT UPDATE (stopped) ON payout_stop TO aval_api`
  finds('a right on a number', 'sequence public.audit_event_id_seq: aval_api may UPDATE instead of nothing')`
    GRANT UPDATE ON SEQUENCE audit_event_id_seq TO aval_api`
  finds('a trigger switched off', 'trigger journal_is_append_only on public.journal: disabled')`
    ALTER TABLE journal DISABLE TRIGGER journal_is_append_only`
  finds('a trigger that is gone', 'trigger outgoing_transfer_is_kept on public.outgoing_transfer: missing')`
    DROP TRIGGER outgoing_transfer_is_kept ON outgoing_transfer`
  finds(
    'a trigger that does nothing',
    'function public.nothing(): not of ours',
    'trigger journal_is_append_only on public.journal: definition differs',
  )`
    CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    DROP TRIGGER journal_is_append_only ON journal;
    CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION nothing()`
  finds('a trigger in the job queue', 'trigger planted on graphile_worker._private_jobs: not of ours')`
    CREATE TRIGGER planted AFTER INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse_change()`
  finds('a rule taken away', 'constraint balance_not_below_zero on public.member_balance: missing')`
    ALTER TABLE member_balance DROP CONSTRAINT balance_not_below_zero`
  finds(
    'a limit that nothing was checked against',
    "constraint receivable_not_below_zero on public.member_receivable: definition CHECK ((amount > '-9'::integer)) NOT VALID instead of CHECK ((amount >= 0))",
    'constraint receivable_not_below_zero on public.member_receivable: not validated',
  )`
    ALTER TABLE member_receivable DROP CONSTRAINT receivable_not_below_zero, ADD CONSTRAINT receivable_not_below_zero CHECK (amount > -9) NOT VALID`
  finds(
    'an index that refused the second',
    'index outgoing_transfer_one_a_withdrawal on public.outgoing_transfer: missing',
  )`
    DROP INDEX outgoing_transfer_one_a_withdrawal`
  finds('an index that is not kept', 'index payout_run_one_a_period on public.payout_run: not valid')`
    UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'payout_run_one_a_period'::regclass`
  finds(
    'row security switched off, and a policy for all',
    'policy open on public.member: not of ours',
    'table graphile_worker._private_jobs: not row security',
  )`
    ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY; CREATE POLICY open ON member USING (true)`
  finds('a rewritten statement', 'rule quiet on public.journal: not of ours')`
    CREATE RULE quiet AS ON DELETE TO journal DO INSTEAD NOTHING`
  finds(
    'a column',
    'column planted of public.member: not of ours',
  )`ALTER TABLE member ADD COLUMN planted text`
  finds('another beginning of a row', 'column stopped of public.payout_stop: default true instead of false')`
    ALTER TABLE payout_stop ALTER COLUMN stopped SET DEFAULT true`
  finds(
    'a table that a crash empties',
    'table public.demo_clock: not logged',
  )`ALTER TABLE demo_clock SET UNLOGGED`
})

describe('of functions and the rest, the check', () => {
  finds('another text', 'function public.lift_payout_stop(bigint): text differs')`
    DO $$ BEGIN EXECUTE replace(pg_get_functiondef('lift_payout_stop(bigint)'::regprocedure), 'stopped = ', 'stopped = false AND '); END $$`
  finds('the text of a function of the job queue', 'function graphile_worker.remove_job(text): text differs')`
    DO $$ BEGIN EXECUTE replace(pg_get_functiondef('graphile_worker.remove_job(text)'::regprocedure), 'begin', 'begin /* */'); END $$`
  finds(
    'the rights of another owner',
    'function public.close_period(timestamp with time zone): owner <owner> instead of aval_ledger',
  )`
    ALTER FUNCTION close_period(timestamptz) OWNER TO CURRENT_USER`
  finds(
    'the search path of the caller',
    'function public.stop_payouts(bigint,text): settings nothing instead of search_path=public, pg_temp',
  )`
    ALTER FUNCTION stop_payouts(bigint, text) RESET search_path`
  finds(
    'the rights of the owner for everybody',
    'function public.refuse_change(): with the rights of its owner',
  )`
    ALTER FUNCTION refuse_change() SECURITY DEFINER`
  finds(
    'a function that anybody may call',
    'function public.sign_outgoing_transfer(text,bytea,bigint): public may EXECUTE instead of nothing',
  )`
    GRANT EXECUTE ON FUNCTION sign_outgoing_transfer(text, bytea, bigint) TO PUBLIC`
  finds('a function of PostgreSQL’s that reads files', 'system function pg_read_file(text): not of ours')`
    GRANT EXECUTE ON FUNCTION pg_read_file(text) TO aval_api`
  finds('a schema with a function', 'function evil.now(): not of ours', 'schema evil: not of ours')`
    CREATE SCHEMA evil; CREATE FUNCTION evil.now() RETURNS int LANGUAGE sql AS 'SELECT 1'`
  finds(
    'a schema that a program may fill',
    'schema graphile_worker: aval_server may CREATE, USAGE instead of USAGE',
  )`
    GRANT CREATE ON SCHEMA graphile_worker TO aval_server`
  finds('an event trigger', 'event trigger planted: not of ours', 'function public.on_ddl(): not of ours')`
    CREATE FUNCTION on_ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER planted ON ddl_command_end EXECUTE FUNCTION on_ddl()`
  finds(
    'a cast and an operator',
    'cast (bigint AS public.ledger_account): not of ours',
    'operator public.===(bigint,bigint): not of ours',
  )`
    CREATE CAST (bigint AS ledger_account) WITH INOUT; CREATE OPERATOR === (FUNCTION = int8eq, LEFTARG = bigint, RIGHTARG = bigint)`
  finds('a publication', 'publication planted: not of ours')`CREATE PUBLICATION planted FOR TABLE member`
  finds(
    'another word of a type',
    'type public.ledger_account: labels differs',
  )`ALTER TYPE ledger_account ADD VALUE 'company:gift'`
})

describe('partitions', () => {
  /** A table with two partitions, as a migration would make it; and a statement after which they are compared. */
  const since = (statements: string) =>
    tampering.after(
      `CREATE TABLE parted (id bigint PRIMARY KEY, note text CHECK (note <> '')) PARTITION BY RANGE (id);
       CREATE TRIGGER parted_is_append_only BEFORE UPDATE ON parted FOR EACH ROW EXECUTE FUNCTION refuse_change();
       CREATE INDEX parted_by_note ON parted (note);
       CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (100)`,
      async (tx) => {
        const { readCatalog, writeCatalog } = await import('@aval/db/catalog')
        const { compareCatalog } = await import('./integrity.rules.ts')
        const { '': _header, ...expected } = JSON.parse(writeCatalog(await readCatalog(tx)))
        await sql.raw(statements).execute(tx)
        return compareCatalog(await readCatalog(tx), expected)
      },
    )
  const next = 'CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (100) TO (200)'

  it('may be added, as far as they are guarded like those that were there', async () => {
    expect(await since(next)).toEqual([])
    expect(await since('DROP TABLE parted_1; CREATE TABLE parted_9 PARTITION OF parted DEFAULT')).toEqual([])
  })

  it('are named where one is guarded less, or none is left', async () => {
    expect(await since(`${next}; GRANT INSERT ON parted_2 TO aval_api`)).toEqual([
      'table public.parted_2: aval_api may INSERT instead of nothing',
    ])
    expect(await since(`${next}; ALTER TABLE parted_2 DISABLE TRIGGER parted_is_append_only`)).toEqual([
      'trigger parted_is_append_only on public.parted_2: disabled',
    ])
    expect(await since('DROP TABLE parted_1')).toEqual(['partitions of public.parted: missing'])
  })
})

describe('partitions ahead of what is numbered', () => {
  finds('none after the one in use', 'partitions of public.posting: none is ready after the one in use')`
    DROP TABLE posting_1, posting_2, posting_3, posting_4`
  finds(
    'numbers that ran past the last',
    'partitions of public.payout_item: none is ready after the one in use',
    'partitions of public.payout_missed: none is ready after the one in use',
    'partitions of public.payout_page: none is ready after the one in use',
  )`
    INSERT INTO payout_run (id, kind, period, cutoff_at, plan_version, state, at) OVERRIDING SYSTEM VALUE
    VALUES (8192 * 2, 'direct', '1-1', now(), 1, 'cancelled', now())`
})

describe('a difference', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 3, 15, minute))
  const open = 'GRANT DELETE ON withdrawal TO aval_gateway'
  const close = 'REVOKE DELETE ON withdrawal FROM aval_gateway'
  const change = (statement: string) => sql.raw(statement).execute(owner)
  const stop = () =>
    queryOne<{ stopped: boolean; reason: string | null }>(db)`SELECT stopped, reason FROM payout_stop`
  const acts = async () =>
    (
      await query<{ act: string }>(db)`
      SELECT action || ' ' || split_part(subject, ':', 1) AS act FROM audit_event WHERE action LIKE 'payouts.%' ORDER BY id`
    ).map(({ act }) => act)

  it('stops payments, is told to operators once, and is let go by a clean check alone', async () => {
    const operator = await operatorClient(money.server, { username: 'olga' })
    await custody.readAll()
    expect(await custody.check()).toMatchObject({ verdict: 'matched' })
    expect(await checkIntegrity(db, at(1))).toEqual([])
    expect(await stop()).toEqual({ stopped: false, reason: null })
    await change(open)
    const line = 'table public.withdrawal: aval_gateway may DELETE instead of nothing'
    expect(await checkIntegrity(db, at(2))).toEqual([line])
    expect(await checkIntegrity(db, at(7))).toEqual([line])
    expect((await stop()).stopped).toBe(true)
    const member = reserves.parse((await operator.get('reserves/')).json())
    expect(member.verdict).toBe('paused')
    const shown = operatorReserves.parse((await operator.get('operator/reserves/')).json())
    expect(shown).toMatchObject({
      stopped: true,
      since: at(2).toISOString(),
      reason: 'altered',
      integrity: { checked_at: at(7).toISOString(), differences: [line] },
    })
    const mails = await query<{ text: string }>(db)`
      SELECT params->>'text' AS text FROM mail_message WHERE event LIKE 'integrity:%'`
    expect(mails).toHaveLength(await countOf(money.db)`member WHERE is_operator`)
    expect(mails[0]?.text).toContain(line)
    expect(await custody.check()).toMatchObject({ verdict: 'matched' })
    expect((await stop()).stopped).toBe(true)
    await change(close)
    expect(await checkIntegrity(db, at(12))).toEqual([])
    expect(await stop()).toEqual({ stopped: false, reason: null })
    expect(await acts()).toEqual(['payouts.stop integrity_check', 'payouts.lift integrity_check'])
  })

  it('and reserves that do not match stop payments each by itself: both must be clear', async () => {
    await change(open)
    await checkIntegrity(db, at(20))
    await custody.readAndCheck(HOT, -1n)
    expect(await stop()).toEqual({ stopped: true, reason: 'missing' })
    await change(close)
    await checkIntegrity(db, at(25))
    expect(await stop()).toEqual({ stopped: true, reason: 'missing' })
    await change(open)
    await checkIntegrity(db, at(30))
    await custody.readAndCheck(HOT, 0n)
    expect(await stop()).toEqual({ stopped: true, reason: null })
    await change(close)
    await checkIntegrity(db, at(35))
    expect(await stop()).toEqual({ stopped: false, reason: null })
  })

  it('is recorded by the worker’s role alone', async () => {
    for (const role of ['aval_api', 'aval_gateway', 'aval_signer', 'aval_approvals'])
      await expect(
        inTransaction(owner, async (tx) => {
          await sql.raw(`SET LOCAL ROLE ${role}`).execute(tx)
          await query(tx)`SELECT record_integrity_check('{}', now())`
        }),
      ).rejects.toMatchObject({ code: '42501' })
  })
})
