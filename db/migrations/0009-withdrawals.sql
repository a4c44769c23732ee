-- The way out: withdrawals, the transfers that carry them out, what custody holds, and whether it matches the books.

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_keys') THEN CREATE ROLE aval_keys NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster was faster
END $$;
GRANT USAGE ON SCHEMA public TO aval_keys;

-- Added, not replaced: replacing a type rewrites every posting there is. A value added here cannot be named as one before this
-- transaction ends, so the constraints below compare new kinds as text, after the old ones: payouts never get that far.
ALTER TYPE ledger_account ADD VALUE 'custody:hot';   -- the wallet that withdrawals are paid from
ALTER TYPE ledger_account ADD VALUE 'custody:cold';  -- the company's other wallet, whose key is on no machine of this product
ALTER TYPE posting_kind ADD VALUE 'hold_balance';      -- a withdrawal is requested,
ALTER TYPE posting_kind ADD VALUE 'hold_principal';
ALTER TYPE posting_kind ADD VALUE 'release_balance';   -- comes to nothing,
ALTER TYPE posting_kind ADD VALUE 'release_principal';
ALTER TYPE posting_kind ADD VALUE 'withdraw';          -- or has left
ALTER TYPE posting_kind ADD VALUE 'withdraw_fee';
ALTER TYPE posting_kind ADD VALUE 'sweep';             -- between our own addresses
ALTER TYPE posting_kind ADD VALUE 'to_cold';
ALTER TYPE posting_kind ADD VALUE 'refill_hot';
ALTER TYPE posting_kind ADD VALUE 'company_deposit_hot';
ALTER TYPE posting_kind ADD VALUE 'company_deposit_cold';
ALTER TYPE posting_kind ADD VALUE 'custody_loss_deposits';  -- a difference that an operator explained; the company bears it
ALTER TYPE posting_kind ADD VALUE 'custody_loss_hot';
ALTER TYPE posting_kind ADD VALUE 'custody_loss_cold';
ALTER TYPE posting_kind ADD VALUE 'custody_gain_deposits';
ALTER TYPE posting_kind ADD VALUE 'custody_gain_hot';
ALTER TYPE posting_kind ADD VALUE 'custody_gain_cold';

ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart, DROP CONSTRAINT posting_under_its_owner;
ALTER TABLE posting ADD CONSTRAINT posting_follows_the_chart CHECK (CASE kind
    WHEN 'passive'              THEN source = 'due:profit'       AND destination = 'balance'
    WHEN 'direct'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'master'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'binary'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'deposit_to_principal' THEN source = 'custody:deposits' AND destination = 'principal'
    WHEN 'deposit_to_balance'   THEN source = 'custody:deposits' AND destination = 'balance'
    WHEN 'deposit_fee'          THEN source = 'custody:deposits' AND destination = 'company:revenue'
    WHEN 'reinvest'             THEN source = 'balance'          AND destination = 'principal'
    WHEN 'company_deposit'      THEN source = 'custody:deposits' AND destination = 'company:capital'
    WHEN 'fund_profit'          THEN source = 'company:capital'  AND destination = 'pool:profit'
    WHEN 'fund_commission'      THEN source = 'company:capital'  AND destination = 'pool:commission'
    WHEN 'release_profit'       THEN source = 'pool:profit'      AND destination = 'due:profit'
    WHEN 'release_commission'   THEN source = 'pool:commission'  AND destination = 'due:commission'
    WHEN 'reverse_investment'   THEN source = 'principal'        AND destination = 'balance'
    WHEN 'clawback_profit'      THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'clawback_commission'  THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'owed_profit'          THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'owed_commission'      THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'recover_profit'       THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'recover_commission'   THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'repay_profit'        THEN source = 'receivable'       AND destination = 'company:claims'
    WHEN 'repay_commission'    THEN source = 'receivable'       AND destination = 'company:claims'
    ELSE CASE kind::text
      WHEN 'hold_balance'          THEN source::text = 'balance'          AND destination::text = 'held'
      WHEN 'hold_principal'        THEN source::text = 'principal'        AND destination::text = 'held'
      WHEN 'release_balance'       THEN source::text = 'held'             AND destination::text = 'balance'
      WHEN 'release_principal'     THEN source::text = 'held'             AND destination::text = 'principal'
      WHEN 'withdraw'              THEN source::text = 'held'             AND destination::text = 'custody:hot'
      WHEN 'withdraw_fee'          THEN source::text = 'held'             AND destination::text = 'company:revenue'
      WHEN 'sweep'                 THEN source::text = 'custody:hot'      AND destination::text = 'custody:deposits'
      WHEN 'to_cold'               THEN source::text = 'custody:cold'     AND destination::text = 'custody:hot'
      WHEN 'refill_hot'            THEN source::text = 'custody:hot'      AND destination::text = 'custody:cold'
      WHEN 'company_deposit_hot'   THEN source::text = 'custody:hot'      AND destination::text = 'company:capital'
      WHEN 'company_deposit_cold'  THEN source::text = 'custody:cold'     AND destination::text = 'company:capital'
      WHEN 'custody_loss_deposits' THEN source::text = 'company:capital'  AND destination::text = 'custody:deposits'
      WHEN 'custody_loss_hot'      THEN source::text = 'company:capital'  AND destination::text = 'custody:hot'
      WHEN 'custody_loss_cold'     THEN source::text = 'company:capital'  AND destination::text = 'custody:cold'
      WHEN 'custody_gain_deposits' THEN source::text = 'custody:deposits' AND destination::text = 'company:capital'
      WHEN 'custody_gain_hot'      THEN source::text = 'custody:hot'      AND destination::text = 'company:capital'
      WHEN 'custody_gain_cold'     THEN source::text = 'custody:cold'     AND destination::text = 'company:capital'
      ELSE false END
    END);
