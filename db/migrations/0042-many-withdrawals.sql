-- Many withdrawals at once. What was done row by row inside one transaction is done for all of them by one statement: a decision over
-- ten thousand, the signatures that are stored together, what a block settles. Each row is checked as before, and by the same functions
-- where it is alone.

-- Entries of one moment and one action, each about another subject.
CREATE FUNCTION record_audits(its_at timestamptz, its_actor bigint, its_action text, its_outcome text, subjects text[], their_details jsonb[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_current_xact_id(); -- before a row's number is drawn, as in `record_audit`
  INSERT INTO audit_event (at, actor_id, action, outcome, subject, details, details_hash)
  SELECT its_at, its_actor, its_action, its_outcome, e.subject, e.details, sha256(netstrings(e.details::text))
  FROM unnest(subjects, their_details) WITH ORDINALITY AS e (subject, details, place) ORDER BY e.place;
END $$;

-- An approval is an operator's, of a request of another member: asked once a statement.
DROP TRIGGER approval_by_an_operator ON withdrawal_approval;
CREATE OR REPLACE FUNCTION approval_by_an_operator() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT operator_id FROM fresh) f
      WHERE NOT EXISTS (SELECT FROM member WHERE id = f.operator_id AND is_operator)) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF EXISTS (SELECT FROM fresh f LEFT JOIN withdrawal w ON w.member_id = f.member_id AND w.id = f.withdrawal_id
      WHERE (w.state IN ('requested', 'approved')) IS NOT TRUE) THEN
    RAISE EXCEPTION 'what is approved is a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_a_request';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER approval_by_an_operator AFTER INSERT ON withdrawal_approval
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION approval_by_an_operator();

-- As before, but transfers are looked for only where a living one forbids the step.
CREATE OR REPLACE FUNCTION withdrawal_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  IF NEW.state IN ('failed', 'refused', 'cancelled') AND EXISTS (SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
        -- What failed in the chain ends it as failed, once that is booked.
        OR (p.state = 'failed' AND NEW.state = 'refused'))) THEN
    RAISE EXCEPTION 'its transfer may still arrive' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_no_live_transfer';
  END IF;
  IF NEW.state = 'completed' AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = NEW.txid AND p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND p.state = 'settled') THEN
    RAISE EXCEPTION 'no solid transfer says so' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_transfer';
  END IF;
  RETURN NEW;
END $$;

-- Members hear of it by a notice for many (0019).
DROP TRIGGER withdrawal_tells ON withdrawal;
CREATE OR REPLACE FUNCTION notify_of_withdrawal() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT member_id) FROM fresh));
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_tells AFTER INSERT ON withdrawal
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_withdrawal();
CREATE TRIGGER withdrawal_tells_of_its_change AFTER UPDATE ON withdrawal
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_withdrawal();

-- The job that tells members of stages (0035), once a statement. It waits two seconds, so that thousands that are sent in a row are told by a few
-- jobs, and it lets what moves money go first.
DROP TRIGGER withdrawal_approved_is_told ON withdrawal;
DROP TRIGGER outgoing_transfer_sent_is_told ON outgoing_transfer;
DROP FUNCTION enqueue_withdrawal_stages();
CREATE FUNCTION enqueue_announcing() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = 'withdrawals.announce' AND locked_at IS NULL AND attempts = 0) THEN
    PERFORM graphile_worker.add_job('withdrawals.announce', '{}', job_key => 'withdrawals.announce', job_key_mode => 'preserve_run_at',
      run_at => clock_timestamp() + interval '2 seconds', priority => 5);
  END IF;
END $$;
CREATE FUNCTION announce_approved() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh n JOIN stale o USING (member_id, id) WHERE n.state = 'approved' AND o.state <> 'approved') THEN
    PERFORM enqueue_announcing();
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION announce_sent() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh n JOIN stale o USING (txid)
      WHERE n.purpose = 'withdrawal' AND o.broadcast_at IS NULL AND n.broadcast_at IS NOT NULL) THEN
    PERFORM enqueue_announcing();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_approved_is_told AFTER UPDATE ON withdrawal
  REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION announce_approved();
