-- Deposit addresses come from the signer's keys, ahead of need. Nobody else adds one; a member claims the next at the first invoice.

-- The place under m/44'/195'/0'/0 that the signer derived it at. Null in what a server wrote before this migration: until the signer has
-- derived the same, nothing that comes to it counts.
ALTER TABLE deposit_address ADD COLUMN key_index bigint CHECK (key_index BETWEEN 0 AND 2147483647);
-- Something came before it was anybody's, or a restored database may have forgotten whose it is: nobody gets it any more.
ALTER TABLE deposit_address ADD COLUMN passed_over boolean NOT NULL DEFAULT false;
ALTER TABLE deposit_address ALTER COLUMN member_id DROP NOT NULL;
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_is_derived_or_a_members CHECK (key_index IS NOT NULL OR member_id IS NOT NULL);
CREATE UNIQUE INDEX deposit_address_by_key_index ON deposit_address (key_index);
-- Entries at whose front the next one is.
CREATE INDEX deposit_address_unclaimed ON deposit_address (key_index) WHERE member_id IS NULL AND NOT passed_over;
CREATE INDEX deposit_address_underived ON deposit_address (member_id) WHERE key_index IS NULL;

REVOKE INSERT ON deposit_address FROM aval_server;
GRANT INSERT, UPDATE (member_id, key_index, passed_over) ON deposit_address TO aval_ledger;
GRANT SELECT ON installation TO aval_ledger;

INSERT INTO product_lock (name) VALUES ('deposit addresses');