ALTER TABLE posting ADD CONSTRAINT posting_under_its_owner CHECK (CASE
  WHEN kind IN ('passive', 'direct', 'master', 'binary') THEN member_id > 0
  ELSE member_id >= 0 AND (member_id = 0) = (kind::text IN ('company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission',
    'sweep', 'to_cold', 'refill_hot', 'company_deposit_hot', 'company_deposit_cold', 'custody_loss_deposits', 'custody_loss_hot', 'custody_loss_cold',
    'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold')) END);

-- What the books say custody holds, by wallet: kept beside the postings, so that comparing it with the chain costs nothing.
CREATE TABLE custody_balance (
  account text PRIMARY KEY CHECK (account IN ('custody:deposits', 'custody:hot', 'custody:cold')),
  amount bigint NOT NULL
);
INSERT INTO custody_balance (account, amount)
SELECT 'custody:deposits', coalesce(sum(amount), 0) FROM posting WHERE source = 'custody:deposits'
UNION ALL SELECT 'custody:hot', 0 UNION ALL SELECT 'custody:cold', 0;

CREATE FUNCTION custody_apply() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE custody_balance SET amount = amount + NEW.amount WHERE account = NEW.source::text;
  UPDATE custody_balance SET amount = amount - NEW.amount WHERE account = NEW.destination::text;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION custody_apply() FROM PUBLIC;
CREATE TRIGGER posting_moves_custody AFTER INSERT ON posting
  FOR EACH ROW WHEN (NEW.kind NOT IN ('passive', 'direct', 'master', 'binary')) EXECUTE FUNCTION custody_apply();

-- Principal that left for a withdrawal (below zero) or came back from one, in the order of history (see `reversal`).
CREATE TABLE principal_movement (
  member_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id)
);
CREATE INDEX principal_movement_by_date ON principal_movement (at);
CREATE INDEX principal_movement_by_number ON principal_movement (id);

