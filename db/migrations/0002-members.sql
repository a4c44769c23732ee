-- Members, their place in both trees, and their sessions.

CREATE TABLE member (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY CHECK (id > 0),
  username text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  ref_code text NOT NULL CHECK (ref_code ~ '^[0-9]{7}$'),
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  phone_number text NOT NULL DEFAULT '',
  usdt_wallet text NOT NULL DEFAULT '',
  locale text NOT NULL DEFAULT 'es' CHECK (locale IN ('es', 'en')),
  is_fundator boolean NOT NULL DEFAULT false,
  is_operator boolean NOT NULL DEFAULT false,
  terms_accepted_at timestamptz NOT NULL,
  joined_at timestamptz NOT NULL
);

-- What must be unique over all members, whatever shard they live on. Values are folded to lower case.
CREATE TABLE member_identifier (
  kind text NOT NULL CHECK (kind IN ('username', 'email', 'ref_code')),
  value text NOT NULL CHECK (value = lower(value)),
  member_id bigint NOT NULL,
  PRIMARY KEY (kind, value)
);

-- The sponsor tree, narrow so that walking it stays cheap. The root has no sponsor.
CREATE TABLE sponsorship (
  member_id bigint PRIMARY KEY,
  sponsor_id bigint,
  depth integer NOT NULL CHECK (depth >= 0),
  is_master boolean NOT NULL DEFAULT false,
  -- Percentage points on top of the plan's first level, for this member as a sponsor.
  extra_percent text NOT NULL DEFAULT '0' CHECK (extra_percent ~ '^[0-9]{1,2}(\.[0-9]{1,4})?$'),
  CHECK ((sponsor_id IS NULL) = (depth = 0))
);
CREATE INDEX sponsorship_by_sponsor ON sponsorship (sponsor_id, member_id);

-- The binary tree. A chain is a longest run of children on one side; a member lies on one left and one right chain,
-- each named by its topmost member. The tail of the chain is where spillover lands, found without walking.
CREATE TABLE placement (
  member_id bigint PRIMARY KEY,
  parent_id bigint,
  leg text CHECK (leg IN ('L', 'R')),
  left_chain bigint NOT NULL,
  right_chain bigint NOT NULL,
  -- Where this member wants new referrals.
  preference text NOT NULL DEFAULT 'weaker' CHECK (preference IN ('left', 'right', 'weaker')),
  left_referrals integer NOT NULL DEFAULT 0,
  right_referrals integer NOT NULL DEFAULT 0,
  CHECK ((parent_id IS NULL) = (leg IS NULL))
);
CREATE UNIQUE INDEX placement_one_child_a_leg ON placement (parent_id, leg);

CREATE TABLE placement_chain (
  head_id bigint NOT NULL,
  side text NOT NULL CHECK (side IN ('L', 'R')),
  tail_id bigint NOT NULL,
  PRIMARY KEY (head_id, side)
);

-- A sign-in and all refresh tokens that descend from it.
CREATE TABLE session (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_because text CHECK (ended_because IN ('logout', 'reuse', 'password')),
  user_agent text NOT NULL DEFAULT '',
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

-- The first answer to a call that moved money, for whoever sends the same Idempotency-Key again.
CREATE TABLE idempotency_response (
  member_id bigint NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  request_hash text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, key)
);

GRANT SELECT, INSERT ON member_identifier, spent_captcha, idempotency_response TO aval_app;
GRANT SELECT, INSERT, UPDATE ON member, session, refresh_token, placement, placement_chain TO aval_app;
GRANT SELECT, INSERT, UPDATE (is_master) ON sponsorship TO aval_app;
GRANT DELETE ON spent_captcha, refresh_token TO aval_app;
