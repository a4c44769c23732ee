-- Investments: the invoices they are paid by, their history, and their reversals.

CREATE TABLE invoice (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  txn_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  plan_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- What came for it while it was open, at most what is due: in the member's account `pending` until it ends.
  received bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'cancelled')),
  -- Business time of the end.
  closed_at timestamptz,
  -- The transfer that completed it; null where the balance did.
  paid_txid text,
  PRIMARY KEY (member_id, id),
  CONSTRAINT invoice_receives_what_is_due CHECK (received BETWEEN 0 AND amount + fee),
  CHECK ((state = 'open') = (closed_at IS NULL)),
  CHECK (state = 'paid' OR paid_txid IS NULL)
);
CREATE INDEX invoice_open ON invoice (member_id, id) WHERE state = 'open';
CREATE INDEX invoice_open_by_end ON invoice (expires_at, member_id) WHERE state = 'open';

CREATE TABLE invoice_key (
  txn_id text PRIMARY KEY,
  member_id bigint NOT NULL,
  invoice_id bigint NOT NULL
);

CREATE TABLE investment (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  value_after bigint NOT NULL CHECK (value_after >= amount),
  from_balance boolean NOT NULL,
  txn_id text,
  txid text,
  plan_version integer NOT NULL,
  credited_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id),
  UNIQUE (member_id, journal_id)
);
CREATE INDEX investment_by_date ON investment (credited_at);
CREATE INDEX investment_by_number ON investment (id);
CREATE TRIGGER investment_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON investment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The order of history: investments, reversals, master codes and movements of principal are numbered by one sequence, drawn while
-- the period is held open. A transaction that holds it alone and draws a number has everything before it committed.
GRANT USAGE ON SEQUENCE investment_id_seq TO aval_server;

CREATE FUNCTION draw_number() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE period_close IN EXCLUSIVE MODE;
  RETURN nextval('investment_id_seq');
END $$;
GRANT EXECUTE ON FUNCTION draw_number() TO aval_worker;