-- Withdrawals. `amount` leaves the member's accounts; `amount - fee` is what arrives.
CREATE TABLE withdrawal (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  from_balance bigint NOT NULL CHECK (from_balance >= 0),
  from_principal bigint NOT NULL CHECK (from_principal >= 0),
  wallet_address text NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'approved', 'completed', 'cancelled', 'refused', 'failed')),
  approvals_needed smallint NOT NULL CHECK (approvals_needed BETWEEN 0 AND 5),
  plan_version integer NOT NULL,
  -- What an operator should look at, by stable names, as it was at the request.
  risks jsonb NOT NULL DEFAULT '[]',
  device text NOT NULL DEFAULT '',
  hold_journal_id bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  approved_at timestamptz,
  closed_at timestamptz,
  close_journal_id bigint,
  -- Why it was refused or failed, for the member: a stable name, or an operator's words.
  reason text CHECK (length(reason) <= 300),
  closed_by bigint,
  txid text,
  PRIMARY KEY (member_id, id),
  CONSTRAINT withdrawal_parts_add_up CHECK (from_balance + from_principal = amount),
  CONSTRAINT withdrawal_closed_once CHECK ((state IN ('requested', 'approved')) = (closed_at IS NULL) AND (closed_at IS NULL) = (close_journal_id IS NULL)),
  CONSTRAINT withdrawal_completed_by_a_transfer CHECK ((state = 'completed') = (txid IS NOT NULL))
);
CREATE INDEX withdrawal_open ON withdrawal (id) WHERE state IN ('requested', 'approved');
CREATE INDEX withdrawal_approved ON withdrawal (approved_at, id) WHERE state = 'approved';
CREATE INDEX withdrawal_by_date ON withdrawal (member_id, requested_at DESC);
CREATE INDEX withdrawal_by_number ON withdrawal (id);
CREATE INDEX withdrawal_closed ON withdrawal (id) WHERE closed_at IS NOT NULL;
-- Its number is drawn before it is written: the journal of its hold is named by it.
GRANT USAGE ON SEQUENCE withdrawal_id_seq TO aval_app;
-- Who else is paid to the same wallet.
CREATE INDEX member_by_wallet ON member (usdt_wallet) WHERE usdt_wallet <> '';

CREATE TABLE withdrawal_approval (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, withdrawal_id, operator_id),
  CONSTRAINT approval_by_somebody_else CHECK (operator_id <> member_id)
);

-- Every transfer we ever prepared, of any purpose. Amounts are micro-USDT; of `fuel`, which is TRX, sun.
CREATE TABLE outgoing_transfer (
  txid text PRIMARY KEY CHECK (txid ~ '^[0-9a-f]{64}$'),
  purpose text NOT NULL CHECK (purpose IN ('withdrawal', 'sweep', 'trx_topup', 'surplus')),
  -- Whose withdrawal, or whose deposit address; 0 for the company's own.
  member_id bigint NOT NULL,
  withdrawal_id bigint,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- The bytes whose hash is the txid; what is signed, and nothing else ever is.
  raw bytea NOT NULL,
  -- By the chain's clock: after a solid block of a later time it can enter the chain no more.
  expires_at timestamptz NOT NULL,
  -- Signed on another machine: whether a signature exists is not known here.
  offline boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'signed', 'settled', 'failed', 'expired')),
  signature bytea CHECK (length(signature) = 65),
  prepared_at timestamptz NOT NULL DEFAULT now(),
  signed_at timestamptz,
  -- Hand-overs to nodes. What they replied settles nothing.
  broadcast_at timestamptz,
  broadcasts integer NOT NULL DEFAULT 0,
  reply text,
  -- Seen in a block that is not solid yet, and since when; the latter is kept by a trigger.
  seen_block bigint,
  seen_at timestamptz,
  -- What the solid chain says.
  block bigint,
  block_at timestamptz,
  result text,
  arrived bigint,
  fee_sun bigint,
  closed_at timestamptz,
  CHECK ((purpose = 'withdrawal') = (withdrawal_id IS NOT NULL)),
  CONSTRAINT payment_signed_with_signature CHECK (state <> 'signed' OR signature IS NOT NULL),
  CONSTRAINT payment_settled_by_a_block CHECK ((state IN ('settled', 'failed')) = (block IS NOT NULL))
);
-- Two transfers of one withdrawal never live at once, and after a success there is never another.
CREATE UNIQUE INDEX outgoing_transfer_one_a_withdrawal ON outgoing_transfer (member_id, withdrawal_id)
  WHERE purpose = 'withdrawal' AND state IN ('prepared', 'signed', 'settled');
