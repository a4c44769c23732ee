-- Comparing the chain with the books: what a comparison found in its parts, and how much of the past the next one may leave out.

ALTER TABLE reserve_check
  ADD COLUMN principal bigint NOT NULL DEFAULT 0,
  ADD COLUMN balances bigint NOT NULL DEFAULT 0,
  ADD COLUMN held bigint NOT NULL DEFAULT 0,
  ADD COLUMN due bigint NOT NULL DEFAULT 0,
  -- Up to here, in the order in which they were recorded, every transfer that counts was credited.
  ADD COLUMN credited_seq bigint NOT NULL DEFAULT 0,
  -- Every payment settled before was booked. Null: none is known to be.
  ADD COLUMN booked_until timestamptz,
  -- Readings from before were compared and matched, but for those of the addresses in `details`. Null: compare all.
  ADD COLUMN compared_until timestamptz;

CREATE TRIGGER reserve_check_never_changes BEFORE UPDATE OR TRUNCATE ON reserve_check
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_check_is_kept BEFORE DELETE ON reserve_check
  FOR EACH ROW WHEN (OLD.at > clock_timestamp() - interval '30 days') EXECUTE FUNCTION refuse_change();

-- A month in full, and before it one comparison an hour: a bad one where there was one, else the last.
CREATE FUNCTION purge_reserve_checks() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE thinned integer;
BEGIN
  DELETE FROM reserve_check c USING (
    SELECT id, row_number() OVER (PARTITION BY date_trunc('hour', at, 'UTC') ORDER BY verdict = 'unexplained' DESC, id DESC) AS place
    FROM reserve_check WHERE at < clock_timestamp() - interval '30 days' - interval '1 hour') old
  WHERE c.id = old.id AND old.place > 1 AND NOT EXISTS (SELECT FROM payout_stop s WHERE s.check_id = c.id);
  GET DIAGNOSTICS thinned = ROW_COUNT;
  RETURN thinned;
END $$;
REVOKE ALL ON FUNCTION purge_reserve_checks() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_reserve_checks() TO aval_app;

CREATE INDEX incoming_transfer_in_order ON incoming_transfer (seq) WHERE verdict = 'credit';
-- What moved an address after a block.
CREATE INDEX outgoing_transfer_left ON outgoing_transfer (from_address, block) WHERE state = 'settled' AND purpose <> 'trx_topup';
CREATE INDEX outgoing_transfer_came ON outgoing_transfer (to_address, block) WHERE state = 'settled' AND purpose IN ('sweep', 'surplus');
CREATE INDEX unexplained_outflow_by_block ON unexplained_outflow (block);
