-- Closed accounts: what is left in one, how it is closed, what is kept of its person, and for how long.

-- To whom money was paid: what the law makes the company keep. No role of the product reads it; the owner of the tables does.
CREATE TABLE closed_account (
  member_id bigint PRIMARY KEY,
  -- As it was written, and folded, as in `member_identifier`.
  username text NOT NULL,
  folded_username text NOT NULL UNIQUE,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  phone_number text NOT NULL,
  usdt_wallet text NOT NULL,
  closed_at timestamptz NOT NULL,
  -- As the member was promised at closing: a later change of the setting does not move it.
  keep_until timestamptz NOT NULL,
  -- When sessions, mails, messages and the details of both trails were deleted.
  traces_erased_at timestamptz,
  CONSTRAINT closed_account_kept_for_years CHECK (keep_until BETWEEN closed_at + interval '1 year' AND closed_at + interval '31 years')
);
CREATE INDEX closed_account_by_end ON closed_account (keep_until);
CREATE INDEX closed_account_with_traces ON closed_account (closed_at) WHERE traces_erased_at IS NULL;
-- What is erased of a member is found by it.
CREATE INDEX audit_event_by_subject ON audit_event (subject) WHERE subject LIKE 'member:%';

-- What keeps an account open, a row each: money either way, and what may still become money. Amounts are micro-USDT; `count` where there is none.
CREATE FUNCTION left_in_account(of_member bigint) RETURNS TABLE (what text, amount bigint, count integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH open_run AS (SELECT id, kind, state FROM payout_run WHERE state NOT IN ('done', 'cancelled')),
  unposted AS (
    SELECT i.amount FROM payout_item i JOIN open_run r ON r.id = i.run_id WHERE i.member_id = of_member AND NOT EXISTS (
      SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted AND of_member BETWEEN c.first_member_id AND c.last_member_id)
    UNION ALL
    SELECT p.amounts[array_position(p.members, of_member)] FROM open_run r JOIN payout_page p ON p.run_id = r.id AND p.block = of_member / 1024
    WHERE r.kind = 'passive' AND of_member = ANY(p.members) AND NOT EXISTS (
      SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted AND of_member BETWEEN c.first_member_id AND c.last_member_id)
  ),
  arriving AS (
    SELECT value FROM unconfirmed_transfer u WHERE u.member_id = of_member
    UNION ALL
    SELECT value::bigint FROM incoming_transfer t WHERE t.member_id = of_member AND t.verdict = 'credit' AND NOT EXISTS (
      SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)
  ),
  found (place, what, amount, count) AS (
    SELECT 1, 'principal', principal, 0 FROM member_balance WHERE member_id = of_member
    UNION ALL SELECT 2, 'balance', balance, 0 FROM member_balance WHERE member_id = of_member
    UNION ALL SELECT 3, 'payouts', coalesce(sum(amount), 0)::bigint, 0 FROM unposted
    UNION ALL SELECT 4, 'arriving', coalesce(sum(value), 0)::bigint, 0 FROM arriving
    UNION ALL SELECT 5, 'invoices', (SELECT coalesce(sum(amount), 0)::bigint FROM member_pending WHERE member_id = of_member), count(*)::integer
      FROM invoice WHERE member_id = of_member AND state = 'open'
    UNION ALL SELECT 6, 'withdrawals', (SELECT held FROM member_balance WHERE member_id = of_member), count(*)::integer
      FROM withdrawal WHERE member_id = of_member AND state IN ('requested', 'approved')
    UNION ALL SELECT 7, 'owed', coalesce(sum(amount), 0)::bigint, 0 FROM member_receivable WHERE member_id = of_member
  )
  SELECT what, amount, count FROM found WHERE amount > 0 OR count > 0 ORDER BY place
$$;

-- Closes an account in which nothing is left. The person leaves every row that others see; username, its skeleton and ref code stay taken, and the
-- e-mail is free. Sessions, codes and devices are the caller's to end, in the same transaction.
CREATE FUNCTION close_account(of_member bigint, folded_name text, name_skeleton text, folded_email text, closes_at timestamptz, kept_until timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE m member;
BEGIN
  SELECT * INTO STRICT m FROM member WHERE id = of_member FOR UPDATE;
  IF m.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'it is closed already' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_once';
  END IF;
  IF m.is_operator OR NOT EXISTS (SELECT FROM sponsorship WHERE member_id = of_member AND sponsor_id IS NOT NULL) THEN
    RAISE EXCEPTION 'operators and the first member stay' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_may_close';
  END IF;
  IF EXISTS (SELECT FROM left_in_account(of_member)) THEN
    RAISE EXCEPTION 'something is left in it' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_empty';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'username' AND value = folded_name AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another username' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'skeleton' AND value = name_skeleton AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another skeleton' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'ref_code' AND value = m.ref_code AND member_id = of_member;
  DELETE FROM member_identifier WHERE kind = 'email' AND value = folded_email AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another e-mail' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  DELETE FROM member_identifier WHERE former_since IS NOT NULL AND member_id = of_member;
  INSERT INTO closed_account (member_id, username, folded_username, email, first_name, last_name, phone_number, usdt_wallet, closed_at, keep_until)
    VALUES (of_member, m.username, folded_name, m.email, m.first_name, m.last_name, m.phone_number, m.usdt_wallet, closes_at, kept_until);
  UPDATE member SET username = 'closed-' || id, email = '', email_proven_at = NULL, first_name = '', last_name = '', phone_number = '', usdt_wallet = '', avatar = '',
    password_hash = '', is_fundator = false, closed_at = closes_at WHERE id = of_member;
  DELETE FROM member_avatar WHERE member_id = of_member;
  DELETE FROM passkey_owner WHERE member_id = of_member;
END $$;

-- What others cannot see and a thief would like gone is kept a while: who closed it may not have been its member. Ninety days later
-- sessions, mails, messages and the details of both trails are deleted, and after the years promised the person's own row. The
-- server cannot shorten either. Answers how many accounts it did something about.
CREATE FUNCTION purge_closed_accounts(as_of timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  closed bigint;
  done integer := 0;
BEGIN
  FOR closed IN SELECT member_id FROM closed_account WHERE traces_erased_at IS NULL AND closed_at < moment - interval '90 days'
    ORDER BY closed_at LIMIT most LOOP
    PERFORM erase_audit_details(closed);
    DELETE FROM mail_message WHERE member_id = closed;
    DELETE FROM support_message WHERE member_id = closed;
    DELETE FROM support_thread WHERE member_id = closed;
    DELETE FROM refresh_token WHERE member_id = closed;
    DELETE FROM session WHERE member_id = closed;
    UPDATE closed_account SET traces_erased_at = moment WHERE member_id = closed;
    done := done + 1;
  END LOOP;
  FOR closed IN DELETE FROM closed_account WHERE member_id IN (
    SELECT member_id FROM closed_account WHERE keep_until < moment AND traces_erased_at IS NOT NULL ORDER BY keep_until LIMIT most)
    RETURNING member_id LOOP
    PERFORM record_audit(moment, NULL, 'account.purge', 'done', 'member:' || closed, '{}');
    done := done + 1;
  END LOOP;
  RETURN done;
END $$;

-- Messages of an account that is open are kept.
CREATE FUNCTION refuse_unless_closed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM member WHERE id = OLD.member_id AND closed_at IS NULL) THEN
    RAISE EXCEPTION 'messages are kept while an account is open' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER support_message_is_kept BEFORE DELETE ON support_message FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed();

GRANT SELECT, INSERT, DELETE, UPDATE (traces_erased_at) ON closed_account TO aval_ledger;
GRANT UPDATE (username, email, email_proven_at, first_name, last_name, phone_number, usdt_wallet, avatar, password_hash, is_fundator, closed_at) ON member TO aval_ledger;
GRANT SELECT, DELETE, UPDATE (member_id) ON member_identifier TO aval_ledger;
GRANT SELECT, DELETE ON member_avatar, passkey_owner, session, refresh_token, support_message, support_thread TO aval_ledger;
GRANT SELECT ON sponsorship, unconfirmed_transfer TO aval_ledger;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['close_account', 'purge_closed_accounts'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
REVOKE ALL ON FUNCTION left_in_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION left_in_account TO aval_api, aval_ledger;
GRANT EXECUTE ON FUNCTION close_account TO aval_api;
GRANT EXECUTE ON FUNCTION purge_closed_accounts TO aval_worker;
