-- Roles, and the one installation that a database belongs to.
--
-- A role each for the programs: `aval_api`, `aval_worker`, `aval_gateway`, `aval_signer`, `aval_approvals`. Each signs in as a member
-- of its role. `aval_server` holds what API and worker have in common.
-- `aval_ledger` owns the functions that write the books, `aval_jobs` the job queue; nobody signs in as either.
-- No function with raised privileges (SECURITY DEFINER) belongs to a superuser or to the owner of the tables.

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['aval_api', 'aval_worker', 'aval_gateway', 'aval_signer', 'aval_approvals', 'aval_server', 'aval_ledger', 'aval_jobs'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster created it first
    END;
  END LOOP;
  FOREACH name IN ARRAY ARRAY['aval_api', 'aval_worker'] LOOP
    IF NOT pg_has_role(name, 'aval_server', 'MEMBER') THEN EXECUTE format('GRANT aval_server TO %I', name); END IF;
  END LOOP;
END $$;
GRANT aval_ledger, aval_jobs TO CURRENT_USER;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- The migration of a function names the roles that may call it.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO aval_server, aval_gateway, aval_signer, aval_approvals, aval_ledger, aval_jobs;

CREATE TABLE installation (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  network text NOT NULL,
  usdt_contract text NOT NULL,
  deposit_xpub text NOT NULL
);

-- The development network's clock: business time differs from the system's by this much.
CREATE TABLE demo_clock (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamptz
);

-- Refuses changes of rows that are history, also to the owner of the tables.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

GRANT SELECT, INSERT ON installation TO aval_server;
GRANT SELECT, INSERT, UPDATE ON demo_clock TO aval_server;
GRANT SELECT ON installation TO aval_gateway, aval_signer;
