-- Who works for the company is decided in the console as well (decision 075). The API's role asks, and says that a member accepted; only the
-- worker's role applies it, in the transaction in which it e-mails every operator. Nobody gets a right, or another one, unseen.

-- An invitation waits for its member's yes. Another role for somebody who is an operator already waits for the worker alone.
CREATE TABLE operator_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('invitation', 'role')),
  member_id bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('support', 'treasurer', 'compliance', 'admin')),
  asked_by bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- SHA-256 of what the link in the e-mail has, written by the worker that sends it.
  link_hash text CHECK (link_hash ~ '^[0-9a-f]{64}$'),
  state text NOT NULL CHECK (state IN ('open', 'accepted', 'applied', 'withdrawn', 'lapsed')),
  accepted_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT operator_change_lasts_a_week CHECK (expires_at <= asked_at + interval '7 days'),
  CONSTRAINT operator_change_not_of_oneself CHECK (member_id <> asked_by),
  CONSTRAINT operator_change_ended_once CHECK ((state IN ('applied', 'withdrawn', 'lapsed')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX operator_change_one_open ON operator_change (member_id) WHERE state IN ('open', 'accepted');
CREATE INDEX operator_change_by_link ON operator_change (link_hash) WHERE state = 'open';
CREATE TRIGGER operator_change_is_kept BEFORE DELETE OR TRUNCATE ON operator_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who was an operator and was dismissed. The key of such a person may still be pinned in the signer's key file: only the command on the server
-- makes them operators again.
CREATE TABLE former_operator (
  member_id bigint PRIMARY KEY,
  since timestamptz NOT NULL
);
INSERT INTO former_operator SELECT substr(subject, 8)::bigint, max(at) FROM audit_event
  WHERE action = 'operator.dismissed' AND subject ~ '^member:\d{1,18}$' GROUP BY 1;

CREATE INDEX member_operators ON member (id) WHERE is_operator;

-- One change of operators after the other: of two admins who dismiss each other at once, one stays.
CREATE FUNCTION lock_operators() RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(7045)
$$;
CREATE FUNCTION is_admin(of_member bigint) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member WHERE id = of_member AND operator_role = 'admin' AND closed_at IS NULL)
$$;
CREATE FUNCTION is_last_admin(of_member bigint) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT is_admin(of_member) AND NOT EXISTS (SELECT FROM member WHERE is_operator AND operator_role = 'admin' AND closed_at IS NULL AND id <> of_member)
$$;

-- An admin invites a member, or gives an operator another role. Answers `asked`, or the name of what is against it.
CREATE FUNCTION ask_operator_change(by_operator bigint, of_member bigint, its_kind text, new_role text, as_of timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  m member;
BEGIN
  PERFORM lock_operators();
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  IF by_operator = of_member THEN RETURN 'operator_own'; END IF;
  SELECT * INTO m FROM member WHERE id = of_member AND closed_at IS NULL;
  IF NOT FOUND THEN RETURN 'member_not_found'; END IF;
  UPDATE operator_change SET state = 'lapsed', ended_at = moment
    WHERE member_id = of_member AND state IN ('open', 'accepted') AND expires_at <= clock_timestamp();
  IF EXISTS (SELECT FROM operator_change WHERE member_id = of_member AND state IN ('open', 'accepted')) THEN RETURN 'operator_change_waits'; END IF;
  IF its_kind = 'invitation' AND m.is_operator THEN RETURN 'operator_already'; END IF;
  IF its_kind = 'invitation' AND EXISTS (SELECT FROM former_operator WHERE member_id = of_member) THEN RETURN 'operator_former'; END IF;
  IF its_kind = 'role' AND NOT m.is_operator THEN RETURN 'operator_not_found'; END IF;
  IF its_kind = 'role' AND m.operator_role = new_role THEN RETURN 'operator_changed'; END IF;
  IF its_kind = 'role' AND is_last_admin(of_member) THEN RETURN 'operator_last_admin'; END IF;
  INSERT INTO operator_change (kind, member_id, role, asked_by, asked_at, expires_at, state, accepted_at)
  VALUES (its_kind, of_member, new_role, by_operator, moment, moment + interval '7 days', CASE its_kind WHEN 'role' THEN 'accepted' ELSE 'open' END,
    CASE its_kind WHEN 'role' THEN moment END);
  RETURN 'asked';
END $$;

-- The member says yes, with what the link in the e-mail has. Whether it was asked for by somebody who may is looked at again when it is applied.
CREATE FUNCTION accept_operator_invitation(of_member bigint, token text, as_of timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE c operator_change;
BEGIN
  SELECT * INTO c FROM operator_change WHERE state = 'open' AND member_id = of_member
    AND link_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex') FOR UPDATE;
  IF NOT FOUND OR c.expires_at <= clock_timestamp() OR NOT is_admin(c.asked_by) THEN RETURN 'invitation_ended'; END IF;
  IF NOT EXISTS (SELECT FROM member_totp WHERE member_id = of_member AND confirmed_at IS NOT NULL) THEN RETURN 'two_factor_off'; END IF;
  UPDATE operator_change SET state = 'accepted', accepted_at = least(as_of, clock_timestamp()) WHERE id = c.id;
  RETURN 'accepted';
END $$;

CREATE FUNCTION withdraw_operator_change(by_operator bigint, of_change bigint, as_of timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  UPDATE operator_change SET state = 'withdrawn', ended_at = least(as_of, clock_timestamp()) WHERE id = of_change AND state = 'open';
  RETURN CASE WHEN FOUND THEN 'withdrawn' ELSE 'invitation_ended' END;
END $$;

-- An admin takes an operator's rights away: at once, since nobody gets any by it.
CREATE FUNCTION dismiss_operator(by_operator bigint, of_member bigint, as_of timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE moment timestamptz := least(as_of, clock_timestamp());
BEGIN
  PERFORM lock_operators();
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  IF by_operator = of_member THEN RETURN 'operator_own'; END IF;
  PERFORM FROM member WHERE id = of_member AND is_operator FOR UPDATE;
  IF NOT FOUND THEN RETURN 'operator_not_found'; END IF;
  IF is_last_admin(of_member) THEN RETURN 'operator_last_admin'; END IF;
  UPDATE operator_change SET state = 'lapsed', ended_at = moment WHERE member_id = of_member AND state IN ('open', 'accepted');
  INSERT INTO former_operator VALUES (of_member, moment) ON CONFLICT (member_id) DO UPDATE SET since = excluded.since;
  UPDATE member SET is_operator = false, operator_role = null WHERE id = of_member;
  RETURN 'dismissed';
END $$;

-- What was asked for by an admin who still is one, and accepted. Answers `applied`, `lapsed` where something is against it by now, or null.
CREATE FUNCTION apply_operator_change(of_change bigint, as_of timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  c operator_change;
  m member;
BEGIN
  PERFORM lock_operators();
  SELECT * INTO c FROM operator_change WHERE id = of_change AND state = 'accepted' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO m FROM member WHERE id = c.member_id FOR UPDATE;
  IF NOT is_admin(c.asked_by) OR m.closed_at IS NOT NULL OR m.is_operator <> (c.kind = 'role') OR is_last_admin(c.member_id)
    OR (c.kind = 'invitation' AND EXISTS (SELECT FROM former_operator WHERE member_id = c.member_id))
    OR NOT EXISTS (SELECT FROM member_totp WHERE member_id = c.member_id AND confirmed_at IS NOT NULL) THEN
    UPDATE operator_change SET state = 'lapsed', ended_at = moment WHERE id = c.id;
    RETURN 'lapsed';
  END IF;
  UPDATE member SET is_operator = true, operator_role = c.role WHERE id = c.member_id;
  UPDATE operator_change SET state = 'applied', ended_at = moment WHERE id = c.id;
  RETURN 'applied';
END $$;

GRANT SELECT, INSERT, UPDATE (state, accepted_at, ended_at) ON operator_change TO aval_ledger;
GRANT SELECT, INSERT, UPDATE ON former_operator TO aval_ledger;
GRANT SELECT ON member_totp TO aval_ledger;
GRANT UPDATE (is_operator, operator_role) ON member TO aval_ledger;
GRANT SELECT ON operator_change, former_operator TO aval_server;
GRANT UPDATE (link_hash) ON operator_change TO aval_worker;

-- The trail is read newest first: all of it, of an actor, of an action, about a subject, or what was refused.
CREATE INDEX audit_event_by_time ON audit_event (at, id);
CREATE INDEX audit_event_by_action ON audit_event (action, at, id);
CREATE INDEX audit_event_refused ON audit_event (at, id) WHERE outcome = 'refused';
DROP INDEX audit_event_by_actor;
CREATE INDEX audit_event_by_actor ON audit_event (actor_id, at, id);
DROP INDEX audit_event_by_subject;
CREATE INDEX audit_event_by_subject ON audit_event (subject, at, id);

-- Operators have the trail verified: the worker goes through it in pieces, and says how far it is. The last result is what the console shows.
CREATE TABLE audit_verification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  asked_by bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  seals_done bigint NOT NULL DEFAULT 0,
  seals_in_all bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  rows_read bigint NOT NULL DEFAULT 0,
  erased bigint NOT NULL DEFAULT 0,
  unsealed bigint NOT NULL DEFAULT 0,
  faults text[] NOT NULL DEFAULT '{}',
  public_key text,
  signed_at timestamptz,
  signed_seal bigint
);
CREATE UNIQUE INDEX audit_verification_one_at_a_time ON audit_verification ((true)) WHERE finished_at IS NULL;
GRANT SELECT, INSERT (asked_by, asked_at) ON audit_verification TO aval_server;
GRANT UPDATE ON audit_verification TO aval_worker;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['lock_operators', 'is_admin', 'is_last_admin', 'ask_operator_change', 'accept_operator_invitation',
      'withdraw_operator_change', 'dismiss_operator', 'apply_operator_change'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION ask_operator_change, accept_operator_invitation, withdraw_operator_change, dismiss_operator TO aval_api;
GRANT EXECUTE ON FUNCTION apply_operator_change TO aval_worker;
