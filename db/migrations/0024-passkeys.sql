-- Members' passkeys: for signing in, as a second factor, and for what only they may move.

CREATE TABLE passkey (
  member_id bigint NOT NULL,
  credential_id text NOT NULL CHECK (credential_id ~ '^[A-Za-z0-9_-]{1,1400}$'),
  -- SubjectPublicKeyInfo, in base64url.
  public_key text NOT NULL CHECK (public_key ~ '^[A-Za-z0-9_-]{1,1000}$'),
  algorithm integer NOT NULL CHECK (algorithm IN (-7, -8, -257)),
  counter bigint NOT NULL DEFAULT 0 CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}' CHECK (cardinality(transports) <= 10),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  made_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (member_id, credential_id)
);
ALTER TABLE passkey ADD FOREIGN KEY (member_id) REFERENCES member (id);

-- A credential belongs to one member.
CREATE TABLE passkey_owner (
  credential_id text PRIMARY KEY,
  member_id bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON passkey, passkey_owner TO aval_api;
