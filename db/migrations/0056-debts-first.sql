-- What a member owes after a reversal is paid before money is reinvested or withdrawn; and principal is withdrawn once its term is over.

-- Refuses to take more of a balance than what the member owes leaves of it.
CREATE FUNCTION refuse_owed(owner bigint, wanted bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE owed bigint := coalesce((SELECT sum(amount) FROM member_receivable WHERE member_id = owner), 0);
BEGIN
  IF owed > 0 AND wanted > 0 AND wanted > (SELECT balance FROM member_balance WHERE member_id = owner) - owed THEN
    RAISE EXCEPTION 'what is owed is paid first' USING ERRCODE = 'check_violation', CONSTRAINT = 'debt_is_paid_first';
  END IF;
END $$;

-- Balance becomes principal. False when this request was posted before.
CREATE OR REPLACE FUNCTION invest_balance(owner bigint, request text, invested bigint, under_plan integer, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE posted record;
BEGIN
  PERFORM refuse_frozen(owner);
  PERFORM refuse_owed(owner, invested);
  SELECT * INTO posted FROM post_event(format('reinvest:%s:%s', owner, request), 'reinvest', owner, event_at, ARRAY['reinvest']::posting_kind[], ARRAY[invested]);
  IF posted.replayed THEN RETURN false; END IF;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
    SELECT owner, posted.journal, invested, b.principal, true, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
  RETURN true;
END $$;

-- The balance adds what is missing of an invoice. What came by chain pays its share of the fee.
CREATE OR REPLACE FUNCTION complete_invoice(owner bigint, of_invoice bigint, its_fee bigint, under_plan integer, event_at timestamptz, ended_at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  i invoice := open_invoice(owner, of_invoice);
  posted record;
BEGIN
  PERFORM refuse_frozen(owner);
  PERFORM refuse_owed(owner, i.amount - i.received + its_fee);
  IF its_fee NOT BETWEEN 0 AND least(i.fee, i.received) OR i.received - its_fee > i.amount THEN
    RAISE EXCEPTION 'an invoice bears its own fee' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_bears_its_fee';
  END IF;
  SELECT * INTO posted FROM post_event(format('invoice:%s:complete', i.id), 'invoice', owner, event_at,
    ARRAY['pending_to_principal', 'pending_fee', 'reinvest']::posting_kind[], ARRAY[i.received - its_fee, its_fee, i.amount - i.received + its_fee]);
  UPDATE invoice SET state = 'paid', closed_at = ended_at WHERE member_id = owner AND id = i.id;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, plan_version, credited_at)
    SELECT owner, posted.journal, i.amount, b.principal, i.received = 0, i.txn_id, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
END $$;

-- Principal is unlocked by the database's clock too: the API dates a withdrawal, and a stolen one could date it after the end of the term.
-- The development network's clock can be advanced. A minute is what the clocks of two machines may be apart.
CREATE FUNCTION latest_moment() RETURNS timestamptz LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT clock_timestamp() + interval '1 minute' + coalesce(
    (SELECT c.offset_ms FROM demo_clock c, installation i WHERE i.network = 'devnet'), 0) * interval '1 millisecond'
$$;

-- A member asks for money: it is set aside at once. Answers the number of the withdrawal. `its_proof` is what the member's passkey signed:
-- where only that passkey moves money, there is no withdrawal without it (migration 0025).
CREATE OR REPLACE FUNCTION request_withdrawal(owner bigint, asked bigint, its_fee bigint, of_balance bigint, of_principal bigint, to_wallet text, approvals smallint,
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
  PERFORM refuse_owed(owner, of_balance);
  IF of_principal > (SELECT coalesce(sum(amount), 0) FROM investment_left WHERE member_id = owner AND unlocks_at <= least(event_at, latest_moment())) THEN
    RAISE EXCEPTION 'the term of this principal runs' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_is_unlocked';
  END IF;
  INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, risks, device,
      hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE VALUES (owner, number, asked, its_fee, of_balance, of_principal, to_wallet, approvals, under_plan, its_risks, its_device,
      move_hold('hold', owner, number, of_balance, of_principal, event_at), event_at);
  PERFORM keep_withdrawal_proof(owner, number, its_proof);
  RETURN number;
END $$;

DO $$
BEGIN
  REVOKE ALL ON FUNCTION latest_moment() FROM PUBLIC;
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  ALTER FUNCTION refuse_owed(bigint, bigint) OWNER TO aval_ledger;
  ALTER FUNCTION latest_moment() OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
