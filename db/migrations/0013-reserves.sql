-- Reserves: comparisons of the chain with the books, and the stop that follows from one that does not match.

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
  details jsonb NOT NULL DEFAULT '[]',
  principal bigint NOT NULL DEFAULT 0,
  balances bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0,
  due bigint NOT NULL DEFAULT 0,
  -- Up to here, in the order in which they were recorded, every transfer that counts was credited.
  credited_seq bigint NOT NULL DEFAULT 0,
  -- Every outgoing transfer settled before was booked. Null: none is known to be.
  booked_until timestamptz,
  -- Readings from before were compared and matched, but for those of the addresses in `details`. Null: compare all.
  compared_until timestamptz
);
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

-- Sets the stop for a comparison that did not match; while it stands, a later one may name another reason.
CREATE FUNCTION stop_payouts(of_check bigint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE c reserve_check;
BEGIN
  SELECT * INTO c FROM reserve_check WHERE id = of_check;
  IF c.id IS NULL OR c.verdict <> 'unexplained' OR because IS NULL THEN
    RAISE EXCEPTION 'a stop has a comparison that did not match, and a reason' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_has_its_check';
  END IF;
  UPDATE payout_stop SET stopped = true, reason = because, since = CASE WHEN stopped THEN since ELSE c.at END,
    check_id = CASE WHEN stopped AND integrity_check_id IS NULL THEN check_id ELSE coalesce(check_id, c.id) END
  WHERE NOT stopped OR reason IS DISTINCT FROM because;
END $$;

-- Lifts the stop for the latest comparison, where that is newer than the stop and matched. The server writes comparisons, so the
-- half that the database knows by itself is checked again: each wallet holds what the books say and what is still to be booked.
CREATE FUNCTION lift_payout_stop(of_check bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM reserve_check c, payout_stop s WHERE c.id = of_check AND c.id = (SELECT max(id) FROM reserve_check)
      AND c.verdict = 'matched' AND s.stopped AND c.id > coalesce(s.check_id, 0)) THEN
    RAISE EXCEPTION 'a stop is lifted by a newer comparison that matched' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  IF EXISTS (SELECT FROM (
      SELECT CASE role WHEN 'deposit' THEN 'deposits' ELSE role END AS wallet, amount FROM custody_holding
      UNION ALL SELECT split_part(account, ':', 2), -amount FROM custody_balance
      UNION ALL SELECT CASE t.role WHEN 'deposit' THEN 'deposits' ELSE t.role END, -t.value FROM incoming_transfer t
        WHERE t.verdict = 'credit' AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.member_id = t.member_id AND d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT 'cold', t.value FROM incoming_transfer t WHERE t.verdict = 'credit' AND t.role = 'hot'
        AND t.from_address IN (SELECT address FROM custody_address WHERE role = 'cold')
        AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.member_id = t.member_id AND d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'deposits' ELSE 'hot' END, p.amount FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose <> 'trx_topup' AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'hot' ELSE 'cold' END, -p.arrived FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose IN ('sweep', 'surplus') AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT role, -opening FROM custody_address a WHERE NOT EXISTS (SELECT FROM journal j WHERE j.key = 'opening:' || a.address)
    ) part GROUP BY wallet HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the books do not match what the wallets hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  UPDATE payout_stop SET stopped = integrity_check_id IS NOT NULL, since = CASE WHEN integrity_check_id IS NOT NULL THEN since END,
    reason = NULL, check_id = NULL;
END $$;

GRANT SELECT ON reserve_check TO aval_server;
GRANT INSERT ON reserve_check TO aval_worker;
GRANT EXECUTE ON FUNCTION purge_reserve_checks(), stop_payouts(bigint, text), lift_payout_stop(bigint) TO aval_worker;
GRANT SELECT, DELETE ON reserve_check TO aval_ledger;
