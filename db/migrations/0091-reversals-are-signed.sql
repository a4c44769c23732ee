-- Reversing an investment is an act that operators sign (0090), and what it takes back from whom is found here: until now the API named the parts, and
-- a reversal without any left every commission where it was.

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
