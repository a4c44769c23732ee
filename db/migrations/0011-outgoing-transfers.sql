-- Outgoing transfers: every transfer we ever prepared, of any purpose, and each step it takes to the chain.
-- Amounts are micro-USDT; of `trx_topup`, which is TRX, sun.

CREATE TABLE outgoing_transfer (
  txid text PRIMARY KEY CHECK (txid ~ '^[0-9a-f]{64}$'),
  purpose text NOT NULL CHECK (purpose IN ('withdrawal', 'sweep', 'trx_topup', 'surplus')),
  -- The member whose withdrawal or deposit address it is; 0 for the company's own.
  member_id bigint NOT NULL,
  withdrawal_id bigint,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- The bytes whose hash is the txid; nothing else is ever signed.
  raw bytea NOT NULL,
  -- By the chain's clock: after a solid block of a later time it can enter the chain no more.
  expires_at timestamptz NOT NULL,
  -- Signed on another machine: whether a signature exists is not known here.
  offline boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'signed', 'settled', 'failed', 'expired')),
  signature bytea CHECK (length(signature) = 65),
  prepared_at timestamptz NOT NULL DEFAULT now(),
  signed_at timestamptz,
  -- Broadcasts to nodes. What they replied settles nothing.
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
  CONSTRAINT outgoing_transfer_signed_with_signature CHECK (state <> 'signed' OR signature IS NOT NULL),
  CONSTRAINT outgoing_transfer_settled_by_a_block CHECK ((state IN ('settled', 'failed')) = (block IS NOT NULL))
);
-- Two transfers of one withdrawal are never live at once, and after a success there is never another.
CREATE UNIQUE INDEX outgoing_transfer_one_a_withdrawal ON outgoing_transfer (member_id, withdrawal_id)
  WHERE purpose = 'withdrawal' AND state IN ('prepared', 'signed', 'settled');
CREATE UNIQUE INDEX outgoing_transfer_one_a_sweep ON outgoing_transfer (from_address) WHERE purpose = 'sweep' AND state IN ('prepared', 'signed');
CREATE UNIQUE INDEX outgoing_transfer_one_a_trx_topup ON outgoing_transfer (to_address) WHERE purpose = 'trx_topup' AND state IN ('prepared', 'signed');
CREATE UNIQUE INDEX outgoing_transfer_one_surplus ON outgoing_transfer (purpose) WHERE purpose = 'surplus' AND state IN ('prepared', 'signed');
CREATE INDEX outgoing_transfer_live ON outgoing_transfer (expires_at) WHERE state IN ('prepared', 'signed');
CREATE INDEX outgoing_transfer_by_withdrawal ON outgoing_transfer (member_id, withdrawal_id) WHERE purpose = 'withdrawal';
CREATE INDEX outgoing_transfer_signed_by_day ON outgoing_transfer (signed_at) WHERE purpose = 'withdrawal';
CREATE INDEX outgoing_transfer_closed ON outgoing_transfer (closed_at) WHERE state IN ('settled', 'failed');
CREATE INDEX outgoing_transfer_given_up ON outgoing_transfer (closed_at) WHERE state IN ('failed', 'expired');
-- What moved an address after a block.
CREATE INDEX outgoing_transfer_left ON outgoing_transfer (from_address, block) WHERE state = 'settled' AND purpose <> 'trx_topup';
CREATE INDEX outgoing_transfer_came ON outgoing_transfer (to_address, block) WHERE state = 'settled' AND purpose IN ('sweep', 'surplus');
CREATE TRIGGER outgoing_transfer_is_kept BEFORE DELETE OR TRUNCATE ON outgoing_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the server booked for a transfer: once.
CREATE TABLE outgoing_transfer_booking (
  txid text PRIMARY KEY,
  journal_id bigint,
  at timestamptz NOT NULL
);
CREATE TRIGGER outgoing_transfer_booking_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON outgoing_transfer_booking
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a transfer is never changes, and its state only goes forward.
CREATE FUNCTION outgoing_transfer_goes_forward() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF (NEW.txid, NEW.purpose, NEW.member_id, NEW.withdrawal_id, NEW.from_address, NEW.to_address, NEW.amount, NEW.raw, NEW.expires_at, NEW.offline)
    IS DISTINCT FROM (OLD.txid, OLD.purpose, OLD.member_id, OLD.withdrawal_id, OLD.from_address, OLD.to_address, OLD.amount, OLD.raw, OLD.expires_at, OLD.offline)
    OR (OLD.signature IS NOT NULL AND NEW.signature IS DISTINCT FROM OLD.signature) THEN
    RAISE EXCEPTION 'what a transfer is never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'outgoing_transfer_never_changes';
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

