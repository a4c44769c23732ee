-- Restorations: after a backup was restored the chain may have what was paid later. Nothing is signed until that is read and booked.

CREATE TABLE restoration (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  begun_at timestamptz NOT NULL,
  -- By the chain's clock: what was signed before the restore can enter no later block.
  read_until timestamptz NOT NULL,
  -- When the signer had said what it signed that this database does not know. Until then nothing that left the hot wallet is taken to be
  -- somebody else's.
  reported_at timestamptz,
  ended_at timestamptz
);
CREATE UNIQUE INDEX restoration_one_at_a_time ON restoration ((true)) WHERE ended_at IS NULL;

-- What the signer's journal has and this database had not: the money may have left.
CREATE TABLE lost_payment (
  txid text PRIMARY KEY CHECK (txid ~ '^[0-9a-f]{64}$'),
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  wallet text NOT NULL,
  restoration_id bigint NOT NULL
);
CREATE TRIGGER lost_payment_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON lost_payment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Outgoing transfers that were made again from what the chain shows. Their bytes are not known here, and nobody signs them.
CREATE TABLE adopted_transfer (
  txid text PRIMARY KEY,
  restoration_id bigint NOT NULL
);
CREATE TRIGGER adopted_transfer_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON adopted_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A third cause of the stop. Whoever lifts it for another one does not lift it for this.
ALTER TABLE payout_stop ADD COLUMN restoration_id bigint;
CREATE FUNCTION keep_stop_of_restoration() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.stopped := true;
  NEW.since := coalesce(NEW.since, OLD.since, clock_timestamp());
  RETURN NEW;
END $$;
CREATE TRIGGER payout_stop_of_restoration BEFORE UPDATE ON payout_stop
  FOR EACH ROW WHEN (NEW.restoration_id IS NOT NULL) EXECUTE FUNCTION keep_stop_of_restoration();

-- Begins one; an open one is gone on with. Answers its number.
CREATE FUNCTION begin_restoration(until timestamptz, has_signer boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE number bigint;
BEGIN
  INSERT INTO restoration (begun_at, read_until, reported_at) VALUES (clock_timestamp(), until, CASE WHEN NOT has_signer THEN clock_timestamp() END)
  ON CONFLICT ((true)) WHERE ended_at IS NULL DO UPDATE SET read_until = greatest(restoration.read_until, excluded.read_until)
  RETURNING id INTO number;
  UPDATE payout_stop SET restoration_id = number;
  RETURN number;
END $$;

-- What the signer has signed since the end of its journal that this database remembers. What is not known here begins a restoration, also
-- where nobody said that there was one.
CREATE FUNCTION report_signed(entries jsonb) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lost integer;
  latest timestamptz;
  number bigint := (SELECT id FROM restoration WHERE ended_at IS NULL);
BEGIN
  SELECT count(*), max(to_timestamp((e ->> 'expires')::double precision / 1000)) INTO lost, latest FROM jsonb_array_elements(entries) e
    WHERE NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = e ->> 'txid');
  IF lost > 0 THEN number := begin_restoration(latest, true); END IF;
  INSERT INTO lost_payment (txid, member_id, withdrawal_id, amount, fee, wallet, restoration_id)
    SELECT e ->> 'txid', (e ->> 'member')::bigint, (e ->> 'withdrawal')::bigint, (e ->> 'amount')::bigint, (e ->> 'fee')::bigint, e ->> 'wallet', number
    FROM jsonb_array_elements(entries) e WHERE NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = e ->> 'txid')
    ON CONFLICT DO NOTHING;
  UPDATE restoration SET reported_at = coalesce(reported_at, clock_timestamp()) WHERE id = number;
  RETURN lost;
END $$;

-- Makes again the withdrawal of a payment that only the signer remembers. Answers its number; null where the member does not have that
-- much, which a person has to look into.
CREATE FUNCTION remake_withdrawal(l lost_payment, event_at timestamptz) RETURNS bigint LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  number bigint := l.withdrawal_id;
  whole bigint := l.amount + l.fee;
  b member_balance;
BEGIN
  SELECT * INTO b FROM member_balance WHERE member_id = l.member_id FOR UPDATE;
  IF b.member_id IS NULL OR b.balance + b.principal < whole THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM withdrawal WHERE id = number) THEN number := nextval('withdrawal_id_seq'); END IF;
  INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, hold_journal_id,
      requested_at)
    OVERRIDING SYSTEM VALUE VALUES (l.member_id, number, whole, l.fee, least(b.balance, whole), whole - least(b.balance, whole), l.wallet, 0,
      (SELECT max(version) FROM plan_version WHERE starts_at <= event_at),
      move_hold('hold', l.member_id, number, least(b.balance, whole), whole - least(b.balance, whole), event_at), event_at);
  RETURN number;
END $$;

-- The gateway read that one of our addresses sent USDT by a transfer that is not known here. While a restoration is under way it may be
-- one of ours from after the backup: then it is made again as one that has settled, and its booking follows like any other. Answers what it
-- was for; null where it is none of ours.
CREATE FUNCTION adopt_transfer(new_txid text, new_from text, new_to text, moved bigint, in_block bigint, in_block_at timestamptz, its_fee bigint)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r restoration;
  l lost_payment;
  w withdrawal;
  hot text := (SELECT address FROM custody_address WHERE role = 'hot');
  owner bigint := 0;
  number bigint;
  its_purpose text;
