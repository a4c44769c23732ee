-- Each investment keeps a term of its own: the days of the plan it was made under, from its own date. What leaves of principal is taken from
-- named investments, so that what each still has is known.

ALTER TABLE investment ADD COLUMN unlocks_at timestamptz,
  -- Before its plan's days are over: of an investment from before this migration, which another rule had promised.
  ADD COLUMN unlocks_early boolean NOT NULL DEFAULT false;

-- Which investments a movement of principal came off (below zero), or went back to.
CREATE TABLE principal_movement_part (
  member_id bigint NOT NULL,
  movement_id bigint NOT NULL,
  investment_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (member_id, movement_id, investment_id)
);
CREATE TRIGGER principal_movement_part_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON principal_movement_part
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What investments that were not reversed still have, also where that is nothing.
CREATE VIEW investment_left AS
  SELECT i.member_id, i.id AS investment_id, (i.amount + coalesce(m.amount, 0))::bigint AS amount, i.credited_at, i.unlocks_at
  FROM investment i
    LEFT JOIN (SELECT member_id, investment_id, sum(amount) AS amount FROM principal_movement_part GROUP BY member_id, investment_id) m
      ON m.member_id = i.member_id AND m.investment_id = i.id
  WHERE NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = i.member_id AND r.investment_id = i.id);

CREATE FUNCTION end_of_term(under_plan integer, began_at timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN began_at + make_interval(hours => 24 * (SELECT (document->'investment'->>'lockDays')::int FROM plan_version WHERE version = under_plan));
END $$;

-- Until now the latest investment locked all principal, for the days of its own plan. Nobody's money unlocks later than it would have.
ALTER TABLE investment DISABLE TRIGGER investment_is_append_only;
WITH latest AS (
  SELECT DISTINCT ON (i.member_id) i.member_id, end_of_term(i.plan_version, i.credited_at) AS unlocks_at FROM investment i
  WHERE NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = i.member_id AND r.investment_id = i.id)
  ORDER BY i.member_id, i.credited_at DESC, i.id DESC)
UPDATE investment i SET unlocks_at = least(end_of_term(i.plan_version, i.credited_at), (SELECT l.unlocks_at FROM latest l WHERE l.member_id = i.member_id));

-- Takes this much from what a member's investments have at that place in the order of history, those first that unlock first.
CREATE FUNCTION take_principal(owner bigint, movement bigint, wanted bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO principal_movement_part (member_id, movement_id, investment_id, amount)
    WITH had AS (
      SELECT i.id, i.unlocks_at, i.amount + coalesce((SELECT sum(p.amount) FROM principal_movement_part p
          WHERE p.member_id = owner AND p.investment_id = i.id AND p.movement_id < movement), 0) AS amount
      FROM investment i WHERE i.member_id = owner AND i.id < movement
        AND NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = owner AND r.investment_id = i.id AND r.id < movement)),
    queue AS (SELECT id, amount, sum(amount) OVER (ORDER BY unlocks_at, id) - amount AS before FROM had WHERE amount > 0)
    SELECT owner, movement, id, -least(amount, wanted - before) FROM queue WHERE before < wanted;
  IF (SELECT coalesce(-sum(amount), 0) FROM principal_movement_part WHERE member_id = owner AND movement_id = movement) <> wanted THEN
    RAISE EXCEPTION 'principal comes off investments' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_comes_off_investments';
  END IF;
END $$;
-- What comes back goes to the investments it came off.
CREATE FUNCTION return_principal(owner bigint, movement bigint, of_withdrawal bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO principal_movement_part (member_id, movement_id, investment_id, amount)
    SELECT owner, movement, p.investment_id, -p.amount FROM principal_movement m
      JOIN principal_movement_part p ON p.member_id = m.member_id AND p.movement_id = m.id
    WHERE m.member_id = owner AND m.withdrawal_id = of_withdrawal AND m.amount < 0;
END $$;

-- What was withdrawn before had no names. What was taken from an investment that would unlock later now was free when it was taken.
DO $$
DECLARE m record;
BEGIN
  FOR m IN SELECT g.member_id, g.id, g.withdrawal_id, g.amount, w.requested_at FROM principal_movement g
      JOIN withdrawal w ON w.member_id = g.member_id AND w.id = g.withdrawal_id ORDER BY g.member_id, g.id LOOP
    IF m.amount > 0 THEN
      PERFORM return_principal(m.member_id, m.id, m.withdrawal_id);
    ELSE
      PERFORM take_principal(m.member_id, m.id, -m.amount);
      UPDATE investment i SET unlocks_at = m.requested_at FROM principal_movement_part p
        WHERE p.member_id = m.member_id AND p.movement_id = m.id AND i.member_id = p.member_id AND i.id = p.investment_id AND i.unlocks_at > m.requested_at;
    END IF;
  END LOOP;
END $$;
UPDATE investment SET unlocks_early = true WHERE unlocks_at < end_of_term(plan_version, credited_at);
ALTER TABLE investment ENABLE TRIGGER investment_is_append_only;
ALTER TABLE investment ALTER COLUMN unlocks_at SET NOT NULL;

-- The term is the plan's to say, and nobody's who writes the row.
CREATE FUNCTION investment_keeps_its_term() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.unlocks_at := end_of_term(NEW.plan_version, NEW.credited_at);
  NEW.unlocks_early := false;
  RETURN NEW;
END $$;
CREATE TRIGGER investment_keeps_its_term BEFORE INSERT ON investment FOR EACH ROW EXECUTE FUNCTION investment_keeps_its_term();

-- A reversal takes an investment back whole: none of it has left, or is about to.
CREATE FUNCTION reversal_of_a_whole_investment() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF (SELECT amount FROM investment_left WHERE member_id = NEW.member_id AND investment_id = NEW.investment_id) IS DISTINCT FROM NEW.amount THEN
    RAISE EXCEPTION 'some of it was withdrawn' USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_of_a_whole_investment';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reversal_of_a_whole_investment BEFORE INSERT ON reversal FOR EACH ROW EXECUTE FUNCTION reversal_of_a_whole_investment();

-- Sets aside what a withdrawal takes, or gives it back to where it was taken from. Answers the journal.
CREATE OR REPLACE FUNCTION move_hold(verb text, owner bigint, of_withdrawal bigint, of_balance bigint, of_principal bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  dated timestamptz := CASE WHEN of_principal > 0 THEN hold_period(event_at) ELSE event_at END;
  posted record;
  movement bigint;
BEGIN
  SELECT * INTO posted FROM post_event(format('withdrawal:%s:%s', of_withdrawal, verb), 'withdrawal_' || verb, owner, dated,
    ARRAY[verb || '_balance', verb || '_principal']::posting_kind[], ARRAY[of_balance, of_principal]);
  IF of_principal > 0 THEN
    INSERT INTO principal_movement (member_id, withdrawal_id, amount, at)
      VALUES (owner, of_withdrawal, CASE verb WHEN 'hold' THEN -of_principal ELSE of_principal END, dated) RETURNING id INTO movement;
    IF verb = 'hold' THEN PERFORM take_principal(owner, movement, of_principal);
    ELSE PERFORM return_principal(owner, movement, of_withdrawal);
    END IF;
  END IF;
  RETURN posted.journal;
END $$;

GRANT SELECT ON principal_movement_part, investment_left TO aval_server;
GRANT SELECT, INSERT ON principal_movement_part TO aval_ledger;
GRANT SELECT ON investment_left TO aval_ledger;
DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN ('end_of_term', 'take_principal', 'return_principal') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
