-- Integrity: comparisons of this database with what the migrations made of it, and the stop that follows from a difference.

-- A row for each other finding: from `at` on, and again at `confirmed_at`.
CREATE TABLE integrity_check (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  confirmed_at timestamptz NOT NULL CHECK (confirmed_at >= at),
  -- One line each; none where the database is as it was made.
  differences text[] NOT NULL
);
CREATE TRIGGER integrity_check_is_append_only BEFORE DELETE OR TRUNCATE ON integrity_check
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Keeps what was found. A difference stops payouts; what was stopped so is let go by a later comparison without one, and by nothing
-- else. `outcome` is what changed: 'stopped', 'lifted', 'other' differences than before, or 'none'.
CREATE FUNCTION record_integrity_check(seen text[], seen_at timestamptz, OUT recorded bigint, OUT outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  stop payout_stop;
  last integrity_check;
BEGIN
  SELECT * INTO stop FROM payout_stop FOR UPDATE;
  SELECT * INTO last FROM integrity_check ORDER BY id DESC LIMIT 1;
  IF last.differences = seen THEN
    UPDATE integrity_check SET confirmed_at = greatest(at, seen_at) WHERE id = last.id RETURNING id INTO recorded;
  ELSE
    INSERT INTO integrity_check (at, confirmed_at, differences) VALUES (seen_at, seen_at, seen) RETURNING id INTO recorded;
  END IF;
  outcome := 'none';
  IF cardinality(seen) > 0 AND stop.integrity_check_id IS NULL THEN
    UPDATE payout_stop SET stopped = true, since = coalesce(since, seen_at), integrity_check_id = recorded;
    outcome := 'stopped';
  ELSIF cardinality(seen) > 0 AND last.differences IS DISTINCT FROM seen THEN
    outcome := 'other';
  ELSIF cardinality(seen) = 0 AND stop.integrity_check_id IS NOT NULL THEN
    UPDATE payout_stop SET integrity_check_id = NULL, stopped = reason IS NOT NULL, since = CASE WHEN reason IS NOT NULL THEN since END;
    outcome := 'lifted';
  END IF;
END $$;

GRANT SELECT ON integrity_check TO aval_api, aval_worker;
GRANT SELECT, INSERT, UPDATE ON integrity_check TO aval_ledger;

REVOKE ALL ON FUNCTION record_integrity_check(text[], timestamptz) FROM PUBLIC;
GRANT CREATE ON SCHEMA public TO aval_ledger;
ALTER FUNCTION record_integrity_check(text[], timestamptz) OWNER TO aval_ledger;
REVOKE CREATE ON SCHEMA public FROM aval_ledger;
GRANT EXECUTE ON FUNCTION record_integrity_check(text[], timestamptz) TO aval_worker;
