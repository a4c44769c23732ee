-- Decisions: what would let balances rise, proposed by the API, signed by operators on the page of approvals, verified by the signer, and
-- applied here in the transaction that accepts the last approval needed. No other way leads there.

CREATE TABLE decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('run_release', 'run_prorate', 'plan', 'member_key')),
  -- What it is about; only one decision about it is open: 'run:7', 'plan:2026-05-20'.
  subject text NOT NULL CHECK (length(subject) <= 100),
  -- What operators sign: short texts by name.
  statement jsonb NOT NULL CHECK (jsonb_typeof(statement) = 'object' AND length(statement::text) <= 8000),
  -- Of a plan: the text whose SHA-256 the statement has.
  document text CHECK (octet_length(document) <= 65536),
  proposed_by bigint NOT NULL,
  -- Business time.
  proposed_at timestamptz NOT NULL,
  -- System time, as that of approvals.
  expires_at timestamptz NOT NULL DEFAULT clock_timestamp() + interval '7 days',
  -- How many operators the signer asked for, as far as is known.
  needed smallint NOT NULL DEFAULT 1 CHECK (needed BETWEEN 1 AND 5),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'withdrawn', 'refused')),
  -- Why it ended without being applied: a stable name.
  refusal text CHECK (refusal ~ '^[a-z_]{1,60}$'),
  -- Business time.
  ended_at timestamptz,
  CONSTRAINT decision_ended_once CHECK ((state = 'open') = (ended_at IS NULL) AND (state = 'refused') = (refusal IS NOT NULL))
);
CREATE UNIQUE INDEX decision_open_once ON decision (subject) WHERE state = 'open';
CREATE INDEX decision_by_subject ON decision (subject, id);

CREATE TABLE decision_approval (
  decision_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  approval_id bigint NOT NULL,
  -- Business time.
  at timestamptz NOT NULL,
  PRIMARY KEY (decision_id, operator_id)
);

-- The rows of an approval, as the operator saw them.
CREATE TABLE approval_decision (
  approval_id bigint NOT NULL,
  position integer NOT NULL,
  decision_id bigint NOT NULL,
  kind text NOT NULL CHECK (length(kind) <= 20),
  statement jsonb NOT NULL CHECK (length(statement::text) <= 8000),
  PRIMARY KEY (approval_id, position)
);
CREATE UNIQUE INDEX approval_decision_once ON approval_decision (decision_id, approval_id);

CREATE TRIGGER decision_is_kept BEFORE DELETE OR TRUNCATE ON decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_never_changes BEFORE UPDATE ON decision FOR EACH ROW
  WHEN (OLD.state <> 'open' OR (NEW.id, NEW.kind, NEW.subject, NEW.statement, NEW.document, NEW.proposed_by, NEW.proposed_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.id, OLD.kind, OLD.subject, OLD.statement, OLD.document, OLD.proposed_by, OLD.proposed_at, OLD.expires_at))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_approval_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON decision_approval
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_decision_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_decision
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A run that is held no more, whatever became of it, waits for no decision.
CREATE FUNCTION end_decision_of_a_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE decision SET state = 'refused', refusal = 'run_not_held', ended_at = clock_timestamp()
    WHERE subject = 'run:' || NEW.id AND state = 'open';
  RETURN NULL;
END $$;
CREATE TRIGGER payout_run_ends_its_decision AFTER UPDATE OF state ON payout_run FOR EACH ROW
  WHEN (OLD.state = 'held' AND NEW.state <> 'held') EXECUTE FUNCTION end_decision_of_a_run();

