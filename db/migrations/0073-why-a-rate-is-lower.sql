-- Why a day pays less than the plan says: members read it in each payment of that day. Rates of before have none.
ALTER TABLE declared_rate ADD COLUMN reason text CHECK (length(reason) BETWEEN 3 AND 300);

DROP FUNCTION declare_rate(text, text, bigint, timestamptz);
-- A rate for a day, by the plan in force when the day begins: its own or, with a reason, less. Its caller may lower what is paid, and no more.
CREATE FUNCTION declare_rate(of_day text, its_percentage text, because text, operator bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE paid jsonb;
BEGIN
  SELECT document->'passive' INTO paid FROM plan_version WHERE starts_at <= company_day_start(of_day::date) ORDER BY starts_at DESC, version DESC LIMIT 1;
  IF its_percentage !~ '^(0|[1-9]\d{0,2})(\.\d{1,6})?$'
    OR (its_percentage::numeric * (paid->>'periodDays')::numeric <= (paid->>'percentPerPeriod')::numeric) IS NOT TRUE THEN
    RAISE EXCEPTION 'a declared rate is the plan''s or less' USING ERRCODE = 'check_violation', CONSTRAINT = 'declared_rate_within_plan';
  END IF;
  -- Compared as it is shown, with six decimals: a third of a percent is the plan's own.
  IF because IS NULL AND its_percentage::numeric < trunc((paid->>'percentPerPeriod')::numeric / (paid->>'periodDays')::numeric, 6) THEN
    RAISE EXCEPTION 'a lower rate needs a reason' USING ERRCODE = 'check_violation', CONSTRAINT = 'lower_rate_has_a_reason';
  END IF;
  INSERT INTO declared_rate (day, percentage, reason, declared_by, declared_at) VALUES (of_day, its_percentage, because, operator, at);
END $$;
REVOKE ALL ON FUNCTION declare_rate(text, text, text, bigint, timestamptz) FROM PUBLIC;
GRANT CREATE ON SCHEMA public TO aval_ledger;
ALTER FUNCTION declare_rate(text, text, text, bigint, timestamptz) OWNER TO aval_ledger;
REVOKE CREATE ON SCHEMA public FROM aval_ledger;
GRANT EXECUTE ON FUNCTION declare_rate(text, text, text, bigint, timestamptz) TO aval_api;
