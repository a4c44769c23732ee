-- What changes money or rights leaves its entry in the trail where it happens, whoever calls: it names the role that signed in. What the owner
-- of the tables does by hand is not a program's, and its commands write their own entries.

CREATE FUNCTION record_joining() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM record_audit(clock_timestamp(), NEW.id, 'member.join', 'done', 'member:' || NEW.id, jsonb_build_object('by', session_user));
  RETURN NULL;
END $$;
CREATE TRIGGER record_joining AFTER INSERT ON member FOR EACH ROW WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION record_joining();

CREATE FUNCTION record_investment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM record_audit(clock_timestamp(), NEW.member_id, 'investment.make', 'done', 'investment:' || NEW.id, jsonb_build_object(
    'amount', round(NEW.amount / 1000000.0, 6)::text, 'from_balance', NEW.from_balance, 'by', session_user));
  RETURN NULL;
END $$;
CREATE TRIGGER record_investment AFTER INSERT ON investment FOR EACH ROW WHEN (session_user::text ~ '_login$') EXECUTE FUNCTION record_investment();

-- A fundator makes a direct referral a master, for good; 100 at most. Held open, no run can look at
-- history between the number that is drawn and its commit.
CREATE FUNCTION activate_master(fundator bigint, referral bigint, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE open_at timestamptz;
BEGIN
  PERFORM FROM member WHERE id = fundator AND is_fundator AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND OR (SELECT count(*) FROM master_code WHERE sponsor_id = fundator) >= 100 THEN
    RAISE EXCEPTION 'a fundator with fewer than 100' USING ERRCODE = 'check_violation', CONSTRAINT = 'master_by_a_fundator';
  END IF;
  UPDATE sponsorship SET is_master = true WHERE member_id = referral AND sponsor_id = fundator AND NOT is_master;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a direct referral that is none yet' USING ERRCODE = 'check_violation', CONSTRAINT = 'master_of_a_referral';
  END IF;
  open_at := hold_period(event_at);
  INSERT INTO master_code (member_id, sponsor_id, at) VALUES (referral, fundator, open_at);
  PERFORM record_audit(clock_timestamp(), fundator, 'member.master', 'done', 'member:' || referral, jsonb_build_object('by', session_user));
END $$;

REVOKE INSERT ON master_code FROM aval_server;
REVOKE UPDATE (is_master) ON sponsorship FROM aval_server;
-- Places never move: what registrations write is counters, the chain's end, and the member's choice of a side.
REVOKE UPDATE ON placement, placement_chain FROM aval_server;
GRANT UPDATE (preference, left_referrals, right_referrals) ON placement TO aval_server;
GRANT UPDATE (tail_id) ON placement_chain TO aval_server;
GRANT SELECT, INSERT ON master_code TO aval_ledger;
GRANT UPDATE (is_master) ON sponsorship TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['record_joining()', 'record_investment()', 'activate_master(bigint, bigint, timestamptz)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION activate_master(bigint, bigint, timestamptz) TO aval_api;
