-- Plans: the rules by which members are paid, version by version, and lower rates declared for a day.

CREATE TABLE plan_version (
  version integer PRIMARY KEY,
  starts_at timestamptz NOT NULL,
  document jsonb NOT NULL
);
CREATE TRIGGER plan_version_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON plan_version
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A lower rate that an operator declared for a day. The last one counts; each is kept.
CREATE TABLE declared_rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day text NOT NULL CHECK (day ~ '^\d{4}-\d{2}-\d{2}$'),
  percentage text NOT NULL,
  declared_by bigint NOT NULL,
  declared_at timestamptz NOT NULL
);
CREATE INDEX declared_rate_by_day ON declared_rate (day, id DESC);
CREATE TRIGGER declared_rate_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON declared_rate
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A rate for a day, by the plan in force when the day begins: its own or less. Its caller may lower what is paid, and no more.
CREATE FUNCTION declare_rate(of_day text, its_percentage text, operator bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  begins timestamp := of_day::date;
  paid jsonb;
BEGIN
  SELECT p.document->'passive' INTO paid FROM plan_version p WHERE p.starts_at <= begins AT TIME ZONE (
      SELECT document->>'timeZone' FROM plan_version WHERE starts_at <= begins AT TIME ZONE 'UTC' ORDER BY starts_at DESC, version DESC LIMIT 1)
    ORDER BY p.starts_at DESC, p.version DESC LIMIT 1;
  IF its_percentage !~ '^(0|[1-9]\d{0,2})(\.\d{1,6})?$'
    OR (its_percentage::numeric * (paid->>'periodDays')::numeric <= (paid->>'percentPerPeriod')::numeric) IS NOT TRUE THEN
    RAISE EXCEPTION 'a declared rate is the plan''s or less' USING ERRCODE = 'check_violation', CONSTRAINT = 'declared_rate_within_plan';
  END IF;
  INSERT INTO declared_rate (day, percentage, declared_by, declared_at) VALUES (of_day, its_percentage, operator, at);
END $$;

-- The plan of a new installation, in force since ever. Where there is any, nothing happens.
CREATE FUNCTION store_first_plan(its_document jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO plan_version (version, starts_at, document) SELECT 1, timestamptz 'epoch', its_document
  WHERE NOT EXISTS (SELECT FROM plan_version) ON CONFLICT DO NOTHING
$$;

-- Later versions are decisions that operators sign (0023).
GRANT SELECT ON plan_version, declared_rate TO aval_server;
GRANT EXECUTE ON FUNCTION declare_rate(text, text, bigint, timestamptz) TO aval_api;
GRANT EXECUTE ON FUNCTION store_first_plan(jsonb) TO aval_server;
GRANT SELECT, INSERT ON plan_version, declared_rate TO aval_ledger;
