-- Privileges. No function with raised privileges belongs to a superuser or to the owner of the tables: `aval_ledger` owns
-- those that write the books, `aval_jobs` owns the job queue and the functions that fill it. Nobody signs in as either.

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_ledger') THEN CREATE ROLE aval_ledger NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_jobs') THEN CREATE ROLE aval_jobs NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster was faster
END $$;
GRANT aval_ledger, aval_jobs TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO aval_ledger, aval_jobs;

-- The job queue. The server adds and takes jobs and cannot change the schema, so no code of its own runs as another role.
ALTER SCHEMA graphile_worker OWNER TO aval_jobs;
GRANT USAGE ON SCHEMA graphile_worker TO aval_app;

-- The only jobs that another role's step adds.
CREATE FUNCTION enqueue_credit(of_txid text, of_position integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('deposits.credit', json_build_object('txid', of_txid, 'position', of_position),
    job_key => 'credit:' || of_txid || ':' || of_position);
END $$;
CREATE FUNCTION enqueue_settlement(of_txid text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle', json_build_object('txid', of_txid), job_key => 'settle:' || of_txid);
END $$;
CREATE FUNCTION enqueue_opening(of_address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('custody.book_opening', json_build_object('address', of_address), job_key => 'opening:' || of_address);
END $$;

CREATE OR REPLACE FUNCTION settle_outgoing_transfer(settled_txid text, in_block bigint, in_block_at timestamptz, is_success boolean, its_result text,
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

CREATE OR REPLACE FUNCTION register_custody(new_address text, new_role text, held bigint, at_block bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO custody_address (address, role, opening) VALUES (new_address, new_role, held) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM holding_moves(new_address, new_role, 0, held, at_block);
  IF held > 0 THEN PERFORM enqueue_opening(new_address); END IF;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION record_incoming_transfer(
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

-- Adjustments of custody. Each is the other half of one journal that took the difference from the company's capital, or gave it.
ALTER TABLE custody_adjustment ADD CONSTRAINT custody_adjustment_one_a_journal UNIQUE (journal_id);
CREATE FUNCTION record_custody_adjustment(adjusted_address text, difference bigint, explained_as text, of_journal bigint, operator bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  its_role text := (SELECT role FROM custody_holding WHERE address = adjusted_address);
  booked record;
BEGIN
  SELECT count(*) AS postings, min(p.kind::text) AS kind, min(p.amount) AS amount, min(p.at) AS at INTO booked
  FROM journal j JOIN posting p ON p.member_id = 0 AND p.journal_id = j.id WHERE j.id = of_journal AND j.kind = 'adjustment';
  IF its_role IS NULL OR booked.postings <> 1 OR booked.amount <> abs(difference)
    OR booked.kind <> format('custody_%s_%s', CASE WHEN difference < 0 THEN 'loss' ELSE 'gain' END,
      (CASE its_role WHEN 'deposit' THEN 'deposits' ELSE its_role END))
  THEN
    RAISE EXCEPTION 'an adjustment books its own difference' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_has_its_journal';
  END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator explains a difference' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_by_an_operator';
  END IF;
  INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
  VALUES (adjusted_address, difference, explained_as, of_journal, operator, booked.at);
END $$;

-- The stop. It is set for a comparison that did not match; while it stands, a later one may name another reason.
CREATE FUNCTION stop_payouts(of_check bigint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE c reserve_check;
BEGIN
  SELECT * INTO c FROM reserve_check WHERE id = of_check;
  IF c.id IS NULL OR c.verdict <> 'unexplained' OR because IS NULL THEN
    RAISE EXCEPTION 'a stop has a comparison that did not match, and a reason' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_has_its_check';
  END IF;
  UPDATE payout_stop SET stopped = true, reason = because, since = CASE WHEN stopped THEN since ELSE c.at END,
    check_id = CASE WHEN stopped THEN check_id ELSE c.id END WHERE NOT stopped OR reason IS DISTINCT FROM because;
END $$;

-- Lifts the stop for the latest comparison, where that is newer than the stop and matched. The server writes comparisons, so
-- the half that the database can tell by itself is told anew: each wallet holds what the books say and what is still to be booked.
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
        WHERE t.verdict = 'credit' AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT 'cold', t.value FROM incoming_transfer t WHERE t.verdict = 'credit' AND t.role = 'hot'
        AND t.from_address IN (SELECT address FROM custody_address WHERE role = 'cold')
        AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'deposits' ELSE 'hot' END, p.amount FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose <> 'trx_topup' AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'hot' ELSE 'cold' END, -p.arrived FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose IN ('sweep', 'surplus') AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT role, -opening FROM custody_address a WHERE NOT EXISTS (SELECT FROM journal j WHERE j.key = 'opening:' || a.address)
    ) part GROUP BY wallet HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the books do not match what the wallets hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  UPDATE payout_stop SET stopped = false, since = NULL, reason = NULL, check_id = NULL;
END $$;

-- Approvals. Each is an operator's, of a request of another member; a request is approved when as many stand as it needs.
CREATE FUNCTION approval_by_an_operator() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = NEW.operator_id AND is_operator) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawal WHERE member_id = NEW.member_id AND id = NEW.withdrawal_id AND state = 'requested') THEN
    RAISE EXCEPTION 'what is approved is a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_a_request';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_by_an_operator BEFORE INSERT ON withdrawal_approval FOR EACH ROW EXECUTE FUNCTION approval_by_an_operator();

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
      WHERE a.member_id = NEW.member_id AND a.withdrawal_id = NEW.id AND a.operator_id <> NEW.member_id) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'approvals are missing' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_approvals';
  END IF;
  SELECT count(*) INTO live FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id
    AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
      -- What failed in the chain ends it as failed, once that is booked.
      OR (p.state = 'failed' AND NEW.state = 'refused'));
  IF NEW.state IN ('failed', 'refused') AND live > 0 THEN
    RAISE EXCEPTION 'its transfer may still arrive' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_no_live_transfer';
  END IF;
  IF NEW.state = 'completed' AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = NEW.txid AND p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND p.state = 'settled') THEN
    RAISE EXCEPTION 'no solid transfer says so' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_transfer';
  END IF;
  RETURN NEW;
END $$;

-- What the server loses, and the functions it has instead.
REVOKE INSERT ON incoming_transfer, custody_adjustment FROM aval_app;
REVOKE UPDATE (stopped, since, reason, check_id) ON payout_stop FROM aval_app;

-- What the functions with raised privileges read and write; FOR UPDATE asks for the right to update a column, any one.
GRANT SELECT ON journal, posting, period_close, custody_address, withdrawal_approval, outgoing_transfer, outgoing_transfer_booking, member,
  withdrawal, deposit_address, deposit_credit, payout_stop, chain_cursor, reserve_check, incoming_transfer, custody_balance, custody_holding,
  custody_adjustment, member_balance, member_receivable, house_balance, idempotency_response, mail_message TO aval_ledger;
GRANT INSERT ON member_balance, member_receivable, custody_holding, custody_address, custody_adjustment, incoming_transfer, outgoing_transfer
  TO aval_ledger;
GRANT UPDATE ON member_balance, member_receivable, house_balance, period_close, custody_balance, custody_holding, payout_stop TO aval_ledger;
GRANT UPDATE (state, signature, signed_at, block, block_at, result, arrived, fee_sun, seen_block, seen_at, closed_at) ON outgoing_transfer TO aval_ledger;
GRANT UPDATE (state) ON withdrawal TO aval_ledger;
GRANT DELETE ON reserve_check, idempotency_response, mail_message TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger, aval_jobs;
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND (prosecdef OR proname = 'holding_moves') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, aval_app', name)
      || CASE WHEN name::text ~ '^(open_member_accounts|close_period|purge_|record_custody_adjustment|stop_payouts|lift_payout_stop)'
        THEN format('; GRANT EXECUTE ON FUNCTION %s TO aval_app', name)
        WHEN name::text ~ '^enqueue_' THEN format('; GRANT EXECUTE ON FUNCTION %s TO aval_ledger', name) ELSE '' END;
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', name, CASE WHEN name::text ~ '^enqueue_' THEN 'aval_jobs' ELSE 'aval_ledger' END);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger, aval_jobs;
END $$;
