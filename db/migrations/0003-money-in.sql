-- The way in: invoices, deposit addresses, what the chain shows, and what became of it.

CREATE TABLE installation (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  network text NOT NULL,
  usdt_contract text NOT NULL,
  deposit_xpub text NOT NULL
);

CREATE TABLE plan_version (
  version integer PRIMARY KEY,
  starts_at timestamptz NOT NULL,
  document jsonb NOT NULL
);

-- A member's permanent address; member 0 is the company's own.
CREATE TABLE deposit_address (
  address text PRIMARY KEY,
  member_id bigint NOT NULL
);
CREATE UNIQUE INDEX deposit_address_by_member ON deposit_address (member_id);

CREATE TABLE invoice (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  txn_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  plan_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired')),
  paid_txid text,
  PRIMARY KEY (member_id, id),
  CHECK ((state = 'paid') = (paid_txid IS NOT NULL))
);
CREATE UNIQUE INDEX invoice_one_open_an_amount ON invoice (member_id, amount) WHERE state = 'open';

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

-- How far the gateway has read; one row a network.
CREATE TABLE chain_cursor (
  network text PRIMARY KEY,
  scanned_block bigint NOT NULL,
  scanned_block_id text NOT NULL,
  head_block bigint NOT NULL,
  solid_block bigint NOT NULL,
  seen_at timestamptz NOT NULL
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
  PRIMARY KEY (txid, position)
);
CREATE INDEX incoming_transfer_by_member ON incoming_transfer (member_id, seq) WHERE verdict = 'credit';
CREATE INDEX incoming_transfer_by_block ON incoming_transfer (block DESC, txid, position);

-- Not solidified yet: only for telling the member that something is on its way. Replaced at every look.
CREATE TABLE unconfirmed_transfer (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (txid, position)
);
CREATE INDEX unconfirmed_transfer_by_member ON unconfirmed_transfer (member_id);

-- What the server made of a transfer: once, by its key.
CREATE TABLE deposit_credit (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  outcome text NOT NULL CHECK (outcome IN ('paid', 'overpaid', 'short', 'late', 'no_invoice', 'company')),
  invoice_id bigint,
  credited_at timestamptz NOT NULL,
  PRIMARY KEY (txid, position)
);
CREATE INDEX deposit_credit_by_member ON deposit_credit (member_id, credited_at DESC);

-- graphile-worker lives here, owned by the server's role so that the gateway's cannot reach it.
GRANT aval_app TO CURRENT_USER;
CREATE SCHEMA graphile_worker AUTHORIZATION aval_app;

-- The gateway's only way to write: one transfer and the job that credits it. False when it was recorded before.
CREATE FUNCTION record_incoming_transfer(
  new_txid text, new_position integer, new_block bigint, new_block_at timestamptz, new_verdict text,
  new_contract text, new_from text, new_to text, new_value numeric
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE owner bigint;
BEGIN
  SELECT member_id INTO STRICT owner FROM deposit_address WHERE address = new_to;
  INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, new_verdict, new_contract, new_from, new_to, new_value)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  -- No queue of its own: the job takes the member's lock, and credits in the chain's order whatever else waits.
  IF new_verdict = 'credit' THEN
    PERFORM graphile_worker.add_job(
      'deposits.credit', json_build_object('txid', new_txid, 'position', new_position),
      job_key => 'credit:' || new_txid || ':' || new_position);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION record_incoming_transfer(text, integer, bigint, timestamptz, text, text, text, text, numeric) FROM PUBLIC;
GRANT CREATE ON SCHEMA public TO aval_app;
ALTER FUNCTION record_incoming_transfer(text, integer, bigint, timestamptz, text, text, text, text, numeric) OWNER TO aval_app;
REVOKE CREATE ON SCHEMA public FROM aval_app;

GRANT SELECT ON installation, plan_version, chain_cursor, unconfirmed_transfer TO aval_app;
GRANT INSERT ON installation, plan_version TO aval_app;
GRANT SELECT, INSERT ON deposit_address, invoice_key, investment, incoming_transfer, deposit_credit TO aval_app;
GRANT SELECT, INSERT, UPDATE ON invoice TO aval_app;

GRANT SELECT ON installation, deposit_address, incoming_transfer TO aval_chain;
GRANT SELECT, INSERT, UPDATE ON chain_cursor TO aval_chain;
GRANT SELECT, INSERT, UPDATE, DELETE ON unconfirmed_transfer TO aval_chain;
GRANT EXECUTE ON FUNCTION record_incoming_transfer(text, integer, bigint, timestamptz, text, text, text, text, numeric) TO aval_chain;