CREATE UNIQUE INDEX outgoing_transfer_one_a_sweep ON outgoing_transfer (from_address) WHERE purpose = 'sweep' AND state IN ('prepared', 'signed');
CREATE UNIQUE INDEX outgoing_transfer_one_a_fuel ON outgoing_transfer (to_address) WHERE purpose = 'trx_topup' AND state IN ('prepared', 'signed');
CREATE UNIQUE INDEX outgoing_transfer_one_surplus ON outgoing_transfer (purpose) WHERE purpose = 'surplus' AND state IN ('prepared', 'signed');
CREATE INDEX outgoing_transfer_live ON outgoing_transfer (expires_at) WHERE state IN ('prepared', 'signed');
CREATE INDEX outgoing_transfer_by_withdrawal ON outgoing_transfer (member_id, withdrawal_id) WHERE purpose = 'withdrawal';
CREATE INDEX outgoing_transfer_signed_by_day ON outgoing_transfer (signed_at) WHERE purpose = 'withdrawal';
CREATE INDEX outgoing_transfer_closed ON outgoing_transfer (closed_at) WHERE state IN ('settled', 'failed');

-- What the server booked for a transfer: once.
CREATE TABLE outgoing_transfer_booking (
  txid text PRIMARY KEY,
  journal_id bigint,
  at timestamptz NOT NULL
);

-- The company's own wallets, pinned once; `opening` is what they held before we looked.
CREATE TABLE custody_address (
  address text PRIMARY KEY,
  role text NOT NULL UNIQUE CHECK (role IN ('hot', 'cold')),
  opening bigint NOT NULL CHECK (opening >= 0),
  registered_at timestamptz NOT NULL DEFAULT now()
);

-- What each of our addresses must hold by every event read up to the cursor; and what a node said it holds, between which blocks.
CREATE TABLE custody_holding (
  address text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('deposit', 'hot', 'cold')),
  member_id bigint NOT NULL,
  amount bigint NOT NULL DEFAULT 0,
  -- The last block in which it moved.
  moved_block bigint NOT NULL DEFAULT 0
);
CREATE INDEX custody_holding_largest ON custody_holding (amount DESC) WHERE role = 'deposit' AND amount > 0;
CREATE INDEX custody_holding_moved ON custody_holding (moved_block);
CREATE TABLE custody_reading (
  address text PRIMARY KEY,
  usdt numeric(78, 0) NOT NULL,
  trx bigint NOT NULL,
  from_block bigint NOT NULL,
  to_block bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX custody_reading_oldest ON custody_reading (read_at);

-- Transfers out of our addresses that none of our payments explains.
CREATE TABLE unexplained_outflow (
  txid text NOT NULL,
  position integer NOT NULL,
  block bigint NOT NULL,
  block_at timestamptz NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  value numeric(78, 0) NOT NULL,
  PRIMARY KEY (txid, position)
);

-- Comparisons of the chain with the books. What no event explains stops money until it is explained.
CREATE TABLE reserve_check (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  block bigint NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('matched', 'unexplained', 'waiting')),
  hot bigint NOT NULL,
  cold bigint NOT NULL,
  deposits bigint NOT NULL,
  in_flight bigint NOT NULL,
  owed bigint NOT NULL,
  drift bigint NOT NULL,
  details jsonb NOT NULL DEFAULT '[]'
);
CREATE TABLE payout_stop (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  stopped boolean NOT NULL DEFAULT false,
  since timestamptz,
  reason text,
  check_id bigint
);
INSERT INTO payout_stop DEFAULT VALUES;

-- A difference that an operator explained, booked against the company's capital; above zero where more was found than expected.
CREATE TABLE custody_adjustment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 300),
  journal_id bigint NOT NULL,
  made_by bigint NOT NULL,
  at timestamptz NOT NULL
);

