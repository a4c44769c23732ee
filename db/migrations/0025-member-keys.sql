-- Member keys: the passkey without which no money of its member leaves. The API stores what the member signed; the signer verifies it,
-- writes it into its own journal and seals it. What counts is the journal; these rows are what it is compared with.

CREATE TABLE member_key (
  member_id bigint NOT NULL,
  -- Counts what a member submitted, also what was refused.
  version integer NOT NULL CHECK (version >= 1),
  -- `recovered` takes the place of a lost key: operators seal it.
  kind text NOT NULL CHECK (kind IN ('on', 'replaced', 'off', 'recovered')),
  credential_id text CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND length(credential_id) <= 1400),
  -- As COSE numbers them, and SubjectPublicKeyInfo in base64url.
  algorithm integer CHECK (algorithm IN (-7, -8, -257)),
  public_key text CHECK (public_key ~ '^[A-Za-z0-9_-]+$' AND length(public_key) <= 1000),
  -- Over the three before; empty where it is switched off.
  key_hash text NOT NULL CHECK (key_hash ~ '^([0-9a-f]{64})?$'),
  proof jsonb NOT NULL CHECK (length(proof::text) <= 4000),
  -- The system's time, as all below.
  expires_at timestamptz NOT NULL,
  nonce text NOT NULL CHECK (nonce ~ '^[0-9a-f]{64}$'),
  submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'submitted' CHECK (state IN ('submitted', 'sealed', 'refused')),
  -- Why it was refused: a stable name.
  refusal text CHECK (refusal ~ '^[a-z_]{1,60}$'),
  decided_at timestamptz,
  -- What it signs is paid from then on.
  usable_from timestamptz,
  PRIMARY KEY (member_id, version),
  CONSTRAINT member_key_has_a_key CHECK ((kind = 'off') = (key_hash = '') AND (key_hash = '') = (public_key IS NULL)
    AND (public_key IS NULL) = (credential_id IS NULL) AND (public_key IS NULL) = (algorithm IS NULL)),
  CONSTRAINT member_key_decided_once CHECK ((state = 'submitted') = (decided_at IS NULL) AND (state = 'refused') = (refusal IS NOT NULL)
    AND (state = 'sealed') = (usable_from IS NOT NULL))
);
CREATE UNIQUE INDEX member_key_waiting ON member_key (member_id) WHERE state = 'submitted';
CREATE INDEX member_key_undecided ON member_key (submitted_at) WHERE state = 'submitted';
-- Members are told of what was decided of late.
CREATE INDEX member_key_decided ON member_key (decided_at) WHERE state <> 'submitted';
CREATE TRIGGER member_key_is_kept BEFORE DELETE OR TRUNCATE ON member_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_key_never_changes BEFORE UPDATE ON member_key FOR EACH ROW
  WHEN (OLD.state <> 'submitted' OR (NEW.member_id, NEW.version, NEW.kind, NEW.credential_id, NEW.algorithm, NEW.public_key, NEW.key_hash, NEW.proof, NEW.expires_at, NEW.nonce, NEW.submitted_at)
    IS DISTINCT FROM (OLD.member_id, OLD.version, OLD.kind, OLD.credential_id, OLD.algorithm, OLD.public_key, OLD.key_hash, OLD.proof, OLD.expires_at, OLD.nonce, OLD.submitted_at))
  EXECUTE FUNCTION refuse_change();

