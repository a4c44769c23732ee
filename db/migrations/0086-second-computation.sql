-- Two programs compute every run. The worker seals it; the auditor, with a role of its own, computes it again from the closed inputs and says
-- what it came to; no run is released without its word (decision 100). Beneath both the database refuses to seal what no plan can pay, and
-- counts, adds up, hashes and checks a run itself: the worker writes rows and says nothing about them.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_auditor') THEN CREATE ROLE aval_auditor NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster created it first
END $$;
GRANT USAGE ON SCHEMA public TO aval_auditor;

-- What the auditor said of a sealed run.
CREATE TABLE payout_audit (
  run_id bigint PRIMARY KEY,
  -- `unable`: the auditor does not know something of the plan, and guesses nothing. Another version of it may.
  verdict text NOT NULL CHECK (verdict IN ('matches', 'differs', 'unable')),
  -- As it was computed again; null where it was not.
  items_hash text CHECK (items_hash ~ '^[0-9a-f]{64}$'),
  item_count integer,
  item_sum bigint,
  -- The first ten: who, of what, which field, what was sealed and what was computed again, as texts.
  differences jsonb NOT NULL CHECK (jsonb_typeof(differences) = 'array' AND jsonb_array_length(differences) <= 10 AND length(differences::text) <= 8000),
  -- What of the plan it does not know.
  reason text CHECK (length(reason) BETWEEN 1 AND 300),
  -- Of the auditor.
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 40),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT payout_audit_says_what CHECK ((verdict = 'unable') = (items_hash IS NULL) AND (verdict = 'unable') = (reason IS NOT NULL))
);
CREATE TRIGGER payout_audit_is_kept BEFORE DELETE OR TRUNCATE ON payout_audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_audit_never_changes BEFORE UPDATE ON payout_audit FOR EACH ROW
  WHEN (OLD.verdict <> 'unable' OR NEW.run_id <> OLD.run_id) EXECUTE FUNCTION refuse_change();

