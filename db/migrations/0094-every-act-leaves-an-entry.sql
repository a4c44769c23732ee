-- What changes rights, stops payments or asks for money leaves an entry in the trail, in the transaction that does it. Programs write it
-- themselves, with the reason and what was there before; of some acts a member's list of security events has it. What somebody does by SQL
-- under a program's role gets this one when it commits: it names the table and the role that signed in, and every one is worth a question.
CREATE FUNCTION leave_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  -- Of the noun and the column that a trigger is given, `member:7`; then actions whose entries have another subject.
  about text := TG_ARGV[0] || coalesce(':' || (changed->>TG_ARGV[1]), '');
BEGIN
  IF EXISTS (SELECT FROM audit_event WHERE (subject = about OR action = ANY (TG_ARGV[2:])) AND xmin = pg_current_xact_id()::xid)
    OR (TG_ARGV[0] = 'member' AND EXISTS (SELECT FROM security_event
      WHERE member_id = (changed->>TG_ARGV[1])::bigint AND xmin = pg_current_xact_id()::xid)) THEN
    RETURN NULL;
  END IF;
  PERFORM record_audit(clock_timestamp(), NULL, 'database.change', 'done', about,
    jsonb_build_object('table', TG_TABLE_NAME, 'change', lower(TG_OP), 'by', session_user));
  RETURN NULL;
END $$;

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  REVOKE ALL ON FUNCTION leave_entry() FROM PUBLIC;
  ALTER FUNCTION leave_entry() OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;

CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON member_freeze DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON member DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND (OLD.closed_at, OLD.is_operator, OLD.operator_role, OLD.is_fundator, OLD.password_hash, OLD.email, OLD.usdt_wallet)
    IS DISTINCT FROM (NEW.closed_at, NEW.is_operator, NEW.operator_role, NEW.is_fundator, NEW.password_hash, NEW.email, NEW.usdt_wallet))
  EXECUTE FUNCTION leave_entry('member', 'id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR DELETE ON passkey DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('member', 'member_id');
-- A secret that nobody confirmed is no second factor yet.
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR UPDATE OF secret, confirmed_at ON member_totp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry_of_its_end AFTER DELETE ON member_totp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR UPDATE ON factor_release DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON operator_change DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON declared_rate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('day', 'day');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON payments_stop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('payments:all');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON payout_stop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND (OLD.check_id, OLD.integrity_check_id) IS DISTINCT FROM (NEW.check_id, NEW.integrity_check_id))
  EXECUTE FUNCTION leave_entry('payments:all', '', 'payouts.stop', 'payouts.lift');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON withdrawal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION leave_entry('withdrawal', 'id');
CREATE CONSTRAINT TRIGGER leaves_entry_of_its_end AFTER UPDATE ON withdrawal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND OLD.state <> NEW.state AND NEW.state IN ('refused', 'cancelled')) EXECUTE FUNCTION leave_entry('withdrawal', 'id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON payout_run DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (session_user::text ~ '_login$' AND OLD.state <> NEW.state AND NEW.state = 'cancelled') EXECUTE FUNCTION leave_entry('run', 'id');
