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
  PRIMARY KEY (txid, position)
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
  -- The job has no queue of its own: it takes the member's lock, and credits in the chain's order.
  IF new_verdict = 'credit' THEN PERFORM enqueue_credit(new_txid, new_position); END IF;
  RETURN true;
END $$;

GRANT SELECT ON chain_cursor, unconfirmed_transfer, incoming_transfer TO aval_app;
GRANT SELECT, INSERT ON deposit_address, deposit_credit TO aval_app;

GRANT SELECT ON deposit_address, incoming_transfer TO aval_chain;
GRANT SELECT, INSERT, UPDATE ON chain_cursor TO aval_chain;
GRANT SELECT, INSERT, UPDATE, DELETE ON unconfirmed_transfer TO aval_chain;
GRANT EXECUTE ON FUNCTION record_incoming_transfer(text, integer, bigint, timestamptz, text, text, text, text, numeric) TO aval_chain;

GRANT SELECT ON deposit_address TO aval_keys;
GRANT SELECT ON deposit_address, deposit_credit, chain_cursor TO aval_ledger;
GRANT SELECT, INSERT ON incoming_transfer TO aval_ledger;