-- The auditor's one function: what a sealed run comes to, computed again. It matches where the hash is the seal's and nothing else differs.
-- Another result holds the run, and no decision lets it go: it is discarded and computed again. The first word about a run counts; of one that
-- is sealed no more nothing is kept.
CREATE FUNCTION record_payout_audit(of_run bigint, its_hash text, its_count integer, its_sum bigint, its_differences jsonb, its_reason text,
  its_version text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  said text;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  SELECT verdict INTO said FROM payout_audit WHERE run_id = r.id AND verdict <> 'unable';
  IF said IS NOT NULL THEN RETURN said; END IF;
  IF (r.state IN ('sealed', 'held')) IS NOT TRUE THEN RETURN 'late'; END IF;
  said := CASE WHEN its_hash IS NULL THEN 'unable'
    WHEN (its_hash, its_count, its_sum, its_differences) IS NOT DISTINCT FROM (r.items_hash, r.item_count, r.item_sum, '[]'::jsonb) THEN 'matches'
    ELSE 'differs' END;
  INSERT INTO payout_audit AS a (run_id, verdict, items_hash, item_count, item_sum, differences, reason, version)
    VALUES (r.id, said, its_hash, its_count, its_sum, its_differences, its_reason, its_version)
    ON CONFLICT (run_id) DO UPDATE SET verdict = excluded.verdict, items_hash = excluded.items_hash, item_count = excluded.item_count,
      item_sum = excluded.item_sum, differences = excluded.differences, reason = excluded.reason, version = excluded.version, at = excluded.at;
  IF said = 'differs' THEN
    UPDATE payout_run SET state = 'held', objections = objections || '[{"check": "computed_otherwise"}]',
      stage_since = CASE state WHEN 'held' THEN stage_since ELSE clock_timestamp() END WHERE id = r.id;
  ELSIF said = 'matches' THEN
    PERFORM enqueue_resumption();
  END IF;
  RETURN said;
END $$;

-- The auditor hears of a sealed run at once.
CREATE FUNCTION tell_auditor() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('payout_run_sealed', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER payout_run_asks_the_auditor AFTER UPDATE OF state ON payout_run FOR EACH ROW WHEN (NEW.state = 'sealed') EXECUTE FUNCTION tell_auditor();

-- Business time; only on the development network does it differ from the system's, and never back.
-- Two machines' clocks may differ by some seconds when a day has just begun.
CREATE OR REPLACE FUNCTION close_period(until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  closed timestamptz;
  ahead bigint := (SELECT c.offset_ms FROM demo_clock c, installation i WHERE i.network = 'devnet');
BEGIN
  IF until > clock_timestamp() + greatest(ahead, 0) * interval '1 millisecond' + interval '1 minute' THEN
    RAISE EXCEPTION 'a period is closed when it is over' USING ERRCODE = 'check_violation', CONSTRAINT = 'period_is_over';
  END IF;
  LOCK TABLE period_close IN EXCLUSIVE MODE;
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $$;

-- What a page says of itself, nobody else says.
CREATE FUNCTION payout_page_counts_itself() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.item_count := cardinality(NEW.members);
  NEW.item_sum := (SELECT sum(amount) FROM unnest(NEW.amounts) AS amount);
  NEW.hash := encode(sha256(convert_to(NEW.members::text || NEW.bases::text || NEW.amounts::text || coalesce(NEW.earned::text, ''), 'UTF8')), 'hex');
  IF (cardinality(NEW.bases), cardinality(NEW.amounts), coalesce(cardinality(NEW.earned), NEW.item_count))
      IS DISTINCT FROM (NEW.item_count, NEW.item_count, NEW.item_count) OR 0 >= ANY (NEW.amounts) THEN
    RAISE EXCEPTION 'a page has an amount for each of its members' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_page_is_whole';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_page_counts_itself BEFORE INSERT ON payout_page FOR EACH ROW EXECUTE FUNCTION payout_page_counts_itself();

-- A period as the day that it names; null where it names none.
CREATE FUNCTION day_of_period(period text) RETURNS date LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN CASE WHEN period ~ '^\d{4}-\d{2}-\d{2}$' THEN make_date(left(period, 4)::int, substr(period, 6, 2)::int, right(period, 2)::int) END;
EXCEPTION WHEN datetime_field_overflow THEN
  RETURN NULL;
END $$;

-- What a day pays of principal, in percent, as a fraction.
CREATE FUNCTION rate_of_day(r payout_run, plan jsonb, OUT percent numeric, OUT days numeric) LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  days := 1;
  IF (plan->'passive'->>'weekdaysOnly')::boolean AND extract(isodow FROM day_of_period(r.period)) > 5 THEN
    percent := 0;
  ELSIF r.declared_id IS NOT NULL THEN
    percent := (SELECT percentage::numeric FROM declared_rate WHERE id = r.declared_id AND day = r.period);
  ELSE
    percent := (plan->'passive'->>'percentPerPeriod')::numeric;
    days := (plan->'passive'->>'periodDays')::numeric;
  END IF;
END $$;

-- Principal of some members at an instant whose period is closed: what stands now without what came since.
CREATE FUNCTION principal_before(instant timestamptz) RETURNS TABLE (member_id bigint, principal bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH later AS MATERIALIZED (
    SELECT c.member_id, sum(c.amount) AS amount FROM (
      SELECT i.member_id, i.amount FROM investment i WHERE i.credited_at >= instant
      UNION ALL SELECT v.member_id, -v.amount FROM reversal v WHERE v.at >= instant
      UNION ALL SELECT m.member_id, m.amount FROM principal_movement m WHERE m.at >= instant) c GROUP BY c.member_id)
  SELECT b.member_id, (b.principal - coalesce(l.amount, 0))::bigint FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
$$;

-- Why a run of days cannot be, by a name; null where it can.
CREATE FUNCTION impossible_day(r payout_run) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  day date := day_of_period(r.period);
  begins timestamptz := company_day_start(day);
BEGIN
  RETURN CASE
    WHEN day IS NULL THEN 'payout_run_of_a_day'
    -- Of a passive run the midnight that begins the day, of a match the one that ends it.
    WHEN r.cutoff_at IS DISTINCT FROM (CASE r.kind WHEN 'passive' THEN begins ELSE company_day_start(day + 1) END)
      OR r.at <> r.cutoff_at OR r.cutoff_at > (SELECT closed_until FROM period_close) THEN 'payout_run_of_a_closed_day'
    WHEN r.plan_version IS DISTINCT FROM (SELECT version FROM plan_version WHERE starts_at <= begins ORDER BY starts_at DESC, version DESC LIMIT 1)
      THEN 'payout_run_under_its_plan' END;
END $$;

-- Each side is made once, and without nested loops, as in `post_pages`: the planner takes the arrays of a million for a few items and would read all
-- principal once a page (5 s instead of 0.2 s at 100,000 members).
CREATE FUNCTION impossible_passive(r payout_run, plan jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp SET enable_nestloop = off AS $$
DECLARE
  paid record := rate_of_day(r, plan);
  share float8;
BEGIN
  -- The rate as the worker read it, "10/3000" of principal.
  IF (split_part(r.rate, '/', 1)::numeric * 100 * paid.days = paid.percent * split_part(r.rate, '/', 2)::numeric) IS NOT TRUE THEN RETURN 'payout_run_at_its_rate'; END IF;
  IF EXISTS (SELECT FROM payout_item WHERE run_id = r.id) THEN RETURN 'payout_item_of_its_kind'; END IF;
  -- To the micro: doubles are twice as fast here as exact figures, and the auditor is exact.
  share := paid.percent / 100 / paid.days;
  RETURN (WITH standing AS MATERIALIZED (SELECT * FROM principal_before(r.cutoff_at)),
    item AS MATERIALIZED (SELECT i.member_id, i.amount FROM payout_page p, unnest(p.members, p.amounts) AS i (member_id, amount) WHERE p.run_id = r.id)
    SELECT 'payout_item_within_the_rate' FROM item i LEFT JOIN standing s ON s.member_id = i.member_id
    WHERE i.amount > coalesce(s.principal, 0) * share + 1 LIMIT 1);
END $$;

CREATE FUNCTION impossible_binary(r payout_run, plan jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp SET enable_nestloop = off AS $$
DECLARE most bigint := coalesce((plan->'binary'->>'dailyCap')::numeric, 1000) * 1000000;
BEGIN
  -- A match is computed on what the day before carries, and that has to be certain.
  IF EXISTS (SELECT FROM payout_run e LEFT JOIN payout_audit a ON a.run_id = e.id WHERE e.kind = 'binary' AND e.period < r.period
      AND (e.state = 'computing' OR (e.state IN ('sealed', 'held') AND a.verdict IS DISTINCT FROM 'matches'))) THEN
    RETURN 'payout_run_after_the_day_before';
  END IF;
  RETURN CASE WHEN EXISTS (SELECT FROM payout_page WHERE run_id = r.id) THEN 'payout_item_of_its_kind'
    WHEN EXISTS (WITH standing AS MATERIALIZED (SELECT * FROM principal_before(r.cutoff_at))
      SELECT FROM payout_item i LEFT JOIN standing s ON s.member_id = i.member_id
      WHERE i.run_id = r.id AND (i.kind <> 'binary' OR i.leg <> 0 OR i.amount > least(most, coalesce(s.principal, 0)))) THEN 'payout_item_within_the_cap' END;
END $$;

-- Of a batch of investments: those that follow on the last batch, under their own plan; each pays a level once, and a master once.
CREATE FUNCTION impossible_direct(r payout_run, plan jsonb) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE levels jsonb := plan->'direct'->'levels';
BEGIN
  IF NOT EXISTS (SELECT 1 FROM investment WHERE id BETWEEN r.first_investment AND r.last_investment
      HAVING (min(id), max(id), min(id) || '-' || max(id), max(credited_at), max(credited_at), min(plan_version), max(plan_version))
        = (r.first_investment, r.last_investment, r.period, r.cutoff_at, r.at, r.plan_version, r.plan_version))
    OR (r.as_of > r.last_investment AND r.as_of <= (SELECT last_value FROM investment_id_seq)) IS NOT TRUE THEN
    RETURN 'payout_run_of_a_batch';
  END IF;
  IF EXISTS (SELECT FROM payout_run e WHERE e.kind = 'direct' AND e.state <> 'cancelled' AND e.id <> r.id
      AND e.first_investment <= r.last_investment AND e.last_investment >= r.first_investment)
    OR EXISTS (SELECT FROM investment i WHERE i.id < r.first_investment AND i.id > (SELECT coalesce(max(e.last_investment), 0) FROM payout_run e
      WHERE e.kind = 'direct' AND e.state <> 'cancelled' AND e.last_investment < r.first_investment)) THEN
    RETURN 'payout_run_after_the_batch_before';
  END IF;
  IF EXISTS (SELECT FROM payout_page WHERE run_id = r.id)
    OR EXISTS (SELECT FROM payout_item WHERE run_id = r.id GROUP BY investment_id, level HAVING count(*) > 1) THEN
    RETURN 'payout_item_of_its_kind';
  END IF;
  RETURN CASE WHEN EXISTS (SELECT FROM payout_item i
      LEFT JOIN investment v ON v.id = i.investment_id AND v.id BETWEEN r.first_investment AND r.last_investment AND v.member_id = i.from_member_id
      WHERE i.run_id = r.id AND (i.amount * 100::numeric <= v.amount * (CASE
        WHEN i.kind = 'direct' AND i.level = 1 THEN (levels->>0)::numeric + coalesce((SELECT e.percent::numeric FROM extra_percent e
          WHERE e.sponsor_id = i.member_id AND e.id < r.as_of ORDER BY e.id DESC LIMIT 1), 0)
        WHEN i.kind = 'direct' AND i.level > 1 THEN (levels->>(i.level - 1))::numeric
        WHEN i.kind = 'master' AND i.level > jsonb_array_length(levels) THEN (plan->'direct'->>'masterPercent')::numeric END)) IS NOT TRUE)
    THEN 'payout_item_within_its_level' END;
END $$;

-- Seals a run that its worker has computed: refuses what no plan can pay, and counts, adds up and hashes what stands there.
CREATE FUNCTION payout_run_seals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  plan jsonb := (SELECT document FROM plan_version WHERE version = NEW.plan_version);
  impossible text := CASE NEW.kind WHEN 'direct' THEN impossible_direct(NEW, plan) ELSE impossible_day(NEW) END;
  paid record;
BEGIN
  IF impossible IS NULL AND NEW.kind = 'passive' THEN impossible := impossible_passive(NEW, plan); END IF;
  IF impossible IS NULL AND NEW.kind = 'binary' THEN impossible := impossible_binary(NEW, plan); END IF;
  IF impossible IS NOT NULL THEN
    RAISE EXCEPTION 'no plan pays the run %: %', NEW.id, impossible USING ERRCODE = 'check_violation', CONSTRAINT = impossible;
  END IF;
  SELECT sum(items) AS items, sum(amount) AS amount, max(most) AS most INTO paid FROM (
    SELECT coalesce(sum(n), 0) AS items, coalesce(sum(total), 0) AS amount, coalesce(max(total), 0) AS most
    FROM (SELECT count(*) AS n, sum(amount) AS total FROM payout_item WHERE run_id = NEW.id GROUP BY member_id) members
    UNION ALL SELECT coalesce(sum(item_count), 0), coalesce(sum(item_sum), 0), coalesce(max((SELECT max(amount) FROM unnest(amounts) AS amount)), 0)
    FROM payout_page WHERE run_id = NEW.id) kinds;
  NEW.items_hash := seal_payout_run(NEW.id);
  NEW.item_count := paid.items;
  NEW.item_sum := paid.amount;
  NEW.item_largest := paid.most;
  NEW.payable := paid.amount;
  NEW.not_paid := (SELECT coalesce(sum(amount), 0) FROM payout_missed WHERE run_id = NEW.id);
  NEW.comparable := CASE NEW.kind WHEN 'binary' THEN paid.amount END;
  IF NEW.kind = 'passive' AND split_part(NEW.rate, '/', 1) <> '0' THEN
    NEW.comparable := div(paid.amount * (plan->'passive'->>'percentPerPeriod')::numeric * split_part(NEW.rate, '/', 2)::numeric,
      100 * (plan->'passive'->>'periodDays')::numeric * split_part(NEW.rate, '/', 1)::numeric);
  END IF;
  NEW.objections := '[]';
  NEW.prorated := false;
  NEW.missing := 0;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_run_seals BEFORE UPDATE ON payout_run FOR EACH ROW WHEN (OLD.state = 'computing' AND NEW.state = 'sealed')
  EXECUTE FUNCTION payout_run_seals();

-- A run only ever goes forward; what is paid is what was sealed; from its seal on only functions take it further. A day's rate is the last that
-- was declared when its computing begins, after its inputs are closed.
CREATE OR REPLACE FUNCTION payout_run_goes_forward() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.state <> OLD.state AND NOT ((OLD.state, NEW.state) = ('computing', 'sealed')
      OR (current_user = 'aval_ledger' AND (OLD.state, NEW.state) IN (('sealed', 'held'), ('sealed', 'cancelled'), ('held', 'cancelled'),
        ('sealed', 'released'), ('held', 'released'), ('released', 'posting'), ('released', 'done'), ('posting', 'done')))) THEN
    RAISE EXCEPTION 'a run does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_goes_forward';
  END IF;
  IF (NEW.id, NEW.kind, NEW.period, NEW.cutoff_at, NEW.plan_version, NEW.at, NEW.first_investment, NEW.last_investment, NEW.as_of)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.period, OLD.cutoff_at, OLD.plan_version, OLD.at, OLD.first_investment, OLD.last_investment, OLD.as_of)
    OR (OLD.rate IS NOT NULL AND (NEW.rate, NEW.declared_id) IS DISTINCT FROM (OLD.rate, OLD.declared_id))
    OR (OLD.state <> 'computing' AND (NEW.input_hash, NEW.items_hash, NEW.item_count, NEW.item_sum, NEW.item_largest, NEW.inputs, NEW.comparable, NEW.not_paid,
        NEW.rate, NEW.declared_id)
      IS DISTINCT FROM (OLD.input_hash, OLD.items_hash, OLD.item_count, OLD.item_sum, OLD.item_largest, OLD.inputs, OLD.comparable, OLD.not_paid,
        OLD.rate, OLD.declared_id))
    OR (current_user <> 'aval_ledger' AND ((OLD.state <> 'computing' AND (NEW.payable, NEW.prorated, NEW.objections)
        IS DISTINCT FROM (OLD.payable, OLD.prorated, OLD.objections))
      OR (NEW.journal_id, NEW.posted_count, NEW.overruled_by, NEW.overruled_at) IS DISTINCT FROM (OLD.journal_id, OLD.posted_count, OLD.overruled_by, OLD.overruled_at))) THEN
    RAISE EXCEPTION 'what is sealed never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_sealed';
  END IF;
  IF OLD.rate IS NULL AND NEW.rate IS NOT NULL AND (NEW.declared_id IS DISTINCT FROM (SELECT max(id) FROM declared_rate WHERE day = NEW.period)
      OR NEW.cutoff_at > (SELECT closed_until FROM period_close)) THEN
    RAISE EXCEPTION 'a day pays what was declared last' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_at_its_rate';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER payout_run_begins ON payout_run;
CREATE TRIGGER payout_run_begins BEFORE INSERT ON payout_run FOR EACH ROW
  WHEN (NEW.state <> 'computing' OR NEW.journal_id IS NOT NULL OR NEW.overruled_by IS NOT NULL OR NEW.rate IS NOT NULL OR NEW.posted_count <> 0)
  EXECUTE FUNCTION payout_run_begins();

-- What speaks against a run: so much of the plan's guards as it breaks. A day is compared with the last before it that was released, at the plan's
-- own rate. Batches have no usual size: what they pay, as a part of what was invested, is compared with the latest before them, as many as it
-- takes for as much invested, 20 at most. A single small investment, whose upline may all be inactive, is no measure.
CREATE FUNCTION objections_to(r payout_run) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  plan jsonb := (SELECT document FROM plan_version WHERE version = r.plan_version);
  guards jsonb := coalesce(plan->'guards', '{"changePercent": "50", "changeFrom": "1000", "memberMost": "100000", "runMost": "100000000"}');
  smallest numeric := (guards->>'changeFrom')::numeric * 1000000;
  member_most bigint := (guards->>'memberMost')::numeric * 1000000;
  run_most bigint := (guards->>'runMost')::numeric * 1000000;
  current bigint := CASE r.kind WHEN 'direct' THEN r.item_sum ELSE r.comparable END;
  before bigint;
  own numeric;
  paid numeric;
  base numeric;
  found jsonb := '[]';
BEGIN
  IF r.kind = 'passive' AND split_part(r.rate, '/', 1)::numeric * 100 * (plan->'passive'->>'periodDays')::numeric
      > (plan->'passive'->>'percentPerPeriod')::numeric * split_part(r.rate, '/', 2)::numeric THEN
    found := found || jsonb_build_object('check', 'rate_above_plan', 'rate',
      trim_scale(trunc(split_part(r.rate, '/', 1)::numeric * 100 / split_part(r.rate, '/', 2)::numeric, 6))::text);
  END IF;
  IF r.kind = 'direct' THEN
    own := (SELECT sum(amount) FROM investment WHERE id BETWEEN r.first_investment AND r.last_investment);
    WITH earlier AS (SELECT e.item_sum, e.last_investment, (SELECT sum(i.amount) FROM investment i WHERE i.id BETWEEN e.first_investment AND e.last_investment) AS invested
      FROM payout_run e WHERE e.kind = 'direct' AND e.state IN ('released', 'posting', 'done') AND e.last_investment < r.first_investment
      ORDER BY e.last_investment DESC LIMIT 20),
    counted AS (SELECT item_sum, invested, sum(invested) OVER (ORDER BY last_investment DESC) - invested AS later FROM earlier)
    SELECT sum(c.item_sum), sum(c.invested) INTO paid, base FROM counted c WHERE c.later < own;
    before := div(paid * own, base);
  ELSE
    SELECT e.comparable INTO before FROM payout_run e WHERE e.kind = r.kind AND e.period < r.period AND e.comparable IS NOT NULL
      AND e.state IN ('released', 'posting', 'done') ORDER BY e.period DESC LIMIT 1;
  END IF;
  IF current IS NOT NULL AND before IS NOT NULL AND (current >= smallest OR before >= smallest)
    AND abs(current - before) > div(before * (guards->>'changePercent')::numeric, 100) THEN
    found := found || CASE r.kind WHEN 'direct' THEN jsonb_build_object('check', 'direct_rate_changed',
        'now', trim_scale(trunc(current * 100::numeric / own, 2))::text, 'before', trim_scale(trunc(before * 100::numeric / own, 2))::text)
      ELSE jsonb_build_object('check', 'change_too_large', 'now', current::text, 'before', before::text) END;
  END IF;
  IF r.item_largest > member_most THEN
    found := found || jsonb_build_object('check', 'member_above_cap', 'largest', r.item_largest::text, 'limit', member_most::text);
  END IF;
  IF r.item_sum > run_most THEN found := found || jsonb_build_object('check', 'run_above_cap', 'limit', run_most::text); END IF;
  RETURN found;
END $$;

-- Lets a run's money go to where it is posted from.
CREATE FUNCTION let_payout_run_go(r payout_run, now timestamptz) RETURNS text LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  opened bigint;
  state_now text;
BEGIN
  IF r.payable > r.item_sum OR NOT EXISTS (SELECT FROM payout_audit WHERE run_id = r.id AND verdict = 'matches' AND items_hash = r.items_hash)
    OR NOT EXISTS (SELECT
      FROM (SELECT coalesce(sum(item_count), 0) AS items, coalesce(sum(item_sum), 0) AS amount FROM payout_page WHERE run_id = r.id) p,
        (SELECT count(*) AS items, coalesce(sum(amount), 0) AS amount FROM payout_item WHERE run_id = r.id) i
      WHERE p.items + i.items = r.item_count AND p.amount + i.amount = r.item_sum) THEN
    RAISE EXCEPTION 'the run % is not what was computed twice', r.id USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_adds_up';
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

-- Takes a run further that was computed twice: its whole sum out of its pool, or held whole where the pool lacks something, or the plan's guards
-- object and no operator has overruled them. Answers its state; `waiting` until the auditor has said what it comes to.
CREATE OR REPLACE FUNCTION release_payout_run(of_run bigint, now timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  lacks bigint;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state NOT IN ('sealed', 'held') OR (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'the run % is not to be released', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_released';
  END IF;
  IF NOT EXISTS (SELECT FROM payout_audit WHERE run_id = r.id AND verdict = 'matches') THEN
    RETURN CASE r.state WHEN 'held' THEN 'held' ELSE 'waiting' END;
  END IF;
  -- No other transaction takes from the pool until this one ends.
  lacks := greatest(r.payable - hold_pool((CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account), 0);
  IF r.state = 'sealed' THEN r.objections := objections_to(r); END IF;
  IF lacks > 0 OR (r.objections <> '[]' AND r.overruled_by IS NULL) THEN
    UPDATE payout_run SET state = 'held', missing = lacks, objections = r.objections,
      stage_since = CASE state WHEN 'held' THEN stage_since ELSE clock_timestamp() END
      WHERE id = r.id AND (state, missing) IS DISTINCT FROM ('held', lacks);
    RETURN 'held';
  END IF;
  RETURN let_payout_run_go(r, now);
END $$;

-- As before; and what the auditor computed otherwise is released in no way.
CREATE OR REPLACE FUNCTION run_refusal(r payout_run, its_kind text, available bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN r.state = 'held' AND NOT EXISTS (SELECT FROM payout_audit a WHERE a.run_id = r.id AND a.verdict = 'matches') THEN 'run_not_audited'
    WHEN r.state IS DISTINCT FROM 'held' OR (its_kind = 'run_release') <> (r.objections <> '[]' AND r.overruled_by IS NULL) THEN 'run_not_held'
    WHEN its_kind = 'run_release' THEN NULL
    WHEN available >= r.payable THEN 'run_not_short'
    WHEN available < 1 THEN 'pool_empty' END
$$;

-- Releases a held run with what its pool has, by largest remainder: each item gets its exact part, truncated; what that leaves over
-- goes, a micro each, to the largest remainders, on a tie to the earlier item. Answers what is paid.
CREATE OR REPLACE FUNCTION prorate_payout_run(of_run bigint, operator bigint, remark text, now timestamptz) RETURNS bigint
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
    missing = 0 WHERE id = r.id RETURNING * INTO r;
  IF (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'the run % is not to be released', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_released';
  END IF;
  PERFORM let_payout_run_go(r, now);
  RETURN available;
END $$;

-- Discards a run before its release; the same period is computed again, under what was declared since. Answers the new run. A
-- later day that only waits for this one stands on nothing yet.
CREATE OR REPLACE FUNCTION cancel_payout_run(of_run bigint, operator bigint, remark text, now timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  again bigint;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state IS NULL OR r.state NOT IN ('held', 'sealed') OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator)
    OR (r.kind = 'binary' AND EXISTS (SELECT FROM payout_run WHERE kind = 'binary' AND period > r.period AND state NOT IN ('computing', 'cancelled'))) THEN
    RAISE EXCEPTION 'an operator discards what is not released' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_cancelled';
  END IF;
  UPDATE payout_run SET state = 'cancelled', overruled_by = operator, overruled_at = now, finished_at = now, note = coalesce(nullif(remark, ''), note),
    stage_since = clock_timestamp() WHERE id = r.id;
  INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, first_investment, last_investment, as_of)
    VALUES (r.kind, r.period, r.cutoff_at, r.plan_version, 'computing', r.at, r.first_investment, r.last_investment,
      CASE WHEN r.first_investment IS NOT NULL THEN draw_number() END) RETURNING id INTO again;
  RETURN again;
END $$;

GRANT SELECT ON payout_audit TO aval_server, aval_auditor;
GRANT SELECT, INSERT, UPDATE ON payout_audit TO aval_ledger;
GRANT SELECT ON declared_rate, extra_percent, period_close TO aval_ledger;
GRANT SELECT ON investment_id_seq TO aval_ledger;
GRANT EXECUTE ON FUNCTION seal_payout_run(bigint) TO aval_ledger;
-- What runs are computed from, and what the worker wrote of them.
GRANT SELECT ON plan_version, declared_rate, payout_run, payout_page, payout_item, payout_missed, binary_carry, investment, reversal, reversal_part,
  principal_movement, sponsorship, placement, master_code, extra_percent TO aval_auditor;
GRANT SELECT (network) ON installation TO aval_auditor;
GRANT SELECT (member_id, earned_passive) ON member_balance TO aval_auditor;
GRANT SELECT (member_id, journal_id, amount) ON posting TO aval_auditor;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN ('record_payout_audit', 'tell_auditor',
      'payout_page_counts_itself', 'day_of_period', 'rate_of_day', 'principal_before', 'impossible_day', 'impossible_passive', 'impossible_binary',
      'impossible_direct', 'payout_run_seals', 'objections_to', 'let_payout_run_go') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
-- The worker takes from no pool itself any more.
REVOKE EXECUTE ON FUNCTION hold_pool(ledger_account) FROM aval_worker;
GRANT EXECUTE ON FUNCTION record_payout_audit(bigint, text, integer, bigint, jsonb, text, text) TO aval_auditor;