CREATE TABLE reversal (
  member_id bigint NOT NULL,
  investment_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 200),
  reversed_by bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, investment_id)
);
CREATE INDEX reversal_by_date ON reversal (at);
CREATE INDEX reversal_by_number ON reversal (id);
CREATE TRIGGER reversal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a reversal took back from which member, and how much of it the balance covered.
CREATE TABLE reversal_part (
  member_id bigint NOT NULL,
  reversal_id bigint NOT NULL,
  leg integer NOT NULL,
  pool text NOT NULL CHECK (pool IN ('profit', 'commission')),
  amount bigint NOT NULL CHECK (amount > 0),
  from_balance bigint NOT NULL CHECK (from_balance BETWEEN 0 AND amount),
  -- The commission that is taken back; null for passive profit, which is taken back in one sum.
  run_id bigint,
  item_leg integer,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, reversal_id, leg)
);
CREATE TRIGGER reversal_part_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reversal_part
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A link that became a master code, and when. `sponsorship.is_master` says the same without history.
CREATE TABLE master_code (
  member_id bigint PRIMARY KEY,
  sponsor_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  at timestamptz NOT NULL
);
CREATE INDEX master_code_by_sponsor ON master_code (sponsor_id);
CREATE TRIGGER master_code_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON master_code
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Percentage points that a sponsor gets on top of the plan's first level, and since when. The last row of a sponsor counts.
CREATE TABLE extra_percent (
  sponsor_id bigint NOT NULL,
  -- In the order of history, among investments: a run reads what was set before its own number, also when it is replayed.
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  -- Without a leading or a trailing zero.
  percent text NOT NULL CHECK (percent ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$' AND percent::numeric <= 20),
  -- The person at the console.
  set_by text NOT NULL CHECK (length(set_by) BETWEEN 1 AND 100),
  at timestamptz NOT NULL,
  PRIMARY KEY (sponsor_id, id)
);
CREATE TRIGGER extra_percent_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON extra_percent
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Balance becomes principal. False when this request was posted before.
CREATE FUNCTION invest_balance(owner bigint, request text, invested bigint, under_plan integer, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE posted record;
BEGIN
  SELECT * INTO posted FROM post_event(format('reinvest:%s:%s', owner, request), 'reinvest', owner, event_at, ARRAY['reinvest']::posting_kind[], ARRAY[invested]);
  IF posted.replayed THEN RETURN false; END IF;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
    SELECT owner, posted.journal, invested, b.principal, true, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
  RETURN true;
END $$;

-- An invoice that is open, locked.
CREATE FUNCTION open_invoice(owner bigint, of_invoice bigint) RETURNS invoice LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE i invoice;
BEGIN
  SELECT * INTO i FROM invoice WHERE member_id = owner AND id = of_invoice AND state = 'open' FOR NO KEY UPDATE;
  IF i.id IS NULL THEN
    RAISE EXCEPTION 'the invoice % is not open', of_invoice USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_is_open';
  END IF;
  RETURN i;
END $$;

-- The balance adds what is missing of an invoice. What came by chain pays its share of the fee.
CREATE FUNCTION complete_invoice(owner bigint, of_invoice bigint, its_fee bigint, under_plan integer, event_at timestamptz, ended_at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  i invoice := open_invoice(owner, of_invoice);
  posted record;
BEGIN
  IF its_fee NOT BETWEEN 0 AND least(i.fee, i.received) OR i.received - its_fee > i.amount THEN
    RAISE EXCEPTION 'an invoice bears its own fee' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_bears_its_fee';
  END IF;
  SELECT * INTO posted FROM post_event(format('invoice:%s:complete', i.id), 'invoice', owner, event_at,
    ARRAY['pending_to_principal', 'pending_fee', 'reinvest']::posting_kind[], ARRAY[i.received - its_fee, its_fee, i.amount - i.received + its_fee]);
  UPDATE invoice SET state = 'paid', closed_at = ended_at WHERE member_id = owner AND id = i.id;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, plan_version, credited_at)
    SELECT owner, posted.journal, i.amount, b.principal, i.received = 0, i.txn_id, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
END $$;

-- An invoice ends unpaid: what had come for it goes to the balance.
CREATE FUNCTION end_invoice(owner bigint, of_invoice bigint, as_state text, ended_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE i invoice := open_invoice(owner, of_invoice);
BEGIN
  IF as_state NOT IN ('expired', 'cancelled') THEN
    RAISE EXCEPTION 'an invoice ends unpaid' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_ends_unpaid';
  END IF;
  UPDATE invoice SET state = as_state, closed_at = ended_at WHERE member_id = owner AND id = i.id;
  PERFORM post_event(format('invoice:%s:end', i.id), 'invoice', owner, ended_at, ARRAY['pending_to_balance']::posting_kind[], ARRAY[i.received]);
END $$;

-- Takes an investment back, and from each member what it had paid, one part a row of the arrays. Answers the number of the reversal.
CREATE FUNCTION reverse_investment(owner bigint, of_investment bigint, because text, operator bigint, event_at timestamptz, members bigint[], pools text[],
  amounts bigint[], from_balances bigint[], runs bigint[], item_legs integer[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken investment;
  posted record;
  part record;
  number bigint;
BEGIN
  SELECT * INTO taken FROM investment WHERE member_id = owner AND id = of_investment;
  IF taken.id IS NULL OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator reverses an investment' USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_of_an_investment';
  END IF;
  SELECT * INTO posted FROM post_event(format('reverse:%s', taken.id), 'reverse', owner, event_at, ARRAY['reverse_investment']::posting_kind[], ARRAY[taken.amount]);
  INSERT INTO reversal (member_id, investment_id, journal_id, amount, reason, reversed_by, at)
    VALUES (owner, taken.id, posted.journal, taken.amount, because, operator, event_at) RETURNING id INTO number;
  FOR part IN SELECT *, (row_number() OVER (ORDER BY place) - 1)::integer AS leg
    FROM unnest(members, pools, amounts, from_balances, runs, item_legs) WITH ORDINALITY AS p (member, pool, amount, from_balance, run, item_leg, place) ORDER BY place
  LOOP
    -- A commission is taken back from whom this investment paid it to, and no more than it was; passive profit from its own member.
    IF NOT (CASE WHEN part.run IS NULL THEN part.pool = 'profit' AND part.member = owner
        ELSE part.pool = 'commission' AND part.amount <= (SELECT i.amount FROM payout_item i WHERE i.member_id = part.member AND i.run_id = part.run
          AND i.leg = part.item_leg AND i.investment_id = taken.id) END) IS TRUE THEN
      RAISE EXCEPTION 'what is taken back was paid' USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_part_was_paid';
    END IF;
    PERFORM post_event(format('reverse:%s:%s', taken.id, part.leg), 'clawback', part.member, event_at,
      ARRAY['clawback_' || part.pool, 'owed_' || part.pool]::posting_kind[], ARRAY[part.from_balance, part.amount - part.from_balance]);
    INSERT INTO reversal_part (member_id, reversal_id, leg, pool, amount, from_balance, run_id, item_leg, at)
      VALUES (part.member, number, part.leg, part.pool, part.amount, part.from_balance, part.run, part.item_leg, event_at);
  END LOOP;
  RETURN number;
END $$;

-- Takes what a member owes out of the balance, as far as it goes: commission first, then profit.
CREATE FUNCTION recover_receivable(owner bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  available bigint := (SELECT balance FROM member_balance WHERE member_id = owner FOR NO KEY UPDATE);
  commission bigint := coalesce((SELECT amount FROM member_receivable WHERE member_id = owner AND pool = 'commission'), 0);
  profit bigint := coalesce((SELECT amount FROM member_receivable WHERE member_id = owner AND pool = 'profit'), 0);
  first bigint := least(available, commission);
  second bigint := least(available - first, profit);
BEGIN
  IF first + second = 0 THEN RETURN 0; END IF;
  -- What is owed falls with every recovery, and rises with every reversal only: the same key never comes again.
  PERFORM post_event(format('recover:%s:%s:%s:%s', owner, commission, profit, (SELECT count(*) FROM reversal_part WHERE member_id = owner)),
    'recover', owner, event_at, ARRAY['recover_commission', 'repay_commission', 'recover_profit', 'repay_profit']::posting_kind[],
    ARRAY[first, first, second, second]);
  RETURN first + second;
END $$;

GRANT SELECT ON invoice, invoice_key, extra_percent, investment, reversal, reversal_part, master_code TO aval_server;
GRANT INSERT (member_id, txn_id, amount, fee, plan_version, created_at, expires_at) ON invoice TO aval_server;
GRANT INSERT ON invoice_key, extra_percent, master_code TO aval_server;
GRANT EXECUTE ON FUNCTION invest_balance(bigint, text, bigint, integer, timestamptz), complete_invoice(bigint, bigint, bigint, integer, timestamptz, timestamptz),
  reverse_investment(bigint, bigint, text, bigint, timestamptz, bigint[], text[], bigint[], bigint[], bigint[], integer[]) TO aval_api;
GRANT EXECUTE ON FUNCTION end_invoice(bigint, bigint, text, timestamptz) TO aval_api, aval_worker;
GRANT EXECUTE ON FUNCTION recover_receivable(bigint, timestamptz) TO aval_worker;

GRANT SELECT, INSERT, UPDATE ON invoice TO aval_ledger;
GRANT SELECT, INSERT ON investment, reversal, reversal_part TO aval_ledger;
GRANT USAGE ON SEQUENCE investment_id_seq TO aval_ledger;