-- Payouts stop while the chain and the books do not match (see reserves), and while the database is not what the migrations made of
-- it (see integrity): each cause has its columns, and `stopped` stands while either does. Every step that lets money go reads this row.
CREATE TABLE payout_stop (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  stopped boolean NOT NULL DEFAULT false,
  since timestamptz,
  reason text,
  check_id bigint,
  integrity_check_id bigint
);
INSERT INTO payout_stop DEFAULT VALUES;

-- What the gateway may do with outgoing transfers, each step with its conditions, under the withdrawal's row lock. All answer
-- false where the step is not due (any more).
CREATE FUNCTION prepare_outgoing_transfer(new_txid text, new_purpose text, owner bigint, of_withdrawal bigint, new_from text, new_to text, new_amount bigint,
  new_raw bytea, new_expires_at timestamptz, is_offline boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawal;
  hot text := (SELECT address FROM custody_address WHERE role = 'hot');
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN false; END IF;
  -- Everything leaves from the hot wallet, except a sweep, which goes there.
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
  PERFORM FROM signer_journal FOR UPDATE; -- signatures are counted one at a time
  SELECT * INTO p FROM outgoing_transfer WHERE txid = signed_txid FOR UPDATE;
  IF p.txid IS NULL OR p.state <> 'prepared' THEN RETURN 'not_prepared'; END IF;
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  IF p.purpose = 'withdrawal' THEN
    SELECT * INTO w FROM withdrawal WHERE member_id = p.member_id AND id = p.withdrawal_id FOR UPDATE;
    IF w.id IS NULL OR w.state <> 'approved' OR w.wallet_address <> p.to_address OR w.amount - w.fee <> p.amount THEN RETURN 'not_approved'; END IF;
    -- Expired ones count too: that a transfer is expired is said by the gateway.
    IF p.amount + coalesce((SELECT sum(amount) FROM outgoing_transfer
        WHERE purpose = 'withdrawal' AND signed_at > clock_timestamp() - interval '24 hours'), 0) > cap THEN
      RETURN 'cap_reached';
    END IF;
  END IF;
  UPDATE outgoing_transfer SET state = 'signed', signature = new_signature, signed_at = clock_timestamp() WHERE txid = signed_txid;
  RETURN 'signed';
END $$;

-- A signature made on another machine. It counts for no daily cap: a person has checked each.
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
  -- An expired transfer that is on the chain all the same is explained by nothing: the gateway records an unexplained outflow.
  IF p.txid IS NULL OR p.state NOT IN ('prepared', 'signed') THEN RETURN false; END IF;
  UPDATE outgoing_transfer SET state = CASE WHEN is_success THEN 'settled' ELSE 'failed' END, block = in_block, block_at = in_block_at,
    result = its_result, arrived = has_arrived, fee_sun = its_fee, seen_block = NULL, closed_at = clock_timestamp() WHERE txid = settled_txid;
  IF is_success AND p.purpose <> 'trx_topup' THEN
    UPDATE custody_holding SET amount = amount - p.amount, moved_block = greatest(moved_block, in_block) WHERE address = p.from_address;
    IF p.purpose IN ('sweep', 'surplus') THEN
      UPDATE custody_holding SET amount = amount + has_arrived, moved_block = greatest(moved_block, in_block) WHERE address = p.to_address;
    END IF;
  END IF;
  IF p.purpose <> 'trx_topup' THEN PERFORM enqueue_settlement(settled_txid); END IF;
  RETURN true;
END $$;

-- Expires a transfer: the solid chain is read past its expiration without it. One that nobody can have signed may expire at once.
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

-- Books what the solid chain says of an outgoing transfer, once: a withdrawal is paid, or failed; money moved between the company's
-- own wallets, less a fee that the token itself took, which the company bears. False when it was booked before.
CREATE FUNCTION book_outgoing_transfer(of_txid text, because text, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  p outgoing_transfer;
  w withdrawal;
  lost bigint;
  posted record;
  booked bigint;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = of_txid AND state IN ('settled', 'failed') AND purpose <> 'trx_topup';
  IF p.txid IS NULL THEN
    RAISE EXCEPTION 'the chain has not ended it' USING ERRCODE = 'check_violation', CONSTRAINT = 'booking_of_an_ended_transfer';
  END IF;
  IF p.purpose = 'withdrawal' THEN SELECT * INTO w FROM withdrawal WHERE member_id = p.member_id AND id = p.withdrawal_id FOR NO KEY UPDATE; END IF;
  IF EXISTS (SELECT FROM outgoing_transfer_booking WHERE txid = p.txid) THEN RETURN false; END IF;
  IF p.purpose <> 'withdrawal' AND p.state = 'settled' THEN
    lost := p.amount - coalesce(p.arrived, p.amount);
    SELECT * INTO posted FROM post_event('payment:' || p.txid, p.purpose, 0, event_at,
      (CASE p.purpose WHEN 'sweep' THEN ARRAY['sweep', 'custody_loss_deposits'] ELSE ARRAY['to_cold', 'custody_loss_hot'] END)::posting_kind[],
      ARRAY[p.amount - lost, lost]);
    IF posted.replayed THEN RETURN false; END IF;
    booked := posted.journal;
  ELSIF p.purpose = 'withdrawal' AND p.state = 'failed' THEN
    booked := close_unpaid(w.member_id, w.id, 'failed', because, NULL, event_at);
  ELSIF p.purpose = 'withdrawal' THEN
    SELECT * INTO posted FROM post_event(format('withdrawal:%s:settle', w.id), 'withdrawal_settle', w.member_id, event_at,
      ARRAY['withdraw', 'withdraw_fee']::posting_kind[], ARRAY[w.amount - w.fee, w.fee]);
    booked := posted.journal;
    UPDATE withdrawal SET state = 'completed', closed_at = event_at, close_journal_id = booked, txid = p.txid WHERE member_id = w.member_id AND id = w.id;
  END IF;
  INSERT INTO outgoing_transfer_booking (txid, journal_id, at) VALUES (p.txid, booked, event_at);
  RETURN true;
END $$;

GRANT SELECT ON outgoing_transfer, payout_stop, outgoing_transfer_booking TO aval_server;
GRANT EXECUTE ON FUNCTION book_outgoing_transfer(text, text, timestamptz) TO aval_worker;

GRANT SELECT, UPDATE (seen_block, broadcast_at, broadcasts, reply) ON outgoing_transfer TO aval_gateway;
GRANT SELECT ON payout_stop TO aval_gateway;
GRANT EXECUTE ON FUNCTION
  prepare_outgoing_transfer(text, text, bigint, bigint, text, text, bigint, bytea, timestamptz, boolean), import_signature(text, bytea),
  settle_outgoing_transfer(text, bigint, timestamptz, boolean, text, bigint, bigint), expire_outgoing_transfer(text, text) TO aval_gateway;

GRANT SELECT ON outgoing_transfer, payout_stop TO aval_signer;
GRANT EXECUTE ON FUNCTION sign_outgoing_transfer(text, bytea, bigint) TO aval_signer;

GRANT SELECT, INSERT, UPDATE (state, signature, signed_at, block, block_at, result, arrived, fee_sun, seen_block, seen_at, closed_at)
  ON outgoing_transfer TO aval_ledger;
GRANT SELECT, INSERT ON outgoing_transfer_booking TO aval_ledger;
GRANT SELECT, UPDATE ON payout_stop TO aval_ledger;
