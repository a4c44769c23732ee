-- Approvals: lists of withdrawals, or of decisions (0023), that an operator approved, each with the proof over exactly its rows. The
-- page of approvals stores them; the signer verifies the proof and accepts or refuses. Nothing else writes `withdrawal_approval` or makes
-- a withdrawal approved.

CREATE TABLE approval (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id bigint NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('withdrawals', 'decisions')),
  network text NOT NULL CHECK (length(network) <= 20),
  nonce text NOT NULL CONSTRAINT approval_nonce_used_once UNIQUE CHECK (nonce ~ '^[0-9a-f]{64}$'),
  -- The system's time, as the nonce and all below are the browser's.
  expires_at timestamptz NOT NULL,
  root text NOT NULL CHECK (root ~ '^[0-9a-f]{64}$'),
  row_count integer NOT NULL CHECK (row_count BETWEEN 1 AND 10000),
  proof jsonb NOT NULL CHECK (length(proof::text) <= 4000),
  submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'submitted' CHECK (state IN ('submitted', 'accepted', 'refused')),
  -- Why it was refused: a stable name.
  refusal text CHECK (refusal ~ '^[a-z_]{1,60}$'),
  decided_at timestamptz,
  CONSTRAINT approval_decided_once CHECK ((state = 'submitted') = (decided_at IS NULL) AND (state = 'refused') = (refusal IS NOT NULL))
);
CREATE INDEX approval_undecided ON approval (id) WHERE state = 'submitted';
CREATE INDEX approval_by_operator ON approval (operator_id, id);

CREATE TABLE approval_row (
  approval_id bigint NOT NULL,
  position integer NOT NULL,
  withdrawal_id bigint NOT NULL,
  member_id bigint NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  wallet_address text NOT NULL CHECK (wallet_address ~ '^[1-9A-HJ-NP-Za-km-z]{1,64}$'),
  PRIMARY KEY (approval_id, position)
);
CREATE UNIQUE INDEX approval_row_by_withdrawal ON approval_row (withdrawal_id, approval_id);

CREATE TRIGGER approval_is_kept BEFORE DELETE OR TRUNCATE ON approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_never_changes BEFORE UPDATE ON approval FOR EACH ROW
  WHEN (OLD.state <> 'submitted' OR (NEW.id, NEW.operator_id, NEW.purpose, NEW.network, NEW.nonce, NEW.expires_at, NEW.root, NEW.row_count, NEW.proof, NEW.submitted_at)
    IS DISTINCT FROM (OLD.id, OLD.operator_id, OLD.purpose, OLD.network, OLD.nonce, OLD.expires_at, OLD.root, OLD.row_count, OLD.proof, OLD.submitted_at))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_row_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_row
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The end of the signer's journal as the signer last said: a copy from before then is not the journal.
CREATE TABLE signer_journal (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  sequence bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
  hash text NOT NULL DEFAULT '' CHECK (hash ~ '^([0-9a-f]{64})?$'),
  at timestamptz
);
INSERT INTO signer_journal DEFAULT VALUES;
CREATE TRIGGER signer_journal_is_kept BEFORE INSERT OR DELETE OR TRUNCATE ON signer_journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A withdrawal is approved by `accept_approval` alone; others may only close one.
CREATE FUNCTION withdrawal_approved_by_the_signer() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'aval_ledger', 'MEMBER') THEN
    RAISE EXCEPTION 'the signer accepts approvals' USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'withdrawal_approved_by_the_signer';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawal_approved_by_the_signer BEFORE UPDATE OF state ON withdrawal FOR EACH ROW
  WHEN (NEW.state = 'approved' AND OLD.state <> 'approved') EXECUTE FUNCTION withdrawal_approved_by_the_signer();

