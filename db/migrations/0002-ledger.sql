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
);

-- Follows from the postings; written by the trigger below and by nothing else. `earned` is net of reversals. A payout run rewrites
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

-- Balances follow from postings. One pass over the rows decides what there is to do; a payout run, the only statement of
-- many thousand rows, then takes the short way: with one journal and one leg the primary key says that no member comes twice.
-- 7201 is the advisory lock of the period: shared by a change of principal, exclusive for closing a day.
CREATE FUNCTION apply_postings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moved record;
  members bigint;
  updated bigint;
BEGIN
  SELECT count(*) AS rows, min(journal_id) AS first_journal, max(journal_id) AS last_journal,
    min(member_id) AS first_member, max(member_id) AS last_member, max(leg) AS last_leg, min(kind) AS first_kind, max(kind) AS last_kind,
    sum(amount) AS amount
  INTO moved FROM fresh;
  IF moved.rows = 0 THEN RETURN NULL; END IF;
  -- One notice a statement: a batch of a payout run is told once, with the range of its members (see 0019).
  IF moved.last_member > 0 THEN PERFORM pg_notify('member_notices', format('money %s-%s', moved.first_member, moved.last_member)); END IF;

  IF (CASE WHEN moved.first_journal = moved.last_journal
      THEN NOT EXISTS (SELECT FROM journal j WHERE j.id = moved.first_journal)
      ELSE EXISTS (SELECT FROM (SELECT DISTINCT journal_id FROM fresh) f
        WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = f.journal_id)) END) THEN
    RAISE EXCEPTION 'posting without a journal' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF moved.first_kind = 'passive' AND moved.last_kind = 'passive' AND moved.first_journal = moved.last_journal AND moved.last_leg = 0 THEN
    UPDATE member_balance b SET balance = b.balance + f.amount, earned = b.earned + f.amount,
      earned_passive = b.earned_passive + f.amount, passive_days = b.passive_days + 1
    -- Bounded on both sides: a merge that begins at the first member of all would read the whole table once a batch.
    FROM fresh f WHERE b.member_id = f.member_id AND b.member_id BETWEEN moved.first_member AND moved.last_member;
    GET DIAGNOSTICS updated = ROW_COUNT;
    IF updated <> moved.rows THEN
      RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
    END IF;
    UPDATE house_balance SET amount = amount - moved.amount WHERE account = 'due:profit';
    RETURN NULL;
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE source = 'principal' OR destination = 'principal') THEN
    PERFORM pg_advisory_xact_lock_shared(7201);
    IF EXISTS (SELECT FROM fresh, period_close c
               WHERE (destination = 'principal' OR source = 'principal') AND at < c.closed_until) THEN
      RAISE EXCEPTION 'principal cannot change inside a closed period'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
    END IF;
  END IF;

  WITH delta AS MATERIALIZED (
    SELECT member_id,
      coalesce(sum(amount) FILTER (WHERE destination = 'principal'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'principal'), 0) AS principal,
      coalesce(sum(amount) FILTER (WHERE destination = 'balance'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'balance'), 0) AS balance,
      coalesce(sum(amount) FILTER (WHERE destination = 'held'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'held'), 0) AS held,
      coalesce(sum(amount) FILTER (WHERE kind IN ('passive', 'direct', 'master', 'binary')), 0)
        - coalesce(sum(amount) FILTER (WHERE kind IN ('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission')), 0) AS earned,
      coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0)
        - coalesce(sum(amount) FILTER (WHERE kind IN ('clawback_profit', 'owed_profit')), 0) AS passive,
      coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS "binary",
      count(*) FILTER (WHERE kind = 'passive') AS days
    FROM fresh WHERE member_id <> 0 GROUP BY member_id
  ), applied AS (
    UPDATE member_balance b
    SET principal = b.principal + d.principal, balance = b.balance + d.balance, held = b.held + d.held, earned = b.earned + d.earned,
      earned_passive = b.earned_passive + d.passive, earned_binary = b.earned_binary + d."binary", passive_days = b.passive_days + d.days
    FROM delta d WHERE b.member_id = d.member_id AND b.member_id BETWEEN moved.first_member AND moved.last_member RETURNING 1
  )
  SELECT (SELECT count(*) FROM delta), (SELECT count(*) FROM applied) INTO members, updated;
  IF updated <> members THEN
    RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE source = 'receivable' OR destination = 'receivable' OR kind IN ('recover_profit', 'recover_commission')) THEN
    IF EXISTS (SELECT FROM fresh WHERE kind IN ('recover_profit', 'repay_profit', 'recover_commission', 'repay_commission')
        GROUP BY member_id, kind IN ('recover_profit', 'repay_profit')
        HAVING sum(CASE WHEN kind IN ('recover_profit', 'recover_commission') THEN amount ELSE -amount END) <> 0) THEN
      RAISE EXCEPTION 'what is recovered must settle as much of what is owed'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'recovery_settles_what_is_owed';
    END IF;
    INSERT INTO member_receivable (member_id, pool, amount)
      SELECT DISTINCT member_id, CASE WHEN kind = 'owed_profit' THEN 'profit' ELSE 'commission' END, 0
      FROM fresh WHERE kind IN ('owed_profit', 'owed_commission')
      ON CONFLICT DO NOTHING;
    WITH delta AS MATERIALIZED (
      SELECT member_id, CASE WHEN kind IN ('owed_profit', 'repay_profit') THEN 'profit' ELSE 'commission' END AS pool,
        sum(CASE WHEN destination = 'receivable' THEN amount ELSE -amount END) AS amount
      FROM fresh WHERE source = 'receivable' OR destination = 'receivable' GROUP BY 1, 2
    ), applied AS (
      UPDATE member_receivable r SET amount = r.amount + d.amount FROM delta d
      WHERE r.member_id = d.member_id AND r.pool = d.pool RETURNING 1
    )
    SELECT (SELECT count(*) FROM delta), (SELECT count(*) FROM applied) INTO members, updated;
    IF updated <> members THEN
      RAISE EXCEPTION 'nothing is owed' USING ERRCODE = 'check_violation', CONSTRAINT = 'receivable_not_below_zero';
    END IF;
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE source = 'pending' OR destination = 'pending') THEN
    INSERT INTO member_pending (member_id, amount) SELECT DISTINCT member_id, 0 FROM fresh ON CONFLICT DO NOTHING;
    UPDATE member_pending p SET amount = p.amount + d.amount
    FROM (SELECT member_id, coalesce(sum(amount) FILTER (WHERE destination = 'pending'), 0)
        - coalesce(sum(amount) FILTER (WHERE source = 'pending'), 0) AS amount FROM fresh GROUP BY member_id) d
    WHERE p.member_id = d.member_id;
  END IF;

  WITH flow AS (
    SELECT source, destination, sum(amount) AS amount FROM fresh GROUP BY source, destination
  ), delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT destination AS account, amount FROM flow UNION ALL SELECT source, -amount FROM flow) both_ends
    GROUP BY account
  )
  UPDATE house_balance h SET amount = h.amount + d.amount FROM delta d WHERE h.account = d.account;
  RETURN NULL;
