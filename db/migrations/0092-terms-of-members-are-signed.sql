-- Extra points and fundators are acts that operators sign (0090).

-- Makes a member a fundator, or no longer; masters stay masters.
DROP FUNCTION set_fundator(bigint, boolean, bigint);
CREATE FUNCTION set_fundator(of_member bigint, to_fundator boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member SET is_fundator = to_fundator WHERE id = of_member AND closed_at IS NULL AND is_fundator <> to_fundator;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such change' USING ERRCODE = 'check_violation', CONSTRAINT = 'fundator_changes'; END IF;
END $$;

-- Sets the percentage points that a sponsor gets on top of the plan's first level. With the period held open no run can look at history between the
-- number that is drawn here and its commit.
DROP FUNCTION set_extra_percent(bigint, text, bigint, timestamptz);
CREATE FUNCTION set_extra_percent(of_sponsor bigint, new_percent text, operator bigint, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE open_at timestamptz;
BEGIN
  PERFORM FROM member WHERE id = of_sponsor AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  open_at := hold_period(event_at);
  INSERT INTO extra_percent (sponsor_id, percent, set_by, at) SELECT of_sponsor, new_percent, username, open_at FROM member WHERE id = operator;
END $$;

CREATE FUNCTION statement_of_terms(its_kind text, given jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  m member;
  is_points boolean := its_kind = 'set_extra_percent';
  now_is text;
BEGIN
  SELECT * INTO m FROM member WHERE id = (given->>'member')::bigint;
  IF m.id IS NULL OR m.closed_at IS NOT NULL THEN RETURN '{"refused": "member_closed"}'; END IF;
  now_is := CASE WHEN is_points THEN coalesce((SELECT percent FROM extra_percent WHERE sponsor_id = m.id ORDER BY id DESC LIMIT 1), '0')
    ELSE m.is_fundator::text END;
  IF given->>'from' IS DISTINCT FROM now_is THEN RETURN '{"refused": "terms_moved"}'; END IF;
  IF given->>'to' = now_is OR (CASE WHEN is_points THEN given->>'to' ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$' AND (given->>'to')::numeric <= 20
      ELSE given->>'to' IN ('true', 'false') END) IS NOT TRUE THEN
    RETURN '{"refused": "statement"}';
  END IF;
  RETURN named(m.id) || jsonb_build_object('from', now_is, 'to', given->>'to', 'reason', left(given->>'reason', 200));
END $$;

-- What an entry of the trail says of a member's terms; nothing of another act.
CREATE FUNCTION terms_changed(d decision) RETURNS jsonb LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE d.kind
    WHEN 'set_extra_percent' THEN jsonb_build_object('before', jsonb_build_object('percent', d.statement->>'from'),
      'after', jsonb_build_object('percent', d.statement->>'to'))
    WHEN 'set_fundator' THEN jsonb_build_object('before', jsonb_build_object('fundator', (d.statement->>'from')::boolean),
      'after', jsonb_build_object('fundator', (d.statement->>'to')::boolean))
    ELSE '{}' END
$$;

GRANT SELECT, INSERT ON extra_percent TO aval_ledger;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['set_fundator', 'set_extra_percent', 'statement_of_terms', 'terms_changed'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
