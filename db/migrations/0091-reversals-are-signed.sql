-- Reversing an investment is an act that operators sign (0090), and what it takes back from whom is found here: until now the API named the parts, and
-- a reversal without any left every commission where it was.

ALTER TABLE decision DROP CONSTRAINT decision_kind_check;
ALTER TABLE decision ADD CONSTRAINT decision_kind_check CHECK (kind IN ('run_release', 'run_prorate', 'plan', 'member_key', 'fund_pool',
  'explain_difference', 'resume_payments', 'reverse_investment'));

-- Passive profit of a day on a principal, as passiveProfit in packages/plan: truncated, and no more than a multiple of it in all.
CREATE FUNCTION passive_profit(principal numeric, rate text, multiple numeric, earned bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT greatest(0, least(div(principal * split_part(rate, '/', 1)::numeric, split_part(rate, '/', 2)::numeric), trunc(principal * multiple) - earned))
$$;

-- Of what a day paid on its basis, what it would have paid on less of it, as in packages/plan (reversal.ts).
CREATE FUNCTION passive_part(principal numeric, basis bigint, paid bigint, rate text, multiple numeric, earned bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN principal <= 0 OR passive_profit(basis, rate, multiple, earned) = 0 THEN 0
    ELSE div(passive_profit(principal, rate, multiple, earned) * paid, passive_profit(basis, rate, multiple, earned)) END
$$;

-- What the member was paid of passive profit because of an investment.
CREATE FUNCTION passive_share(taken investment) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(passive_part(day.standing, day.basis, day.paid, day.rate, day.multiple, day.earned)
    - passive_part(day.standing - taken.amount, day.basis, day.paid, day.rate, day.multiple, day.earned)), 0)::bigint
  FROM (
    SELECT r.rate, p.bases[at.i] AS basis, coalesce(p.earned[at.i], 0) AS earned, coalesce(s.amounts[at.i], p.amounts[at.i]) AS paid,
      (v.document->'passive'->>'capMultiple')::numeric AS multiple,
      p.bases[at.i] - coalesce((SELECT sum(w.amount) FROM reversal w JOIN investment n ON n.member_id = w.member_id AND n.id = w.investment_id
        WHERE w.member_id = taken.member_id AND n.credited_at < r.cutoff_at AND w.at >= r.cutoff_at), 0) AS standing
    FROM payout_run r JOIN plan_version v ON v.version = r.plan_version
      JOIN payout_page p ON p.run_id = r.id AND p.block = taken.member_id / 1024
      CROSS JOIN LATERAL (SELECT array_position(p.members, taken.member_id) AS i) at
      LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE r.kind = 'passive' AND r.state <> 'cancelled' AND r.cutoff_at > taken.credited_at AND at.i IS NOT NULL
  ) day
$$;

-- The run that pays the commissions of an investment; null before there is one.
CREATE FUNCTION commissions_of(of_investment bigint) RETURNS payout_run LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT * FROM (SELECT * FROM payout_run WHERE kind = 'direct' AND state <> 'cancelled' AND last_investment >= of_investment
    ORDER BY last_investment LIMIT 1) r WHERE r.first_investment <= of_investment
$$;

-- What an investment was the reason for: each commission from whom it was paid to, as it was really paid, and the part of its own member's passive profit.
CREATE FUNCTION parts_of_reversal(taken investment) RETURNS TABLE (member bigint, pool text, amount bigint, run bigint, item_leg integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT member, pool, amount, run, item_leg FROM (
    SELECT i.member_id AS member, 'commission' AS pool, coalesce(s.amount, i.amount) AS amount, i.run_id AS run, i.leg AS item_leg, i.level AS place
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = (commissions_of(taken.id)).id AND i.investment_id = taken.id
    UNION ALL SELECT taken.member_id, 'profit', passive_share(taken), NULL, NULL, 2147483647) part
  WHERE amount > 0 ORDER BY place, member
$$;

-- Why an investment cannot be reversed now, by a stable name; null where it can.
CREATE FUNCTION reversal_refusal(taken investment) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN taken.id IS NULL THEN 'investment_not_found'
    WHEN EXISTS (SELECT FROM reversal v WHERE v.member_id = taken.member_id AND v.investment_id = taken.id) THEN 'investment_reversed'
    WHEN (SELECT sum(g.amount) FROM principal_movement_part g WHERE g.member_id = taken.member_id AND g.investment_id = taken.id) <> 0
      THEN 'investment_withdrawn'
    WHEN (commissions_of(taken.id)).state IS DISTINCT FROM 'done'
      -- One that has not written its items yet may be about to pay on it as well.
      OR EXISTS (SELECT FROM payout_run WHERE kind = 'passive' AND state NOT IN ('done', 'cancelled') AND cutoff_at > taken.credited_at)
      THEN 'investment_unsettled' END
$$;

-- Whether a day began since then that has no run yet, which will pay on what stood.
CREATE FUNCTION some_day_waits(since timestamptz, at timestamptz) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM generate_series(
      coalesce((SELECT max(period)::date + 1 FROM payout_run WHERE kind = 'passive' AND state <> 'cancelled'), since::date - 1)::timestamp,
      (at + interval '1 day')::date::timestamp, interval '1 day') d
    WHERE company_day_start(d::date) > since AND company_day_start(d::date) <= at)
$$;

CREATE FUNCTION statement_of_reversal(given jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  taken investment;
  refused text;
  parts jsonb;
BEGIN
  SELECT * INTO taken FROM investment WHERE id = (given->>'investment')::bigint;
  refused := reversal_refusal(taken);
  IF refused IS NOT NULL THEN RETURN jsonb_build_object('refused', refused); END IF;
  SELECT jsonb_build_object('members', count(DISTINCT p.member)::text, 'parts', count(*)::text, 'commission', coalesce(sum(p.amount)
    FILTER (WHERE p.pool = 'commission'), 0)::text, 'profit', coalesce(sum(p.amount) FILTER (WHERE p.pool = 'profit'), 0)::text,
    'largest', left(coalesce(string_agg(m.username || ' ' || in_usdt(p.amount::text), ', ' ORDER BY p.amount DESC, p.member)
      FILTER (WHERE p.rank <= 5), ''), 500),
    'hash', encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', p.member, p.pool, p.amount, p.run, p.item_leg), E'\n'
      ORDER BY p.rank), ''), 'UTF8')), 'hex')) INTO parts
  FROM (SELECT *, row_number() OVER (ORDER BY amount DESC, member, run, item_leg) AS rank FROM parts_of_reversal(taken)) p
    JOIN member m ON m.id = p.member;
  RETURN named(taken.member_id) || parts || jsonb_build_object('investment', taken.id::text, 'amount', taken.amount::text,
    'credited_at', to_char(taken.credited_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'reason', left(given->>'reason', 200));
END $$;

-- Whose rows an act changes: they are locked before it is looked at again.
CREATE FUNCTION members_of(its_kind text, said jsonb) RETURNS SETOF bigint LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  IF said ? 'member' THEN RETURN NEXT (said->>'member')::bigint; END IF;
  IF its_kind = 'reverse_investment' THEN
    RETURN QUERY SELECT p.member FROM investment i, parts_of_reversal(i) p WHERE i.id = (said->>'investment')::bigint;
  END IF;
END $$;

-- Takes an investment back, and from each member what it had paid: from the balance first, the rest is owed.
DROP FUNCTION reverse_investment(bigint, bigint, text, bigint, timestamptz, bigint[], text[], bigint[], bigint[], bigint[], integer[]);
CREATE FUNCTION reverse_investment(of_investment bigint, because text, operator bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken investment;
  posted record;
  part record;
  covered bigint;
  number bigint;
  open_at timestamptz;
  refused text;
  parts jsonb;
BEGIN
  PERFORM FROM member WHERE id IN (SELECT members_of('reverse_investment', jsonb_build_object('investment', of_investment)))
    OR id = (SELECT member_id FROM investment WHERE id = of_investment) ORDER BY id FOR NO KEY UPDATE;
  -- Members before the period. Held open, no day is opened meanwhile.
  open_at := hold_period(event_at);
  SELECT * INTO taken FROM investment WHERE id = of_investment;
  refused := coalesce(reversal_refusal(taken), CASE WHEN some_day_waits(taken.credited_at, open_at) THEN 'investment_unsettled' END);
  IF refused IS NOT NULL THEN RAISE EXCEPTION 'it cannot be reversed now' USING ERRCODE = 'check_violation', CONSTRAINT = refused; END IF;
  -- All parts are found before the first is posted: the reversal itself changes what days stood on.
  SELECT jsonb_agg(to_jsonb(p)) INTO parts FROM (SELECT f.*, row_number() OVER () - 1 AS leg FROM parts_of_reversal(taken) f) p;
  SELECT * INTO posted FROM post_event(format('reverse:%s', taken.id), 'reverse', taken.member_id, open_at, ARRAY['reverse_investment']::posting_kind[],
    ARRAY[taken.amount]);
  INSERT INTO reversal (member_id, investment_id, journal_id, amount, reason, reversed_by, at)
    VALUES (taken.member_id, taken.id, posted.journal, taken.amount, because, operator, open_at) RETURNING id INTO number;
  FOR part IN SELECT * FROM jsonb_to_recordset(parts) AS p (member bigint, pool text, amount bigint, run bigint, item_leg integer, leg integer)
    ORDER BY leg LOOP
    covered := least(part.amount, (SELECT balance FROM member_balance WHERE member_id = part.member));
    PERFORM post_event(format('reverse:%s:%s', taken.id, part.leg), 'clawback', part.member, open_at,
      ARRAY['clawback_' || part.pool, 'owed_' || part.pool]::posting_kind[], ARRAY[covered, part.amount - covered]);
    INSERT INTO reversal_part (member_id, reversal_id, leg, pool, amount, from_balance, run_id, item_leg, at)
      VALUES (part.member, number, part.leg, part.pool, part.amount, covered, part.run, part.item_leg, open_at);
  END LOOP;
  RETURN number;
END $$;

-- As in 0090, and reversals.
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
    ELSE NULL;
  END CASE;
END $$;
CREATE OR REPLACE FUNCTION may_propose(operator bigint, its_kind text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = operator AND is_operator AND (its_kind NOT IN ('fund_pool', 'explain_difference', 'resume_payments', 'reverse_investment')
    OR operator_role IN ('treasurer', 'admin') OR (its_kind = 'explain_difference' AND operator_role = 'compliance')))
$$;
CREATE OR REPLACE FUNCTION refusal_passes(refused text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT refused IN ('decision_closed', 'stopped', 'pool_empty', 'company_funds_too_small', 'payments_unchecked', 'investment_unsettled')
$$;
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
    ELSE RETURN;
  END CASE;
  PERFORM record_audit(clock_timestamp(), operator, CASE d.kind WHEN 'fund_pool' THEN 'pool.fund' WHEN 'explain_difference' THEN 'reserves.explain'
    WHEN 'reverse_investment' THEN 'investment.reverse' ELSE 'payments.resume' END, 'done', d.subject, jsonb_strip_nulls(jsonb_build_object('decision', d.id::text, 'reason', said->>'reason',
    'amount', in_usdt(said->>'amount'), 'difference', in_usdt(said->>'difference'))));
  PERFORM enqueue_applied(d.kind, d.id);
END $$;
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
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['passive_profit', 'passive_part', 'passive_share', 'commissions_of', 'parts_of_reversal', 'reversal_refusal',
      'some_day_waits', 'statement_of_reversal', 'members_of', 'reverse_investment'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
-- What a reversal would do is shown before it is proposed.
GRANT EXECUTE ON FUNCTION parts_of_reversal(investment), reversal_refusal(investment) TO aval_server;
