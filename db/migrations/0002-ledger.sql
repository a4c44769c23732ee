-- The ledger: postings, the journal they belong to, and the balances that follow from them.
-- Amounts are whole micro-USDT. Member 0 is the company: its own events are booked under it.

-- Chart of accounts. The first five belong to a member, the rest to the company.
CREATE TYPE ledger_account AS ENUM (
  'principal', 'balance', 'held',
  'pending',                             -- what arrived for invoices that are open: owed, not withdrawable
  'receivable',                          -- what a member owes after a reversal; backs nothing
  'custody:deposits',                    -- an asset: what the deposit addresses hold on the chain
  'pool:profit', 'pool:commission',      -- company money that pays passive profit, and commissions
  'due:profit', 'due:commission',        -- taken out of a pool for released runs, not yet posted to members
  'company:revenue', 'company:capital',  -- fees earned; money the company paid in
  'company:claims',                      -- the other side of receivables
  'custody:hot',                         -- the wallet that withdrawals are paid from
  'custody:cold'                         -- the company's other wallet, whose key is on no machine of this product
);

CREATE TYPE posting_kind AS ENUM (
  'deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest',
  'deposit_to_pending',                                          -- part of what an invoice asks for,
  'pending_to_principal', 'pending_fee', 'pending_to_balance',   -- until the rest has come, or the invoice ends without it
  'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission',
  'passive', 'direct', 'master', 'binary',
  'reverse_investment',                      -- principal of an investment that is taken back returns to its member's balance
  'clawback_profit', 'clawback_commission',  -- what it had paid, from the balance of the member it was paid to
  'owed_profit', 'owed_commission',          -- what that balance did not cover
  'recover_profit', 'recover_commission',    -- taken from a later balance,
  'repay_profit', 'repay_commission',        -- and no longer owed
  'hold_balance', 'hold_principal',          -- a withdrawal is requested,
  'release_balance', 'release_principal',    -- comes to nothing,
  'withdraw', 'withdraw_fee',                -- or has left
  'sweep', 'to_cold', 'refill_hot',          -- between our own addresses
  'company_deposit_hot', 'company_deposit_cold',
  'custody_loss_deposits', 'custody_loss_hot', 'custody_loss_cold',  -- a difference that an operator explained; the company bears it
  'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold'
);

-- One row an event, under its idempotency key.
CREATE TABLE journal (
  key text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  input_hash text NOT NULL
);

-- From where to where each kind of posting leads: what functions write postings by. The constraint below says the same once more;
-- a test compares the two, and both with the server's.
CREATE TABLE posting_chart (
  kind posting_kind PRIMARY KEY,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL
);
CREATE TRIGGER posting_chart_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting_chart
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
INSERT INTO posting_chart (kind, source, destination) VALUES
  ('passive', 'due:profit', 'balance'),
  ('direct', 'due:commission', 'balance'),
  ('master', 'due:commission', 'balance'),
  ('binary', 'due:commission', 'balance'),
  ('deposit_to_principal', 'custody:deposits', 'principal'),
  ('deposit_to_balance', 'custody:deposits', 'balance'),
  ('deposit_fee', 'custody:deposits', 'company:revenue'),
  ('deposit_to_pending', 'custody:deposits', 'pending'),
  ('pending_to_principal', 'pending', 'principal'),
  ('pending_fee', 'pending', 'company:revenue'),
  ('pending_to_balance', 'pending', 'balance'),
  ('reinvest', 'balance', 'principal'),
  ('company_deposit', 'custody:deposits', 'company:capital'),
  ('fund_profit', 'company:capital', 'pool:profit'),
  ('fund_commission', 'company:capital', 'pool:commission'),
  ('release_profit', 'pool:profit', 'due:profit'),
  ('release_commission', 'pool:commission', 'due:commission'),
  ('reverse_investment', 'principal', 'balance'),
  ('clawback_profit', 'balance', 'pool:profit'),
  ('clawback_commission', 'balance', 'pool:commission'),
  ('owed_profit', 'company:claims', 'receivable'),
  ('owed_commission', 'company:claims', 'receivable'),
  ('recover_profit', 'balance', 'pool:profit'),
  ('recover_commission', 'balance', 'pool:commission'),
  ('repay_profit', 'receivable', 'company:claims'),
  ('repay_commission', 'receivable', 'company:claims'),
  ('hold_balance', 'balance', 'held'),
  ('hold_principal', 'principal', 'held'),
  ('release_balance', 'held', 'balance'),
  ('release_principal', 'held', 'principal'),
  ('withdraw', 'held', 'custody:hot'),
  ('withdraw_fee', 'held', 'company:revenue'),
  ('sweep', 'custody:hot', 'custody:deposits'),
  ('to_cold', 'custody:cold', 'custody:hot'),
  ('refill_hot', 'custody:hot', 'custody:cold'),
  ('company_deposit_hot', 'custody:hot', 'company:capital'),
  ('company_deposit_cold', 'custody:cold', 'company:capital'),
  ('custody_loss_deposits', 'company:capital', 'custody:deposits'),
  ('custody_loss_hot', 'company:capital', 'custody:hot'),
  ('custody_loss_cold', 'company:capital', 'custody:cold'),
  ('custody_gain_deposits', 'custody:deposits', 'company:capital'),
  ('custody_gain_hot', 'custody:hot', 'company:capital'),
  ('custody_gain_cold', 'custody:cold', 'company:capital');