END $$;
CREATE TRIGGER posting_applies AFTER INSERT ON posting
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION apply_postings();

-- Once a statement: a row at a time, a statement of many thousand postings made as many versions of one row.
CREATE FUNCTION apply_postings_to_custody() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  WITH flow AS (
    SELECT source::text, destination::text, sum(amount) AS amount FROM fresh
    WHERE kind NOT IN ('passive', 'direct', 'master', 'binary') GROUP BY source, destination
  ), delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT source AS account, amount FROM flow UNION ALL SELECT destination, -amount FROM flow) both_ends
    GROUP BY account
  )
  UPDATE custody_balance b SET amount = b.amount + d.amount FROM delta d WHERE b.account = d.account;
  RETURN NULL;
END $$;
CREATE TRIGGER posting_moves_custody AFTER INSERT ON posting
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION apply_postings_to_custody();

CREATE TRIGGER posting_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Opens the accounts of a new member, all zero; the server writes no balance itself.
CREATE FUNCTION open_member_accounts(new_member_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO member_balance (member_id) VALUES (new_member_id);
END $$;

-- Closes the books up to an instant; moves forward only. Waits until every change of principal under way has ended.
CREATE FUNCTION close_period(until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE closed timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7201);
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $$;

GRANT SELECT, INSERT ON journal, posting TO aval_app;
GRANT SELECT ON member_balance, member_receivable, member_pending, house_balance, custody_balance, period_close TO aval_app;
GRANT EXECUTE ON FUNCTION open_member_accounts(bigint), close_period(timestamptz) TO aval_app;

GRANT SELECT ON journal, posting TO aval_ledger;
GRANT SELECT, INSERT, UPDATE ON member_balance, member_receivable, member_pending TO aval_ledger;
GRANT SELECT, UPDATE ON house_balance, custody_balance, period_close TO aval_ledger;
