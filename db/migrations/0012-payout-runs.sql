-- Payout runs: computing and paying one kind for one period.

CREATE TABLE payout_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('passive', 'direct', 'binary')),
  -- A day ("2026-11-20"), or of a direct run the investments it covers ("14-208").
  period text NOT NULL,
  -- For a passive run: the principal that stood here earns.
  cutoff_at timestamptz NOT NULL,
  plan_version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('computing', 'sealed', 'held', 'released', 'posting', 'done', 'cancelled')),
  -- The hash of `inputs`.
  input_hash text,
  items_hash text,
  item_count integer NOT NULL DEFAULT 0,
  item_sum bigint NOT NULL DEFAULT 0,
  posted_count integer NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0 CHECK (missing >= 0),
  journal_id bigint,
  -- The date its payments carry: the business time at which the run was opened.
  at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Of a direct run: the investments it covers, and the number of history as of which members are active or not.
  first_investment bigint,
  last_investment bigint,
  as_of bigint,
  -- Of a passive run: the share of principal, exact, "10/3000"; and the declaration it follows.
  rate text,
  declared_id bigint,
  -- Of a passive run: every block below is computed.
  computed_through bigint NOT NULL DEFAULT 0,
  computed_count integer NOT NULL DEFAULT 0,
  member_count integer NOT NULL DEFAULT 0,
  -- Hashes of what went in, by section.
  inputs jsonb NOT NULL DEFAULT '{}',
  item_largest bigint NOT NULL DEFAULT 0,
  -- The sum at the plan's own rate, so that a day with a declared rate compares with one without. Null where nothing compares:
  -- on a day whose rate is zero, and of direct runs, which are compared by their rates.
  comparable bigint,
  not_paid bigint NOT NULL DEFAULT 0,
  payable bigint NOT NULL DEFAULT 0,
  objections jsonb NOT NULL DEFAULT '[]',
  prorated boolean NOT NULL DEFAULT false,
  overruled_by bigint,
  overruled_at timestamptz,
  note text,
  -- System time at which the present stage began: its speed is computed from this.
  stage_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (posted_count <= item_count)
);
CREATE UNIQUE INDEX payout_run_one_a_period ON payout_run (kind, period) WHERE state <> 'cancelled';
CREATE UNIQUE INDEX payout_run_by_journal ON payout_run (journal_id);
CREATE INDEX payout_run_by_investment ON payout_run (last_investment) WHERE kind = 'direct' AND state <> 'cancelled';
CREATE INDEX payout_run_unfinished ON payout_run (id) WHERE state NOT IN ('done', 'cancelled');
CREATE INDEX payout_run_cancelled ON payout_run (id) WHERE state = 'cancelled';

-- What is sealed is what is paid: rows are added while their run computes, shares while it is held; none ever changes.
CREATE FUNCTION refuse_outside_state() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM payout_run r WHERE r.id = f.run_id AND r.state = TG_ARGV[0])) THEN
    RAISE EXCEPTION 'rows of % are added while their run is %', TG_TABLE_NAME, TG_ARGV[0]
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_in_its_time';
  END IF;
  RETURN NULL;
END $$;