-- How many the signer has derived: the index of the next. How many of them are left to claim; and how many of what was stored before are
-- still to be derived. No registration has had a number above the last that was drawn: a forged row with such a one is waited for by nobody.
CREATE FUNCTION deposit_address_stock(OUT derived bigint, OUT unclaimed bigint, OUT underived bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  derived := (SELECT coalesce(max(key_index) + 1, 0) FROM deposit_address);
  unclaimed := (SELECT count(*) FROM deposit_address WHERE member_id IS NULL AND NOT passed_over);
  underived := (SELECT count(*) FROM deposit_address WHERE key_index IS NULL AND member_id BETWEEN derived AND (SELECT last_value FROM member_id_seq));
END $$;

-- What the signer derived from its keys, from this index on. Answers the next index; what is given from another one changes nothing, so that
-- several signers may derive at once. Index 0 is the company's own.
CREATE FUNCTION store_deposit_addresses(first_index bigint, derived text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE next_index bigint;
BEGIN
  PERFORM hold_lock('deposit addresses');
  next_index := (SELECT coalesce(max(key_index) + 1, 0) FROM deposit_address);
  IF first_index <> next_index OR derived = '{}' THEN RETURN next_index; END IF;
  IF NOT EXISTS (SELECT FROM installation) THEN
    RAISE EXCEPTION 'the installation is not set up' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT FROM unnest(derived) d (address) WHERE (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$') IS NOT TRUE) THEN
    RAISE EXCEPTION 'not an address' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_address_form';
  END IF;
  IF EXISTS (SELECT FROM custody_address WHERE address = ANY (derived)) THEN
    RAISE EXCEPTION 'a wallet of the company is no deposit address' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_address_of_no_wallet';
  END IF;
  -- What was stored before keeps its member. Whose key is ours is ours, whatever number it was given.
  UPDATE deposit_address a SET key_index = first_index + d.place - 1
    FROM unnest(derived) WITH ORDINALITY AS d (address, place) WHERE a.address = d.address AND a.key_index IS NULL;
  -- One that exists with an index of its own is refused by the primary key.
  INSERT INTO deposit_address (address, key_index, member_id)
    SELECT d.address, first_index + d.place - 1, CASE WHEN first_index + d.place = 1 THEN 0 END
    FROM unnest(derived) WITH ORDINALITY AS d (address, place)
    WHERE NOT EXISTS (SELECT FROM deposit_address a WHERE a.key_index = first_index + d.place - 1 AND a.address = d.address)
    ORDER BY d.place;
  RETURN first_index + cardinality(derived);
END $$;

-- The member's address, for good; the next one where the member has none. Null where none is left, or where the member's was stored before
-- and the signer has not derived it. Members never wait for each other.
CREATE FUNCTION claim_deposit_address(of_member bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE a deposit_address;
BEGIN
  SELECT * INTO a FROM deposit_address WHERE member_id = of_member;
  IF NOT FOUND THEN
    PERFORM FROM member WHERE id = of_member FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'an address belongs to a member' USING ERRCODE = 'foreign_key_violation'; END IF;
    SELECT * INTO a FROM deposit_address WHERE member_id = of_member;
  END IF;
  IF a.address IS NULL THEN
    SELECT * INTO a FROM deposit_address WHERE member_id IS NULL AND NOT passed_over ORDER BY key_index LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE deposit_address SET member_id = of_member WHERE address = a.address;
  END IF;
  RETURN CASE WHEN a.key_index IS NOT NULL THEN a.address END;
END $$;

-- A restored database may have forgotten who claimed what was left at its backup: an arrival there is shown, and nobody's.
CREATE FUNCTION pass_over_deposit_addresses() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE deposit_address SET passed_over = true WHERE member_id IS NULL AND NOT passed_over;
  RETURN NULL;
END $$;
CREATE TRIGGER restoration_passes_over_addresses AFTER INSERT ON restoration FOR EACH ROW EXECUTE FUNCTION pass_over_deposit_addresses();

ALTER TABLE incoming_transfer DROP CONSTRAINT incoming_transfer_verdict_check;
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_verdict_check
  CHECK (verdict IN ('credit', 'wrong_token', 'zero_value', 'failed', 'wrong_asset', 'unclaimed'));

-- As in 0008, of derived addresses alone. What comes to one that nobody has claimed is recorded, and credited to nobody.
CREATE OR REPLACE FUNCTION record_incoming_transfer(
  new_txid text, new_position integer, new_block bigint, new_block_at timestamptz, new_verdict text,
  new_contract text, new_from text, new_to text, new_value numeric
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner bigint;
  its_role text := 'deposit';
  its_verdict text := new_verdict;
BEGIN
  -- Locked, so that nobody claims it meanwhile. The company's wallets come first: no row makes one a member's.
  SELECT role, 0 INTO its_role, owner FROM custody_address WHERE address = new_to;
  IF NOT FOUND THEN
    SELECT 'deposit', member_id INTO STRICT its_role, owner FROM deposit_address WHERE address = new_to AND key_index IS NOT NULL FOR UPDATE;
  END IF;
  IF owner IS NULL THEN
    owner := 0;
    IF new_verdict = 'credit' THEN its_verdict := 'unclaimed'; END IF;
    UPDATE deposit_address SET passed_over = true WHERE address = new_to;
  END IF;
  INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value, role)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, its_verdict, new_contract, new_from, new_to, new_value, its_role)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  IF its_verdict = 'credit' THEN
    PERFORM move_holding(new_to, its_role, owner, new_value::bigint, new_block);
    -- The hot wallet is refilled from the cold one by hand: no outgoing transfer of ours says that the cold one holds less now.
    IF its_role = 'hot' AND EXISTS (SELECT FROM custody_address WHERE address = new_from AND role = 'cold') THEN
      PERFORM move_holding(new_from, 'cold', 0, -new_value::bigint, new_block);
    END IF;
    -- The job has no queue of its own: it takes the member's lock, and credits in the chain's order.
    PERFORM enqueue_credit(new_txid, new_position);
  END IF;
  RETURN true;
END $$;

DO $$
DECLARE made regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH made IN ARRAY ARRAY['deposit_address_stock()', 'store_deposit_addresses(bigint, text[])', 'claim_deposit_address(bigint)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', made);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', made);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
REVOKE ALL ON FUNCTION pass_over_deposit_addresses() FROM PUBLIC;
GRANT SELECT ON SEQUENCE member_id_seq TO aval_ledger;
GRANT EXECUTE ON FUNCTION deposit_address_stock() TO aval_server, aval_signer, aval_gateway;
GRANT EXECUTE ON FUNCTION store_deposit_addresses(bigint, text[]) TO aval_signer;
GRANT EXECUTE ON FUNCTION claim_deposit_address(bigint) TO aval_server;
