-- What the company's first page and its treasury show, without summing what grows with members: the ledger by day and kind, principal by the
-- week it unlocks in, who joined; operators' stop of all payments; who funded a pool and why; and what became of each deposit.

-- The ledger's postings by day, in the company's time zone, and kind; a part of the ledger at a time. A job keeps it. Nothing is posted to a
-- sealed part any more, so its rows stay; those of the parts that are open are written again. So a posting that comes late, with an old date,
-- is in the next sum. Nothing else is decided by it: the ledger is what counts.
CREATE TABLE company_day (
  day date NOT NULL,
  kind posting_kind NOT NULL,
  part bigint NOT NULL,
  postings bigint NOT NULL CHECK (postings > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  PRIMARY KEY (day, kind, part)
);
CREATE INDEX company_day_by_part ON company_day (part);
-- Which parts are summed for good.
CREATE TABLE company_day_part (
  part bigint PRIMARY KEY,
  summed_at timestamptz NOT NULL
);

-- Principal by the week, from its Monday on, in which it can be withdrawn; what can be already under '-infinity'.
CREATE TABLE principal_unlock (
  week date PRIMARY KEY,
  members bigint NOT NULL,
  amount bigint NOT NULL
);

-- Who joined, and who invested for the first time, by day.
CREATE TABLE company_growth (
  day date PRIMARY KEY,
  members bigint NOT NULL,
  investors bigint NOT NULL
);

-- What the chain took for transfers of ours, in sun, by day.
CREATE TABLE company_fee (
  day date NOT NULL,
  purpose text NOT NULL,
  transfers bigint NOT NULL,
  sun bigint NOT NULL,
  PRIMARY KEY (day, purpose)
);

-- As of when each of these is, in the company's own time.
CREATE TABLE company_summary (
  name text PRIMARY KEY CHECK (name IN ('days', 'unlocks', 'growth', 'fees')),
  as_of timestamptz NOT NULL
);

GRANT SELECT ON company_day, company_day_part, principal_unlock, company_growth, company_fee, company_summary TO aval_server;
GRANT INSERT, UPDATE, DELETE ON company_day, company_day_part, principal_unlock, company_growth, company_fee, company_summary TO aval_worker;

-- Operators' stop of all payments, and its end.
CREATE TABLE payments_stop (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stopped_by bigint NOT NULL,
  stopped_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 300),
  resumed_by bigint,
  resumed_at timestamptz,
  resume_reason text CHECK (length(resume_reason) BETWEEN 3 AND 300),
  CONSTRAINT payments_stop_ends_whole CHECK ((resumed_by IS NULL) = (resumed_at IS NULL) AND (resumed_by IS NULL) = (resume_reason IS NULL))
);
CREATE UNIQUE INDEX payments_stop_one_at_a_time ON payments_stop ((true)) WHERE resumed_at IS NULL;
CREATE TRIGGER payments_stop_is_kept BEFORE DELETE OR TRUNCATE ON payments_stop
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A fourth cause of the stop. Whoever lifts it for another one does not lift it for this (see 0036).
ALTER TABLE payout_stop ADD COLUMN operator_stop_id bigint;
CREATE TRIGGER payout_stop_of_operators BEFORE UPDATE ON payout_stop
  FOR EACH ROW WHEN (NEW.operator_stop_id IS NOT NULL) EXECUTE FUNCTION keep_stop_of_restoration();

-- Stops all payments. Answers false where an operator has stopped them already.
CREATE FUNCTION stop_payments(by_operator bigint, because text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = by_operator AND operator_role IN ('treasurer', 'compliance', 'admin')) THEN
    RAISE EXCEPTION 'payments are stopped by an operator whose role allows it' USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_stop_by_an_operator';
  END IF;
  PERFORM FROM payout_stop FOR UPDATE;
  IF (SELECT operator_stop_id IS NOT NULL FROM payout_stop) THEN RETURN false; END IF;
  INSERT INTO payments_stop (stopped_by, stopped_at, reason) VALUES (by_operator, at, because) RETURNING id INTO number;
  UPDATE payout_stop SET operator_stop_id = number, since = coalesce(since, at);
  RETURN true;
END $$;

