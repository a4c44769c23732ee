-- Identity: sessions, codes, two-factor, and the trail of what happened to an account and who did what.

-- A sign-in and all refresh tokens that descend from it.
CREATE TABLE session (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_because text CHECK (ended_because IN ('logout', 'reuse', 'password', 'not_me', 'two_factor', 'ended')),
  user_agent text NOT NULL DEFAULT '',
  -- When this session proved the second factor; null where the password was all.
  second_factor_at timestamptz,
  -- Where the sign-in came from, for its member to recognise it by.
  ip text NOT NULL DEFAULT '' CHECK (length(ip) <= 64),
  -- Of an operator: when a person last caused a call, to a minute; null until then.
  acted_at timestamptz,
  -- Of an operator: until when a code that was used up stands for calls that take none of their own.
  elevated_until timestamptz,
  PRIMARY KEY (member_id, id)
);

CREATE TABLE refresh_token (
  token_hash text PRIMARY KEY,
  member_id bigint NOT NULL,
  session_id uuid NOT NULL,
  issued_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX refresh_token_by_session ON refresh_token (member_id, session_id);

CREATE TABLE spent_captcha (
  challenge text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- One live code a member and purpose: the next one takes the row. Codes and their times are the system's.
CREATE TABLE email_code (
  member_id bigint NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('withdrawal', 'profile', 'email')),
  -- Keyed: seven digits are soon guessed from a plain hash.
  hash text NOT NULL,
  -- What the code is good for; empty where its purpose says enough.
  binding text NOT NULL,
  -- Once the member's e-mail is another one, the code is good for nothing.
  sent_to text NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > made_at),
  wrong_tries smallint NOT NULL DEFAULT 0 CONSTRAINT email_code_ends_after_five_wrong_tries CHECK (wrong_tries BETWEEN 0 AND 5),
  used_at timestamptz,
  PRIMARY KEY (member_id, purpose)
);

-- What happened to an account, for its member to see and for the waiting period to count from.
CREATE TABLE security_event (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('wallet_changed', 'email_changed', 'password_changed', 'password_reset', 'two_factor_on',
    'two_factor_off', 'recovery_code_used', 'recovery_codes_renewed', 'signed_in_new', 'sessions_ended', 'not_me',
    'fundator_on', 'fundator_off', 'passkey_added', 'passkey_removed', 'passkey_refused',
    'passkey_only_on', 'passkey_only_off', 'passkey_only_replaced', 'passkey_only_lost',
    'data_downloaded', 'account_closed', 'account_reopened')),
  at timestamptz NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  ip text NOT NULL DEFAULT '',
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (member_id, id)
);
-- A link of "this wasn't me" works once, however often it is followed.
CREATE UNIQUE INDEX security_event_not_me_once ON security_event (member_id, (details->>'event')) WHERE kind = 'not_me';
CREATE TRIGGER security_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON security_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who did what, or tried to. `actor_id` is a member; null for a stranger or for the product itself.
CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_id bigint,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  outcome text NOT NULL CHECK (outcome IN ('done', 'refused')),
  subject text NOT NULL CHECK (length(subject) <= 200),
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_event_by_actor ON audit_event (actor_id, id);
CREATE TRIGGER audit_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Two-factor: a secret that a member's phone shares.
CREATE TABLE member_totp (
  member_id bigint PRIMARY KEY,
  -- Sealed by the server's key: the database alone makes no codes.
  secret text NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null while a set-up waits for its first code; until then no code is asked for.
  confirmed_at timestamptz,
  -- The half minute whose code was used last. It moves forward only, so each code is good once.
  last_step bigint NOT NULL DEFAULT 0 CHECK (last_step >= 0),
  -- The call that code confirmed: the same call sent again is answered.
  last_use text CHECK (length(last_use) = 64)
);
CREATE FUNCTION refuse_used_step() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the codes of a secret are used in order, each once' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'member_totp_moves_forward';
END $$;
CREATE TRIGGER member_totp_moves_forward BEFORE UPDATE ON member_totp FOR EACH ROW
  WHEN (NEW.secret = OLD.secret AND NEW.last_step < OLD.last_step) EXECUTE FUNCTION refuse_used_step();

-- For members who lost the phone. Hashed like passwords, under a key of the server's; a member's have one salt.
CREATE TABLE recovery_code (
  member_id bigint NOT NULL,
  hash text NOT NULL CHECK (length(hash) = 64),
  salt text NOT NULL CHECK (salt ~ '^[0-9a-f]{32}$'),
  used_at timestamptz,
  PRIMARY KEY (member_id, hash)
);

-- A sign-in whose password was right and whose code is still to come.
CREATE TABLE otp_challenge (
  token_hash text PRIMARY KEY CHECK (length(token_hash) = 64),
  member_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  tries smallint NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5)
);
CREATE INDEX otp_challenge_by_expiry ON otp_challenge (expires_at);

-- Codes tried since an instant: at all sign-ins of a member together, and in each session by itself, so that guesses at the
-- sign-in never lock out a member who is signed in.
CREATE TABLE otp_tries (
  member_id bigint NOT NULL,
  place text NOT NULL CHECK (length(place) <= 40),
  since timestamptz NOT NULL,
  tries integer NOT NULL CHECK (tries >= 0),
  PRIMARY KEY (member_id, place)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON session, refresh_token, email_code, member_totp, otp_challenge, otp_tries TO aval_server;
GRANT SELECT, INSERT, DELETE ON spent_captcha TO aval_server;
GRANT SELECT, INSERT, UPDATE (used_at), DELETE ON recovery_code TO aval_server;
GRANT SELECT, INSERT ON security_event, audit_event TO aval_server;
GRANT INSERT ON audit_event TO aval_gateway, aval_signer;
