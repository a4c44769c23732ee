-- A day of the company begins for the database when it does for the rules (companyDayStart in packages/plan): at its first instant, also where
-- clocks show midnight twice, and by the zone in force for it, also where another plan moves the zone before.

CREATE FUNCTION company_day_start(of_day date) RETURNS timestamptz LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH turn AS (
    SELECT starts_at, version, document->>'timeZone' AS zone, lag(version) OVER past IS NULL AS is_first, lead(starts_at) OVER past AS ends_at,
      -- Of a midnight that comes twice, PostgreSQL takes the second. By the clock of the evening before it is the first.
      of_day::timestamp AT TIME ZONE (document->>'timeZone') AS midnight,
      (of_day::timestamp - interval '3 hours') AT TIME ZONE (document->>'timeZone') + interval '3 hours' AS by_the_evening
    FROM plan_version WINDOW past AS (ORDER BY starts_at, version)),
  begun AS (
    SELECT starts_at, version, ends_at, greatest(
      CASE WHEN by_the_evening AT TIME ZONE zone >= of_day THEN least(midnight, by_the_evening) ELSE midnight END,
      CASE WHEN NOT is_first THEN starts_at END) AS begins
    FROM turn)
  SELECT begins FROM begun WHERE ends_at IS NULL OR begins < ends_at ORDER BY starts_at, version LIMIT 1
$$;

-- Proposes a decision; answers its number. `given`: of a run its number and a note, of a plan the day on which it starts.
CREATE OR REPLACE FUNCTION propose_decision(its_kind text, given jsonb, its_document text, operator bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  said jsonb := given;
  about text;
  why text;
  starts timestamptz;
  made bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators decide' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_by_an_operator';
  END IF;
  IF jsonb_typeof(given) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(given) AS each (name, said)
      WHERE name !~ '^[a-z][a-z0-9_]{0,39}$' OR jsonb_typeof(each.said) <> 'string' OR length(each.said #>> '{}') > 1000) THEN
    RAISE EXCEPTION 'a statement has short texts by name' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_statement';
  END IF;
  IF its_kind IN ('run_release', 'run_prorate') THEN
    -- Or it is cancelled before anybody sees this decision, which then stays open.
    SELECT * INTO r FROM payout_run WHERE id = (given->>'run')::bigint FOR NO KEY UPDATE;
    why := run_refusal(r, its_kind, pool_of(r));
    IF why IS NOT NULL THEN
      RAISE EXCEPTION 'a run is decided about while it is held' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || why;
    END IF;
    said := statement_of_run(r, pool_of(r), coalesce(given->>'note', ''));
    about := 'run:' || r.id;
  ELSIF its_kind = 'plan' THEN
    starts := company_day_start((given->>'starts_on')::date);
    IF (starts > at AND jsonb_typeof(its_document::jsonb) = 'object') IS NOT TRUE THEN
      RAISE EXCEPTION 'a plan starts later' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_plan_start_passed';
    END IF;
    said := jsonb_build_object('starts_on', given->>'starts_on', 'starts_at', to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'sha256', encode(sha256(convert_to(its_document, 'UTF8')), 'hex'));
    about := 'plan:' || (given->>'starts_on');
  ELSE
    RAISE EXCEPTION 'operators propose runs and plans' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_kind';
  END IF;
  PERFORM hold_lock('decisions'); -- counted one at a time
  UPDATE decision SET state = 'refused', refusal = 'decision_expired', ended_at = at WHERE state = 'open' AND expires_at <= clock_timestamp();
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind <> 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, document, proposed_by, proposed_at)
    VALUES (its_kind, about, said, CASE WHEN its_kind = 'plan' THEN its_document END, operator, at) RETURNING id INTO made;
  RETURN made;
END $$;

DO $$
BEGIN
  REVOKE ALL ON FUNCTION company_day_start(date) FROM PUBLIC;
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  ALTER FUNCTION company_day_start(date) OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
