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
  ALTER FUNCTION latest_moment() OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
