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

GRANT SELECT, INSERT ON plan_version, declared_rate TO aval_server;
