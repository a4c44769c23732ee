-- What protects a member: codes by e-mail, a trail of what happened to the account, and who did what.

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'aval_keys') THEN CREATE ROLE aval_keys NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster was faster
END $$;
GRANT USAGE ON SCHEMA public TO aval_keys;

-- One live code a member and purpose: the next one takes the row. Codes and their times are the system's.
CREATE TABLE email_code (
  member_id bigint NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('withdrawal', 'profile', 'reset')),
  -- Keyed, because seven digits are soon guessed by whoever reads a plain hash.
  hash text NOT NULL,
  -- What alone it is good for; empty where its purpose says enough.
  binding text NOT NULL,
  -- Where alone it is good: null and empty for a member who is not signed in.
  session_id uuid,
  device text NOT NULL DEFAULT '',
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > made_at),
  wrong_tries smallint NOT NULL DEFAULT 0 CONSTRAINT code_dies_of_five_wrong_tries CHECK (wrong_tries BETWEEN 0 AND 5),
  used_at timestamptz,
  PRIMARY KEY (member_id, purpose)
);

-- What happened to an account, for its member to see and for the cooling time to count from.
CREATE TABLE security_event (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('wallet_changed', 'email_changed', 'password_changed', 'password_reset',
    'two_factor_on', 'two_factor_off', 'recovery_code_used', 'signed_in_new', 'not_me')),
  at timestamptz NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  ip text NOT NULL DEFAULT '',
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (member_id, id)
);
-- A link of "this wasn't me" does its work once, however often it is pressed.
CREATE UNIQUE INDEX not_me_once_an_event ON security_event (member_id, (details->>'event')) WHERE kind = 'not_me';

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

CREATE TRIGGER security_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON security_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The picture of a member who sent one. `member.avatar` names it, empty for none; the name changes with the picture.
CREATE TABLE member_avatar (
  member_id bigint PRIMARY KEY,
  name text NOT NULL CHECK (name ~ '^[0-9a-f]{32}$'),
  image bytea NOT NULL CHECK (length(image) <= 200000),
  at timestamptz NOT NULL
);
ALTER TABLE member ADD COLUMN avatar text NOT NULL DEFAULT '' CHECK (avatar ~ '^([0-9a-f]{32})?$');

ALTER TABLE session DROP CONSTRAINT session_ended_because_check;
ALTER TABLE session ADD CONSTRAINT session_ended_because_check
  CHECK (ended_because IN ('logout', 'reuse', 'password', 'not_me'));

-- A former e-mail is free for others. Usernames and ref codes stay taken for good.
GRANT DELETE ON member_identifier TO aval_app;
CREATE TRIGGER identifier_is_released_by_email_alone BEFORE DELETE ON member_identifier
  FOR EACH ROW WHEN (OLD.kind <> 'email') EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT ON security_event, audit_event TO aval_app;
GRANT SELECT, INSERT, UPDATE ON email_code, member_avatar TO aval_app;
GRANT INSERT ON audit_event TO aval_chain, aval_keys;