BEGIN
  SELECT * INTO r FROM restoration WHERE ended_at IS NULL FOR UPDATE;
  IF r.id IS NULL OR EXISTS (SELECT FROM outgoing_transfer WHERE txid = new_txid) THEN RETURN NULL; END IF;
  IF new_to = hot THEN
    its_purpose := 'sweep';
    SELECT member_id INTO owner FROM deposit_address WHERE address = new_from;
    IF owner IS NULL THEN RETURN NULL; END IF;
  ELSIF new_from IS DISTINCT FROM hot THEN
    RETURN NULL;
  ELSIF new_to = (SELECT address FROM custody_address WHERE role = 'cold') THEN
    its_purpose := 'surplus';
  ELSE
    IF r.reported_at IS NULL THEN
      RAISE EXCEPTION 'the signer has not said yet what it signed' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    its_purpose := 'withdrawal';
    SELECT * INTO l FROM lost_payment WHERE txid = new_txid;
    SELECT * INTO w FROM withdrawal c WHERE c.wallet_address = new_to AND c.amount - c.fee = moved AND c.state IN ('requested', 'approved')
      AND (l.txid IS NULL OR c.member_id = l.member_id)
      AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = c.member_id AND p.withdrawal_id = c.id
        AND p.state IN ('prepared', 'signed', 'settled', 'failed'))
      ORDER BY c.id = l.withdrawal_id DESC NULLS LAST, c.state = 'approved' DESC, c.id LIMIT 1 FOR UPDATE;
    IF w.id IS NULL AND l.txid IS NOT NULL AND l.amount = moved AND l.wallet = new_to THEN
      number := remake_withdrawal(l, in_block_at);
      SELECT * INTO w FROM withdrawal WHERE member_id = l.member_id AND id = number;
    END IF;
    IF w.id IS NULL THEN RETURN NULL; END IF;
    owner := w.member_id;
  END IF;
  INSERT INTO adopted_transfer (txid, restoration_id) VALUES (new_txid, r.id);
  INSERT INTO outgoing_transfer (txid, purpose, member_id, withdrawal_id, from_address, to_address, amount, raw, expires_at, offline)
    VALUES (new_txid, its_purpose, owner, w.id, new_from, new_to, moved, '', in_block_at, true);
  PERFORM settle_outgoing_transfer(new_txid, in_block, in_block_at, true, 'SUCCESS', moved, its_fee);
  -- Who approved it is lost with the rest; that it left says that they did.
  IF w.state = 'requested' THEN UPDATE withdrawal SET state = 'approved', approved_at = in_block_at WHERE member_id = w.member_id AND id = w.id; END IF;
  RETURN its_purpose;
END $$;

-- Ends a restoration: all that could have left is read, booked, and the latest comparison of the reserves matched. False while that is not so.
CREATE FUNCTION end_restoration() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE r restoration;
BEGIN
  SELECT * INTO r FROM restoration WHERE ended_at IS NULL FOR UPDATE;
  IF r.id IS NULL OR r.reported_at IS NULL
    OR NOT EXISTS (SELECT FROM chain_cursor c, installation i WHERE c.network = i.network AND c.scanned_at > r.read_until)
    OR EXISTS (SELECT FROM adopted_transfer a WHERE a.restoration_id = r.id
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = a.txid))
    OR NOT EXISTS (SELECT FROM reserve_check c WHERE c.verdict = 'matched' AND c.at > r.begun_at AND c.id = (SELECT max(id) FROM reserve_check)) THEN
    RETURN false;
  END IF;
  UPDATE restoration SET ended_at = clock_timestamp() WHERE id = r.id;
  UPDATE payout_stop SET restoration_id = NULL, stopped = reason IS NOT NULL OR integrity_check_id IS NOT NULL,
    since = CASE WHEN reason IS NOT NULL OR integrity_check_id IS NOT NULL THEN since END;
  RETURN true;
END $$;

-- As before, and: what the chain shows as paid counts as approved, and is not cancelled either.
CREATE OR REPLACE FUNCTION withdrawal_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  -- One approval an operator by the primary key; those of members who are operators no more do not count.
  IF NEW.state = 'approved' AND (SELECT count(*) FROM withdrawal_approval a JOIN member o ON o.id = a.operator_id AND o.is_operator
      WHERE a.member_id = NEW.member_id AND a.withdrawal_id = NEW.id AND a.operator_id <> NEW.member_id) < NEW.approvals_needed
    AND NOT EXISTS (SELECT FROM adopted_transfer a JOIN outgoing_transfer p ON p.txid = a.txid AND p.state = 'settled'
      WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'approvals are missing' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_approvals';
  END IF;
  SELECT count(*) INTO live FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id
    AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
      -- What failed in the chain ends it as failed, once that is booked.
      OR (p.state = 'failed' AND NEW.state = 'refused'));
  IF NEW.state IN ('failed', 'refused', 'cancelled') AND live > 0 THEN
    RAISE EXCEPTION 'its transfer may still arrive' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_no_live_transfer';
  END IF;
  IF NEW.state = 'completed' AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = NEW.txid AND p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND p.state = 'settled') THEN
    RAISE EXCEPTION 'no solid transfer says so' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_transfer';
  END IF;
  RETURN NEW;
END $$;

GRANT SELECT ON restoration, lost_payment, adopted_transfer TO aval_server;
GRANT SELECT (ended_at) ON restoration TO aval_gateway;
GRANT SELECT, INSERT, UPDATE ON restoration TO aval_ledger;
GRANT SELECT, INSERT ON lost_payment, adopted_transfer TO aval_ledger;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['begin_restoration', 'report_signed', 'remake_withdrawal', 'adopt_transfer', 'end_restoration'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION report_signed(jsonb) TO aval_signer;
GRANT EXECUTE ON FUNCTION adopt_transfer(text, text, text, bigint, bigint, timestamptz, bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION end_restoration() TO aval_worker;
