-- Members: who they are, and what must be unique over all of them.

-- A name as it is searched for: without accents, in lower case. Indexes depend on these two functions: they must never change.
CREATE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT trim(regexp_replace(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$$;
CREATE FUNCTION folded_word(name text, number integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT split_part(public.folded_name(name), ' ', number)
$$;

CREATE TABLE member (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY CHECK (id > 0),
  username text NOT NULL,
  email text NOT NULL,
  -- When a code that was sent to this very address was used, or the account returned to it; null until then. No money leaves before.
  email_proven_at timestamptz,
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
  joined_at timestamptz NOT NULL,
  -- Names the picture in `member_avatar`, empty for none; the name changes with the picture.
  avatar text NOT NULL DEFAULT '' CHECK (avatar ~ '^([0-9a-f]{32})?$'),
  -- When the account was closed, by the system's time. Nothing of the person is in this row then.
  closed_at timestamptz,
  CONSTRAINT member_closed_is_nobody CHECK (closed_at IS NULL OR (username = 'closed-' || id AND NOT is_operator
    AND (email, first_name, last_name, phone_number, usdt_wallet, avatar) = ('', '', '', '', '', '')))
);
-- A closed account stays as it is until it is opened again.
CREATE TRIGGER member_closed_stays_closed BEFORE UPDATE ON member
  FOR EACH ROW WHEN (OLD.closed_at IS NOT NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
-- Who else is paid to the same wallet.
CREATE INDEX member_by_wallet ON member (usdt_wallet) WHERE usdt_wallet <> '';
-- Search by name. In the order of code points, whatever the database's own order is, so that a beginning is a range. The included
-- columns are those that the expressions are made of: a search then reads the index alone, without a visit to each member's row.
CREATE INDEX member_by_username ON member ((folded_name(username)) COLLATE "C") INCLUDE (id, username);
CREATE INDEX member_by_first_word ON member ((folded_word(first_name || ' ' || last_name, 1)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_second_word ON member ((folded_word(first_name || ' ' || last_name, 2)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_third_word ON member ((folded_word(first_name || ' ' || last_name, 3)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_fourth_word ON member ((folded_word(first_name || ' ' || last_name, 4)) COLLATE "C")
  INCLUDE (id, first_name, last_name);

-- What must be unique over all members, whatever shard they live on. Values are folded to lower case. A username is here twice:
-- as it is typed to sign in, and by its skeleton, which it shares with all names that look the same. The server computes
-- skeletons, from tables of Unicode; the primary key lets one of two look-alikes in, however close they come. Member 0 has what nobody
-- may have again: usernames, skeletons and ref codes of closed accounts.
CREATE TABLE member_identifier (
  kind text NOT NULL CHECK (kind IN ('username', 'skeleton', 'email', 'ref_code')),
  value text NOT NULL CHECK (value = lower(value)),
  member_id bigint NOT NULL,
  -- An e-mail that the member left, and when: kept while the link in the mail about it takes the change back. Nobody signs in by it.
  former_since timestamptz CHECK (former_since IS NULL OR kind = 'email'),
  PRIMARY KEY (kind, value)
);
CREATE INDEX member_identifier_former ON member_identifier (former_since) WHERE former_since IS NOT NULL;
-- A former e-mail becomes free for others. Usernames, skeletons and ref codes stay taken for good.
CREATE TRIGGER identifier_is_released_by_email_alone BEFORE DELETE ON member_identifier
  FOR EACH ROW WHEN (OLD.kind <> 'email') EXECUTE FUNCTION refuse_change();

CREATE TABLE member_avatar (
  member_id bigint PRIMARY KEY,
  name text NOT NULL CHECK (name ~ '^[0-9a-f]{32}$'),
  image bytea NOT NULL CHECK (length(image) <= 200000),
  at timestamptz NOT NULL
);

GRANT EXECUTE ON FUNCTION folded_name(text), folded_word(text, integer) TO aval_server;
-- Who is an operator or a fundator is said at the console of the installation, by the owner of the tables.
GRANT INSERT (username, email, password_hash, ref_code, first_name, last_name, phone_number, usdt_wallet, locale, terms_accepted_at, joined_at, avatar),
  UPDATE (username, email, email_proven_at, password_hash, ref_code, first_name, last_name, phone_number, usdt_wallet, locale, avatar) ON member TO aval_server;
GRANT SELECT ON member TO aval_server;
GRANT SELECT, INSERT, UPDATE ON member_avatar TO aval_server;
GRANT SELECT, INSERT (kind, value, member_id), UPDATE (former_since), DELETE ON member_identifier TO aval_server;
GRANT SELECT ON member TO aval_ledger;
