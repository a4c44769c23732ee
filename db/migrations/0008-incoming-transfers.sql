-- Incoming transfers: what the chain shows of money toward our addresses, and how it was credited.

-- A member's permanent address; member 0 is the company's own.
CREATE TABLE deposit_address (
  address text PRIMARY KEY,
  member_id bigint NOT NULL
);
CREATE UNIQUE INDEX deposit_address_by_member ON deposit_address (member_id);

-- How far the gateway has read; one row a network.
CREATE TABLE chain_cursor (
  network text PRIMARY KEY,
  scanned_block bigint NOT NULL,
  scanned_block_id text NOT NULL,
  head_block bigint NOT NULL,
  solid_block bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  -- The time of the scanned block, by the chain's own clock.
  scanned_at timestamptz
);

-- Everything solidified that moved, or looked as if it moved, toward one of our addresses. Position is the index of the
-- log in its transaction, -1 where the transaction itself is meant (it failed, or moved something else than a token).
CREATE TABLE incoming_transfer (
  txid text NOT NULL CHECK (txid ~ '^[0-9a-f]{64}$'),
  position integer NOT NULL CHECK (position >= -1),
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  block_at timestamptz NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('credit', 'wrong_token', 'zero_value', 'failed', 'wrong_asset')),
  contract text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  value numeric(78, 0) NOT NULL CHECK (value >= 0),
  -- The chain's own order: the gateway records block by block, and within a block as it stands there.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  -- Which of our addresses it came to.
  role text NOT NULL DEFAULT 'deposit' CHECK (role IN ('deposit', 'hot', 'cold')),
  PRIMARY KEY (txid, position)
);
CREATE INDEX incoming_transfer_by_member ON incoming_transfer (member_id, seq) WHERE verdict = 'credit';
CREATE INDEX incoming_transfer_by_block ON incoming_transfer (block DESC, txid, position);
CREATE INDEX incoming_transfer_in_order ON incoming_transfer (seq) WHERE verdict = 'credit';

-- Not solidified yet: only for telling the member that something is on its way. Replaced at every round.
CREATE TABLE unconfirmed_transfer (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (txid, position)
);
CREATE INDEX unconfirmed_transfer_by_member ON unconfirmed_transfer (member_id);

-- How the server credited a transfer: once, by its key.
CREATE TABLE deposit_credit (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  outcome text NOT NULL CHECK (outcome IN ('part', 'paid', 'overpaid', 'late', 'no_invoice', 'company', 'refill')),
  invoice_id bigint,
  credited_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, txid, position)
);
CREATE INDEX deposit_credit_by_member ON deposit_credit (member_id, credited_at DESC);

