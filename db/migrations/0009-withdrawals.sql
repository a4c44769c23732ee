-- Withdrawals: a member's request to take money out, operators' approvals, and its end.

-- `amount` leaves the member's accounts; `amount - fee` is what arrives.
CREATE TABLE withdrawal (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  from_balance bigint NOT NULL CHECK (from_balance >= 0),
  from_principal bigint NOT NULL CHECK (from_principal >= 0),
  wallet_address text NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'approved', 'completed', 'cancelled', 'refused', 'failed')),
  approvals_needed smallint NOT NULL CHECK (approvals_needed BETWEEN 0 AND 5),
  plan_version integer NOT NULL,
  -- What an operator should look at, by stable names, as of the request.
  risks jsonb NOT NULL DEFAULT '[]',
  device text NOT NULL DEFAULT '',
  hold_journal_id bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  approved_at timestamptz,
  closed_at timestamptz,
  close_journal_id bigint,
  -- Why it was refused or failed, for the member: a stable name, or an operator's words.
  reason text CHECK (length(reason) <= 300),
  closed_by bigint,
  txid text,
  PRIMARY KEY (member_id, id),
  CONSTRAINT withdrawal_parts_add_up CHECK (from_balance + from_principal = amount),
  CONSTRAINT withdrawal_closed_once CHECK ((state IN ('requested', 'approved')) = (closed_at IS NULL) AND (closed_at IS NULL) = (close_journal_id IS NULL)),
  CONSTRAINT withdrawal_completed_by_a_transfer CHECK ((state = 'completed') = (txid IS NOT NULL))
);
CREATE INDEX withdrawal_open ON withdrawal (id) WHERE state IN ('requested', 'approved');
CREATE INDEX withdrawal_approved ON withdrawal (approved_at, id) WHERE state = 'approved';
CREATE INDEX withdrawal_by_date ON withdrawal (member_id, requested_at DESC);
CREATE INDEX withdrawal_by_number ON withdrawal (id);
CREATE INDEX withdrawal_closed ON withdrawal (id) WHERE closed_at IS NOT NULL;
CREATE TRIGGER withdrawal_is_kept BEFORE DELETE OR TRUNCATE ON withdrawal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE withdrawal_approval (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, withdrawal_id, operator_id),
  CONSTRAINT approval_by_somebody_else CHECK (operator_id <> member_id)
);
CREATE TRIGGER withdrawal_approval_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON withdrawal_approval
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Principal that left for a withdrawal (below zero) or came back from one, in the order of history (see `investment`).
CREATE TABLE principal_movement (
  member_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id)
);
CREATE INDEX principal_movement_by_date ON principal_movement (at);
CREATE INDEX principal_movement_by_number ON principal_movement (id);
CREATE TRIGGER principal_movement_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON principal_movement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What keeps approved withdrawals from being paid, for operators: one row a withdrawal, and one (0, 0) for what holds up
-- all of them. The gateway writes and removes it.
CREATE TABLE withdrawal_delay (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  -- A stable name.
  code text NOT NULL CHECK (code IN ('chain_unhealthy', 'nodes_disagree', 'token_paused', 'token_fee', 'hot_blacklisted', 'hot_usdt', 'hot_trx',
    'fee_limit', 'recipient_blacklisted', 'would_revert', 'signer_away', 'signer_refused', 'signer_cap')),
  -- For operators: what the node or the signer said.
  detail text NOT NULL DEFAULT '' CHECK (length(detail) <= 300),
  since timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, withdrawal_id)
);

-- A withdrawal begins as a request.
CREATE FUNCTION withdrawal_is_requested() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'a withdrawal begins as a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_is_requested';
END $$;
CREATE TRIGGER withdrawal_is_requested BEFORE INSERT ON withdrawal FOR EACH ROW
  WHEN (NEW.state <> 'requested' OR NEW.approved_at IS NOT NULL) EXECUTE FUNCTION withdrawal_is_requested();

-- An approval is an operator's, of a request of another member.
CREATE FUNCTION approval_by_an_operator() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = NEW.operator_id AND is_operator) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawal WHERE member_id = NEW.member_id AND id = NEW.withdrawal_id AND state IN ('requested', 'approved')) THEN
    RAISE EXCEPTION 'what is approved is a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_a_request';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_by_an_operator BEFORE INSERT ON withdrawal_approval FOR EACH ROW EXECUTE FUNCTION approval_by_an_operator();

-- A withdrawal only ever goes forward: what it is about never changes, and each step needs what the step is made of.
CREATE FUNCTION withdrawal_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CREATE TRIGGER withdrawal_goes_forward BEFORE UPDATE ON withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_goes_forward();