-- Stores an approval for the signer to decide about, still without its rows. At most 200 wait in all, and 20 of one operator.
CREATE FUNCTION store_approval(operator bigint, its_purpose text, its_network text, its_nonce text, expires timestamptz, its_root text, its_proof jsonb,
  rows integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  made bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF its_network IS DISTINCT FROM (SELECT network FROM installation) THEN
    RAISE EXCEPTION 'the approval is of another network' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_this_network';
  END IF;
  IF expires <= clock_timestamp() OR expires > clock_timestamp() + interval '1 day 30 seconds' THEN
    RAISE EXCEPTION 'an approval ends within a day' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_ends_soon';
  END IF;
  LOCK TABLE approval IN SHARE ROW EXCLUSIVE MODE; -- counted one at a time; no program's role can take this lock
  IF EXISTS (SELECT FROM approval WHERE state = 'submitted' AND expires_at > clock_timestamp()
      HAVING count(*) >= 200 OR count(*) FILTER (WHERE operator_id = operator) >= 20) THEN
    RAISE EXCEPTION 'too many approvals wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_waiting';
  END IF;
  INSERT INTO approval (operator_id, purpose, network, nonce, expires_at, root, row_count, proof)
  VALUES (operator, its_purpose, its_network, its_nonce, expires, its_root, rows, its_proof) RETURNING id INTO made;
  PERFORM pg_notify('approval_submitted', made::text);
  RETURN made;
END $$;

CREATE FUNCTION submit_approval(operator bigint, its_purpose text, its_network text, its_nonce text, expires timestamptz, its_root text, its_proof jsonb,
  withdrawals bigint[], members bigint[], amounts bigint[], fees bigint[], wallets text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made bigint;
  rows integer := coalesce(cardinality(withdrawals), 0);
BEGIN
  IF rows NOT BETWEEN 1 AND 10000 OR array_ndims(withdrawals) <> 1 OR (cardinality(members), cardinality(amounts), cardinality(fees), cardinality(wallets)) IS DISTINCT FROM (rows, rows, rows, rows) THEN
    RAISE EXCEPTION 'a list has 1 to 10000 rows' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_has_rows';
  END IF;
  IF its_purpose IS DISTINCT FROM 'withdrawals' THEN
    RAISE EXCEPTION 'a list of withdrawals has another purpose' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_purpose_check';
  END IF;
  made := store_approval(operator, its_purpose, its_network, its_nonce, expires, its_root, its_proof, rows);
  INSERT INTO approval_row (approval_id, position, withdrawal_id, member_id, amount, fee, wallet_address)
  SELECT made, u.place - 1, u.withdrawal, u.member, u.amount, u.fee, u.wallet
  FROM unnest(withdrawals, members, amounts, fees, wallets) WITH ORDINALITY AS u (withdrawal, member, amount, fee, wallet, place);
  RETURN made;
END $$;

-- Does what an approval asks for. Who calls it has verified the proof and its time; `accepted`, or the name of what speaks against it.
-- Rows of what is cancelled or refused by now are passed over.
-- `at_least`: how many operators each row needs besides, by position; a withdrawal's own number can only ask for more.
CREATE FUNCTION apply_approval(of_approval bigint, at_least smallint[]) RETURNS text
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
  FOR counted IN SELECT w.member_id, w.id, w.amount, greatest(w.approvals_needed, coalesce(at_least[r.position + 1], 1), 1) AS needed,
      (SELECT count(*) FROM withdrawal_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.member_id = w.member_id AND v.withdrawal_id = w.id) AS given
    FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
    WHERE r.approval_id = a.id AND w.state = 'requested' ORDER BY w.member_id, w.id
  LOOP
    PERFORM record_audit(clock_timestamp(), a.operator_id, 'withdrawal.approve', 'done', 'withdrawal:' || counted.id, jsonb_build_object(
      'amount', counted.amount::text, 'approvals', counted.given, 'needed', counted.needed, 'approval', a.id::text));
    IF counted.given >= counted.needed THEN
      UPDATE withdrawal SET state = 'approved', approved_at = business WHERE member_id = counted.member_id AND id = counted.id;
    END IF;
  END LOOP;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $$;
REVOKE ALL ON FUNCTION apply_approval(bigint, smallint[]) FROM PUBLIC;

CREATE FUNCTION accept_approval(of_approval bigint, at_least smallint[] DEFAULT NULL) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT apply_approval(of_approval, at_least)
$$;

-- Where no process reads a key, the machine without a network verifies approvals. Those made for it last longer than a signer with a
-- network accepts; they count here so that their transfers are prepared and exported.
CREATE FUNCTION take_offline_approval(of_approval bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approval WHERE id = of_approval AND expires_at > submitted_at + interval '11 minutes') THEN
    RETURN 'not_for_offline';
  END IF;
  IF EXISTS (SELECT FROM approval WHERE id = of_approval AND expires_at <= clock_timestamp()) THEN RETURN 'approval_expired'; END IF;
  RETURN apply_approval(of_approval, NULL);
END $$;

CREATE FUNCTION refuse_approval(of_approval bigint, code text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE approval SET state = 'refused', refusal = code, decided_at = clock_timestamp() WHERE id = of_approval AND state = 'submitted';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_audit(clock_timestamp(), operator_id, 'approval.verify', 'refused', 'approval:' || id, jsonb_build_object('code', code, 'rows', row_count))
    FROM approval WHERE id = of_approval;
  PERFORM pg_notify('approval_decided', of_approval::text);
  RETURN true;
END $$;

CREATE FUNCTION remember_journal(end_sequence bigint, end_hash text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE signer_journal SET sequence = end_sequence, hash = end_hash, at = clock_timestamp() WHERE sequence < end_sequence
$$;

GRANT SELECT (id, username, first_name, last_name, usdt_wallet, is_operator) ON member TO aval_approvals;
GRANT SELECT (member_id, kind, at) ON security_event TO aval_approvals;
GRANT SELECT ON withdrawal, withdrawal_approval, withdrawal_delay, approval, approval_row, payout_stop, installation TO aval_approvals;

GRANT SELECT ON approval, approval_row, signer_journal TO aval_signer;
GRANT SELECT (id, expires_at, submitted_at, state, operator_id, network, nonce, root, row_count, proof, purpose) ON approval TO aval_gateway;
GRANT SELECT ON approval_row TO aval_gateway;

GRANT SELECT, INSERT, UPDATE ON approval TO aval_ledger;
GRANT SELECT, INSERT ON approval_row TO aval_ledger;
GRANT SELECT, UPDATE ON signer_journal TO aval_ledger;
GRANT SELECT, INSERT ON withdrawal_approval TO aval_ledger;
GRANT UPDATE (state, approved_at) ON withdrawal TO aval_ledger;
GRANT SELECT ON demo_clock, installation TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY[
    'store_approval(bigint, text, text, text, timestamptz, text, jsonb, integer)',
    'submit_approval(bigint, text, text, text, timestamptz, text, jsonb, bigint[], bigint[], bigint[], bigint[], text[])',
    'apply_approval(bigint, smallint[])', 'accept_approval(bigint, smallint[])', 'take_offline_approval(bigint)',
    'refuse_approval(bigint, text)', 'remember_journal(bigint, text)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;

GRANT EXECUTE ON FUNCTION submit_approval(bigint, text, text, text, timestamptz, text, jsonb, bigint[], bigint[], bigint[], bigint[], text[])
  TO aval_approvals;
GRANT EXECUTE ON FUNCTION accept_approval(bigint, smallint[]), refuse_approval(bigint, text), remember_journal(bigint, text) TO aval_signer;
GRANT EXECUTE ON FUNCTION take_offline_approval(bigint) TO aval_gateway;
