-- The ledger: postings, the journal they belong to, and the balances that follow from them.
-- Amounts are whole micro-USDT. Member 0 is the house: company events are booked under it.

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_app') THEN CREATE ROLE aval_app NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_chain') THEN CREATE ROLE aval_chain NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster was faster
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO aval_app, aval_chain;

-- Chart of accounts. The first three belong to a member, the rest to the house.
CREATE TYPE ledger_account AS ENUM (
  'principal', 'balance', 'held',
  'custody:deposits',                    -- an asset: what the deposit addresses hold on the chain
  'pool:profit', 'pool:commission',      -- company money that pays passive profit, and commissions
  'due:profit', 'due:commission',        -- taken out of a pool for released runs, not yet posted to members
  'company:revenue', 'company:capital'   -- fees earned; money the company paid in
);

CREATE TYPE posting_kind AS ENUM (
  'deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest',
  'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission',
  'passive', 'direct', 'master'
);

-- One row an event, under its idempotency key: a global key, hence a table of its own that the key leads.
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
  leg smallint NOT NULL,
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, journal_id, leg),
  CONSTRAINT posting_moves_something CHECK (amount > 0),
  -- The closed list of movements. Nothing leads from a member's principal or balance to a pool or to anybody else.
  CONSTRAINT posting_follows_the_chart CHECK (CASE kind
    WHEN 'deposit_to_principal' THEN source = 'custody:deposits' AND destination = 'principal'
    WHEN 'deposit_to_balance'   THEN source = 'custody:deposits' AND destination = 'balance'
    WHEN 'deposit_fee'          THEN source = 'custody:deposits' AND destination = 'company:revenue'
    WHEN 'reinvest'             THEN source = 'balance'          AND destination = 'principal'
    WHEN 'company_deposit'      THEN source = 'custody:deposits' AND destination = 'company:capital'
    WHEN 'fund_profit'          THEN source = 'company:capital'  AND destination = 'pool:profit'
    WHEN 'fund_commission'      THEN source = 'company:capital'  AND destination = 'pool:commission'
    WHEN 'release_profit'       THEN source = 'pool:profit'      AND destination = 'due:profit'
    WHEN 'release_commission'   THEN source = 'pool:commission'  AND destination = 'due:commission'
    WHEN 'passive'              THEN source = 'due:profit'       AND destination = 'balance'
    WHEN 'direct'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'master'               THEN source = 'due:commission'   AND destination = 'balance'
    ELSE false END),
  CONSTRAINT posting_under_its_owner CHECK (
    (member_id = 0) = (kind IN ('company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission'))
    AND member_id >= 0)
);

-- Follows from the postings; written by the trigger below and by nothing else. `earned` is a memo: all payouts ever.
-- One narrow row a member and no index on an amount, so that a payout run updates in place (HOT).
CREATE TABLE member_balance (
  member_id bigint PRIMARY KEY,
  principal bigint NOT NULL DEFAULT 0 CONSTRAINT principal_not_below_zero CHECK (principal >= 0),
  balance bigint NOT NULL DEFAULT 0 CONSTRAINT balance_not_below_zero CHECK (balance >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT held_not_below_zero CHECK (held >= 0),
  earned bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

-- The few house accounts that must never be overdrawn. Revenue and custody are derived by summing instead.
CREATE TABLE house_balance (
  account ledger_account PRIMARY KEY,
  amount bigint NOT NULL DEFAULT 0 CONSTRAINT house_not_below_zero CHECK (amount >= 0)
);
INSERT INTO house_balance (account)
VALUES ('pool:profit'), ('pool:commission'), ('due:profit'), ('due:commission'), ('company:capital');

-- Up to here the books are closed: principal cannot change with an earlier date.
CREATE TABLE period_close (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  closed_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO period_close DEFAULT VALUES;

-- 7201 is the advisory lock of the period: shared by who changes principal, exclusive for who closes a day.
CREATE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  members bigint;
  updated bigint;
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT journal_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = f.journal_id)) THEN
    RAISE EXCEPTION 'posting without a journal' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE destination = 'principal' OR source = 'principal') THEN
    PERFORM pg_advisory_xact_lock_shared(7201);
    IF EXISTS (SELECT FROM fresh, period_close c
               WHERE (destination = 'principal' OR source = 'principal') AND at < c.closed_until) THEN
      RAISE EXCEPTION 'principal cannot change inside a closed period'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
    END IF;
  END IF;

  SELECT count(DISTINCT member_id) INTO members FROM fresh WHERE member_id <> 0;
  IF members > 0 THEN
    WITH delta AS (
      SELECT member_id,
        coalesce(sum(amount) FILTER (WHERE destination = 'principal'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'principal'), 0) AS principal,
        coalesce(sum(amount) FILTER (WHERE destination = 'balance'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'balance'), 0) AS balance,
        coalesce(sum(amount) FILTER (WHERE destination = 'held'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'held'), 0) AS held,
        coalesce(sum(amount) FILTER (WHERE kind IN ('passive', 'direct', 'master')), 0) AS earned
      FROM fresh WHERE member_id <> 0 GROUP BY member_id
    )
    UPDATE member_balance b
    SET principal = b.principal + d.principal, balance = b.balance + d.balance, held = b.held + d.held, earned = b.earned + d.earned
    FROM delta d WHERE b.member_id = d.member_id;
    GET DIAGNOSTICS updated = ROW_COUNT;
    IF updated <> members THEN
      RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;

  WITH delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT destination AS account, amount FROM fresh UNION ALL SELECT source, -amount FROM fresh) both_ends
    GROUP BY account
  )
  UPDATE house_balance h SET amount = h.amount + d.amount FROM delta d WHERE h.account = d.account;
  RETURN NULL;
END $$;

-- Or anybody with a temporary table of their own could hang it there, and balances would follow from no posting.
REVOKE ALL ON FUNCTION ledger_apply() FROM PUBLIC;

CREATE TRIGGER posting_applies AFTER INSERT ON posting
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply();

-- History is never rewritten, not even by the owner of the tables.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER posting_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Opens the zero accounts of a new member; the balances themselves stay out of the server's reach.
CREATE FUNCTION open_member_accounts(new_member_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO member_balance (member_id) VALUES (new_member_id);
END $$;
REVOKE ALL ON FUNCTION open_member_accounts(bigint) FROM PUBLIC;

-- Closes the books up to an instant; moves forward only. Waits for every change of principal under way.
CREATE FUNCTION close_period(until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE closed timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7201);
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $$;
REVOKE ALL ON FUNCTION close_period(timestamptz) FROM PUBLIC;

GRANT SELECT, INSERT ON journal, posting TO aval_app;
GRANT SELECT ON member_balance, house_balance, period_close TO aval_app;
GRANT EXECUTE ON FUNCTION open_member_accounts(bigint), close_period(timestamptz) TO aval_app;