CREATE TRIGGER outgoing_transfer_sent_is_told AFTER UPDATE ON outgoing_transfer
  REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION announce_sent();

-- Does what an approval asks for, all of it or nothing (0020). What is killed on the way leaves an approval that still waits: the signer, whose
-- journal has it, decides about it again.
CREATE OR REPLACE FUNCTION apply_approval(of_approval bigint, at_least smallint[]) RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  a approval;
  counted record;
  business timestamptz := clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond';
BEGIN
  SELECT * INTO a FROM approval WHERE id = of_approval FOR UPDATE;
  IF a.id IS NULL OR a.purpose <> 'withdrawals' THEN RETURN 'approval_not_found'; END IF;
  IF a.state = 'accepted' THEN RETURN 'accepted'; END IF;
  IF a.state = 'refused' THEN RETURN a.refusal; END IF;
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = a.operator_id AND is_operator) THEN RETURN 'not_an_operator'; END IF;
  IF EXISTS (SELECT FROM approval_row WHERE approval_id = a.id AND member_id = a.operator_id) THEN RETURN 'own_withdrawal'; END IF;
  PERFORM FROM withdrawal w JOIN approval_row r ON r.approval_id = a.id AND r.member_id = w.member_id AND r.withdrawal_id = w.id
    ORDER BY w.member_id, w.id FOR UPDATE OF w;
  IF EXISTS (SELECT FROM approval_row r LEFT JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
      WHERE r.approval_id = a.id AND (w.amount, w.fee, w.wallet_address) IS DISTINCT FROM (r.amount, r.fee, r.wallet_address)) THEN
    RETURN 'rows_differ';
  END IF;
  INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at)
    SELECT w.member_id, w.id, a.operator_id, business
    FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
    WHERE r.approval_id = a.id AND w.state IN ('requested', 'approved') ORDER BY w.member_id, w.id
    ON CONFLICT DO NOTHING;
  SELECT array_agg(c.member_id ORDER BY c.member_id, c.id) FILTER (WHERE c.given >= c.needed) AS members,
    array_agg(c.id ORDER BY c.member_id, c.id) FILTER (WHERE c.given >= c.needed) AS approved,
    array_agg('withdrawal:' || c.id ORDER BY c.member_id, c.id) AS subjects,
    array_agg(jsonb_build_object('amount', c.amount::text, 'approvals', c.given, 'needed', c.needed, 'approval', a.id::text)
      ORDER BY c.member_id, c.id) AS details
  INTO counted FROM (
    SELECT w.member_id, w.id, w.amount, greatest(w.approvals_needed, coalesce(at_least[r.position + 1], 1), 1) AS needed,
      (SELECT count(*) FROM withdrawal_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.member_id = w.member_id AND v.withdrawal_id = w.id) AS given
    FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
    WHERE r.approval_id = a.id AND w.state = 'requested') c;
  PERFORM record_audits(clock_timestamp(), a.operator_id, 'withdrawal.approve', 'done', counted.subjects, counted.details);
  UPDATE withdrawal w SET state = 'approved', approved_at = business
    FROM unnest(counted.members, counted.approved) AS enough (member_id, id) WHERE w.member_id = enough.member_id AND w.id = enough.id;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $$;