-- What is said of a held run, from its row: a proposal cannot say anything else.
CREATE FUNCTION statement_of_run(r payout_run, available bigint, note text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('run', r.id::text, 'kind', r.kind, 'period', r.period, 'items', r.item_count::text, 'items_hash', coalesce(r.items_hash, ''),
    'sum', r.item_sum::text, 'payable', r.payable::text, 'pool', available::text, 'objections', left(r.objections::text, 1000), 'note', left(note, 200))
$$;

-- Why a run can be decided so no more, by a stable name; null where it can.
CREATE FUNCTION run_refusal(r payout_run, its_kind text, available bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN r.state IS DISTINCT FROM 'held' OR (its_kind = 'run_release') <> (r.objections <> '[]' AND r.overruled_by IS NULL) THEN 'run_not_held'
    WHEN its_kind = 'run_release' THEN NULL
    WHEN available >= r.payable THEN 'run_not_short'
    WHEN available < 1 THEN 'pool_empty' END
$$;

CREATE FUNCTION pool_of(r payout_run) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT amount FROM house_balance WHERE account = (CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account
$$;

-- Proposes a decision; answers its number. `given`: of a run its number and a note, of a plan the day on which it starts.
CREATE FUNCTION propose_decision(its_kind text, given jsonb, its_document text, operator bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
  said jsonb := given;
  about text;
  why text;
  starts timestamptz;
  made bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators decide' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_by_an_operator';
  END IF;
  IF jsonb_typeof(given) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(given) AS each (name, said)
      WHERE name !~ '^[a-z][a-z0-9_]{0,39}$' OR jsonb_typeof(each.said) <> 'string' OR length(each.said #>> '{}') > 1000) THEN
    RAISE EXCEPTION 'a statement has short texts by name' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_statement';
  END IF;
  IF its_kind IN ('run_release', 'run_prorate') THEN
    -- Or it is cancelled before anybody sees this decision, which then stays open.
    SELECT * INTO r FROM payout_run WHERE id = (given->>'run')::bigint FOR NO KEY UPDATE;
    why := run_refusal(r, its_kind, pool_of(r));
    IF why IS NOT NULL THEN
      RAISE EXCEPTION 'a run is decided about while it is held' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || why;
    END IF;
    said := statement_of_run(r, pool_of(r), coalesce(given->>'note', ''));
    about := 'run:' || r.id;
  ELSIF its_kind = 'plan' THEN
    starts := (given->>'starts_on')::date::timestamp AT TIME ZONE
      (SELECT document->>'timeZone' FROM plan_version WHERE starts_at <= at ORDER BY starts_at DESC, version DESC LIMIT 1);
    IF (starts > at AND jsonb_typeof(its_document::jsonb) = 'object') IS NOT TRUE THEN
      RAISE EXCEPTION 'a plan starts later' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_plan_start_passed';
    END IF;
    said := jsonb_build_object('starts_on', given->>'starts_on', 'starts_at', to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'sha256', encode(sha256(convert_to(its_document, 'UTF8')), 'hex'));
    about := 'plan:' || (given->>'starts_on');
  ELSE
    RAISE EXCEPTION 'operators propose runs and plans' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_kind';
  END IF;
  PERFORM hold_lock('decisions'); -- counted one at a time
  UPDATE decision SET state = 'refused', refusal = 'decision_expired', ended_at = at WHERE state = 'open' AND expires_at <= clock_timestamp();
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind <> 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, document, proposed_by, proposed_at)
    VALUES (its_kind, about, said, CASE WHEN its_kind = 'plan' THEN its_document END, operator, at) RETURNING id INTO made;
  RETURN made;
END $$;

-- False where it is no longer open.
CREATE FUNCTION withdraw_decision(of_decision bigint, operator bigint, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE decision SET state = 'withdrawn', ended_at = at WHERE id = of_decision AND state = 'open'
    AND EXISTS (SELECT FROM member WHERE id = operator AND is_operator);
  RETURN FOUND;
END $$;

CREATE FUNCTION submit_decision_approval(operator bigint, its_network text, its_nonce text, expires timestamptz, its_root text, its_proof jsonb,
  decisions bigint[], kinds text[], statements jsonb[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made bigint;
  rows integer := coalesce(cardinality(decisions), 0);
BEGIN
  IF rows NOT BETWEEN 1 AND 50 OR array_ndims(decisions) <> 1 OR (cardinality(kinds), cardinality(statements)) IS DISTINCT FROM (rows, rows) THEN
    RAISE EXCEPTION 'a list has 1 to 50 decisions' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_has_rows';
  END IF;
  IF expires > clock_timestamp() + interval '11 minutes' THEN
    RAISE EXCEPTION 'decisions need a signer with a network' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_ends_soon';
  END IF;
  made := store_approval(operator, 'decisions', its_network, its_nonce, expires, its_root, its_proof, rows);
  INSERT INTO approval_decision (approval_id, position, decision_id, kind, statement)
  SELECT made, u.place - 1, u.decision, u.kind, u.statement
  FROM unnest(decisions, kinds, statements) WITH ORDINALITY AS u (decision, kind, statement, place);
  RETURN made;
END $$;

-- Why a decision cannot be applied now, by a stable name; null where it can.
CREATE FUNCTION decision_refusal(d decision, at timestamptz) RETURNS text LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  r payout_run;
BEGIN
  IF d.state <> 'open' THEN RETURN 'decision_closed'; END IF;
  IF d.expires_at <= clock_timestamp() THEN RETURN 'decision_expired'; END IF;
  IF d.kind = 'plan' THEN
    RETURN CASE WHEN d.statement->>'sha256' IS DISTINCT FROM encode(sha256(convert_to(d.document, 'UTF8')), 'hex') THEN 'document_differs'
      WHEN (d.statement->>'starts_at')::timestamptz <= at THEN 'plan_start_passed' END;
  END IF;
  IF d.kind NOT IN ('run_release', 'run_prorate') THEN RETURN NULL; END IF;
  SELECT * INTO r FROM payout_run WHERE id = (d.statement->>'run')::bigint FOR NO KEY UPDATE;
  IF (r.items_hash, r.item_sum::text, r.item_count::text, r.payable::text, left(r.objections::text, 1000)) IS DISTINCT FROM
    (d.statement->>'items_hash', d.statement->>'sum', d.statement->>'items', d.statement->>'payable', d.statement->>'objections') THEN RETURN 'run_changed'; END IF;
  RETURN CASE WHEN (SELECT stopped FROM payout_stop) THEN 'stopped' ELSE run_refusal(r, d.kind, pool_of(r)) END;
END $$;

-- Does what it says; who calls it has counted approvals. `applied`, or why not: what can become possible again stays open.
CREATE FUNCTION apply_decision(of_decision bigint, operator bigint, at timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  d decision;
  refused text;
BEGIN
  PERFORM FROM payout_run WHERE id = (SELECT (statement->>'run')::bigint FROM decision WHERE id = of_decision) FOR NO KEY UPDATE;
  SELECT * INTO d FROM decision WHERE id = of_decision FOR UPDATE;
  refused := decision_refusal(d, at);
  IF refused IS NOT NULL THEN
    IF refused NOT IN ('decision_closed', 'stopped', 'pool_empty') THEN
      UPDATE decision SET state = 'refused', refusal = refused, ended_at = at WHERE id = d.id;
    END IF;
    RETURN refused;
  END IF;
  UPDATE decision SET state = 'accepted', ended_at = at WHERE id = d.id;
  IF d.kind = 'run_release' THEN
    PERFORM overrule_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'run_prorate' THEN
    PERFORM prorate_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'plan' THEN
    PERFORM hold_lock('plan version');
    INSERT INTO plan_version (version, starts_at, document)
      SELECT coalesce(max(version), 0) + 1, (d.statement->>'starts_at')::timestamptz, d.document::jsonb FROM plan_version;
  END IF;
  RETURN 'applied';
END $$;

-- Does what an approval asks for. Who calls it has verified the proof and its time. All of its decisions could be applied, or none is
-- approved: `accepted`, or the name of what speaks against it. `at_least`: how many operators each row needs, by position.
CREATE FUNCTION accept_decision_approval(of_approval bigint, at_least smallint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  a approval;
  d decision;
  refused text;
  listed record;
  given integer;
  -- The API sets the development network's clock; never back, so that no plan starts in the past.
  business timestamptz := clock_timestamp() + greatest((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond';
BEGIN
  SELECT * INTO a FROM approval WHERE id = of_approval FOR UPDATE;
  IF a.id IS NULL OR a.purpose <> 'decisions' THEN RETURN 'approval_not_found'; END IF;
  IF a.state = 'accepted' THEN RETURN 'accepted'; END IF;
  IF a.state = 'refused' THEN RETURN a.refusal; END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = a.operator_id AND is_operator) THEN RETURN 'not_an_operator'; END IF;
  -- The run before the decision about it, as whoever else touches both.
  PERFORM FROM payout_run WHERE id IN (SELECT (statement->>'run')::bigint FROM approval_decision WHERE approval_id = a.id AND kind LIKE 'run%')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM decision WHERE id IN (SELECT decision_id FROM approval_decision WHERE approval_id = a.id) ORDER BY id FOR UPDATE;
  IF EXISTS (SELECT FROM approval_decision r LEFT JOIN decision o ON o.id = r.decision_id
      WHERE r.approval_id = a.id AND (o.kind, o.statement) IS DISTINCT FROM (r.kind, r.statement)) THEN
    RETURN 'rows_differ';
  END IF;
  FOR d IN SELECT o.* FROM decision o JOIN approval_decision r ON r.decision_id = o.id WHERE r.approval_id = a.id ORDER BY o.id LOOP
    refused := decision_refusal(d, business);
    IF refused IS NOT NULL THEN
      IF refused NOT IN ('decision_closed', 'stopped', 'pool_empty') THEN
        UPDATE decision SET state = 'refused', refusal = refused, ended_at = business WHERE id = d.id;
      END IF;
      RETURN refused;
    END IF;
  END LOOP;
  FOR listed IN SELECT decision_id, position FROM approval_decision WHERE approval_id = a.id ORDER BY decision_id LOOP
    INSERT INTO decision_approval (decision_id, operator_id, approval_id, at) VALUES (listed.decision_id, a.operator_id, a.id, business) ON CONFLICT DO NOTHING;
    UPDATE decision SET needed = greatest(needed, coalesce(at_least[listed.position + 1], 1)) WHERE id = listed.decision_id RETURNING * INTO d;
    SELECT count(*) INTO given FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator WHERE v.decision_id = d.id;
    PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.approve', 'done', 'decision:' || d.id, jsonb_build_object('kind', d.kind,
      'about', d.subject, 'approvals', given, 'needed', d.needed, 'approval', a.id::text));
    IF given >= d.needed THEN
      -- Another decision of this list may have emptied the pool.
      PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.apply', CASE apply_decision(d.id, a.operator_id, business) WHEN 'applied' THEN 'done'
        ELSE 'refused' END, 'decision:' || d.id, jsonb_build_object('kind', d.kind, 'about', d.subject));
    END IF;
  END LOOP;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $$;

INSERT INTO product_lock (name) VALUES ('decisions');

GRANT SELECT ON decision, decision_approval TO aval_api, aval_approvals;
GRANT SELECT ON approval_decision, plan_version TO aval_approvals;
GRANT SELECT ON decision, approval_decision TO aval_signer;
GRANT SELECT, INSERT, UPDATE ON decision TO aval_ledger;
GRANT SELECT, INSERT ON decision_approval, approval_decision TO aval_ledger;

DO $$
DECLARE name text;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  FOREACH name IN ARRAY ARRAY['end_decision_of_a_run', 'statement_of_run', 'run_refusal', 'pool_of', 'propose_decision', 'withdraw_decision',
      'submit_decision_approval', 'decision_refusal', 'apply_decision', 'accept_decision_approval'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %I OWNER TO aval_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT EXECUTE ON FUNCTION propose_decision, withdraw_decision TO aval_api;
GRANT EXECUTE ON FUNCTION submit_decision_approval TO aval_approvals;
GRANT EXECUTE ON FUNCTION accept_decision_approval TO aval_signer;