-- Holdings follow from recorded transfers, settled payments and adjustments; nobody edits them.
ALTER TABLE incoming_transfer ADD COLUMN role text NOT NULL DEFAULT 'deposit' CHECK (role IN ('deposit', 'hot', 'cold'));
INSERT INTO custody_holding (address, role, member_id, amount, moved_block)
SELECT to_address, 'deposit', min(member_id), sum(value), max(block) FROM incoming_transfer WHERE verdict = 'credit' GROUP BY to_address;
CREATE FUNCTION holding_moves(moving text, moving_role text, owner bigint, change bigint, at_block bigint) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO custody_holding AS h (address, role, member_id, amount, moved_block) VALUES (moving, moving_role, owner, change, at_block)
  ON CONFLICT (address) DO UPDATE SET amount = h.amount + excluded.amount, moved_block = greatest(h.moved_block, excluded.moved_block);
END $$;
REVOKE ALL ON FUNCTION holding_moves(text, text, bigint, bigint, bigint) FROM PUBLIC;
CREATE FUNCTION holding_follows_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM holding_moves(NEW.to_address, NEW.role, NEW.member_id, NEW.value::bigint, NEW.block);
  -- The hot wallet is refilled from the cold one by hand: no payment of ours tells that the cold one holds less now.
  IF NEW.role = 'hot' AND EXISTS (SELECT FROM custody_address WHERE address = NEW.from_address AND role = 'cold') THEN
    PERFORM holding_moves(NEW.from_address, 'cold', 0, -NEW.value::bigint, NEW.block);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION holding_follows_transfer() FROM PUBLIC;
CREATE TRIGGER incoming_transfer_moves_holding AFTER INSERT ON incoming_transfer
  FOR EACH ROW WHEN (NEW.verdict = 'credit') EXECUTE FUNCTION holding_follows_transfer();
CREATE FUNCTION holding_follows_adjustment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE custody_holding SET amount = amount + NEW.amount WHERE address = NEW.address;
  IF NOT FOUND THEN RAISE EXCEPTION 'no address of ours' USING ERRCODE = 'foreign_key_violation'; END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION holding_follows_adjustment() FROM PUBLIC;
CREATE TRIGGER custody_adjustment_moves_holding AFTER INSERT ON custody_adjustment
  FOR EACH ROW EXECUTE FUNCTION holding_follows_adjustment();

ALTER TABLE deposit_credit DROP CONSTRAINT deposit_credit_outcome_check,
  ADD CONSTRAINT deposit_credit_outcome_check
    CHECK (outcome IN ('paid', 'overpaid', 'short', 'late', 'no_invoice', 'company', 'refill'));

-- A withdrawal begins as a request, and only ever goes forward: what it is about never changes, and each step needs what the step is made of.
CREATE FUNCTION withdrawal_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE live integer;
BEGIN
  IF (NEW.member_id, NEW.id, NEW.amount, NEW.fee, NEW.from_balance, NEW.from_principal, NEW.wallet_address, NEW.approvals_needed, NEW.plan_version,
      NEW.risks, NEW.device, NEW.hold_journal_id, NEW.requested_at)
    IS DISTINCT FROM (OLD.member_id, OLD.id, OLD.amount, OLD.fee, OLD.from_balance, OLD.from_principal, OLD.wallet_address, OLD.approvals_needed, OLD.plan_version,
      OLD.risks, OLD.device, OLD.hold_journal_id, OLD.requested_at) THEN
    RAISE EXCEPTION 'what a withdrawal is about never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_never_changes';
  END IF;
  IF NOT ((OLD.state = 'requested' AND NEW.state IN ('approved', 'cancelled', 'refused'))
      OR (OLD.state = 'approved' AND NEW.state IN ('completed', 'failed', 'refused'))) THEN
    RAISE EXCEPTION 'a withdrawal does not go from % to %', OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_goes_forward';
  END IF;
  IF NEW.state = 'approved' AND (SELECT count(*) FROM withdrawal_approval a
      WHERE a.member_id = NEW.member_id AND a.withdrawal_id = NEW.id) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'approvals are missing' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_approvals';
  END IF;
  SELECT count(*) INTO live FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id
    AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
      -- What failed in the chain ends it as failed, once that is booked.
      OR (p.state = 'failed' AND NEW.state = 'refused'));
  IF NEW.state IN ('failed', 'refused') AND live > 0 THEN
    RAISE EXCEPTION 'its transfer may still arrive' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_no_live_transfer';
  END IF;
  IF NEW.state = 'completed' AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = NEW.txid AND p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND p.state = 'settled') THEN
    RAISE EXCEPTION 'no solid transfer says so' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_transfer';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION withdrawal_goes_forward() FROM PUBLIC;