-- Passive profit goes to all members every day: its items are kept by columns, a block of 1,024 member ids a row, in the
-- order of members. A tenth of the bytes of a row an item, written ten times as fast, and still plain to read (unnest).
CREATE TABLE payout_page (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  item_count integer NOT NULL,
  item_sum bigint NOT NULL,
  members bigint[] NOT NULL,
  -- Principal at the cutoff.
  bases bigint[] NOT NULL,
  amounts bigint[] NOT NULL,
  -- Passive profit of earlier days; only where the plan has a cap.
  earned bigint[],
  hash text NOT NULL,
  PRIMARY KEY (run_id, block)
);
ALTER TABLE payout_page ALTER COLUMN members SET STORAGE EXTERNAL, ALTER COLUMN bases SET STORAGE EXTERNAL, ALTER COLUMN amounts SET STORAGE EXTERNAL;
CREATE TRIGGER payout_page_before_seal AFTER INSERT ON payout_page REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_page_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_page
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Commissions are few: an item a row. `leg` numbers a member's items within the run.
CREATE TABLE payout_item (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg integer NOT NULL DEFAULT 0,
  kind posting_kind NOT NULL CHECK (kind IN ('direct', 'master', 'binary')),
  amount bigint NOT NULL CHECK (amount > 0),
  -- What the percentage was taken of.
  basis bigint NOT NULL CHECK (basis > 0),
  percentage text NOT NULL,
  level integer,
  from_member_id bigint,
  investment_id bigint,
  left_points bigint,
  right_points bigint,
  flushed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (member_id, run_id, leg)
);
CREATE INDEX payout_item_by_run ON payout_item (run_id, member_id, leg);
CREATE TRIGGER payout_item_before_seal AFTER INSERT ON payout_item REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_item_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_item
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What was not paid, and why. `leg` numbers a member's rows within the run.
CREATE TABLE payout_missed (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  level integer,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN
    ('inactive', 'skipped', 'flushed', 'no_active_left', 'no_active_right', 'no_active_referrals', 'capped')),
  leg integer NOT NULL,
  kind posting_kind NOT NULL CHECK (kind IN ('passive', 'direct', 'master', 'binary')),
  investment_id bigint,
  from_member_id bigint,
  PRIMARY KEY (member_id, run_id, leg)
);
CREATE INDEX payout_missed_by_run ON payout_missed (run_id, member_id, leg);
CREATE TRIGGER payout_missed_before_seal AFTER INSERT ON payout_missed REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_missed_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_missed
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What each leg carries out of a day, by blocks of 1,024 ids; a block is written by the runs that change it, so what
-- a run carries in is, block by block, the latest before it.
CREATE TABLE binary_carry (
  block integer NOT NULL,
  run_id bigint NOT NULL,
  period text NOT NULL,
  lefts bigint[] NOT NULL,
  rights bigint[] NOT NULL,
  -- How many investments below have given points so far.
  events integer[] NOT NULL,
  PRIMARY KEY (block, run_id)
);
CREATE INDEX binary_carry_by_run ON binary_carry (run_id, block);
-- The latest of a block before a day, without reading the days before that one.
CREATE INDEX binary_carry_latest ON binary_carry (block, period, run_id);
CREATE TRIGGER binary_carry_before_seal AFTER INSERT ON binary_carry REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER binary_carry_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON binary_carry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A released run is posted by batches of whole members. Each is claimed, posted and marked in one transaction, so that several
-- workers can share the work, and one that starts after a crash finds exactly what is left.
CREATE TABLE payout_batch (
  run_id bigint NOT NULL,
  number integer NOT NULL,
  first_member_id bigint NOT NULL,
  last_member_id bigint NOT NULL,
  item_count integer NOT NULL CHECK (item_count > 0),
  posted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run_id, number)
);

-- After a pro rata release: what is really paid of each sealed item, in the item's own order.
CREATE TABLE payout_share (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg integer NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (member_id, run_id, leg)
);
CREATE TRIGGER payout_share_while_held AFTER INSERT ON payout_share REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE TRIGGER payout_share_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_share
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TABLE payout_page_share (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  amounts bigint[] NOT NULL,
  PRIMARY KEY (run_id, block)
);
CREATE TRIGGER payout_page_share_while_held AFTER INSERT ON payout_page_share REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE TRIGGER payout_page_share_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_page_share
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The seal of a run, from its rows: what the engine writes must come to the same, and the ledger's check compares.
CREATE FUNCTION seal_payout_run(sealed_run bigint) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  pages text;
  items text;
  missed text;
  carry text;
BEGIN
  SELECT coalesce(string_agg(hash || E'\n', '' ORDER BY block), '') INTO pages FROM payout_page WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', member_id, leg, kind, amount, basis, percentage, coalesce(level, 0),
    coalesce(investment_id, 0), coalesce(from_member_id, 0), coalesce(left_points, 0), coalesce(right_points, 0), flushed) || E'\n', ''
    ORDER BY member_id, leg), ''), 'UTF8')), 'hex') INTO items FROM payout_item WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', member_id, leg, kind, reason, amount, coalesce(level, 0),
    coalesce(investment_id, 0), coalesce(from_member_id, 0)) || E'\n', '' ORDER BY member_id, leg), ''), 'UTF8')), 'hex')
    INTO missed FROM payout_missed WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(block || lefts::text || rights::text || events::text || E'\n', '' ORDER BY block), ''), 'UTF8')), 'hex')
    INTO carry FROM binary_carry WHERE run_id = sealed_run;
  RETURN encode(sha256(convert_to(pages || items || missed || carry, 'UTF8')), 'hex');
END $$;

GRANT SELECT, INSERT, UPDATE ON payout_run TO aval_app;
GRANT SELECT, INSERT, UPDATE (posted) ON payout_batch TO aval_app;
GRANT SELECT, INSERT ON payout_item, payout_page, payout_missed, binary_carry, payout_share, payout_page_share TO aval_app;
