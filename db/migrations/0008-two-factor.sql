-- Two-factor: a secret that a member's phone shares, codes that are good once, and sign-ins that wait for one.

CREATE TABLE member_totp (
  member_id bigint PRIMARY KEY,
  -- Sealed by the server's key: who reads the database alone makes no codes.
  secret text NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null while a set-up waits for its first code; until then nothing is asked for.
  confirmed_at timestamptz,
  -- The half minute whose code was used last. It moves forward only, so each code is good once.
  last_step bigint NOT NULL DEFAULT 0 CHECK (last_step >= 0),
  -- The call that code confirmed, for whoever sends the very same call again.
  last_use text CHECK (length(last_use) = 64)
);

CREATE FUNCTION refuse_used_step() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the codes of a secret are used in order, each once' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'member_totp_moves_forward';
END $$;
CREATE TRIGGER member_totp_moves_forward BEFORE UPDATE ON member_totp FOR EACH ROW
  WHEN (NEW.secret = OLD.secret AND NEW.last_step < OLD.last_step) EXECUTE FUNCTION refuse_used_step();

-- What gets in when the phone is lost. Hashed under a key of the server's.
CREATE TABLE recovery_code (
  member_id bigint NOT NULL,
  hash text NOT NULL CHECK (length(hash) = 64),
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

-- Codes tried since an instant: at sign-ins of a member together, and in each session by itself, so that whoever
-- guesses at the door never locks out who is inside.
CREATE TABLE otp_tries (
  member_id bigint NOT NULL,
  place text NOT NULL CHECK (length(place) <= 40),
  since timestamptz NOT NULL,
  tries integer NOT NULL CHECK (tries >= 0),
  PRIMARY KEY (member_id, place)
);

-- When this session proved the second factor; null where the password was all.
ALTER TABLE session ADD COLUMN second_factor_at timestamptz;
-- Whoever turns two-factor on is rid of every session that began without it.
ALTER TABLE session DROP CONSTRAINT session_ended_because_check;
ALTER TABLE session ADD CONSTRAINT session_ended_because_check
  CHECK (ended_because IN ('logout', 'reuse', 'password', 'not_me', 'two_factor'));

GRANT SELECT, INSERT, UPDATE, DELETE ON member_totp, otp_challenge, otp_tries TO aval_app;
GRANT SELECT, INSERT, UPDATE (used_at), DELETE ON recovery_code TO aval_app;
