-- A key in the place of a member's lost one is a decision of operators. The database only leads to it: the signer counts who approved
-- it by its own journal, and seals the key itself.

-- Asks operators when a member submits such a key.
CREATE FUNCTION ask_about_lost_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM hold_lock('decisions'); -- counted one at a time
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind = 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at, expires_at)
    SELECT 'member_key', 'member_key:' || NEW.member_id, jsonb_build_object('member', NEW.member_id::text, 'username', username,
        'version', NEW.version::text, 'key_hash', NEW.key_hash), NEW.member_id,
      clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond', NEW.expires_at + interval '30 days'
    FROM member WHERE id = NEW.member_id;
  RETURN NULL;
END $$;
CREATE TRIGGER lost_key_is_asked_about AFTER INSERT ON member_key FOR EACH ROW
  WHEN (NEW.kind = 'recovered' AND NEW.state = 'submitted') EXECUTE FUNCTION ask_about_lost_key();

-- One that waits no more, whatever became of it, is not decided about.
CREATE FUNCTION end_decision_of_a_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE decision SET state = 'withdrawn', ended_at = clock_timestamp()
    WHERE subject = 'member_key:' || NEW.member_id AND state = 'open' AND statement->>'version' = NEW.version::text;
  RETURN NULL;
END $$;
CREATE TRIGGER lost_key_ends_its_decision AFTER UPDATE OF state ON member_key FOR EACH ROW
  WHEN (OLD.kind = 'recovered' AND OLD.state = 'submitted' AND NEW.state <> 'submitted') EXECUTE FUNCTION end_decision_of_a_key();

-- Operators who take the decision back refuse the key.
CREATE FUNCTION refuse_key_of_a_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = 'refused_by_operators', decided_at = clock_timestamp()
    WHERE member_id = (NEW.statement->>'member')::bigint AND version = (NEW.statement->>'version')::integer AND state = 'submitted';
  RETURN NULL;
END $$;
CREATE TRIGGER decision_ends_its_key AFTER UPDATE OF state ON decision FOR EACH ROW
  WHEN (NEW.kind = 'member_key' AND OLD.state = 'open' AND NEW.state IN ('withdrawn', 'refused')) EXECUTE FUNCTION refuse_key_of_a_decision();

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['ask_about_lost_key', 'end_decision_of_a_key', 'refuse_key_of_a_decision'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
