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

-- A run only ever goes forward; what is paid is what was sealed; and a function alone lets money go.
CREATE FUNCTION payout_run_goes_forward() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.state <> OLD.state AND NOT ((OLD.state = 'computing' AND NEW.state = 'sealed') OR (OLD.state IN ('sealed', 'held') AND NEW.state IN ('held', 'cancelled'))
      OR (current_user = 'aval_ledger' AND (OLD.state, NEW.state) IN (('sealed', 'released'), ('held', 'released'), ('released', 'posting'), ('released', 'done'), ('posting', 'done')))) THEN
    RAISE EXCEPTION 'a run does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_goes_forward';
  END IF;
  IF (NEW.id, NEW.kind, NEW.period, NEW.cutoff_at, NEW.plan_version, NEW.at, NEW.first_investment, NEW.last_investment, NEW.as_of)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.period, OLD.cutoff_at, OLD.plan_version, OLD.at, OLD.first_investment, OLD.last_investment, OLD.as_of)
    OR (OLD.state <> 'computing' AND (NEW.input_hash, NEW.items_hash, NEW.item_count, NEW.item_sum, NEW.item_largest, NEW.inputs, NEW.objections)
      IS DISTINCT FROM (OLD.input_hash, OLD.items_hash, OLD.item_count, OLD.item_sum, OLD.item_largest, OLD.inputs, OLD.objections))
    OR (current_user <> 'aval_ledger' AND ((OLD.state <> 'computing' AND (NEW.payable, NEW.prorated) IS DISTINCT FROM (OLD.payable, OLD.prorated))
      OR (NEW.journal_id, NEW.posted_count, NEW.overruled_by, NEW.overruled_at) IS DISTINCT FROM (OLD.journal_id, OLD.posted_count, OLD.overruled_by, OLD.overruled_at))) THEN
    RAISE EXCEPTION 'what is sealed never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_sealed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_run_goes_forward BEFORE UPDATE ON payout_run FOR EACH ROW EXECUTE FUNCTION payout_run_goes_forward();
CREATE FUNCTION payout_run_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'a run begins with its computing' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_begins';
END $$;
CREATE TRIGGER payout_run_begins BEFORE INSERT ON payout_run FOR EACH ROW
  WHEN (NEW.state <> 'computing' OR NEW.journal_id IS NOT NULL OR NEW.overruled_by IS NOT NULL) EXECUTE FUNCTION payout_run_begins();
CREATE TRIGGER payout_run_is_kept BEFORE DELETE OR TRUNCATE ON payout_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE UNIQUE INDEX payout_run_one_a_period ON payout_run (kind, period) WHERE state <> 'cancelled';
CREATE UNIQUE INDEX payout_run_by_journal ON payout_run (journal_id);
CREATE INDEX payout_run_by_investment ON payout_run (last_investment) WHERE kind = 'direct' AND state <> 'cancelled';
CREATE INDEX payout_run_unfinished ON payout_run (id) WHERE state NOT IN ('done', 'cancelled');
CREATE INDEX payout_run_cancelled ON payout_run (id) WHERE state = 'cancelled';

-- Partitions ahead of what is numbered now, made at every start: of postings half a million journals, of what runs computed 16,384 runs.
CREATE FUNCTION extend_all_partitions() RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM extend_partitions('posting', 131072, (SELECT coalesce(max(id), 0) / 131072 + 5 FROM journal));
  PERFORM extend_partitions(whole, 8192, (SELECT coalesce(max(id), 0) / 8192 + 3 FROM payout_run))
  FROM unnest(ARRAY['payout_page', 'payout_item', 'payout_missed']::regclass[]) AS whole;
END $$;

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
) PARTITION BY RANGE (run_id);
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
) PARTITION BY RANGE (run_id);
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
) PARTITION BY RANGE (run_id);
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