-- The signer's only way to write. `cap` is the most it signs for withdrawals in 24 hours, in micro-USDT; it is counted in the order given.
CREATE FUNCTION sign_outgoing_transfers(txids text[], signatures bytea[], cap bigint) RETURNS TABLE (txid text, verdict text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  asked record;
  is_stopped boolean;
  counted bigint;
  allowed text[] := '{}';
  stored bytea[] := '{}';
BEGIN
  PERFORM FROM signer_journal FOR UPDATE; -- signatures are counted one at a time
  PERFORM FROM outgoing_transfer p WHERE p.txid = ANY (txids) AND p.state = 'prepared' ORDER BY p.txid FOR UPDATE;
  PERFORM FROM withdrawal w JOIN outgoing_transfer p ON p.member_id = w.member_id AND p.withdrawal_id = w.id
    WHERE p.txid = ANY (txids) AND p.purpose = 'withdrawal' AND p.state = 'prepared' ORDER BY w.member_id, w.id FOR UPDATE OF w;
  is_stopped := (SELECT stopped FROM payout_stop);
  -- Expired ones count too: that a transfer is expired is said by the gateway.
  counted := coalesce((SELECT sum(p.amount) FROM outgoing_transfer p
    WHERE p.purpose = 'withdrawal' AND p.signed_at > clock_timestamp() - interval '24 hours'), 0);
  FOR asked IN SELECT u.txid, u.signature, p.state, p.purpose, p.amount,
      (w.state = 'approved' AND w.wallet_address = p.to_address AND w.amount - w.fee = p.amount) IS TRUE AS is_approved
    FROM unnest(txids, signatures) WITH ORDINALITY AS u (txid, signature, place) LEFT JOIN outgoing_transfer p ON p.txid = u.txid
      LEFT JOIN withdrawal w ON p.purpose = 'withdrawal' AND w.member_id = p.member_id AND w.id = p.withdrawal_id
    ORDER BY u.place
  LOOP
    txid := asked.txid;
    verdict := CASE WHEN asked.state IS DISTINCT FROM 'prepared' OR asked.txid = ANY (allowed) THEN 'not_prepared'
      WHEN is_stopped THEN 'stopped'
      WHEN asked.purpose <> 'withdrawal' THEN 'signed'
      WHEN NOT asked.is_approved THEN 'not_approved'
      WHEN asked.amount + counted > cap THEN 'cap_reached'
      ELSE 'signed' END;
    IF verdict = 'signed' THEN
      IF asked.purpose = 'withdrawal' THEN counted := counted + asked.amount; END IF;
      allowed := allowed || asked.txid;
      stored := stored || asked.signature;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE outgoing_transfer p SET state = 'signed', signature = u.signature, signed_at = clock_timestamp()
    FROM unnest(allowed, stored) AS u (txid, signature) WHERE p.txid = u.txid;
END $$;
-- One alone.
CREATE OR REPLACE FUNCTION sign_outgoing_transfer(signed_txid text, new_signature bytea, cap bigint) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT verdict FROM sign_outgoing_transfers(ARRAY[signed_txid], ARRAY[new_signature], cap)
$$;

-- A job books a hundred; a transfer that is part of a trace has its own, which goes on in that.
CREATE FUNCTION enqueue_settlements(txids text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle', public.traced(json_build_object('txids', ended.txids), ended.traceparent),
      job_key => 'settle:' || ended.txids[1])
    FROM (SELECT array_agg(u.txid ORDER BY u.place) AS txids, t.traceparent
      FROM unnest(txids) WITH ORDINALITY AS u (txid, place) JOIN public.outgoing_transfer t ON t.txid = u.txid
      GROUP BY t.traceparent, CASE WHEN t.traceparent IS NULL THEN (u.place - 1) / 100 ELSE u.place END ORDER BY min(u.place)) ended;
END $$;
DROP FUNCTION enqueue_settlement(text);

-- How transfers ended on the chain. Answers of each whether it was open until now.
CREATE FUNCTION settle_outgoing_transfers(txids text[], blocks bigint[], blocks_at timestamptz[], successes boolean[], results text[],
  arrivals bigint[], fees bigint[]) RETURNS TABLE (txid text, settled boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  closed text[];
  booked text[];
BEGIN
  -- An expired transfer that is on the chain all the same is explained by nothing: the gateway records an unexplained outflow.
  PERFORM FROM outgoing_transfer p WHERE p.txid = ANY (txids) AND p.state IN ('prepared', 'signed') ORDER BY p.txid FOR UPDATE;
  WITH said AS (
    SELECT DISTINCT ON (u.txid) u.* FROM unnest(txids, blocks, blocks_at, successes, results, arrivals, fees) WITH ORDINALITY
      AS u (txid, block, at, success, result, arrived, fee, place) ORDER BY u.txid, u.place
  ), ended AS (
    UPDATE outgoing_transfer p SET state = CASE WHEN s.success THEN 'settled' ELSE 'failed' END, block = s.block, block_at = s.at,
      result = s.result, arrived = s.arrived, fee_sun = s.fee, seen_block = NULL, closed_at = clock_timestamp()
    FROM said s WHERE p.txid = s.txid AND p.state IN ('prepared', 'signed')
    RETURNING p.txid, p.purpose, p.from_address, p.to_address, p.amount, p.block, p.arrived, s.success, s.place
  ), moved AS (
    UPDATE custody_holding h SET amount = h.amount + m.amount, moved_block = greatest(h.moved_block, m.block)
    FROM (SELECT change.address, sum(change.amount)::bigint AS amount, max(e.block) AS block FROM ended e
      CROSS JOIN LATERAL (VALUES (e.from_address, -e.amount),
        (CASE WHEN e.purpose IN ('sweep', 'surplus') THEN e.to_address END, e.arrived)) AS change (address, amount)
      WHERE e.success AND e.purpose <> 'trx_topup' AND change.address IS NOT NULL GROUP BY change.address) m
    WHERE h.address = m.address
  )
  SELECT array_agg(e.txid), array_agg(e.txid ORDER BY e.place) FILTER (WHERE e.purpose <> 'trx_topup') INTO closed, booked FROM ended e;
  PERFORM enqueue_settlements(booked);
  RETURN QUERY SELECT u.txid, u.txid = ANY (coalesce(closed, '{}')) AND u.place = min(u.place) OVER (PARTITION BY u.txid)
    FROM unnest(txids) WITH ORDINALITY AS u (txid, place) ORDER BY u.place;
END $$;
-- One alone.
CREATE OR REPLACE FUNCTION settle_outgoing_transfer(settled_txid text, in_block bigint, in_block_at timestamptz, is_success boolean, its_result text,
  has_arrived bigint, its_fee bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT settled FROM settle_outgoing_transfers(ARRAY[settled_txid], ARRAY[in_block], ARRAY[in_block_at], ARRAY[is_success], ARRAY[its_result],
    ARRAY[has_arrived], ARRAY[its_fee])
$$;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger, aval_jobs;
  FOREACH name IN ARRAY ARRAY['record_audits(timestamptz, bigint, text, text, text[], jsonb[])', 'announce_approved()', 'announce_sent()',
    'sign_outgoing_transfers(text[], bytea[], bigint)', 'enqueue_settlements(text[])', 'enqueue_announcing()',
    'settle_outgoing_transfers(text[], bigint[], timestamptz[], boolean[], text[], bigint[], bigint[])']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', name, CASE WHEN name::text LIKE 'enqueue%' THEN 'aval_jobs' ELSE 'aval_ledger' END);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger, aval_jobs;
END $$;

GRANT EXECUTE ON FUNCTION record_audits(timestamptz, bigint, text, text, text[], jsonb[]) TO aval_worker;
GRANT EXECUTE ON FUNCTION enqueue_settlements(text[]), enqueue_announcing() TO aval_ledger;
GRANT EXECUTE ON FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) TO aval_signer;
GRANT EXECUTE ON FUNCTION settle_outgoing_transfers(text[], bigint[], timestamptz[], boolean[], text[], bigint[], bigint[]) TO aval_gateway;
