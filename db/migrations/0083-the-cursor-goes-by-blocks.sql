-- The cursor goes forward by what was read: block by block, each the child of the one before, and never past the present. The gateway's role
-- wrote its time freely, and a transfer whose expiration it passes is called expired.
ALTER TABLE chain_cursor ADD COLUMN moved_at timestamptz NOT NULL DEFAULT clock_timestamp(); -- by this database's clock
REVOKE INSERT, UPDATE ON chain_cursor FROM aval_gateway;
GRANT INSERT (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at), UPDATE (head_block, solid_block, seen_at)
  ON chain_cursor TO aval_gateway;

-- Moves it over the next blocks of the solid chain, in their order. `moved`, or why not: `other_network`, `elsewhere` where the first is not the
-- child of the last one read, `no_link`, `time_goes_back`, `time_ahead`, `time_leaps`. A leap that the number of blocks does not explain is taken
-- once this database has waited as long: a chain that stood still goes on by itself. The development chain's clock can be set, and is not
-- compared with ours.
CREATE FUNCTION move_chain_cursor(of_network text, numbers bigint[], ids text[], parents text[], times timestamptz[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  c chain_cursor;
  last chain_cursor;
BEGIN
  IF NOT EXISTS (SELECT FROM installation WHERE network = of_network) THEN RETURN 'other_network'; END IF;
  SELECT * INTO c FROM chain_cursor WHERE network = of_network FOR UPDATE;
  IF c.network IS NULL OR coalesce(cardinality(numbers), 0) = 0 THEN RETURN 'elsewhere'; END IF;
  last := c;
  FOR place IN 1 .. cardinality(numbers) LOOP
    IF numbers[place] IS DISTINCT FROM last.scanned_block + 1 OR parents[place] IS DISTINCT FROM last.scanned_block_id THEN
      RETURN CASE place WHEN 1 THEN 'elsewhere' ELSE 'no_link' END;
    END IF;
    IF ids[place] IS NULL OR times[place] IS NULL OR NOT isfinite(times[place]) THEN RETURN 'no_link'; END IF;
    IF times[place] < last.scanned_at THEN RETURN 'time_goes_back'; END IF;
    last.scanned_block := numbers[place];
    last.scanned_block_id := ids[place];
    last.scanned_at := times[place];
  END LOOP;
  IF of_network <> 'devnet' THEN
    IF last.scanned_at > clock_timestamp() + interval '5 minutes' THEN RETURN 'time_ahead'; END IF;
    -- A block comes every three seconds, and a witness that is away leaves a gap.
    IF last.scanned_at - c.scanned_at > cardinality(numbers) * interval '1 minute' + (clock_timestamp() - c.moved_at) THEN
      RETURN 'time_leaps';
    END IF;
  END IF;
  UPDATE chain_cursor SET scanned_block = last.scanned_block, scanned_block_id = last.scanned_block_id, scanned_at = last.scanned_at,
    moved_at = clock_timestamp() WHERE network = of_network;
  RETURN 'moved';
END $$;

-- Two more reasons why an approved withdrawal waits: the signer has not seen what became of an earlier transfer, or has seen that it arrived.
ALTER TABLE withdrawal_delay DROP CONSTRAINT withdrawal_delay_code_check;
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_code_check CHECK (code IN ('chain_unhealthy', 'nodes_disagree', 'token_paused',
  'token_fee', 'hot_blacklisted', 'hot_usdt', 'hot_trx', 'fee_limit', 'recipient_blacklisted', 'would_revert', 'signer_away', 'signer_refused',
  'signer_cap', 'earlier_transfer_unseen', 'earlier_transfer_arrived'));

GRANT UPDATE ON chain_cursor TO aval_ledger;
GRANT SELECT ON installation TO aval_ledger;
DO $$ BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  REVOKE ALL ON FUNCTION move_chain_cursor FROM PUBLIC;
  ALTER FUNCTION move_chain_cursor OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION move_chain_cursor(text, bigint[], text[], text[], timestamptz[]) TO aval_gateway;