-- Postings a transaction: long enough to be fast, short enough that a deposit never waits long for its member's row. A member's items
-- stay together, however many they are.
CREATE FUNCTION cut_batches(of_run bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT of_run, part, min(block)::bigint * 1024, max(block)::bigint * 1024 + 1023, sum(item_count)
    FROM (SELECT block, item_count, ((row_number() OVER (ORDER BY block)) - 1) / 16 AS part FROM payout_page WHERE run_id = of_run) pages
    GROUP BY part;
  INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT of_run, (row_number() OVER (ORDER BY min(member_id))) - 1, min(member_id), max(member_id), sum(items)
    FROM (SELECT member_id, count(*) AS items, div(sum(count(*)) OVER (ORDER BY member_id) - 1, 16000) AS part
      FROM payout_item WHERE run_id = of_run GROUP BY member_id) members GROUP BY part;
END $$;

-- Takes a sealed run's whole sum out of its pool, and lets it be posted. A run with objections needs an operator who overrules them.
CREATE FUNCTION release_payout_run(of_run bigint, now timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  opened bigint;
  state_now text;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state NOT IN ('sealed', 'held') OR (r.objections <> '[]' AND r.overruled_by IS NULL) OR (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'the run % is not to be released', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_released';
  END IF;
  IF r.payable > r.item_sum OR NOT EXISTS (SELECT
      FROM (SELECT coalesce(sum(item_count), 0) AS items, coalesce(sum(item_sum), 0) AS amount FROM payout_page WHERE run_id = r.id) p,
        (SELECT count(*) AS items, coalesce(sum(amount), 0) AS amount FROM payout_item WHERE run_id = r.id) i
      WHERE p.items + i.items = r.item_count AND p.amount + i.amount = r.item_sum) THEN
    RAISE EXCEPTION 'the run % says another sum than its items come to', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_adds_up';
  END IF;
  PERFORM post_event('release:' || r.id, 'release', 0, r.at, ARRAY[CASE r.kind WHEN 'passive' THEN 'release_profit' ELSE 'release_commission' END]::posting_kind[],
    ARRAY[r.payable]);
  INSERT INTO journal (key, kind, at, input_hash) VALUES ('run:' || r.id, 'payout', r.at, coalesce(r.items_hash, '')) RETURNING id INTO opened;
  PERFORM cut_batches(r.id);
  UPDATE payout_run SET state = 'released', missing = 0, journal_id = opened, stage_since = clock_timestamp() WHERE id = r.id RETURNING state INTO state_now;
  -- A run that pays nobody is done with its release.
  IF r.item_count = 0 THEN UPDATE payout_run SET state = 'done', finished_at = now WHERE id = r.id RETURNING state INTO state_now; END IF;
  RETURN state_now;
END $$;

-- Posts the next batch of a released run that no other transaction is posting, with the balances that follow from it; false when there
-- is none, or payouts are stopped. All rows of the batch in a few statements; with one journal and, of passive profit, one leg the
-- primary key says that no member comes twice. What others wait for, the pool's row and the run's, comes last.
CREATE FUNCTION post_payout_batch(of_run bigint, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  b payout_batch;
  posted record;
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN false; END IF;
  SELECT * INTO r FROM payout_run WHERE id = of_run AND state IN ('released', 'posting');
  SELECT * INTO b FROM payout_batch WHERE run_id = r.id AND NOT payout_batch.posted ORDER BY number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF b.run_id IS NULL THEN RETURN false; END IF;
  IF r.kind = 'passive' THEN posted := post_pages(r, b); ELSE posted := post_items(r, b); END IF;
  IF posted.sealed <> b.item_count OR posted.credited <> posted.members THEN
    RAISE EXCEPTION 'the batch % of run % posts % items of %, to % members of %', b.number, r.id, posted.sealed, b.item_count, posted.credited, posted.members
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'payout_batch_is_whole';
  END IF;
  -- One notice a batch, with the range of its members (see 0019).
  IF posted.members > 0 THEN PERFORM pg_notify('member_notices', format('money %s-%s', posted.first, posted.last)); END IF;
  UPDATE house_balance SET amount = amount - posted.amount WHERE account = (CASE r.kind WHEN 'passive' THEN 'due:profit' ELSE 'due:commission' END)::ledger_account;
  UPDATE payout_batch SET posted = true WHERE run_id = r.id AND number = b.number;
  UPDATE payout_run SET posted_count = posted_count + b.item_count, state = CASE WHEN posted_count + b.item_count = item_count THEN 'done' ELSE 'posting' END,
    finished_at = CASE WHEN posted_count + b.item_count = item_count THEN now END,
    stage_since = CASE WHEN posted_count + b.item_count = item_count THEN clock_timestamp() ELSE stage_since END WHERE id = r.id;
  RETURN true;
END $$;

-- Without nested loops: the planner takes the arrays of a batch for a few items and would look up each of the 14,000 to 16,000 balances by
-- itself. At 300,000 members 68 ms a batch, with nested loops 78 ms. `post_items` is faster with them (30 instead of 72 ms for a match).
CREATE FUNCTION post_pages(r payout_run, b payout_batch, OUT sealed bigint, OUT members bigint, OUT credited bigint, OUT amount bigint, OUT first bigint, OUT last bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_nestloop = off AS $$
BEGIN
  WITH page AS MATERIALIZED (
    SELECT p.item_count, p.members, coalesce(s.amounts, p.amounts) AS amounts
    FROM payout_page p LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE p.run_id = r.id AND p.block BETWEEN b.first_member_id / 1024 AND b.last_member_id / 1024 ORDER BY p.block
  ), item AS MATERIALIZED (
    SELECT i.member_id, i.amount FROM page n, unnest(n.members, n.amounts) AS i (member_id, amount) WHERE i.amount > 0
  ), entry AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT i.member_id, r.journal_id, 0, 'passive', 'due:profit', 'balance', i.amount, r.at FROM item i
  ), balance AS (
    UPDATE member_balance m SET balance = m.balance + i.amount, earned = m.earned + i.amount, earned_passive = m.earned_passive + i.amount,
      passive_days = m.passive_days + 1
    -- Bounded on both sides: a merge that begins at the first member of all would read the whole table once a batch.
    FROM item i WHERE m.member_id = i.member_id AND m.member_id BETWEEN b.first_member_id AND b.last_member_id RETURNING 1
  )
  SELECT (SELECT coalesce(sum(item_count), 0) FROM page), count(*), (SELECT count(*) FROM balance), coalesce(sum(i.amount), 0), min(i.member_id), max(i.member_id)
  INTO sealed, members, credited, amount, first, last FROM item i;
END $$;

CREATE FUNCTION post_items(r payout_run, b payout_batch, OUT sealed bigint, OUT members bigint, OUT credited bigint, OUT amount bigint, OUT first bigint, OUT last bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  WITH item AS MATERIALIZED (
    SELECT i.member_id, i.leg, i.kind, coalesce(s.amount, i.amount) AS amount
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = r.id AND i.member_id BETWEEN b.first_member_id AND b.last_member_id
  ), entry AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT i.member_id, r.journal_id, i.leg, i.kind, 'due:commission', 'balance', i.amount, r.at FROM item i WHERE i.amount > 0 ORDER BY i.member_id, i.leg
  ), delta AS MATERIALIZED (
    SELECT i.member_id, sum(i.amount) AS amount, coalesce(sum(i.amount) FILTER (WHERE i.kind = 'binary'), 0) AS matched
    FROM item i WHERE i.amount > 0 GROUP BY i.member_id
  ), balance AS (
    UPDATE member_balance m SET balance = m.balance + d.amount, earned = m.earned + d.amount, earned_binary = m.earned_binary + d.matched
    FROM delta d WHERE m.member_id = d.member_id AND m.member_id BETWEEN b.first_member_id AND b.last_member_id RETURNING 1
  )
  SELECT (SELECT count(*) FROM item), count(*), (SELECT count(*) FROM balance), coalesce(sum(d.amount), 0), min(d.member_id), max(d.member_id)
  INTO sealed, members, credited, amount, first, last FROM delta d;
END $$;

-- A held run and the operator who decides about it.
CREATE FUNCTION held_run(of_run bigint, operator bigint) RETURNS payout_run LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE r payout_run;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state IS DISTINCT FROM 'held' OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator decides about a held run' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_decided';
  END IF;
  RETURN r;
END $$;

-- Lets a held run go on in spite of its checks.
CREATE FUNCTION overrule_payout_run(of_run bigint, operator bigint, remark text, now timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE r payout_run := held_run(of_run, operator);
BEGIN
  UPDATE payout_run SET overruled_by = operator, overruled_at = now, note = coalesce(nullif(remark, ''), note) WHERE id = r.id;
END $$;

-- Releases a held run with what its pool has, by largest remainder: each item gets its exact part, truncated; what that leaves over
-- goes, a micro each, to the largest remainders, on a tie to the earlier item. Answers what is paid.
CREATE FUNCTION prorate_payout_run(of_run bigint, operator bigint, remark text, now timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run := held_run(of_run, operator);
  available bigint := hold_pool((CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account);
BEGIN
  IF r.objections <> '[]' AND r.overruled_by IS NULL OR available NOT BETWEEN 1 AND r.payable - 1 THEN
    RAISE EXCEPTION 'a run is shared out for want of money alone' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_short';
  END IF;
  WITH part AS (
    SELECT p.block, i.place, div(i.amount::numeric * available, r.item_sum) AS share, mod(i.amount::numeric * available, r.item_sum) AS remainder
    FROM payout_page p, unnest(p.amounts) WITH ORDINALITY AS i (amount, place) WHERE p.run_id = r.id
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY remainder DESC, block, place) AS rank, available - sum(share) OVER () AS over FROM part
  )
  INSERT INTO payout_page_share (run_id, block, amounts)
    SELECT r.id, block, array_agg((share + (rank <= over)::integer)::bigint ORDER BY place) FROM ranked GROUP BY block;
  WITH part AS (
    SELECT member_id, leg, div(i.amount::numeric * available, r.item_sum) AS share, mod(i.amount::numeric * available, r.item_sum) AS remainder
    FROM payout_item i WHERE run_id = r.id
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY remainder DESC, member_id, leg) AS rank, available - sum(share) OVER () AS over FROM part
  )
  INSERT INTO payout_share (run_id, member_id, leg, amount) SELECT r.id, member_id, leg, (share + (rank <= over)::integer)::bigint FROM ranked;
  UPDATE payout_run SET overruled_by = operator, overruled_at = now, note = coalesce(nullif(remark, ''), note), prorated = true, payable = available,
    missing = 0 WHERE id = r.id;
  PERFORM release_payout_run(r.id, now);
  RETURN available;
END $$;

-- Discards a run before its release; the same period is computed again, under what was declared since. Answers the new run.
CREATE FUNCTION cancel_payout_run(of_run bigint, operator bigint, remark text, now timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  again bigint;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state IS NULL OR r.state NOT IN ('held', 'sealed') OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator)
    OR (r.kind = 'binary' AND EXISTS (SELECT FROM payout_run WHERE kind = 'binary' AND period > r.period AND state <> 'cancelled')) THEN
    RAISE EXCEPTION 'an operator discards what is not released' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_cancelled';
  END IF;
  UPDATE payout_run SET state = 'cancelled', overruled_by = operator, overruled_at = now, finished_at = now, note = coalesce(nullif(remark, ''), note),
    stage_since = clock_timestamp() WHERE id = r.id;
  INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, first_investment, last_investment, as_of)
    VALUES (r.kind, r.period, r.cutoff_at, r.plan_version, 'computing', r.at, r.first_investment, r.last_investment,
      CASE WHEN r.first_investment IS NOT NULL THEN draw_number() END) RETURNING id INTO again;
  RETURN again;
END $$;

-- Company capital into a pool, once a request.
CREATE FUNCTION fund_pool(pool text, funded bigint, request text, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM post_event(format('fund:%s:%s', pool, request), 'fund', 0, event_at, ARRAY['fund_' || pool]::posting_kind[], ARRAY[funded]);
END $$;

SELECT extend_all_partitions();

GRANT SELECT ON payout_run, payout_batch, payout_item, payout_page, payout_missed, binary_carry, payout_share, payout_page_share TO aval_server;
-- To release a held run, whole or pro rata, is a decision that operators sign (0023).
GRANT EXECUTE ON FUNCTION cancel_payout_run(bigint, bigint, text, timestamptz), fund_pool(text, bigint, text, timestamptz) TO aval_api;
GRANT INSERT, UPDATE ON payout_run TO aval_worker;
GRANT INSERT ON payout_item, payout_page, payout_missed, binary_carry TO aval_worker;
GRANT EXECUTE ON FUNCTION seal_payout_run(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION release_payout_run(bigint, timestamptz), post_payout_batch(bigint, timestamptz) TO aval_worker;

GRANT SELECT, INSERT, UPDATE ON payout_run, payout_batch TO aval_ledger;
GRANT SELECT ON payout_item, payout_page, payout_missed, binary_carry TO aval_ledger;
GRANT SELECT, INSERT ON payout_share, payout_page_share TO aval_ledger;
