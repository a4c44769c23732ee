-- What operators were e-mailed about, once each, whoever becomes an operator later.
CREATE TABLE operator_alert (
  event text PRIMARY KEY CHECK (length(event) <= 200),
  at timestamptz NOT NULL
);
CREATE TRIGGER operator_alert_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_alert
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Which key file the signer used, and with which settings the product was started: what changed since is found by comparing two entries.
CREATE INDEX audit_event_of_guards ON audit_event (action, id) WHERE action IN ('key_file.use', 'settings.use');

GRANT SELECT, INSERT ON operator_alert TO aval_server;
GRANT SELECT (id, kind, statement, state, ended_at) ON decision TO aval_worker;
GRANT SELECT (decision_id, operator_id, at) ON decision_approval TO aval_worker;