-- What a member signed for a withdrawal.
CREATE TABLE withdrawal_proof (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  credential_id text NOT NULL CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND length(credential_id) <= 1400),
  proof jsonb NOT NULL CHECK (length(proof::text) <= 4000),
  expires_at timestamptz NOT NULL,
  nonce text NOT NULL CHECK (nonce ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (member_id, withdrawal_id)
);
CREATE TRIGGER withdrawal_proof_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON withdrawal_proof
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Each nonce of a member's signature is good once, whatever was signed.
CREATE TABLE member_nonce (
  nonce text CONSTRAINT member_nonce_used_once PRIMARY KEY CHECK (nonce ~ '^[0-9a-f]{64}$'),
  member_id bigint NOT NULL,
  used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER member_nonce_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON member_nonce
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The key that counts for a member by this database; no row, or one of kind `off`: none does.
CREATE FUNCTION sealed_member_key(owner bigint) RETURNS member_key
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT k FROM member_key k WHERE k.member_id = owner AND k.state = 'sealed' ORDER BY k.version DESC LIMIT 1
$$;

-- Uses a nonce up, for what nothing else is stored of. Its caller has verified the signature.
CREATE FUNCTION use_member_nonce(owner bigint, its_nonce text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO member_nonce (nonce, member_id) VALUES (its_nonce, owner)
$$;

-- Keeps what was signed for a withdrawal. A member with a key of their own asks for none without it. Part of `request_withdrawal`.
CREATE FUNCTION keep_withdrawal_proof(owner bigint, of_withdrawal bigint, its_proof jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE k member_key := sealed_member_key(owner);
BEGIN
  IF EXISTS (SELECT FROM member_key WHERE member_id = owner AND state = 'submitted' AND (kind = 'recovered' OR expires_at > clock_timestamp())) THEN
    RAISE EXCEPTION 'a change of the member''s key waits' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_waits';
  END IF;
  IF coalesce(k.kind, 'off') = 'off' THEN
    IF its_proof IS NOT NULL THEN
      RAISE EXCEPTION 'the member has no key' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_proof_by_its_key';
    END IF;
    RETURN;
  END IF;
  IF its_proof IS NULL THEN
    RAISE EXCEPTION 'only the member''s passkey moves money' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_proof';
  END IF;
  IF its_proof->>'credential_id' IS DISTINCT FROM k.credential_id THEN
    RAISE EXCEPTION 'another key signed' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_proof_by_its_key';
  END IF;
  PERFORM use_member_nonce(owner, its_proof->>'nonce');
  INSERT INTO withdrawal_proof (member_id, withdrawal_id, credential_id, proof, expires_at, nonce)
    VALUES (owner, of_withdrawal, its_proof->>'credential_id', its_proof->'proof', (its_proof->>'expires_at')::timestamptz, its_proof->>'nonce');
END $$;

-- Stores a change of a member's key for the signer to decide about. Answers its version.
CREATE FUNCTION submit_member_key(owner bigint, its_version integer, its_kind text, its_credential text, its_algorithm integer, its_public_key text,
  its_hash text, its_proof jsonb, expires timestamptz, its_nonce text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  k member_key := sealed_member_key(owner);
  is_on boolean := coalesce(k.kind, 'off') <> 'off';
BEGIN
  -- What waited for the signer for too long is refused by it; whether it sees it or not, it counts no more.
  UPDATE member_key SET state = 'refused', refusal = 'member_key_expired', decided_at = clock_timestamp()
    WHERE member_id = owner AND state = 'submitted' AND kind <> 'recovered' AND expires_at <= clock_timestamp();
  IF EXISTS (SELECT FROM member_key WHERE member_id = owner AND state = 'submitted') THEN
    RAISE EXCEPTION 'a change of the member''s key waits' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_waits';
  END IF;
  IF is_on = (its_kind = 'on') THEN
    RAISE EXCEPTION 'it is switched on or off already' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_follows';
  END IF;
  IF EXISTS (SELECT FROM withdrawal WHERE member_id = owner AND state IN ('requested', 'approved')) THEN
    RAISE EXCEPTION 'withdrawals are open' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_without_open_withdrawals';
  END IF;
  IF expires <= clock_timestamp() OR expires > clock_timestamp() + interval '10 minutes 30 seconds' THEN
    RAISE EXCEPTION 'what was signed is handed in within ten minutes' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_expires_soon';
  END IF;
  IF its_version <> 1 + coalesce((SELECT max(version) FROM member_key WHERE member_id = owner), 0) THEN
    RAISE EXCEPTION 'versions follow each other' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_version_follows';
  END IF;
  PERFORM use_member_nonce(owner, its_nonce);
  INSERT INTO member_key (member_id, version, kind, credential_id, algorithm, public_key, key_hash, proof, expires_at, nonce)
    VALUES (owner, its_version, its_kind, its_credential, its_algorithm, its_public_key, its_hash, its_proof, expires, its_nonce);
  PERFORM pg_notify('member_key_submitted', owner::text);
  RETURN its_version;
END $$;

-- The member takes back what operators have not decided about. False where there is no such thing.
CREATE FUNCTION cancel_member_key(owner bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = 'cancelled', decided_at = clock_timestamp()
    WHERE member_id = owner AND state = 'submitted' AND kind = 'recovered';
  RETURN FOUND;
END $$;

-- The signer has it in its journal. Answers whether the row says so now.
CREATE FUNCTION seal_member_key(owner bigint, its_version integer, usable timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_key SET state = 'sealed', decided_at = clock_timestamp(), usable_from = usable
    WHERE member_id = owner AND version = its_version AND state = 'submitted';
  IF NOT FOUND THEN
    RETURN EXISTS (SELECT FROM member_key WHERE member_id = owner AND version = its_version AND state = 'sealed');
  END IF;
  PERFORM record_audit(clock_timestamp(), owner, 'member_key.seal', 'done', 'member:' || owner, jsonb_build_object('version', its_version, 'kind', kind, 'key', key_hash))
    FROM member_key WHERE member_id = owner AND version = its_version;
  RETURN true;
END $$;

CREATE FUNCTION refuse_member_key(owner bigint, its_version integer, code text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = code, decided_at = clock_timestamp()
    WHERE member_id = owner AND version = its_version AND state = 'submitted';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_audit(clock_timestamp(), owner, 'member_key.verify', 'refused', 'member:' || owner, jsonb_build_object('version', its_version, 'code', code));
  RETURN true;
END $$;

GRANT SELECT ON member_key, withdrawal_proof TO aval_api, aval_signer, aval_gateway;
-- The worker tells members what was decided, and reads nothing that was signed.
GRANT SELECT (member_id, version, kind, state, refusal, decided_at, usable_from) ON member_key TO aval_worker;
-- Operators see what replaces a lost key.
GRANT SELECT (member_id, version, kind, key_hash, credential_id, submitted_at, expires_at, state) ON member_key TO aval_approvals;
GRANT SELECT, INSERT, UPDATE (state, refusal, decided_at, usable_from) ON member_key TO aval_ledger;
GRANT SELECT, INSERT ON withdrawal_proof, member_nonce TO aval_ledger;

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['sealed_member_key(bigint)', 'use_member_nonce(bigint, text)', 'keep_withdrawal_proof(bigint, bigint, jsonb)',
    'submit_member_key(bigint, integer, text, text, integer, text, text, jsonb, timestamptz, text)', 'cancel_member_key(bigint)',
    'seal_member_key(bigint, integer, timestamptz)', 'refuse_member_key(bigint, integer, text)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;

GRANT EXECUTE ON FUNCTION use_member_nonce(bigint, text), cancel_member_key(bigint),
  submit_member_key(bigint, integer, text, text, integer, text, text, jsonb, timestamptz, text) TO aval_api;
GRANT EXECUTE ON FUNCTION seal_member_key(bigint, integer, timestamptz), refuse_member_key(bigint, integer, text) TO aval_signer;
