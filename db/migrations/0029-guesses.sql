-- Guesses: how many wrong passwords came for a name and from a network, which devices are known, what a member is told of tries that
-- failed, and resets of a forgotten password.

-- How hard a name or a network is being guessed at. The level is as of `at`, and halves again and again from then on. Names are hashed
-- under a key of the server's, the same way whether or not there is such an account.
CREATE TABLE guess_level (
  subject text PRIMARY KEY CHECK (length(subject) BETWEEN 1 AND 80),
  level double precision NOT NULL CHECK (level >= 0),
  at timestamptz NOT NULL
);
CREATE INDEX guess_level_by_time ON guess_level (at);

-- Browsers in which a member has signed in before, by the hash of what they hold.
CREATE TABLE known_device (
  member_id bigint NOT NULL,
  token_hash text NOT NULL CHECK (length(token_hash) = 64),
  used_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, token_hash)
);
CREATE INDEX known_device_by_token ON known_device (token_hash);
CREATE INDEX known_device_by_use ON known_device (used_at);

-- Tries that failed: one row a member, hour, kind and network. Member 0 stands for all names that nobody has.
CREATE TABLE failed_try (
  member_id bigint NOT NULL CHECK (member_id >= 0),
  hour timestamptz NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  kind text NOT NULL CHECK (kind IN ('sign_in_failed', 'second_factor_failed', 'reset_failed')),
  -- Empty: one of many, when there were too many for a row each.
  network text NOT NULL CHECK (length(network) <= 64),
  count integer NOT NULL CHECK (count > 0),
  last_at timestamptz NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (member_id, hour, kind, network)
);
CREATE INDEX failed_try_by_hour ON failed_try (hour);

-- When a member was last told by e-mail that somebody guesses at the account.
CREATE TABLE guesses_told (
  member_id bigint PRIMARY KEY,
  told_at timestamptz NOT NULL
);

-- A request for a new password whose e-mail is on its way: a code, which wrong tries end, and a link, which nothing ends but its use,
-- its time, and a change of the password or the address.
CREATE TABLE password_reset (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  requested_at timestamptz NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > made_at),
  -- Keyed: seven digits are soon guessed from a plain hash.
  code_hash text NOT NULL,
  wrong_tries smallint NOT NULL DEFAULT 0 CONSTRAINT reset_code_ends_after_five_wrong_tries CHECK (wrong_tries BETWEEN 0 AND 5),
  link_hash text NOT NULL CHECK (length(link_hash) = 64),
  -- Once the member's e-mail is another one, both are good for nothing.
  sent_to text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (member_id, id)
);
CREATE UNIQUE INDEX password_reset_by_link ON password_reset (link_hash);
CREATE INDEX password_reset_by_expiry ON password_reset (expires_at);

-- Counts a try that failed. A thief with the API's role can add to the tally, and take nothing out of it.
CREATE FUNCTION count_failed_try(of_member bigint, its_kind text, its_network text, its_at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  this_hour timestamptz := date_trunc('hour', its_at, 'UTC');
  most_networks constant integer := 20;
  named text := its_network;
BEGIN
  IF NOT EXISTS (SELECT FROM failed_try WHERE member_id = of_member AND hour = this_hour AND kind = its_kind AND network = its_network)
    AND (SELECT count(*) FROM failed_try WHERE member_id = of_member AND hour = this_hour AND kind = its_kind) >= most_networks
  THEN named := ''; END IF;
  INSERT INTO failed_try AS kept (member_id, hour, kind, network, count, last_at) VALUES (of_member, this_hour, its_kind, named, 1, its_at)
  ON CONFLICT (member_id, hour, kind, network) DO UPDATE SET count = kept.count + 1, last_at = greatest(kept.last_at, its_at);
END $$;

GRANT SELECT, INSERT, UPDATE ON failed_try TO aval_ledger;
GRANT SELECT, INSERT, UPDATE ON guess_level TO aval_api;
-- A purge skips rows that a guess holds, and to lock a row takes the right to change one of its columns.
GRANT SELECT, DELETE, UPDATE (at) ON guess_level TO aval_worker;
GRANT SELECT, DELETE ON known_device TO aval_server;
GRANT INSERT, UPDATE ON known_device TO aval_api;
GRANT SELECT ON failed_try TO aval_server;
GRANT DELETE ON failed_try TO aval_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON guesses_told TO aval_worker;
GRANT SELECT, UPDATE (wrong_tries, used_at) ON password_reset TO aval_server;
GRANT INSERT, DELETE ON password_reset TO aval_worker;

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  REVOKE ALL ON FUNCTION count_failed_try FROM PUBLIC;
  ALTER FUNCTION count_failed_try OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION count_failed_try TO aval_api;