-- Ends the stop that is asked about. Who stopped payments lets them go on only after a comparison of the reserves that was made since and
-- matched; another operator may at once. What else stops them still does. Answers 'resumed', or why not: 'none' (that stop is over),
-- 'unchecked'.
CREATE FUNCTION resume_payments(of_stop bigint, by_operator bigint, because text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  s payments_stop;
  latest reserve_check;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = by_operator AND operator_role IN ('treasurer', 'admin')) THEN
    RAISE EXCEPTION 'payments are resumed by an operator whose role allows it' USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_resumed_by_an_operator';
  END IF;
  PERFORM FROM payout_stop FOR UPDATE;
  SELECT * INTO s FROM payments_stop WHERE id = of_stop AND resumed_at IS NULL;
  IF s.id IS NULL THEN RETURN 'none'; END IF;
  SELECT * INTO latest FROM reserve_check ORDER BY id DESC LIMIT 1;
  IF s.stopped_by = by_operator AND (latest.id IS NULL OR latest.verdict <> 'matched' OR latest.at <= s.stopped_at) THEN RETURN 'unchecked'; END IF;
  UPDATE payments_stop SET resumed_by = by_operator, resumed_at = at, resume_reason = because WHERE id = s.id;
  UPDATE payout_stop SET operator_stop_id = NULL, stopped = reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL,
    since = CASE WHEN reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL THEN since END;
  RETURN 'resumed';
END $$;

GRANT SELECT ON payments_stop TO aval_server;
GRANT SELECT, INSERT, UPDATE ON payments_stop TO aval_ledger;

-- Who put company money into a pool, and why. What was there before has no name here: the audit trail has it.
CREATE TABLE pool_funding (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pool text NOT NULL CHECK (pool IN ('profit', 'commission')),
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL,
  funded_by bigint,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200)
);
INSERT INTO pool_funding (pool, amount, at)
  SELECT substr(kind::text, 6), amount, at FROM ledger_open.posting WHERE member_id = 0 AND kind IN ('fund_profit', 'fund_commission')
  ORDER BY journal_id;
CREATE TRIGGER pool_funding_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON pool_funding
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As before, and it is kept who did it. One in the journal and one here, or neither.
DROP FUNCTION fund_pool(text, bigint, text, timestamptz);
CREATE FUNCTION fund_pool(pool text, funded bigint, request text, event_at timestamptz, by_operator bigint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE posted record;
BEGIN
  SELECT * INTO posted FROM post_event(format('fund:%s:%s', pool, request), 'fund', 0, event_at, ARRAY['fund_' || pool]::posting_kind[], ARRAY[funded]);
  IF NOT posted.replayed THEN
    INSERT INTO pool_funding (pool, amount, at, funded_by, reason) VALUES (fund_pool.pool, funded, event_at, by_operator, because);
  END IF;
END $$;

GRANT SELECT ON pool_funding TO aval_server;
GRANT SELECT, INSERT ON pool_funding TO aval_ledger;

-- That an operator looked into a transfer which needs a person: of another token, late, or more than was asked for.
CREATE TABLE transfer_review (
  member_id bigint NOT NULL,
  txid text NOT NULL,
  position integer NOT NULL,
  reviewed_by bigint NOT NULL,
  at timestamptz NOT NULL,
  note text NOT NULL CHECK (length(note) BETWEEN 3 AND 300),
  PRIMARY KEY (member_id, txid, position)
);
CREATE TRIGGER transfer_review_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer_review
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON transfer_review TO aval_server;
GRANT INSERT ON transfer_review TO aval_api;

-- For the list of deposits: newest first, by what became of them, by member, and by who sent them.
CREATE INDEX incoming_transfer_by_time ON incoming_transfer (block_at DESC, txid, position);
CREATE INDEX incoming_transfer_not_credited ON incoming_transfer (verdict, block_at DESC, txid, position) WHERE verdict <> 'credit';
CREATE INDEX incoming_transfer_of_member ON incoming_transfer (member_id, block_at DESC, txid, position);
CREATE INDEX incoming_transfer_by_sender ON incoming_transfer (from_address, block_at DESC);
CREATE INDEX deposit_credit_by_outcome ON deposit_credit (outcome, credited_at DESC, txid, position);
DROP INDEX incoming_transfer_by_block;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['stop_payments', 'resume_payments', 'fund_pool'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION stop_payments(bigint, text, timestamptz), resume_payments(bigint, bigint, text, timestamptz),
  fund_pool(text, bigint, text, timestamptz, bigint, text) TO aval_api;
