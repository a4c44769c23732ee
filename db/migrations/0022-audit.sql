-- The audit trail: what was recorded is sealed in batches into a chain of hashes, whose head the signer signs. A row's hash covers its
-- columns and the hash of its details, so that details can be erased without breaking the chain.

ALTER TABLE audit_event ADD COLUMN details_hash bytea, ADD COLUMN erased_at timestamptz;
ALTER TABLE security_event ADD COLUMN details_hash bytea, ADD COLUMN erased_at timestamptz;

-- Texts one after the other, each with its length, so that no two lists give the same.
CREATE FUNCTION netstrings(VARIADIC texts text[]) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
  SELECT convert_to(string_agg(CASE WHEN t IS NULL THEN '-' ELSE octet_length(t) || ':' || t END, '' ORDER BY place), 'UTF8')
  FROM unnest(texts) WITH ORDINALITY AS list (t, place)
$$;
CREATE FUNCTION microseconds(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
  SELECT (extract(epoch FROM moment) * 1000000)::bigint::text
$$;

DROP TRIGGER audit_event_is_append_only ON audit_event;
DROP TRIGGER security_event_is_append_only ON security_event;
UPDATE audit_event SET details_hash = sha256(netstrings(details::text));
UPDATE security_event SET details_hash = sha256(netstrings(user_agent, ip, details::text));
ALTER TABLE audit_event ALTER COLUMN details_hash SET NOT NULL;
ALTER TABLE security_event ALTER COLUMN details_hash SET NOT NULL;
CREATE INDEX security_event_by_id ON security_event (id);

-- Nothing changes, except that details are erased, once.
CREATE TRIGGER audit_event_is_append_only BEFORE DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_is_only_erased BEFORE UPDATE ON audit_event FOR EACH ROW
  WHEN (OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL OR NEW.details <> '{}'
    OR (OLD.id, OLD.at, OLD.actor_id, OLD.action, OLD.outcome, OLD.subject, OLD.details_hash)
      IS DISTINCT FROM (NEW.id, NEW.at, NEW.actor_id, NEW.action, NEW.outcome, NEW.subject, NEW.details_hash))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER security_event_is_append_only BEFORE DELETE OR TRUNCATE ON security_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER security_event_is_only_erased BEFORE UPDATE ON security_event FOR EACH ROW
  WHEN (OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL OR NEW.details <> '{}' OR NEW.user_agent <> '' OR NEW.ip <> ''
    OR (OLD.member_id, OLD.id, OLD.kind, OLD.at, OLD.details_hash) IS DISTINCT FROM (NEW.member_id, NEW.id, NEW.kind, NEW.at, NEW.details_hash))
  EXECUTE FUNCTION refuse_change();

-- A transaction has its own number before it draws one of a row: the sealer tells by it whose rows may still be to come.
CREATE FUNCTION record_audit(its_at timestamptz, its_actor bigint, its_action text, its_outcome text, its_subject text, its_details jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_current_xact_id();
  INSERT INTO audit_event (at, actor_id, action, outcome, subject, details, details_hash)
  VALUES (its_at, its_actor, its_action, its_outcome, its_subject, its_details, sha256(netstrings(its_details::text)));
END $$;

-- Answers its number; null for a second `not_me` about the same event.
CREATE FUNCTION record_security_event(of_member bigint, its_kind text, its_at timestamptz, its_user_agent text, its_ip text, its_details jsonb)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE recorded bigint;
BEGIN
  PERFORM pg_current_xact_id();
  INSERT INTO security_event (member_id, kind, at, user_agent, ip, details, details_hash)
  VALUES (of_member, its_kind, its_at, its_user_agent, its_ip, its_details, sha256(netstrings(its_user_agent, its_ip, its_details::text)))
  ON CONFLICT DO NOTHING RETURNING id INTO recorded;
  RETURN recorded;
END $$;

-- For a member whose account was closed (0032). The erasing is an entry itself.
CREATE FUNCTION erase_audit_details(of_member bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE moment timestamptz := clock_timestamp();
BEGIN
  UPDATE audit_event SET details = '{}', erased_at = moment
    WHERE (actor_id = of_member OR subject = 'member:' || of_member) AND erased_at IS NULL;
  UPDATE security_event SET details = '{}', user_agent = '', ip = '', erased_at = moment WHERE member_id = of_member AND erased_at IS NULL;
  PERFORM record_audit(moment, NULL, 'audit.erase', 'done', 'member:' || of_member, '{}');
END $$;

-- A batch of both trails: the numbers of its rows, their hashes one after the other, and the hash over all that and over the seal before.
CREATE TABLE audit_seal (
  id bigint PRIMARY KEY CHECK (id > 0),
  at timestamptz NOT NULL,
  -- Every row up to here is in this seal or in one before.
  audit_last bigint NOT NULL,
  audit_ids bigint[] NOT NULL,
  audit_hashes bytea NOT NULL,
  security_last bigint NOT NULL,
  security_ids bigint[] NOT NULL,
  security_hashes bytea NOT NULL,
  root bytea NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TRIGGER audit_seal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rows up to these numbers can be sealed when every transaction before `beyond` has ended.
CREATE TABLE audit_cut (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  beyond xid8 NOT NULL DEFAULT '0',
  audit_last bigint NOT NULL DEFAULT 0,
  security_last bigint NOT NULL DEFAULT 0
);
INSERT INTO audit_cut DEFAULT VALUES;

-- The signer's public key: the first one stays.
CREATE TABLE audit_key (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  public_key bytea NOT NULL CHECK (length(public_key) = 32)
);
CREATE TRIGGER audit_key_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_signature (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seal_id bigint NOT NULL REFERENCES audit_seal (id),
  at timestamptz NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64)
);
CREATE TRIGGER audit_signature_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_signature
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One seal over the next rows, `most` of each trail, up to these numbers; false where there are none.
CREATE FUNCTION seal_audit_batch(audit_until bigint, security_until bigint, most integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  head audit_seal;
  next audit_seal;
BEGIN
  SELECT * INTO head FROM audit_seal ORDER BY id DESC LIMIT 1;
  SELECT coalesce(array_agg(id ORDER BY id), '{}'), coalesce(string_agg(hash, '' ORDER BY id), ''), max(id)
  INTO next.audit_ids, next.audit_hashes, next.audit_last FROM (
    SELECT id, sha256(netstrings(microseconds(at), actor_id::text, action, outcome, subject, encode(details_hash, 'hex'))) AS hash
    FROM audit_event WHERE id > coalesce(head.audit_last, 0) AND id <= audit_until ORDER BY id LIMIT most) batch;
  SELECT coalesce(array_agg(id ORDER BY id), '{}'), coalesce(string_agg(hash, '' ORDER BY id), ''), max(id)
  INTO next.security_ids, next.security_hashes, next.security_last FROM (
    SELECT id, sha256(netstrings(member_id::text, kind, microseconds(at), encode(details_hash, 'hex'))) AS hash
    FROM security_event WHERE id > coalesce(head.security_last, 0) AND id <= security_until ORDER BY id LIMIT most) batch;
  IF next.audit_last IS NULL AND next.security_last IS NULL THEN RETURN false; END IF;
  next.id := coalesce(head.id, 0) + 1;
  next.at := clock_timestamp();
  next.previous := coalesce(head.hash, '\x');
  next.audit_last := coalesce(next.audit_last, head.audit_last, 0);
  next.security_last := coalesce(next.security_last, head.security_last, 0);
  next.root := sha256(netstrings(array_to_string(next.audit_ids, ','), encode(next.audit_hashes, 'hex'),
    array_to_string(next.security_ids, ','), encode(next.security_hashes, 'hex')));
  next.hash := sha256(netstrings(next.id::text, microseconds(next.at), next.audit_last::text, next.security_last::text,
    encode(next.root, 'hex'), encode(next.previous, 'hex')));
  INSERT INTO audit_seal SELECT next.*;
  RETURN true;
END $$;

-- Seals what is complete: rows whose numbers were drawn before an instant, once every transaction of that instant has ended. A quiet
-- database is sealed whole. Answers how many seals were made.
CREATE FUNCTION seal_audit(most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  audit_now bigint;
  security_now bigint;
  own xid8;
  oldest xid8;
  cut audit_cut;
  made integer := 0;
BEGIN
  LOCK TABLE audit_seal IN SHARE ROW EXCLUSIVE MODE;
  SELECT (SELECT coalesce(max(id), 0) FROM audit_event), (SELECT coalesce(max(id), 0) FROM security_event) INTO audit_now, security_now;
  -- Drawn after those were read: who drew a lower row number has a lower number than this. A snapshot's end is no such bound, since it
  -- comes after the transactions that have ended, and not after those that have begun.
  own := pg_current_xact_id();
  oldest := pg_snapshot_xmin(pg_current_snapshot());
  SELECT * INTO cut FROM audit_cut;
  IF oldest >= own THEN
    cut.audit_last := audit_now;
    cut.security_last := security_now;
  -- Beyond the present: the database was restored into another cluster, and whoever was writing then is gone.
  ELSIF cut.beyond > oldest AND cut.beyond <= own THEN
    RETURN 0;
  END IF;
  WHILE seal_audit_batch(cut.audit_last, cut.security_last, most) LOOP made := made + 1; END LOOP;
  IF (cut.audit_last, cut.security_last) IS DISTINCT FROM (audit_now, security_now) THEN
    UPDATE audit_cut SET beyond = own, audit_last = audit_now, security_last = security_now;
  END IF;
  RETURN made;
END $$;

-- The first key stays; whether it is this one.
CREATE FUNCTION register_audit_key(new_key bytea) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO audit_key (public_key) VALUES (new_key) ON CONFLICT DO NOTHING;
  RETURN (SELECT public_key = new_key FROM audit_key);
END $$;

CREATE FUNCTION store_audit_signature(of_seal bigint, of_hash bytea, signed_at timestamptz, new_signature bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO audit_signature (seal_id, at, signature) SELECT id, signed_at, new_signature FROM audit_seal WHERE id = of_seal AND hash = of_hash;
  RETURN FOUND;
END $$;

REVOKE INSERT ON audit_event, security_event FROM aval_server, aval_api, aval_worker, aval_gateway, aval_signer;
GRANT SELECT ON audit_event, security_event, audit_seal, audit_cut, audit_key, audit_signature TO aval_ledger;
GRANT INSERT, UPDATE (details, erased_at) ON audit_event TO aval_ledger;
GRANT INSERT, UPDATE (details, user_agent, ip, erased_at) ON security_event TO aval_ledger;
GRANT INSERT, UPDATE ON audit_seal TO aval_ledger;
GRANT UPDATE ON audit_cut TO aval_ledger;
GRANT INSERT ON audit_key, audit_signature TO aval_ledger;
GRANT SELECT ON audit_seal, audit_key, audit_signature TO aval_worker, aval_signer;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['record_audit', 'record_security_event', 'erase_audit_details', 'seal_audit_batch', 'seal_audit',
      'register_audit_key', 'store_audit_signature'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION netstrings, microseconds TO aval_ledger, aval_worker, aval_signer;
GRANT EXECUTE ON FUNCTION record_audit TO aval_api, aval_worker, aval_gateway, aval_signer, aval_approvals;
GRANT EXECUTE ON FUNCTION record_security_event TO aval_api, aval_worker;
GRANT EXECUTE ON FUNCTION seal_audit TO aval_worker;
GRANT EXECUTE ON FUNCTION register_audit_key, store_audit_signature TO aval_signer;