-- Sets aside what a withdrawal takes, or gives it back to where it was taken from. Answers the journal.
CREATE FUNCTION move_hold(verb text, owner bigint, of_withdrawal bigint, of_balance bigint, of_principal bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  dated timestamptz := CASE WHEN of_principal > 0 THEN hold_period(event_at) ELSE event_at END;
  posted record;
BEGIN
  SELECT * INTO posted FROM post_event(format('withdrawal:%s:%s', of_withdrawal, verb), 'withdrawal_' || verb, owner, dated,
    ARRAY[verb || '_balance', verb || '_principal']::posting_kind[], ARRAY[of_balance, of_principal]);
  IF of_principal > 0 THEN
    INSERT INTO principal_movement (member_id, withdrawal_id, amount, at)
      VALUES (owner, of_withdrawal, CASE verb WHEN 'hold' THEN -of_principal ELSE of_principal END, dated);
  END IF;
  RETURN posted.journal;
END $$;

-- A member asks for money: it is set aside at once. Answers the number of the withdrawal. `its_proof` is what the member's passkey signed:
-- where only that passkey moves money, there is no withdrawal without it (migration 0025).
CREATE FUNCTION request_withdrawal(owner bigint, asked bigint, its_fee bigint, of_balance bigint, of_principal bigint, to_wallet text, approvals smallint,
  under_plan integer, its_risks jsonb, its_device text, event_at timestamptz, its_proof jsonb DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE number bigint := nextval('withdrawal_id_seq');
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'payouts are stopped' USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_stopped';
  END IF;
  -- A code of the mailbox proves it in the same transaction.
  IF (SELECT email_proven_at FROM member WHERE id = owner) IS NULL THEN
    RAISE EXCEPTION 'the e-mail is not proven' USING ERRCODE = 'check_violation', CONSTRAINT = 'email_is_proven';
  END IF;
  INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, risks, device,
      hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE VALUES (owner, number, asked, its_fee, of_balance, of_principal, to_wallet, approvals, under_plan, its_risks, its_device,
      move_hold('hold', owner, number, of_balance, of_principal, event_at), event_at);
  PERFORM keep_withdrawal_proof(owner, number, its_proof);
  RETURN number;
END $$;

-- A withdrawal comes to nothing: what it held goes back. Answers the journal.
CREATE FUNCTION close_unpaid(owner bigint, of_withdrawal bigint, as_state text, because text, by_whom bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawal;
  released bigint;
BEGIN
  SELECT * INTO w FROM withdrawal WHERE member_id = owner AND id = of_withdrawal;
  IF w.id IS NULL THEN RAISE EXCEPTION 'no such withdrawal' USING ERRCODE = 'foreign_key_violation'; END IF;
  released := move_hold('release', owner, w.id, w.from_balance, w.from_principal, event_at);
  UPDATE withdrawal SET state = as_state, closed_at = event_at, close_journal_id = released, reason = because, closed_by = by_whom
    WHERE member_id = owner AND id = w.id;
  RETURN released;
END $$;
CREATE FUNCTION cancel_withdrawal(owner bigint, of_withdrawal bigint, because text, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM close_unpaid(owner, of_withdrawal, 'cancelled', because, owner, event_at);
END $$;
CREATE FUNCTION refuse_withdrawal(owner bigint, of_withdrawal bigint, because text, operator bigint, event_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF operator = owner OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators refuse' USING ERRCODE = 'check_violation', CONSTRAINT = 'refusal_by_an_operator';
  END IF;
  PERFORM close_unpaid(owner, of_withdrawal, 'refused', because, operator, event_at);
END $$;

GRANT SELECT ON withdrawal, withdrawal_approval, principal_movement, withdrawal_delay TO aval_server;
GRANT EXECUTE ON FUNCTION request_withdrawal(bigint, bigint, bigint, bigint, bigint, text, smallint, integer, jsonb, text, timestamptz, jsonb),
  cancel_withdrawal(bigint, bigint, text, timestamptz), refuse_withdrawal(bigint, bigint, text, bigint, timestamptz) TO aval_api;

GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approved_at) ON withdrawal TO aval_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON withdrawal_delay TO aval_gateway;

GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approvals_needed) ON withdrawal TO aval_signer;
GRANT SELECT ON withdrawal_approval TO aval_signer;

GRANT SELECT, INSERT, UPDATE (state, approved_at, closed_at, close_journal_id, reason, closed_by, txid) ON withdrawal TO aval_ledger;
GRANT SELECT ON withdrawal_approval TO aval_ledger;
GRANT SELECT, INSERT ON principal_movement TO aval_ledger;
GRANT USAGE ON SEQUENCE withdrawal_id_seq TO aval_ledger;
