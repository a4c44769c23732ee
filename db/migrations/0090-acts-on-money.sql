-- Acts on money are decisions (0023): operators sign what they do, the signer verifies it, and they are applied here. Funding a pool, explaining a
-- difference, and letting payments go on after an operator's stop were functions that the API called in an operator's name.

ALTER TABLE decision DROP CONSTRAINT decision_kind_check;
ALTER TABLE decision ADD CONSTRAINT decision_kind_check CHECK (kind IN ('run_release', 'run_prorate', 'plan', 'member_key', 'fund_pool',
  'explain_difference', 'resume_payments', 'reverse_investment', 'set_extra_percent', 'set_fundator'));

REVOKE EXECUTE ON FUNCTION fund_pool(text, bigint, text, timestamptz, bigint, text),
  explain_difference(text, bigint, text, bigint, text, timestamptz), resume_payments(bigint, bigint, text, timestamptz) FROM aval_api;

-- Books the whole difference between what a node said of an address and what it must hold, no more and no less, against the company's capital.
CREATE OR REPLACE FUNCTION explain_difference(of_address text, difference bigint, because text, operator bigint, request text, event_at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  holding custody_holding;
  posted record;
BEGIN
  SELECT * INTO holding FROM custody_holding WHERE address = of_address FOR NO KEY UPDATE;
  IF holding.address IS NULL THEN RAISE EXCEPTION 'no address of ours' USING ERRCODE = 'foreign_key_violation'; END IF;
  IF difference IS DISTINCT FROM (SELECT usdt - holding.amount FROM custody_reading WHERE address = of_address) THEN
    RAISE EXCEPTION 'nobody found that much' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_of_what_was_found';
  END IF;
  SELECT * INTO posted FROM post_event('adjustment:' || request, 'adjustment', 0, event_at, ARRAY[format('custody_%s_%s',
    CASE WHEN difference < 0 THEN 'loss' ELSE 'gain' END, CASE holding.role WHEN 'deposit' THEN 'deposits' ELSE holding.role END)]::posting_kind[],
    ARRAY[abs(difference)]);
  INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
    VALUES (of_address, difference, because, posted.journal, operator, event_at);
  UPDATE custody_holding SET amount = amount + difference WHERE address = of_address;
END $$;

-- Ends an operator's stop. What else stops payments still does.
DROP FUNCTION resume_payments(bigint, bigint, text, timestamptz);
CREATE FUNCTION resume_payments(of_stop bigint, by_operator bigint, because text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE payments_stop SET resumed_by = by_operator, resumed_at = at, resume_reason = because WHERE id = of_stop AND resumed_at IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'that stop is over' USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_stop_stands'; END IF;
  UPDATE payout_stop SET operator_stop_id = NULL, stopped = reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL,
    since = CASE WHEN reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL THEN since END;
END $$;

-- What a proposed act does to whom, from the rows as they are: of what is given it takes which pool, address or stop, how much, and why. Or
-- {"refused": name} where it cannot be done. The same is asked again of a statement when it is signed.
CREATE FUNCTION statement_of_funding(given jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  amount bigint := (given->>'amount')::bigint;
  capital bigint := (SELECT h.amount FROM house_balance h WHERE account = 'company:capital');
  holds bigint := (SELECT h.amount FROM house_balance h WHERE account::text = 'pool:' || (given->>'pool'));
BEGIN
  IF holds IS NULL OR amount > 0 IS NOT TRUE THEN RETURN '{"refused": "statement"}'; END IF;
  IF amount > capital THEN RETURN '{"refused": "company_funds_too_small"}'; END IF;
  RETURN jsonb_build_object('pool', given->>'pool', 'amount', amount::text, 'holds', holds::text, 'results', (holds + amount)::text,
    'capital', capital::text, 'capital_left', (capital - amount)::text, 'reason', left(given->>'reason', 200));
END $$;

CREATE FUNCTION statement_of_explanation(given jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  holding custody_holding;
  found bigint := (SELECT usdt FROM custody_reading WHERE address = given->>'address');
  capital bigint := (SELECT amount FROM house_balance WHERE account = 'company:capital');
BEGIN
  SELECT * INTO holding FROM custody_holding WHERE address = given->>'address';
  IF holding.address IS NULL OR found IS NULL OR found = holding.amount THEN RETURN '{"refused": "difference_none"}'; END IF;
  IF (found - holding.amount)::text IS DISTINCT FROM given->>'difference' THEN RETURN '{"refused": "difference_changed"}'; END IF;
  IF capital + found - holding.amount < 0 THEN RETURN '{"refused": "company_funds_too_small"}'; END IF;
  RETURN jsonb_build_object('address', holding.address, 'role', holding.role, 'expected', holding.amount::text, 'found', found::text,
    'difference', given->>'difference', 'capital', capital::text, 'capital_left', (capital + found - holding.amount)::text,
    'reason', left(given->>'reason', 300))
    || CASE WHEN holding.role = 'deposit' AND holding.member_id > 0 THEN named(holding.member_id) ELSE '{}' END;
END $$;

CREATE FUNCTION statement_of_resumption(given jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE s payments_stop;
BEGIN
  SELECT * INTO s FROM payments_stop WHERE id = (given->>'stop')::bigint AND resumed_at IS NULL;
  IF s.id IS NULL THEN RETURN '{"refused": "payments_stop_over"}'; END IF;
  RETURN jsonb_build_object('stop', s.id::text, 'stopped_by', coalesce((SELECT username FROM member WHERE id = s.stopped_by), ''),
    'stopped_at', to_char(s.stopped_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'because', s.reason, 'reason', left(given->>'reason', 300));
END $$;

-- A member as operators know one.
CREATE FUNCTION named(of_member bigint) RETURNS jsonb LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('member', id::text, 'username', username) FROM member WHERE id = of_member
$$;

-- Of an act: its statement, and what it is about, of which one waits at a time. Null for a kind that is no act.
CREATE FUNCTION statement_of_act(its_kind text, given jsonb, OUT said jsonb, OUT about text)
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

-- Who may ask for what, by role: what the API says of an operator is looked up.
CREATE FUNCTION may_propose(operator bigint, its_kind text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = operator AND is_operator AND (its_kind NOT IN ('fund_pool', 'explain_difference', 'resume_payments', 'reverse_investment',
      'set_extra_percent', 'set_fundator')
    OR operator_role = 'admin' OR (operator_role = 'treasurer' AND its_kind NOT LIKE 'set%') OR (its_kind = 'explain_difference' AND operator_role = 'compliance')))
$$;

-- As in 0074, and acts.
CREATE OR REPLACE FUNCTION propose_decision(its_kind text, given jsonb, its_document text, operator bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  said jsonb;
  about text;
  why text;
  starts timestamptz;
  made bigint;
BEGIN
  IF NOT may_propose(operator, its_kind) THEN
    RAISE EXCEPTION 'operators decide' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_by_an_operator';
  END IF;
  IF jsonb_typeof(given) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(given) AS each (name, said)
      WHERE name !~ '^[a-z][a-z0-9_]{0,39}$' OR jsonb_typeof(each.said) <> 'string' OR length(each.said #>> '{}') > 1000) THEN
    RAISE EXCEPTION 'a statement has short texts by name' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_statement';
  END IF;
  IF its_kind IN ('run_release', 'run_prorate') THEN
    -- Or it is cancelled before anybody sees this decision, which then stays open.
    SELECT * INTO r FROM payout_run WHERE id = (given->>'run')::bigint FOR NO KEY UPDATE;
    why := run_refusal(r, its_kind, pool_of(r));
    IF why IS NOT NULL THEN
      RAISE EXCEPTION 'a run is decided about while it is held' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || why;
    END IF;
    said := statement_of_run(r, pool_of(r), coalesce(given->>'note', ''));
    about := 'run:' || r.id;
  ELSIF its_kind = 'plan' THEN
    starts := company_day_start((given->>'starts_on')::date);
    IF (starts > at AND jsonb_typeof(its_document::jsonb) = 'object') IS NOT TRUE THEN
      RAISE EXCEPTION 'a plan starts later' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_plan_start_passed';
    END IF;
    said := jsonb_build_object('starts_on', given->>'starts_on', 'starts_at', to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'sha256', encode(sha256(convert_to(its_document, 'UTF8')), 'hex'));
    about := 'plan:' || (given->>'starts_on');
  ELSE
    SELECT * INTO said, about FROM statement_of_act(its_kind, given);
    IF said IS NULL OR about IS NULL OR said ? 'refused' THEN
      RAISE EXCEPTION 'that cannot be proposed now' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || coalesce(said->>'refused', 'kind');
    END IF;
  END IF;
  PERFORM hold_lock('decisions'); -- counted one at a time
  UPDATE decision SET state = 'refused', refusal = 'decision_expired', ended_at = at WHERE state = 'open' AND expires_at <= clock_timestamp();
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind <> 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, document, proposed_by, proposed_at)
    VALUES (its_kind, about, said, CASE WHEN its_kind = 'plan' THEN its_document END, operator, at) RETURNING id INTO made;
  RETURN made;
END $$;

-- What of a statement may have changed until it is signed: what stands beside what is done.
CREATE FUNCTION what_is_done(said jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT said - ARRAY['holds', 'results', 'capital', 'capital_left', 'username', 'stopped_by']
$$;

-- Why an act cannot be done now, by a stable name; null where it can.
CREATE FUNCTION act_refusal(d decision) RETURNS text LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE said jsonb := (SELECT s.said FROM statement_of_act(d.kind, d.statement) s);
BEGIN
  IF said IS NULL THEN RETURN NULL; END IF;
  RETURN CASE WHEN said ? 'refused' THEN said->>'refused' WHEN what_is_done(said) <> what_is_done(d.statement) THEN 'decision_changed' END;
END $$;

-- What can become possible again leaves a decision open.
CREATE FUNCTION refusal_passes(refused text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT refused IN ('decision_closed', 'stopped', 'pool_empty', 'company_funds_too_small', 'payments_unchecked', 'investment_unsettled', 'own_account')
$$;

-- As in 0023, and acts.
CREATE OR REPLACE FUNCTION decision_refusal(d decision, at timestamptz) RETURNS text LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
BEGIN
  IF d.state <> 'open' THEN RETURN 'decision_closed'; END IF;
  IF d.expires_at <= clock_timestamp() THEN RETURN 'decision_expired'; END IF;
  IF d.kind = 'plan' THEN
    RETURN CASE WHEN d.statement->>'sha256' IS DISTINCT FROM encode(sha256(convert_to(d.document, 'UTF8')), 'hex') THEN 'document_differs'
      WHEN (d.statement->>'starts_at')::timestamptz <= at THEN 'plan_start_passed' END;
  END IF;
  IF d.kind = 'reverse_investment' AND some_day_waits((d.statement->>'credited_at')::timestamptz, hold_period(at)) THEN RETURN 'investment_unsettled'; END IF;
  IF d.kind NOT IN ('run_release', 'run_prorate') THEN RETURN act_refusal(d); END IF;
  SELECT * INTO r FROM payout_run WHERE id = (d.statement->>'run')::bigint FOR NO KEY UPDATE;
  IF (r.items_hash, r.item_sum::text, r.item_count::text, r.payable::text, left(r.objections::text, 1000)) IS DISTINCT FROM
    (d.statement->>'items_hash', d.statement->>'sum', d.statement->>'items', d.statement->>'payable', d.statement->>'objections') THEN RETURN 'run_changed'; END IF;
  RETURN CASE WHEN (SELECT stopped FROM payout_stop) THEN 'stopped' ELSE run_refusal(r, d.kind, pool_of(r)) END;
END $$;

-- Why this operator cannot sign it now; null where nothing speaks against it. Who stopped payments lets them go on after a comparison of the
-- reserves that was made since and matched, or beside another operator.
CREATE FUNCTION signer_refusal(d decision, operator bigint) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
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

-- What follows from an act: runs go on, reserves are compared, people hear of it.
CREATE FUNCTION enqueue_applied(its_kind text, of_decision bigint) RETURNS void
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

-- Micro-USDT as people read them.
CREATE FUNCTION in_usdt(micro text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT (micro::numeric / 1000000)::numeric(30, 6)::text
$$;

-- Does an act; `operator` signed last.
CREATE FUNCTION apply_act(d decision, operator bigint, at timestamptz) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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

-- As in 0023, and acts.
CREATE OR REPLACE FUNCTION apply_decision(of_decision bigint, operator bigint, at timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  d decision;
  refused text;
BEGIN
  PERFORM FROM payout_run WHERE id = (SELECT (statement->>'run')::bigint FROM decision WHERE id = of_decision) FOR NO KEY UPDATE;
  SELECT * INTO d FROM decision WHERE id = of_decision FOR UPDATE;
  refused := decision_refusal(d, at);
  IF refused IS NOT NULL THEN
    IF NOT refusal_passes(refused) THEN
      UPDATE decision SET state = 'refused', refusal = refused, ended_at = at WHERE id = d.id;
    END IF;
    RETURN refused;
  END IF;
  UPDATE decision SET state = 'accepted', ended_at = at WHERE id = d.id;
  IF d.kind = 'run_release' THEN
    PERFORM overrule_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'run_prorate' THEN
    PERFORM prorate_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'plan' THEN
    PERFORM hold_lock('plan version');
    INSERT INTO plan_version (version, starts_at, document)
      SELECT coalesce(max(version), 0) + 1, (d.statement->>'starts_at')::timestamptz, d.document::jsonb FROM plan_version;
  ELSE
    PERFORM apply_act(d, operator, at);
  END IF;
  RETURN 'applied';
END $$;

-- Of a plan never before the system's time: none starts in the past.
CREATE FUNCTION later(d decision, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE d.kind WHEN 'plan' THEN greatest(at, clock_timestamp()) ELSE at END
$$;

-- As in 0049, and an operator may be the wrong one to sign.
CREATE OR REPLACE FUNCTION accept_decision_approval(of_approval bigint, at_least smallint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  a approval;
  d decision;
  refused text;
  listed record;
  given integer;
  -- The development network alone has a clock that the API sets.
  business timestamptz := clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock, installation WHERE network = 'devnet'), 0)
    * interval '1 millisecond';
BEGIN
  SELECT * INTO a FROM approval WHERE id = of_approval FOR UPDATE;
  IF a.id IS NULL OR a.purpose <> 'decisions' THEN RETURN 'approval_not_found'; END IF;
  IF a.state = 'accepted' THEN RETURN 'accepted'; END IF;
  IF a.state = 'refused' THEN RETURN a.refusal; END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = a.operator_id AND is_operator) THEN RETURN 'not_an_operator'; END IF;
  -- Members before all else, in order.
  PERFORM FROM member WHERE id IN (SELECT members_of(r.kind, r.statement) FROM approval_decision r WHERE r.approval_id = a.id) ORDER BY id FOR NO KEY UPDATE;
  -- The run before the decision about it, as whoever else touches both.
  PERFORM FROM payout_run WHERE id IN (SELECT (statement->>'run')::bigint FROM approval_decision WHERE approval_id = a.id AND kind LIKE 'run%')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM decision WHERE id IN (SELECT decision_id FROM approval_decision WHERE approval_id = a.id) ORDER BY id FOR UPDATE;
  IF EXISTS (SELECT FROM approval_decision r LEFT JOIN decision o ON o.id = r.decision_id
      WHERE r.approval_id = a.id AND (o.kind, o.statement) IS DISTINCT FROM (r.kind, r.statement)) THEN
    RETURN 'rows_differ';
  END IF;
  FOR d IN SELECT o.* FROM decision o JOIN approval_decision r ON r.decision_id = o.id WHERE r.approval_id = a.id ORDER BY o.id LOOP
    refused := coalesce(decision_refusal(d, later(d, business)), signer_refusal(d, a.operator_id));
    IF refused IS NOT NULL THEN
      IF NOT refusal_passes(refused) THEN
        UPDATE decision SET state = 'refused', refusal = refused, ended_at = business WHERE id = d.id;
      END IF;
      RETURN refused;
    END IF;
  END LOOP;
  FOR listed IN SELECT decision_id, position FROM approval_decision WHERE approval_id = a.id ORDER BY decision_id LOOP
    INSERT INTO decision_approval (decision_id, operator_id, approval_id, at) VALUES (listed.decision_id, a.operator_id, a.id, business) ON CONFLICT DO NOTHING;
    UPDATE decision SET needed = greatest(needed, coalesce(at_least[listed.position + 1], 1)) WHERE id = listed.decision_id RETURNING * INTO d;
    SELECT count(*) INTO given FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator WHERE v.decision_id = d.id;
    PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.approve', 'done', 'decision:' || d.id, jsonb_build_object('kind', d.kind,
      'about', d.subject, 'approvals', given, 'needed', d.needed, 'approval', a.id::text));
    -- Of a plan, one of them is somebody else than who proposed it.
    IF given >= d.needed AND (d.kind <> 'plan' OR EXISTS (SELECT FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.decision_id = d.id AND v.operator_id <> d.proposed_by)) THEN
      -- Another decision of this list may have emptied the pool.
      PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.apply', CASE apply_decision(d.id, a.operator_id, later(d, business)) WHEN 'applied' THEN 'done'
        ELSE 'refused' END, 'decision:' || d.id, jsonb_build_object('kind', d.kind, 'about', d.subject));
    END IF;
  END LOOP;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $$;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger, aval_jobs;
  FOREACH name IN ARRAY ARRAY['resume_payments', 'statement_of_funding', 'statement_of_explanation', 'statement_of_resumption', 'named', 'statement_of_act',
      'may_propose', 'what_is_done', 'act_refusal', 'refusal_passes', 'signer_refusal', 'enqueue_applied', 'in_usdt', 'apply_act', 'later'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO %I', name, CASE name WHEN 'enqueue_applied' THEN 'aval_jobs' ELSE 'aval_ledger' END);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger, aval_jobs;
END $$;
GRANT EXECUTE ON FUNCTION enqueue_applied(text, bigint) TO aval_ledger;
-- People hear of what was applied from the worker.
GRANT SELECT ON decision TO aval_worker;
