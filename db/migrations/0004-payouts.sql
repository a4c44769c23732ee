-- Payout runs, their items, and what was not paid.

CREATE TABLE payout_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('passive', 'direct')),
  -- A day ("2026-11-20") for a passive run, an investment ("14:208", member and id) for a direct one.
  period text NOT NULL,
  -- For a passive run: the principal that stood here earns.
  cutoff_at timestamptz NOT NULL,
  plan_version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('computing', 'sealed', 'held', 'released', 'done')),
  input_hash text,
  items_hash text,
  item_count integer NOT NULL DEFAULT 0,
  item_sum bigint NOT NULL DEFAULT 0,
  posted_count integer NOT NULL DEFAULT 0,
  posted_through bigint NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0 CHECK (missing >= 0),
  journal_id bigint,
  -- The date its payments carry: the business time at which the run was opened.
  at timestamptz NOT NULL,
  finished_at timestamptz,
  UNIQUE (kind, period),
  CHECK (posted_count <= item_count)
);
CREATE UNIQUE INDEX payout_run_by_journal ON payout_run (journal_id);
CREATE INDEX payout_run_unfinished ON payout_run (id) WHERE state <> 'done';

CREATE TABLE payout_item (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg smallint NOT NULL DEFAULT 0,
  kind posting_kind NOT NULL CHECK (kind IN ('passive', 'direct', 'master')),
  amount bigint NOT NULL CHECK (amount > 0),
  -- What the percentage was taken of: principal at the cutoff, or the amount invested.
  basis bigint NOT NULL CHECK (basis > 0),
  percentage text NOT NULL,
  level integer,
  from_member_id bigint,
  PRIMARY KEY (member_id, run_id, leg)
);
CREATE INDEX payout_item_by_run ON payout_item (run_id, member_id, leg);

-- Commission that nobody qualified for stays in the pool; who missed it, and why.
CREATE TABLE payout_breakage (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  level integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN ('inactive')),
  PRIMARY KEY (member_id, run_id, level)
);

-- Sealed items are what is paid: they can be added while a run computes, and never change.
CREATE TRIGGER payout_item_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_item
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM payout_run r WHERE r.id = f.run_id AND r.state = 'computing')) THEN
    RAISE EXCEPTION 'items are added while their run computes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_item_before_seal';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_item_before_seal AFTER INSERT ON payout_item
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_sealed();

-- The development network's clock: business time runs this far from the system's.
CREATE TABLE demo_clock (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamptz
);

GRANT SELECT, INSERT, UPDATE ON payout_run, demo_clock TO aval_app;
GRANT SELECT, INSERT ON payout_item, payout_breakage TO aval_app;
