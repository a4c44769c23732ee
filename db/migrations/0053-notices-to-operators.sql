-- What operators work on changed: their pages ask again (decision 034). Told to the API by the transaction that changes it, as members' notices
-- are (0019), and of nobody: 'console 0'. Equal notices of one transaction are one. Withdrawals and money that moves are announced already.
-- Each of these rows is written because a person did something, once a run, or for a transfer that came in.
CREATE FUNCTION notify_operators() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('member_notices', 'console 0');
  RETURN NULL;
END $$;

CREATE TRIGGER payout_run_tells_operators AFTER INSERT OR UPDATE OF state ON payout_run FOR EACH ROW EXECUTE FUNCTION notify_operators();
-- Comparing reserves writes the row each time, mostly as it was.
CREATE TRIGGER payout_stop_tells_operators AFTER UPDATE ON payout_stop
  FOR EACH ROW WHEN (OLD.stopped <> NEW.stopped) EXECUTE FUNCTION notify_operators();
CREATE TRIGGER decision_tells_operators AFTER INSERT OR UPDATE OF state ON decision FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER decision_approval_tells_operators AFTER INSERT ON decision_approval FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER withdrawal_approval_tells_operators AFTER INSERT ON withdrawal_approval FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER support_message_tells_operators AFTER INSERT ON support_message FOR EACH ROW EXECUTE FUNCTION notify_operators();
-- Not that it was read.
CREATE TRIGGER support_thread_tells_operators AFTER UPDATE ON support_thread FOR EACH ROW
  WHEN ((OLD.state, OLD.assigned_to) IS DISTINCT FROM (NEW.state, NEW.assigned_to)) EXECUTE FUNCTION notify_operators();
CREATE TRIGGER operator_notification_tells_operators AFTER INSERT OR UPDATE OF over_at ON operator_notification
  FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER factor_release_tells_operators AFTER INSERT OR UPDATE OF outcome ON factor_release FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER member_freeze_tells_operators AFTER INSERT ON member_freeze FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER incoming_transfer_tells_operators AFTER INSERT ON incoming_transfer FOR EACH ROW EXECUTE FUNCTION notify_operators();

-- Which decisions wait, and who proposed them: what the worker notifies operators of.
GRANT SELECT (subject, proposed_by, proposed_at, expires_at) ON decision TO aval_worker;

-- A stop has a moment. One at the end of time would have no end, and no page could show it.
ALTER TABLE payments_stop ADD CONSTRAINT stopped_at_a_moment CHECK (isfinite(stopped_at));
ALTER TABLE payments_stop ADD CONSTRAINT resumed_at_a_moment CHECK (resumed_at IS NULL OR isfinite(resumed_at));

-- What was over a while ago, and what is to be deleted.
CREATE INDEX operator_notification_by_end ON operator_notification (over_at) WHERE over_at IS NOT NULL;
