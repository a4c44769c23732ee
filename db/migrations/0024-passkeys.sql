-- Members' passkeys: for signing in, as a second factor, and for what only they may move.

CREATE TABLE passkey (
  member_id bigint NOT NULL,
  credential_id text NOT NULL CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND length(credential_id) <= 1400),
  -- SubjectPublicKeyInfo, in base64url.
  public_key text NOT NULL CHECK (public_key ~ '^[A-Za-z0-9_-]+$' AND length(public_key) <= 1000),
  algorithm integer NOT NULL CHECK (algorithm IN (-7, -8, -257)),
  counter bigint NOT NULL DEFAULT 0 CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}' CHECK (cardinality(transports) <= 10),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  made_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (member_id, credential_id)
);

-- A credential belongs to one member, also after its passkey was removed: who tries it again is known by it.
CREATE TABLE passkey_owner (
  credential_id text PRIMARY KEY,
  member_id bigint NOT NULL
);

-- What a passkey was asked to sign and has not signed yet. Taken by its first answer, right or wrong.
CREATE TABLE passkey_challenge (
  hash text PRIMARY KEY CHECK (length(hash) = 64),
  purpose text NOT NULL CHECK (purpose IN ('enrol', 'sign_in', 'second_factor')),
  -- Null for a sign-in: who it will be is not known yet.
  member_id bigint CHECK ((member_id IS NULL) = (purpose = 'sign_in')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON passkey TO aval_api;
GRANT SELECT, INSERT ON passkey_owner TO aval_api;
GRANT INSERT ON passkey_challenge TO aval_api;
GRANT SELECT, DELETE ON passkey_challenge TO aval_server;