-- One row moves one amount from a source to a destination: it cannot be unbalanced, and belongs to one member.
CREATE TABLE posting (
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  leg integer NOT NULL,
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL,
  at timestamptz NOT NULL,
  -- Every day puts one entry a member all over this index: half of each page is left free, or every page splits (measured:
  -- 5.2 instead of 3.8 µs a posting).
  PRIMARY KEY (member_id, journal_id, leg) WITH (fillfactor = 50),
  CONSTRAINT posting_moves_something CHECK (amount > 0),
  -- The closed list of movements; a test compares it with the server's. From a member's balance money leads to a pool only where
  -- the pool had paid it by mistake (`earned` below keeps that from ever being more than was paid). Payouts come first: a run
  -- posts millions.
  CONSTRAINT posting_follows_the_chart CHECK (CASE kind
    WHEN 'passive'               THEN source = 'due:profit'       AND destination = 'balance'
    WHEN 'direct'                THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'master'                THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'binary'                THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'deposit_to_principal'  THEN source = 'custody:deposits' AND destination = 'principal'
    WHEN 'deposit_to_balance'    THEN source = 'custody:deposits' AND destination = 'balance'
    WHEN 'deposit_fee'           THEN source = 'custody:deposits' AND destination = 'company:revenue'
    WHEN 'deposit_to_pending'    THEN source = 'custody:deposits' AND destination = 'pending'
    WHEN 'pending_to_principal'  THEN source = 'pending'          AND destination = 'principal'
    WHEN 'pending_fee'           THEN source = 'pending'          AND destination = 'company:revenue'
    WHEN 'pending_to_balance'    THEN source = 'pending'          AND destination = 'balance'
    WHEN 'reinvest'              THEN source = 'balance'          AND destination = 'principal'
    WHEN 'company_deposit'       THEN source = 'custody:deposits' AND destination = 'company:capital'
    WHEN 'fund_profit'           THEN source = 'company:capital'  AND destination = 'pool:profit'
    WHEN 'fund_commission'       THEN source = 'company:capital'  AND destination = 'pool:commission'
    WHEN 'release_profit'        THEN source = 'pool:profit'      AND destination = 'due:profit'
    WHEN 'release_commission'    THEN source = 'pool:commission'  AND destination = 'due:commission'
    WHEN 'reverse_investment'    THEN source = 'principal'        AND destination = 'balance'
    WHEN 'clawback_profit'       THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'clawback_commission'   THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'owed_profit'           THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'owed_commission'       THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'recover_profit'        THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'recover_commission'    THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'repay_profit'          THEN source = 'receivable'       AND destination = 'company:claims'
    WHEN 'repay_commission'      THEN source = 'receivable'       AND destination = 'company:claims'
    WHEN 'hold_balance'          THEN source = 'balance'          AND destination = 'held'
    WHEN 'hold_principal'        THEN source = 'principal'        AND destination = 'held'
    WHEN 'release_balance'       THEN source = 'held'             AND destination = 'balance'
    WHEN 'release_principal'     THEN source = 'held'             AND destination = 'principal'
    WHEN 'withdraw'              THEN source = 'held'             AND destination = 'custody:hot'
    WHEN 'withdraw_fee'          THEN source = 'held'             AND destination = 'company:revenue'
    WHEN 'sweep'                 THEN source = 'custody:hot'      AND destination = 'custody:deposits'
    WHEN 'to_cold'               THEN source = 'custody:cold'     AND destination = 'custody:hot'
    WHEN 'refill_hot'            THEN source = 'custody:hot'      AND destination = 'custody:cold'
    WHEN 'company_deposit_hot'   THEN source = 'custody:hot'      AND destination = 'company:capital'
    WHEN 'company_deposit_cold'  THEN source = 'custody:cold'     AND destination = 'company:capital'
    WHEN 'custody_loss_deposits' THEN source = 'company:capital'  AND destination = 'custody:deposits'
    WHEN 'custody_loss_hot'      THEN source = 'company:capital'  AND destination = 'custody:hot'
    WHEN 'custody_loss_cold'     THEN source = 'company:capital'  AND destination = 'custody:cold'
    WHEN 'custody_gain_deposits' THEN source = 'custody:deposits' AND destination = 'company:capital'
    WHEN 'custody_gain_hot'      THEN source = 'custody:hot'      AND destination = 'company:capital'
    WHEN 'custody_gain_cold'     THEN source = 'custody:cold'     AND destination = 'company:capital'
    ELSE false END),
  CONSTRAINT posting_under_its_owner CHECK (CASE
    WHEN kind IN ('passive', 'direct', 'master', 'binary') THEN member_id > 0
    ELSE member_id >= 0 AND (member_id = 0) = (kind IN ('company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission',
      'sweep', 'to_cold', 'refill_hot', 'company_deposit_hot', 'company_deposit_cold', 'custody_loss_deposits', 'custody_loss_hot', 'custody_loss_cold',
      'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold')) END)
) PARTITION BY RANGE (journal_id);