CREATE TRIGGER withdrawal_goes_forward BEFORE UPDATE ON withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_goes_forward();
CREATE FUNCTION withdrawal_is_requested() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'a withdrawal begins as a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_is_requested';
END $$;
CREATE TRIGGER withdrawal_is_requested BEFORE INSERT ON withdrawal FOR EACH ROW
  WHEN (NEW.state <> 'requested' OR NEW.approved_at IS NOT NULL) EXECUTE FUNCTION withdrawal_is_requested();

CREATE FUNCTION outgoing_transfer_goes_forward() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF (NEW.txid, NEW.purpose, NEW.member_id, NEW.withdrawal_id, NEW.from_address, NEW.to_address, NEW.amount, NEW.raw, NEW.expires_at, NEW.offline)
    IS DISTINCT FROM (OLD.txid, OLD.purpose, OLD.member_id, OLD.withdrawal_id, OLD.from_address, OLD.to_address, OLD.amount, OLD.raw, OLD.expires_at, OLD.offline)
    OR (OLD.signature IS NOT NULL AND NEW.signature IS DISTINCT FROM OLD.signature) THEN
    RAISE EXCEPTION 'what a transfer is never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payment_never_changes';
  END IF;
  IF NEW.state <> OLD.state AND NOT ((OLD.state = 'prepared' AND NEW.state IN ('signed', 'expired', 'settled', 'failed'))
      OR (OLD.state = 'signed' AND NEW.state IN ('settled', 'failed', 'expired'))) THEN
    RAISE EXCEPTION 'a transfer does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'outgoing_transfer_goes_forward';
  END IF;
  IF NEW.seen_block IS NOT NULL AND OLD.seen_block IS NULL THEN NEW.seen_at := clock_timestamp();
  ELSIF NEW.seen_block IS NULL AND NEW.state NOT IN ('settled', 'failed') THEN NEW.seen_at := NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outgoing_transfer_goes_forward BEFORE UPDATE ON outgoing_transfer FOR EACH ROW EXECUTE FUNCTION outgoing_transfer_goes_forward();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['withdrawal', 'outgoing_transfer'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name || '_is_kept', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['withdrawal_approval', 'principal_movement', 'outgoing_transfer_booking', 'custody_adjustment', 'unexplained_outflow', 'custody_address'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name || '_is_append_only', name);
  END LOOP;
END $$;

-- How far the chain is read, by its own clock.
ALTER TABLE chain_cursor ADD COLUMN scanned_at timestamptz;

-- What the gateway may do with payments, each step with its conditions, under the withdrawal's row lock. All answer false
-- where the step is not due (any more).
CREATE FUNCTION prepare_outgoing_transfer(new_txid text, new_purpose text, owner bigint, of_withdrawal bigint, new_from text, new_to text, new_amount bigint,
  new_raw bytea, new_expires_at timestamptz, is_offline boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawal;
  hot text := (SELECT address FROM custody_address WHERE role = 'hot');
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN false; END IF;
  -- Everything leaves from the hot wallet, but for what a sweep brings there.
  IF (CASE new_purpose WHEN 'sweep' THEN new_to ELSE new_from END) IS DISTINCT FROM hot THEN RETURN false; END IF;
  IF new_purpose = 'withdrawal' THEN
    SELECT * INTO w FROM withdrawal WHERE member_id = owner AND id = of_withdrawal FOR UPDATE;
    IF w.id IS NULL OR w.state <> 'approved' OR w.wallet_address <> new_to OR w.amount - w.fee <> new_amount THEN RETURN false; END IF;
    IF EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'withdrawal' AND member_id = owner AND withdrawal_id = of_withdrawal
      AND state IN ('prepared', 'signed', 'settled', 'failed')) THEN RETURN false; END IF;
  ELSIF new_purpose IN ('sweep', 'trx_topup') THEN
    IF NOT EXISTS (SELECT FROM deposit_address WHERE member_id = owner AND address = CASE new_purpose WHEN 'sweep' THEN new_from ELSE new_to END) THEN
      RETURN false;
    END IF;
  ELSIF new_to IS DISTINCT FROM (SELECT address FROM custody_address WHERE role = 'cold') THEN
    RETURN false;
  END IF;
  INSERT INTO outgoing_transfer (txid, purpose, member_id, withdrawal_id, from_address, to_address, amount, raw, expires_at, offline)
  VALUES (new_txid, new_purpose, owner, of_withdrawal, new_from, new_to, new_amount, new_raw, new_expires_at, is_offline)
  ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

-- The signer's only way to write. `cap` is the most it signs for withdrawals in 24 hours, in micro-USDT.
CREATE FUNCTION sign_outgoing_transfer(signed_txid text, new_signature bytea, cap bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  p outgoing_transfer;
  w withdrawal;
BEGIN
  PERFORM pg_advisory_xact_lock(7205); -- signatures are counted one at a time
  SELECT * INTO p FROM outgoing_transfer WHERE txid = signed_txid FOR UPDATE;
  IF p.txid IS NULL OR p.state <> 'prepared' THEN RETURN 'not_prepared'; END IF;
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  IF p.purpose = 'withdrawal' THEN
    SELECT * INTO w FROM withdrawal WHERE member_id = p.member_id AND id = p.withdrawal_id FOR UPDATE;
    IF w.id IS NULL OR w.state <> 'approved' OR w.wallet_address <> p.to_address OR w.amount - w.fee <> p.amount THEN RETURN 'not_approved'; END IF;
    -- What is dead counts too: that it is, is the gateway's word.
    IF p.amount + coalesce((SELECT sum(amount) FROM outgoing_transfer
        WHERE purpose = 'withdrawal' AND signed_at > clock_timestamp() - interval '24 hours'), 0) > cap THEN
      RETURN 'cap_reached';
    END IF;
  END IF;
  UPDATE outgoing_transfer SET state = 'signed', signature = new_signature, signed_at = clock_timestamp() WHERE txid = signed_txid;
  RETURN 'signed';
END $$;

-- A signature made on another machine. It counts for no daily cap: a person has looked at each.
CREATE FUNCTION import_signature(signed_txid text, new_signature bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  UPDATE outgoing_transfer SET state = 'signed', signature = new_signature, signed_at = clock_timestamp()
    WHERE txid = signed_txid AND offline AND state = 'prepared';
  RETURN CASE WHEN FOUND THEN 'signed' ELSE 'not_prepared' END;
END $$;

CREATE FUNCTION settle_outgoing_transfer(settled_txid text, in_block bigint, in_block_at timestamptz, is_success boolean, its_result text,
  has_arrived bigint, its_fee bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE p outgoing_transfer;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = settled_txid FOR UPDATE;
  -- One that was buried and is there all the same is explained by nothing: whoever reads it records an outflow.
  IF p.txid IS NULL OR p.state NOT IN ('prepared', 'signed') THEN RETURN false; END IF;
  UPDATE outgoing_transfer SET state = CASE WHEN is_success THEN 'settled' ELSE 'failed' END, block = in_block, block_at = in_block_at,
    result = its_result, arrived = has_arrived, fee_sun = its_fee, seen_block = NULL, closed_at = clock_timestamp() WHERE txid = settled_txid;
  IF is_success AND p.purpose <> 'trx_topup' THEN
    UPDATE custody_holding SET amount = amount - p.amount, moved_block = greatest(moved_block, in_block) WHERE address = p.from_address;
    IF p.purpose IN ('sweep', 'surplus') THEN
      UPDATE custody_holding SET amount = amount + has_arrived, moved_block = greatest(moved_block, in_block) WHERE address = p.to_address;
    END IF;
  END IF;
  IF p.purpose <> 'trx_topup' THEN
    PERFORM graphile_worker.add_job('outgoing_transfers.settle', json_build_object('txid', settled_txid), job_key => 'settle:' || settled_txid);
  END IF;
  RETURN true;
END $$;

-- Dead: the solid chain is read past its expiration without it. One that nobody can have signed may go at once.
CREATE FUNCTION expire_outgoing_transfer(expired_txid text, on_network text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE p outgoing_transfer;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = expired_txid FOR UPDATE;
  IF p.txid IS NULL OR p.state NOT IN ('prepared', 'signed') THEN RETURN false; END IF;
  IF (p.state = 'signed' OR p.offline)
    AND NOT coalesce((SELECT scanned_at > p.expires_at FROM chain_cursor WHERE network = on_network), false) THEN RETURN false; END IF;
  UPDATE outgoing_transfer SET state = 'expired', seen_block = NULL, closed_at = clock_timestamp() WHERE txid = expired_txid;
  RETURN true;
END $$;

-- Pins one of the company's wallets, once; what it held before becomes the company's deposit.
CREATE FUNCTION register_custody(new_address text, new_role text, held bigint, at_block bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO custody_address (address, role, opening) VALUES (new_address, new_role, held) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM holding_moves(new_address, new_role, 0, held, at_block);
  IF held > 0 THEN
    PERFORM graphile_worker.add_job('custody.book_opening', json_build_object('address', new_address), job_key => 'opening:' || new_address);
  END IF;
  RETURN true;
END $$;

-- As before, and for the company's wallets too.
CREATE OR REPLACE FUNCTION record_incoming_transfer(
  new_txid text, new_position integer, new_block bigint, new_block_at timestamptz, new_verdict text,
  new_contract text, new_from text, new_to text, new_value numeric
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner bigint;
  its_role text;
BEGIN
  SELECT member_id, 'deposit' INTO owner, its_role FROM deposit_address WHERE address = new_to;
  IF owner IS NULL THEN SELECT 0, role INTO STRICT owner, its_role FROM custody_address WHERE address = new_to; END IF;
  INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value, role)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, new_verdict, new_contract, new_from, new_to, new_value, its_role)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  IF new_verdict = 'credit' THEN
    PERFORM graphile_worker.add_job(
      'deposits.credit', json_build_object('txid', new_txid, 'position', new_position),
      job_key => 'credit:' || new_txid || ':' || new_position);
  END IF;
  RETURN true;
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['prepare_outgoing_transfer(text, text, bigint, bigint, text, text, bigint, bytea, timestamptz, boolean)',
    'sign_outgoing_transfer(text, bytea, bigint)', 'import_signature(text, bytea)', 'settle_outgoing_transfer(text, bigint, timestamptz, boolean, text, bigint, bigint)',
    'expire_outgoing_transfer(text, text)', 'register_custody(text, text, bigint, bigint)'] LOOP
    EXECUTE 'REVOKE ALL ON FUNCTION ' || name || ' FROM PUBLIC';
    EXECUTE 'GRANT EXECUTE ON FUNCTION ' || name || CASE WHEN name LIKE 'sign%' THEN ' TO aval_keys' ELSE ' TO aval_chain' END;
  END LOOP;
END $$;

GRANT SELECT ON custody_balance, outgoing_transfer, custody_address, custody_holding, custody_reading, unexplained_outflow TO aval_app;
GRANT SELECT, INSERT ON principal_movement, withdrawal_approval, outgoing_transfer_booking, reserve_check, custody_adjustment TO aval_app;
GRANT SELECT, INSERT, UPDATE (state, approved_at, closed_at, close_journal_id, reason, closed_by, txid) ON withdrawal TO aval_app;
GRANT SELECT, UPDATE (stopped, since, reason, check_id) ON payout_stop TO aval_app;

GRANT SELECT ON outgoing_transfer, custody_address, custody_holding, custody_reading, payout_stop TO aval_chain;
GRANT UPDATE (seen_block, broadcast_at, broadcasts, reply) ON outgoing_transfer TO aval_chain;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approved_at) ON withdrawal TO aval_chain;
GRANT INSERT, UPDATE ON custody_reading TO aval_chain;
GRANT SELECT, INSERT ON unexplained_outflow TO aval_chain;

GRANT SELECT ON outgoing_transfer, custody_address, deposit_address, installation, payout_stop TO aval_keys;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approvals_needed) ON withdrawal TO aval_keys;
GRANT SELECT ON withdrawal_approval TO aval_keys;
