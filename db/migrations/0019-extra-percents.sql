-- Percentage points that a sponsor gets on top of the plan's first level, and since when. The last row of a sponsor counts.
CREATE TABLE extra_percent (
  sponsor_id bigint NOT NULL,
  -- In the order of history, among investments: a run reads what was set before its own number, also when it is replayed.
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  -- Without a leading or a trailing zero.
  percent text NOT NULL CHECK (percent ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$' AND percent::numeric <= 20),
  -- The person at the console.
  set_by text NOT NULL CHECK (length(set_by) BETWEEN 1 AND 100),
  at timestamptz NOT NULL,
  PRIMARY KEY (sponsor_id, id)
);
CREATE TRIGGER extra_percent_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON extra_percent
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT ON extra_percent TO aval_app;