-- Adds partitions to a table, each of `width` numbers, until there are `wanted`. A partition that is written by its own
-- name escapes the triggers of the whole table, so each has one that refuses that.
CREATE FUNCTION extend_partitions(whole regclass, width bigint, wanted bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE next bigint := (SELECT count(*) FROM pg_inherits WHERE inhparent = whole);
BEGIN
  WHILE next < wanted LOOP
    EXECUTE format('CREATE TABLE %s_%s PARTITION OF %s FOR VALUES FROM (%s) TO (%s)', whole, next, whole, next * width, (next + 1) * width);
    EXECUTE format('CREATE TRIGGER %s_is_written_whole BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s_%s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', whole, whole, next);
    next := next + 1;
  END LOOP;
END $$;

-- Follows from the postings; written by the functions that post, and by nothing else. `earned` is net of reversals. A payout run rewrites
-- every row of this narrow table, and no amount is indexed: with half of each page free, the new version stays beside the old
-- one without touching the index (HOT).
CREATE TABLE member_balance (
  member_id bigint PRIMARY KEY,
  principal bigint NOT NULL DEFAULT 0 CONSTRAINT principal_not_below_zero CHECK (principal >= 0),
  balance bigint NOT NULL DEFAULT 0 CONSTRAINT balance_not_below_zero CHECK (balance >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT held_not_below_zero CHECK (held >= 0),
  earned bigint NOT NULL DEFAULT 0,
  earned_passive bigint NOT NULL DEFAULT 0,
  earned_binary bigint NOT NULL DEFAULT 0,
  passive_days integer NOT NULL DEFAULT 0,
  CONSTRAINT taken_back_not_above_earned CHECK (earned >= 0 AND earned_passive >= 0 AND earned_binary >= 0)
) WITH (fillfactor = 45);

-- Few members ever owe anything: a table of its own keeps the row above narrow.
CREATE TABLE member_receivable (
  member_id bigint NOT NULL,
  pool text NOT NULL CHECK (pool IN ('profit', 'commission')),
  amount bigint NOT NULL CONSTRAINT receivable_not_below_zero CHECK (amount >= 0),
  PRIMARY KEY (member_id, pool)
);

-- Few members wait for the rest of a payment at a time: likewise.
CREATE TABLE member_pending (
  member_id bigint PRIMARY KEY,
  amount bigint NOT NULL CONSTRAINT pending_not_below_zero CHECK (amount >= 0)
);

-- The few company accounts that must never be overdrawn. Revenue is derived by summing instead.
CREATE TABLE house_balance (
  account ledger_account PRIMARY KEY,
  amount bigint NOT NULL DEFAULT 0 CONSTRAINT house_not_below_zero CHECK (amount >= 0)
);
INSERT INTO house_balance (account)
VALUES ('pool:profit'), ('pool:commission'), ('due:profit'), ('due:commission'), ('company:capital');

-- What the books say custody holds, by wallet: kept beside the postings, so that comparing it with the chain costs nothing.
CREATE TABLE custody_balance (
  account text PRIMARY KEY CHECK (account IN ('custody:deposits', 'custody:hot', 'custody:cold')),
  amount bigint NOT NULL
);
INSERT INTO custody_balance (account, amount) VALUES ('custody:deposits', 0), ('custody:hot', 0), ('custody:cold', 0);

-- Up to here the books are closed: principal cannot change with an earlier date.
CREATE TABLE period_close (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  closed_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO period_close DEFAULT VALUES;

-- Holds the period open until the transaction ends; answers the date that a change of principal carries: now, or the first open
-- instant when the books are closed past now. The lock is the table's: no program's role can take one that is in its way.
CREATE FUNCTION hold_period(asked timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE period_close IN ROW SHARE MODE;
  RETURN (SELECT greatest(closed_until, asked) FROM period_close);
END $$;

-- Posts one event of one member, with the balances that follow from it. Answers the journal, and whether the same event had been posted
-- before; then nothing is posted now. Movements of nothing are left out. Called by the functions of events alone.
CREATE FUNCTION post_event(event_key text, event_kind text, owner bigint, event_at timestamptz, kinds posting_kind[], amounts bigint[],
  OUT journal bigint, OUT replayed boolean) LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  hash text := encode(sha256(convert_to(concat_ws('|', event_kind, owner, (SELECT string_agg(kind || ':' || amount, '|' ORDER BY place)
    FROM unnest(kinds, amounts) WITH ORDINALITY AS m (kind, amount, place))), 'UTF8')), 'hex');
  known text;
  moved record;
BEGIN
  INSERT INTO journal (key, kind, at, input_hash) VALUES (event_key, event_kind, event_at, hash)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO journal;
  replayed := journal IS NULL;
  IF replayed THEN
    SELECT id, input_hash INTO journal, known FROM journal j WHERE j.key = event_key;
    IF known <> hash THEN
      RAISE EXCEPTION 'the idempotency key % was used for another event', event_key
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'journal_key_of_another_event';
    END IF;
    RETURN;
  END IF;

  WITH movement AS (
    SELECT m.kind, m.amount, c.source, c.destination, (row_number() OVER (ORDER BY m.place) - 1)::integer AS leg
    FROM unnest(kinds, amounts) WITH ORDINALITY AS m (kind, amount, place) JOIN posting_chart c ON c.kind = m.kind WHERE m.amount <> 0
  ), posted AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT owner, journal, leg, kind, source, destination, amount, event_at FROM movement
  )
  SELECT count(*) AS rows, bool_or('principal' IN (source, destination)) AS of_principal,
    bool_or('pending' IN (source, destination)) AS of_pending,
    bool_or('receivable' IN (source, destination) OR kind IN ('recover_profit', 'recover_commission')) AS of_receivable,
    sum(CASE 'principal'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS principal,
    sum(CASE 'balance'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS balance,
    sum(CASE 'held'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS held,
    sum(CASE 'pending'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS pending,
    sum(CASE WHEN kind IN ('clawback_profit', 'owed_profit') THEN amount ELSE 0 END) AS profit_taken_back,
    sum(CASE WHEN kind IN ('clawback_commission', 'owed_commission') THEN amount ELSE 0 END) AS commission_taken_back
  INTO moved FROM movement;
  IF moved.rows = 0 THEN RETURN; END IF;

  IF moved.of_principal AND hold_period(event_at) > event_at THEN
    RAISE EXCEPTION 'principal cannot change inside a closed period' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
  END IF;
  IF owner <> 0 THEN
    UPDATE member_balance SET principal = principal + moved.principal, balance = balance + moved.balance, held = held + moved.held,
      earned = earned - moved.profit_taken_back - moved.commission_taken_back, earned_passive = earned_passive - moved.profit_taken_back
    WHERE member_id = owner;
    IF NOT FOUND THEN RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation'; END IF;
  END IF;
  IF moved.of_pending THEN
    INSERT INTO member_pending AS p (member_id, amount) VALUES (owner, 0) ON CONFLICT DO NOTHING;
    UPDATE member_pending SET amount = amount + moved.pending WHERE member_id = owner;
  END IF;
  IF moved.of_receivable THEN PERFORM move_receivables(owner, kinds, amounts); END IF;
  PERFORM move_house(kinds, amounts);
  IF owner <> 0 THEN PERFORM pg_notify('member_notices', 'money ' || owner); END IF;
END $$;

-- What a member owes: more after a reversal, less by as much as is recovered from the balance.
CREATE FUNCTION move_receivables(owner bigint, kinds posting_kind[], amounts bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE part record;
BEGIN
  FOR part IN SELECT p.pool, coalesce(sum(amount) FILTER (WHERE kind = ('owed_' || p.pool)::posting_kind), 0) AS owed,
      coalesce(sum(amount) FILTER (WHERE kind = ('repay_' || p.pool)::posting_kind), 0) AS repaid,
      coalesce(sum(amount) FILTER (WHERE kind = ('recover_' || p.pool)::posting_kind), 0) AS recovered
    FROM (VALUES ('commission'), ('profit')) AS p (pool), unnest(kinds, amounts) AS m (kind, amount) GROUP BY p.pool ORDER BY p.pool
  LOOP
    IF part.repaid <> part.recovered THEN
      RAISE EXCEPTION 'what is recovered must settle as much of what is owed'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'recovery_settles_what_is_owed';
    END IF;
    IF part.owed > 0 THEN
      INSERT INTO member_receivable (member_id, pool, amount) VALUES (owner, part.pool, 0) ON CONFLICT DO NOTHING;
    END IF;
    UPDATE member_receivable SET amount = amount + part.owed - part.repaid WHERE member_id = owner AND pool = part.pool AND part.owed <> part.repaid;
    IF NOT FOUND AND part.owed <> part.repaid THEN
      RAISE EXCEPTION 'nothing is owed' USING ERRCODE = 'check_violation', CONSTRAINT = 'receivable_not_below_zero';
    END IF;
  END LOOP;
END $$;

-- The company's side of an event: its few accounts, and what the books say its wallets hold. One row after the other, in one order.
CREATE FUNCTION move_house(kinds posting_kind[], amounts bigint[]) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE change record;
BEGIN
  FOR change IN SELECT e.account, sum(e.amount)::bigint AS amount FROM unnest(kinds, amounts) AS m (kind, amount)
      JOIN posting_chart c ON c.kind = m.kind
      CROSS JOIN LATERAL (VALUES (c.destination, m.amount), (c.source, -m.amount)) AS e (account, amount)
    WHERE e.account IN ('pool:profit', 'pool:commission', 'company:capital', 'custody:deposits', 'custody:hot', 'custody:cold',
      'due:profit', 'due:commission')
    GROUP BY e.account HAVING sum(e.amount) <> 0 ORDER BY e.account
  LOOP
    IF change.account IN ('custody:deposits', 'custody:hot', 'custody:cold') THEN
      UPDATE custody_balance SET amount = amount - change.amount WHERE account = change.account::text;
    ELSE
      UPDATE house_balance SET amount = amount + change.amount WHERE account = change.account;
    END IF;
  END LOOP;
END $$;

CREATE TRIGGER posting_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Opens the accounts of a new member, all zero; the server writes no balance itself.
CREATE FUNCTION open_member_accounts(new_member_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = new_member_id) THEN
    RAISE EXCEPTION 'accounts belong to a member' USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO member_balance (member_id) VALUES (new_member_id);
END $$;

-- Closes the books up to an instant; moves forward only. Waits until every change of principal under way has ended.
CREATE FUNCTION close_period(until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE closed timestamptz;
BEGIN
  LOCK TABLE period_close IN EXCLUSIVE MODE;
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $$;

-- What two transactions must not do at once, by name. Rows that functions lock: no program's role can lock them from outside.
CREATE TABLE product_lock (
  name text PRIMARY KEY
);
INSERT INTO product_lock (name) VALUES ('first member'), ('joining'), ('numbering'), ('plan version'), ('reserves');
CREATE FUNCTION hold_lock(of_name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR UPDATE;
END $$;
-- Beside others who share it.
CREATE FUNCTION share_lock(of_name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR SHARE;
END $$;
-- False where another transaction holds it.
CREATE FUNCTION try_lock(of_name text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR UPDATE SKIP LOCKED;
  RETURN FOUND;
END $$;

-- What a pool has; no other transaction takes from it until this one ends.
CREATE FUNCTION hold_pool(pool ledger_account) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT amount FROM house_balance WHERE account = pool FOR NO KEY UPDATE);
END $$;

GRANT SELECT ON journal, posting, posting_chart, member_balance, member_receivable, member_pending, house_balance, custody_balance, period_close
  TO aval_server;
GRANT EXECUTE ON FUNCTION hold_period(timestamptz) TO aval_server;
GRANT EXECUTE ON FUNCTION open_member_accounts(bigint), hold_lock(text), share_lock(text), try_lock(text) TO aval_server;
GRANT EXECUTE ON FUNCTION close_period(timestamptz), hold_pool(ledger_account) TO aval_worker;

GRANT SELECT, INSERT ON journal, posting TO aval_ledger;
GRANT SELECT ON posting_chart TO aval_ledger;
GRANT SELECT, INSERT, UPDATE ON member_balance, member_receivable, member_pending TO aval_ledger;
GRANT SELECT, UPDATE ON house_balance, custody_balance, period_close, product_lock TO aval_ledger;
