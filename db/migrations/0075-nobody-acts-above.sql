-- Nobody acts on the account of an operator above them: admins stand above treasurers and compliance, those above support.

CREATE FUNCTION is_above(of_member bigint, operator bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN coalesce((SELECT max(rank) FILTER (WHERE id = of_member) > max(rank) FILTER (WHERE id = operator) FROM (
    SELECT id, CASE operator_role WHEN 'admin' THEN 3 WHEN 'treasurer' THEN 2 WHEN 'compliance' THEN 2 WHEN 'support' THEN 1 ELSE 0 END AS rank
    FROM member WHERE id IN (of_member, operator)) ranks), false);
END $$;

CREATE FUNCTION refuse_act_above(of_member bigint, operator bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_above(of_member, operator) THEN
    RAISE EXCEPTION 'an operator above' USING ERRCODE = 'check_violation', CONSTRAINT = 'act_on_nobody_above';
  END IF;
END $$;

-- Freezes an account, or lets it go. Its withdrawals on the way are locked: one is signed before the freeze, or not before its end.
-- False where it was so before.
CREATE OR REPLACE FUNCTION freeze_member(of_member bigint, to_frozen boolean, because text, operator bigint, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'freeze_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  PERFORM FROM member WHERE id = of_member AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  PERFORM FROM withdrawal WHERE member_id = of_member AND state IN ('requested', 'approved') ORDER BY id FOR UPDATE;
  IF coalesce((SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1), false) = to_frozen THEN RETURN false; END IF;
  INSERT INTO member_freeze (member_id, frozen, reason, operator_id, at) VALUES (of_member, to_frozen, because, operator, event_at);
  RETURN true;
END $$;

-- One that nobody agreed to in time makes room for the next. Answers the number; null where one is open.
CREATE OR REPLACE FUNCTION ask_release(of_member bigint, because text, how text, operator bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  UPDATE factor_release SET outcome = 'expired', decided_at = event_at WHERE member_id = of_member AND outcome IS NULL AND ends_at <= event_at;
  INSERT INTO factor_release (member_id, asked_by, reason, identified, asked_at, ends_at)
    VALUES (of_member, operator, because, how, event_at, event_at + interval '48 hours')
    ON CONFLICT (member_id) WHERE outcome IS NULL DO NOTHING RETURNING id INTO number;
  RETURN number;
END $$;

-- Ends the one that is open: by another operator, who agrees, by any who refuses, or by its member, who stops it. False where none is.
CREATE OR REPLACE FUNCTION end_release(of_member bigint, as_outcome text, operator bigint, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF as_outcome NOT IN ('released', 'refused', 'stopped') OR (as_outcome = 'stopped') <> (operator IS NULL) OR (operator IS NOT NULL
      AND NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin'))) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  UPDATE factor_release SET outcome = as_outcome, decided_by = operator, decided_at = event_at
    WHERE member_id = of_member AND outcome IS NULL AND ends_at > event_at;
  RETURN FOUND;
END $$;

-- What its functions change has indexes over both: on a fresh connection they failed.
GRANT EXECUTE ON FUNCTION folded_name(text), folded_word(text, integer), folded_later_words(text) TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['is_above(bigint, bigint)', 'refuse_act_above(bigint, bigint)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION is_above(bigint, bigint) TO aval_server;
