-- Extra points and fundators are acts that operators sign (0090).

ALTER TABLE decision DROP CONSTRAINT decision_kind_check;
ALTER TABLE decision ADD CONSTRAINT decision_kind_check CHECK (kind IN ('run_release', 'run_prorate', 'plan', 'member_key', 'fund_pool',
  'explain_difference', 'resume_payments', 'reverse_investment', 'set_extra_percent', 'set_fundator'));

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

-- As in 0077, and held open here: no run can look at history between the number that is drawn and its commit, whoever calls.
CREATE OR REPLACE FUNCTION activate_master(fundator bigint, referral bigint, event_at timestamptz) RETURNS void
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

-- As before, and terms of members; nobody signs what is done for their own account.
CREATE OR REPLACE FUNCTION statement_of_act(its_kind text, given jsonb, OUT said jsonb, OUT about text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  CASE its_kind
    WHEN 'fund_pool' THEN
      said := statement_of_funding(given);
      about := 'pool:' || (given->>'pool');
    WHEN 'explain_difference' THEN
      said := statement_of_explanation(given);
      about := 'address:' || (given->>'address');
    WHEN 'resume_payments' THEN
      said := statement_of_resumption(given);
      about := 'payments_stop:' || (given->>'stop');
    WHEN 'reverse_investment' THEN
      said := statement_of_reversal(given);
      about := 'investment:' || (given->>'investment');
    WHEN 'set_extra_percent' THEN
      said := statement_of_terms(its_kind, given);
      about := 'extra_percent:' || (given->>'member');
    WHEN 'set_fundator' THEN
      said := statement_of_terms(its_kind, given);
      about := 'fundator:' || (given->>'member');
    ELSE NULL;
  END CASE;
END $$;
CREATE OR REPLACE FUNCTION may_propose(operator bigint, its_kind text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = operator AND is_operator AND (its_kind NOT IN ('fund_pool', 'explain_difference', 'resume_payments', 'reverse_investment',
      'set_extra_percent', 'set_fundator')
    OR operator_role = 'admin' OR (operator_role = 'treasurer' AND its_kind NOT LIKE 'set%') OR (its_kind = 'explain_difference' AND operator_role = 'compliance')))
$$;
CREATE OR REPLACE FUNCTION refusal_passes(refused text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT refused IN ('decision_closed', 'stopped', 'pool_empty', 'company_funds_too_small', 'payments_unchecked', 'investment_unsettled', 'own_account')
$$;
CREATE OR REPLACE FUNCTION signer_refusal(d decision, operator bigint) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  s payments_stop;
  latest reserve_check;
BEGIN
  IF d.kind IN ('set_extra_percent', 'set_fundator', 'reverse_investment') AND d.statement->>'member' = operator::text THEN RETURN 'own_account'; END IF;
  IF d.kind <> 'resume_payments' THEN RETURN NULL; END IF;
  SELECT * INTO s FROM payments_stop WHERE id = (d.statement->>'stop')::bigint;
  SELECT * INTO latest FROM reserve_check ORDER BY id DESC LIMIT 1;
  RETURN CASE WHEN s.stopped_by = operator AND (latest.verdict = 'matched' AND latest.at > s.stopped_at) IS NOT TRUE
    AND NOT EXISTS (SELECT FROM decision_approval WHERE decision_id = d.id AND operator_id <> operator) THEN 'payments_unchecked' END;
END $$;
CREATE OR REPLACE FUNCTION enqueue_applied(its_kind text, of_decision bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF its_kind = 'explain_difference' THEN
    PERFORM graphile_worker.add_job('reserves.check', '{}', queue_name => 'reserves', job_key => 'reserves.check');
  ELSIF its_kind = 'resume_payments' THEN
    PERFORM graphile_worker.add_job('payments.resumed', json_build_object('decision', of_decision::text), job_key => 'decision:' || of_decision);
  ELSIF its_kind LIKE 'set%' THEN
    PERFORM graphile_worker.add_job('members.terms_changed', json_build_object('decision', of_decision::text), job_key => 'decision:' || of_decision);
  END IF;
END $$;
CREATE OR REPLACE FUNCTION apply_act(d decision, operator bigint, at timestamptz) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  said jsonb := d.statement;
  request text := 'decision:' || d.id;
BEGIN
  CASE d.kind
    WHEN 'fund_pool' THEN
      PERFORM fund_pool(said->>'pool', (said->>'amount')::bigint, request, at, operator, said->>'reason');
      PERFORM enqueue_resumption();
    WHEN 'explain_difference' THEN
      PERFORM explain_difference(said->>'address', (said->>'difference')::bigint, said->>'reason', operator, request, at);
    WHEN 'resume_payments' THEN
      PERFORM resume_payments((said->>'stop')::bigint, operator, said->>'reason', least(at, clock_timestamp()));
      PERFORM enqueue_resumption();
    WHEN 'reverse_investment' THEN
      PERFORM reverse_investment((said->>'investment')::bigint, said->>'reason', operator, at);
    WHEN 'set_extra_percent' THEN
      PERFORM set_extra_percent((said->>'member')::bigint, said->>'to', operator, at);
    WHEN 'set_fundator' THEN
      PERFORM set_fundator((said->>'member')::bigint, (said->>'to')::boolean);
    ELSE RETURN;
  END CASE;
  PERFORM record_audit(clock_timestamp(), operator, CASE d.kind WHEN 'fund_pool' THEN 'pool.fund' WHEN 'explain_difference' THEN 'reserves.explain'
    WHEN 'reverse_investment' THEN 'investment.reverse' WHEN 'set_extra_percent' THEN 'member.extra_percent' WHEN 'set_fundator' THEN 'member.fundator' ELSE 'payments.resume' END, 'done', CASE WHEN d.kind LIKE 'set%' THEN 'member:' || (said->>'member') ELSE d.subject END,
    terms_changed(d) || jsonb_strip_nulls(jsonb_build_object('decision', d.id::text, 'reason', said->>'reason',
    'amount', in_usdt(said->>'amount'), 'difference', in_usdt(said->>'difference'))));
  PERFORM enqueue_applied(d.kind, d.id);
END $$;

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
