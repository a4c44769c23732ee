-- Custody: what our addresses hold, by every event read and by what nodes say, and differences that were explained.

-- The company's own wallets, pinned once; `opening` is what they held before the gateway read the chain.
CREATE TABLE custody_address (
  address text PRIMARY KEY,
  role text NOT NULL UNIQUE CHECK (role IN ('hot', 'cold')),
  opening bigint NOT NULL CHECK (opening >= 0),
  registered_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER custody_address_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_address
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What each of our addresses must hold by every event read up to the cursor. It follows from recorded transfers, settled
-- outgoing transfers and adjustments; nobody edits it.
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

-- What a node last said an address holds, at a block between these two.
CREATE TABLE custody_reading (
  address text PRIMARY KEY,
  usdt numeric(78, 0) NOT NULL,
  trx bigint NOT NULL,
  from_block bigint NOT NULL,
  to_block bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX custody_reading_oldest ON custody_reading (read_at);

-- Transfers out of our addresses that no outgoing transfer of ours explains.
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
CREATE INDEX unexplained_outflow_by_block ON unexplained_outflow (block);
CREATE TRIGGER unexplained_outflow_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON unexplained_outflow
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A difference that an operator explained, booked against the company's capital; above zero where more was found than expected.
CREATE TABLE custody_adjustment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 300),
  journal_id bigint NOT NULL CONSTRAINT custody_adjustment_one_a_journal UNIQUE,
  made_by bigint NOT NULL,
  at timestamptz NOT NULL
);
CREATE TRIGGER custody_adjustment_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_adjustment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION move_holding(moving text, moving_role text, owner bigint, change bigint, at_block bigint) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO custody_holding AS h (address, role, member_id, amount, moved_block) VALUES (moving, moving_role, owner, change, at_block)
  ON CONFLICT (address) DO UPDATE SET amount = h.amount + excluded.amount, moved_block = greatest(h.moved_block, excluded.moved_block);
END $$;

-- Books a difference of one address against the company's capital, and its holding with it.
CREATE FUNCTION explain_difference(of_address text, difference bigint, because text, operator bigint, request text, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  its_role text := (SELECT role FROM custody_holding WHERE address = of_address);
  posted record;
BEGIN
  IF its_role IS NULL THEN RAISE EXCEPTION 'no address of ours' USING ERRCODE = 'foreign_key_violation'; END IF;
  -- What was found beside is what a node said of the address, as the gateway wrote it down.
  IF difference > 0 AND difference > coalesce((SELECT r.usdt - h.amount FROM custody_reading r JOIN custody_holding h USING (address)
      WHERE r.address = of_address), 0) THEN
    RAISE EXCEPTION 'nobody found that much' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_of_what_was_found';
  END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator explains a difference' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_by_an_operator';
  END IF;
  SELECT * INTO posted FROM post_event('adjustment:' || request, 'adjustment', 0, event_at, ARRAY[format('custody_%s_%s',
    CASE WHEN difference < 0 THEN 'loss' ELSE 'gain' END, CASE its_role WHEN 'deposit' THEN 'deposits' ELSE its_role END)]::posting_kind[], ARRAY[abs(difference)]);
  INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
    VALUES (of_address, difference, because, posted.journal, operator, event_at);
  UPDATE custody_holding SET amount = amount + difference WHERE address = of_address;
END $$;

-- Pins one of the company's wallets, once; what it held before becomes the company's deposit.
CREATE FUNCTION register_custody(new_address text, new_role text, held bigint, at_block bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO custody_address (address, role, opening) VALUES (new_address, new_role, held) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM move_holding(new_address, new_role, 0, held, at_block);
  IF held > 0 THEN PERFORM enqueue_opening(new_address); END IF;
  RETURN true;
END $$;

-- What a wallet of the company held when it was pinned becomes the company's deposit, once. False when it was before.
CREATE FUNCTION book_opening(of_address text, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wallet custody_address;
  posted record;
BEGIN
  SELECT * INTO wallet FROM custody_address WHERE address = of_address;
  IF wallet.address IS NULL THEN RAISE EXCEPTION '% is no wallet of the company', of_address USING ERRCODE = 'foreign_key_violation'; END IF;
  SELECT * INTO posted FROM post_event('opening:' || wallet.address, 'opening', 0, event_at,
    ARRAY['company_deposit_' || wallet.role]::posting_kind[], ARRAY[wallet.opening]);
  RETURN NOT posted.replayed;
END $$;

GRANT SELECT ON custody_address, custody_holding, custody_reading, unexplained_outflow, custody_adjustment TO aval_server;
GRANT EXECUTE ON FUNCTION explain_difference(text, bigint, text, bigint, text, timestamptz) TO aval_api;
GRANT EXECUTE ON FUNCTION book_opening(text, timestamptz) TO aval_worker;

GRANT SELECT ON custody_address, custody_holding TO aval_gateway;
GRANT SELECT, INSERT, UPDATE ON custody_reading TO aval_gateway;
GRANT SELECT, INSERT ON unexplained_outflow TO aval_gateway;
GRANT EXECUTE ON FUNCTION register_custody(text, text, bigint, bigint) TO aval_gateway;

GRANT SELECT ON custody_address TO aval_signer;

GRANT SELECT, INSERT ON custody_address, custody_adjustment TO aval_ledger;
GRANT SELECT ON custody_reading TO aval_ledger;
GRANT SELECT, INSERT, UPDATE ON custody_holding TO aval_ledger;
