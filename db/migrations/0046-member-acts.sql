-- What operators do to a member: freeze, make a fundator, set extra points, look at the member's own pages. Each is a function that
-- asks for itself who the operator is, or a row that the caller's guard reads at every call.

-- When an account was frozen and when it was let go. The last row of a member counts.
CREATE TABLE member_freeze (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  frozen boolean NOT NULL,
  -- Of a freeze it is shown to the member.
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 300),
  operator_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id),
  CONSTRAINT freeze_by_somebody_else CHECK (operator_id <> member_id)
);
CREATE TRIGGER member_freeze_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON member_freeze
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION is_frozen(of_member bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN coalesce((SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1), false);
END $$;

-- The member's row is locked first, as a freeze does: who comes second sees what the first did.
CREATE FUNCTION refuse_frozen(of_member bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM member WHERE id = of_member FOR NO KEY UPDATE;
  IF (SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1) THEN
    RAISE EXCEPTION 'the account is frozen' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_is_not_frozen';
  END IF;
END $$;

-- Freezes an account, or lets it go. Its withdrawals on the way are locked: one is signed before the freeze, or not before its end.
-- False where it was so before.
CREATE FUNCTION freeze_member(of_member bigint, to_frozen boolean, because text, operator bigint, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'freeze_by_an_operator';
  END IF;
  PERFORM FROM member WHERE id = of_member AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  PERFORM FROM withdrawal WHERE member_id = of_member AND state IN ('requested', 'approved') ORDER BY id FOR UPDATE;
  IF coalesce((SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1), false) = to_frozen THEN RETURN false; END IF;
  INSERT INTO member_freeze (member_id, frozen, reason, operator_id, at) VALUES (of_member, to_frozen, because, operator, event_at);
  RETURN true;
END $$;

-- No withdrawal is asked for. By then the request holds the money, and with it the member's balance.
CREATE FUNCTION withdrawal_of_a_free_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_frozen(NEW.member_id);
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawal_of_a_free_account BEFORE INSERT ON withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_of_a_free_account();

-- Neither wallet nor e-mail changes; a closing takes both away.
CREATE FUNCTION member_of_a_free_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_frozen(NEW.id);
  RETURN NEW;
END $$;
CREATE TRIGGER member_of_a_free_account BEFORE UPDATE OF usdt_wallet, email ON member FOR EACH ROW
  WHEN ((NEW.usdt_wallet, NEW.email) IS DISTINCT FROM (OLD.usdt_wallet, OLD.email) AND OLD.closed_at IS NULL AND NEW.closed_at IS NULL)
  EXECUTE FUNCTION member_of_a_free_account();

-- Nothing is prepared and nothing signed. The row is left out rather than refused, so that the others of the batch go on: the functions
-- that prepare and sign answer that it was not. Each holds the withdrawal's lock by now.
CREATE FUNCTION transfer_of_a_free_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF (SELECT frozen FROM member_freeze WHERE member_id = NEW.member_id ORDER BY id DESC LIMIT 1) THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfer_of_a_free_account BEFORE INSERT ON outgoing_transfer FOR EACH ROW
  WHEN (NEW.purpose = 'withdrawal') EXECUTE FUNCTION transfer_of_a_free_account();
CREATE TRIGGER signature_of_a_free_account BEFORE UPDATE ON outgoing_transfer FOR EACH ROW
  WHEN (NEW.purpose = 'withdrawal' AND OLD.state = 'prepared' AND NEW.state = 'signed') EXECUTE FUNCTION transfer_of_a_free_account();

-- The signer's only way to write. `cap` is the most it signs for withdrawals in 24 hours, in micro-USDT; it is counted in the order given.
CREATE OR REPLACE FUNCTION sign_outgoing_transfers(txids text[], signatures bytea[], cap bigint) RETURNS TABLE (txid text, verdict text)
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
      (w.state = 'approved' AND w.wallet_address = p.to_address AND w.amount - w.fee = p.amount) IS TRUE AS is_approved,
      coalesce((SELECT f.frozen FROM member_freeze f WHERE f.member_id = w.member_id ORDER BY f.id DESC LIMIT 1), false) AS is_frozen
    FROM unnest(txids, signatures) WITH ORDINALITY AS u (txid, signature, place) LEFT JOIN outgoing_transfer p ON p.txid = u.txid
      LEFT JOIN withdrawal w ON p.purpose = 'withdrawal' AND w.member_id = p.member_id AND w.id = p.withdrawal_id
    ORDER BY u.place
  LOOP
    txid := asked.txid;
    verdict := CASE WHEN asked.state IS DISTINCT FROM 'prepared' OR asked.txid = ANY (allowed) THEN 'not_prepared'
      WHEN is_stopped THEN 'stopped'
      WHEN asked.purpose <> 'withdrawal' THEN 'signed'
      WHEN NOT asked.is_approved THEN 'not_approved'
      WHEN asked.is_frozen THEN 'frozen'
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

-- Balance becomes principal. False when this request was posted before.
CREATE OR REPLACE FUNCTION invest_balance(owner bigint, request text, invested bigint, under_plan integer, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE posted record;
BEGIN
  PERFORM refuse_frozen(owner);
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
  IF its_fee NOT BETWEEN 0 AND least(i.fee, i.received) OR i.received - its_fee > i.amount THEN
    RAISE EXCEPTION 'an invoice bears its own fee' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_bears_its_fee';
  END IF;
  SELECT * INTO posted FROM post_event(format('invoice:%s:complete', i.id), 'invoice', owner, event_at,
    ARRAY['pending_to_principal', 'pending_fee', 'reinvest']::posting_kind[], ARRAY[i.received - its_fee, its_fee, i.amount - i.received + its_fee]);
  UPDATE invoice SET state = 'paid', closed_at = ended_at WHERE member_id = owner AND id = i.id;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, plan_version, credited_at)
    SELECT owner, posted.journal, i.amount, b.principal, i.received = 0, i.txn_id, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
END $$;

-- Makes a member a fundator, or no longer; masters stay masters. False where it was so before.
CREATE FUNCTION set_fundator(of_member bigint, to_fundator boolean, operator bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF operator = of_member OR NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role = 'admin') THEN
    RAISE EXCEPTION 'another admin' USING ERRCODE = 'check_violation', CONSTRAINT = 'terms_by_another_admin';
  END IF;
  UPDATE member SET is_fundator = to_fundator WHERE id = of_member AND closed_at IS NULL AND is_fundator <> to_fundator;
  RETURN FOUND;
END $$;

-- Sets the percentage points that a sponsor gets on top of the plan's first level. The caller holds history open.
CREATE FUNCTION set_extra_percent(of_sponsor bigint, new_percent text, operator bigint, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE by_name text := (SELECT username FROM member WHERE id = operator AND operator_role = 'admin');
BEGIN
  IF operator = of_sponsor OR by_name IS NULL THEN
    RAISE EXCEPTION 'another admin' USING ERRCODE = 'check_violation', CONSTRAINT = 'terms_by_another_admin';
  END IF;
  PERFORM FROM member WHERE id = of_sponsor AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  IF coalesce((SELECT percent FROM extra_percent WHERE sponsor_id = of_sponsor ORDER BY id DESC LIMIT 1), '0') = new_percent THEN RETURN false; END IF;
  INSERT INTO extra_percent (sponsor_id, percent, set_by, at) VALUES (of_sponsor, new_percent, by_name, event_at);
  RETURN true;
END $$;
-- Until now any call could.
REVOKE INSERT ON extra_percent FROM aval_server;

-- An operator looks at a member's own pages: 15 minutes at most, and no longer than the session in which it began.
CREATE TABLE member_view (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  operator_id bigint NOT NULL,
  operator_session_id uuid NOT NULL,
  begun_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id),
  CONSTRAINT view_of_somebody_else CHECK (operator_id <> member_id),
  CONSTRAINT view_is_short CHECK (ends_at > begun_at AND ends_at <= begun_at + interval '15 minutes')
);
CREATE INDEX member_view_by_end ON member_view (ends_at);

-- The second factor of a member who lost it is released by two operators: one says who was identified and how, another one agrees.
CREATE TABLE factor_release (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  asked_by bigint NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 300),
  identified text NOT NULL CHECK (length(identified) BETWEEN 10 AND 500),
  asked_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > asked_at AND ends_at <= asked_at + interval '48 hours'),
  decided_by bigint,
  decided_at timestamptz,
  outcome text CHECK (outcome IN ('released', 'refused', 'stopped', 'expired')),
  PRIMARY KEY (member_id, id),
  CONSTRAINT release_ends_once CHECK ((outcome IS NULL) = (decided_at IS NULL)),
  CONSTRAINT release_of_somebody_else CHECK (asked_by <> member_id AND decided_by IS DISTINCT FROM member_id),
  CONSTRAINT release_by_two CHECK (outcome IS DISTINCT FROM 'released' OR (decided_by IS NOT NULL AND decided_by <> asked_by))
);
CREATE UNIQUE INDEX factor_release_one_open ON factor_release (member_id) WHERE outcome IS NULL;
CREATE TRIGGER factor_release_is_kept BEFORE DELETE OR TRUNCATE ON factor_release FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One that nobody agreed to in time makes room for the next. Answers the number; null where one is open.
CREATE FUNCTION ask_release(of_member bigint, because text, how text, operator bigint, event_at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  UPDATE factor_release SET outcome = 'expired', decided_at = event_at WHERE member_id = of_member AND outcome IS NULL AND ends_at <= event_at;
  INSERT INTO factor_release (member_id, asked_by, reason, identified, asked_at, ends_at)
    VALUES (of_member, operator, because, how, event_at, event_at + interval '48 hours')
    ON CONFLICT (member_id) WHERE outcome IS NULL DO NOTHING RETURNING id INTO number;
  RETURN number;
END $$;

-- Ends the one that is open: by another operator, who agrees, by any who refuses, or by its member, who stops it. False where none is.
CREATE FUNCTION end_release(of_member bigint, as_outcome text, operator bigint, event_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF as_outcome NOT IN ('released', 'refused', 'stopped') OR (as_outcome = 'stopped') <> (operator IS NULL) OR (operator IS NOT NULL
      AND NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin'))) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  UPDATE factor_release SET outcome = as_outcome, decided_by = operator, decided_at = event_at
    WHERE member_id = of_member AND outcome IS NULL AND ends_at > event_at;
  RETURN FOUND;
END $$;

-- A code that goes to the mailbox which an operator is to correct a member's e-mail to.
ALTER TABLE email_code DROP CONSTRAINT email_code_purpose_check;
ALTER TABLE email_code ADD CONSTRAINT email_code_purpose_check CHECK (purpose IN ('withdrawal', 'profile', 'email', 'correction'));

ALTER TABLE security_event DROP CONSTRAINT security_event_kind_check;
ALTER TABLE security_event ADD CONSTRAINT security_event_kind_check CHECK (kind IN ('wallet_changed', 'email_changed', 'password_changed', 'password_reset',
  'two_factor_on', 'two_factor_off', 'recovery_code_used', 'recovery_codes_renewed', 'signed_in_new', 'sessions_ended', 'not_me',
  'fundator_on', 'fundator_off', 'passkey_added', 'passkey_removed', 'passkey_refused',
  'passkey_only_on', 'passkey_only_off', 'passkey_only_replaced', 'passkey_only_lost',
  'data_downloaded', 'account_closed', 'account_reopened',
  'account_frozen', 'account_unfrozen', 'extra_points_set', 'phone_corrected', 'release_asked'));

GRANT SELECT ON member_freeze TO aval_server;
GRANT SELECT, INSERT ON member_freeze TO aval_ledger;
GRANT SELECT, INSERT ON extra_percent TO aval_ledger;
GRANT SELECT, INSERT, DELETE ON member_view TO aval_server;
GRANT SELECT ON factor_release TO aval_server;
GRANT SELECT, INSERT, UPDATE (outcome, decided_by, decided_at) ON factor_release TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['is_frozen(bigint)', 'refuse_frozen(bigint)', 'freeze_member(bigint, boolean, text, bigint, timestamptz)',
    'withdrawal_of_a_free_account()', 'member_of_a_free_account()', 'transfer_of_a_free_account()',
    'set_fundator(bigint, boolean, bigint)', 'set_extra_percent(bigint, text, bigint, timestamptz)',
    'ask_release(bigint, text, text, bigint, timestamptz)', 'end_release(bigint, text, bigint, timestamptz)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION is_frozen(bigint) TO aval_server, aval_gateway, aval_signer;
GRANT EXECUTE ON FUNCTION freeze_member(bigint, boolean, text, bigint, timestamptz), set_fundator(bigint, boolean, bigint),
  set_extra_percent(bigint, text, bigint, timestamptz), ask_release(bigint, text, text, bigint, timestamptz),
  end_release(bigint, text, bigint, timestamptz) TO aval_api;