-- The only way a transfer is recorded: with the job that credits it. False when it was recorded before.
CREATE FUNCTION record_incoming_transfer(
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
    PERFORM move_holding(new_to, its_role, owner, new_value::bigint, new_block);
    -- The hot wallet is refilled from the cold one by hand: no outgoing transfer of ours says that the cold one holds less now.
    IF its_role = 'hot' AND EXISTS (SELECT FROM custody_address WHERE address = new_from AND role = 'cold') THEN
      PERFORM move_holding(new_from, 'cold', 0, -new_value::bigint, new_block);
    END IF;
  END IF;
  -- The job has no queue of its own: it takes the member's lock, and credits in the chain's order.
  IF new_verdict = 'credit' THEN PERFORM enqueue_credit(new_txid, new_position); END IF;
  RETURN true;
END $$;

-- Which account of the company's a transfer of its own came to, or went between.
CREATE FUNCTION company_deposit_kind(its_role text, its_from text) RETURNS posting_kind LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RETURN CASE its_role WHEN 'deposit' THEN 'company_deposit' WHEN 'cold' THEN 'company_deposit_cold'
    ELSE CASE WHEN EXISTS (SELECT FROM custody_address WHERE address = its_from AND role = 'cold') THEN 'refill_hot' ELSE 'company_deposit_hot' END END;
END $$;

-- Credits a transfer that the gateway recorded, once: `part` of it to an open invoice and the rest to the balance. `of_invoice` is the
-- one that is paid, or, of what came late, the one it was meant for. False when it was credited before.
CREATE FUNCTION credit_transfer(of_txid text, of_position integer, event_at timestamptz, its_outcome text, of_invoice bigint, part bigint, under_plan integer)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t incoming_transfer;
  i invoice;
  posted record;
  kinds posting_kind[];
  amounts bigint[];
  completes boolean := false;
BEGIN
  SELECT * INTO t FROM incoming_transfer WHERE txid = of_txid AND position = of_position AND verdict = 'credit';
  IF t.txid IS NULL THEN
    RAISE EXCEPTION 'what is credited was recorded' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_credit_of_a_transfer';
  END IF;
  IF t.member_id = 0 THEN
    kinds := ARRAY[company_deposit_kind(t.role, t.from_address)];
    amounts := ARRAY[t.value];
    its_outcome := CASE kinds[1] WHEN 'refill_hot' THEN 'refill' ELSE 'company' END;
  ELSIF its_outcome IN ('late', 'no_invoice') THEN
    kinds := ARRAY['deposit_to_balance'];
    amounts := ARRAY[t.value];
  ELSE
    i := open_invoice(t.member_id, of_invoice);
    completes := i.received + part = i.amount + i.fee;
    IF part NOT BETWEEN 1 AND t.value OR its_outcome <> (CASE WHEN part < t.value THEN 'overpaid' WHEN completes THEN 'paid' ELSE 'part' END)
      OR (part < t.value AND NOT completes) THEN
      RAISE EXCEPTION 'an invoice takes what is due, and the balance the rest' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_credit_adds_up';
    END IF;
    -- What one transfer pays whole never passes through `pending`.
    IF NOT completes THEN
      kinds := ARRAY['deposit_to_pending'];
      amounts := ARRAY[part];
    ELSIF i.received = 0 THEN
      kinds := ARRAY['deposit_to_principal', 'deposit_fee', 'deposit_to_balance'];
      amounts := ARRAY[i.amount, i.fee, t.value - part];
    ELSE
      kinds := ARRAY['deposit_to_pending', 'pending_to_principal', 'pending_fee', 'deposit_to_balance'];
      amounts := ARRAY[part, i.amount, i.fee, t.value - part];
    END IF;
  END IF;
  SELECT * INTO posted FROM post_event(format('deposit:%s:%s', t.txid, t.position), 'deposit', t.member_id, event_at, kinds, amounts);
  IF posted.replayed THEN RETURN false; END IF;
  INSERT INTO deposit_credit (txid, position, member_id, journal_id, amount, outcome, invoice_id, credited_at)
    VALUES (t.txid, t.position, t.member_id, posted.journal, t.value, its_outcome, of_invoice, event_at);
  IF i.id IS NOT NULL THEN
    UPDATE invoice SET received = i.received + part, state = CASE WHEN completes THEN 'paid' ELSE 'open' END,
      closed_at = CASE WHEN completes THEN event_at END, paid_txid = CASE WHEN completes THEN t.txid END WHERE member_id = i.member_id AND id = i.id;
  END IF;
  IF completes THEN
    INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, txid, plan_version, credited_at)
      SELECT i.member_id, posted.journal, i.amount, b.principal, false, i.txn_id, t.txid, under_plan, event_at
      FROM member_balance b WHERE b.member_id = i.member_id;
  END IF;
  RETURN true;
END $$;

GRANT SELECT ON chain_cursor, unconfirmed_transfer, incoming_transfer, deposit_credit TO aval_server;
GRANT SELECT, INSERT ON deposit_address TO aval_server;
GRANT EXECUTE ON FUNCTION credit_transfer(text, integer, timestamptz, text, bigint, bigint, integer) TO aval_worker;

GRANT SELECT ON deposit_address, incoming_transfer TO aval_gateway;
GRANT SELECT, INSERT, UPDATE ON chain_cursor TO aval_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON unconfirmed_transfer TO aval_gateway;
GRANT EXECUTE ON FUNCTION record_incoming_transfer(text, integer, bigint, timestamptz, text, text, text, text, numeric) TO aval_gateway;

GRANT SELECT ON deposit_address TO aval_signer;
GRANT SELECT ON deposit_address, chain_cursor TO aval_ledger;
GRANT SELECT, INSERT ON incoming_transfer, deposit_credit TO aval_ledger;
