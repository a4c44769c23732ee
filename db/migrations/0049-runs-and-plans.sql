-- What operators read of a run before and after its release, what a lower rate or another plan would cost, runs computed again by a press, and
-- a plan that its proposer does not put in force alone (decisions 083 and 084).

-- Days of the calendar: direct runs by the day they are dated into.
CREATE INDEX payout_run_direct_by_time ON payout_run (at) INCLUDE (state, item_sum, payable) WHERE kind = 'direct' AND state <> 'cancelled';

-- A sealed run in figures: totals by rule and level, its largest items, and how it differs from the run before it of its kind. Made once by a
-- job, because it reads every item: a page that asked for the largest of a million items would read a million. Amounts are texts.
CREATE TABLE payout_digest (
  run_id bigint PRIMARY KEY,
  -- The run it is compared with; null where there is none, and of direct runs.
  before_id bigint,
  figures jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER payout_digest_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_digest
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A run that an operator had computed again, and whether it came out as it was sealed.
CREATE TABLE payout_replay (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id bigint NOT NULL,
  asked_by bigint NOT NULL,
  -- Business time.
  asked_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'computing', 'matches', 'differs', 'unsealed')),
  -- How many of how many groups of blocks are computed.
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  -- What was recomputed, and what differs: `Replay` without its run.
  result jsonb,
  finished_at timestamptz,
  CONSTRAINT payout_replay_ended_once CHECK ((state IN ('waiting', 'computing')) = (finished_at IS NULL))
);
CREATE INDEX payout_replay_by_run ON payout_replay (run_id, id);
CREATE UNIQUE INDEX payout_replay_once ON payout_replay (run_id) WHERE finished_at IS NULL;

-- What a plan would have paid instead of the one in force, computed before it is proposed. Writes no run and no posting.
CREATE TABLE plan_preview (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Of the document, as a proposal's statement has it.
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  document text NOT NULL CHECK (octet_length(document) <= 65536),
  asked_by bigint NOT NULL,
  -- Business time.
  asked_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'computing', 'done', 'failed')),
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  -- Of the plan in force it is compared with.
  version integer,
  result jsonb,
  finished_at timestamptz,
  CONSTRAINT plan_preview_ended_once CHECK ((state IN ('waiting', 'computing')) = (finished_at IS NULL))
);
CREATE INDEX plan_preview_by_document ON plan_preview (sha256, id);
CREATE UNIQUE INDEX plan_preview_once ON plan_preview (sha256) WHERE finished_at IS NULL;

CREATE TRIGGER payout_replay_is_kept BEFORE DELETE OR TRUNCATE ON payout_replay FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_replay_never_changes BEFORE UPDATE ON payout_replay FOR EACH ROW
  WHEN (OLD.finished_at IS NOT NULL OR (NEW.id, NEW.run_id, NEW.asked_by, NEW.asked_at) IS DISTINCT FROM (OLD.id, OLD.run_id, OLD.asked_by, OLD.asked_at))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_preview_is_kept BEFORE DELETE OR TRUNCATE ON plan_preview FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_preview_never_changes BEFORE UPDATE ON plan_preview FOR EACH ROW
  WHEN (OLD.finished_at IS NOT NULL OR (NEW.id, NEW.sha256, NEW.document, NEW.asked_by, NEW.asked_at)
    IS DISTINCT FROM (OLD.id, OLD.sha256, OLD.document, OLD.asked_by, OLD.asked_at))
  EXECUTE FUNCTION refuse_change();

GRANT SELECT ON payout_digest, payout_replay, plan_preview TO aval_server;
GRANT INSERT ON payout_digest TO aval_worker;
GRANT INSERT (run_id, asked_by, asked_at) ON payout_replay TO aval_api;
GRANT UPDATE (state, done, total, result, finished_at) ON payout_replay TO aval_worker;
GRANT INSERT (sha256, document, asked_by, asked_at) ON plan_preview TO aval_api;
GRANT UPDATE (state, done, total, version, result, finished_at) ON plan_preview TO aval_worker;

-- Replaces the function of 0023 whole. It does what it did, and a plan needs the approval of an operator who did not propose it: until there
-- is one it stays open, however many sign.
CREATE OR REPLACE FUNCTION accept_decision_approval(of_approval bigint, at_least smallint[]) RETURNS text
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
    -- Of a plan, one of them is somebody else than who proposed it.
    IF given >= d.needed AND (d.kind <> 'plan' OR EXISTS (SELECT FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.decision_id = d.id AND v.operator_id <> d.proposed_by)) THEN
      -- Another decision of this list may have emptied the pool.
      PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.apply', CASE apply_decision(d.id, a.operator_id, business) WHEN 'applied' THEN 'done'
        ELSE 'refused' END, 'decision:' || d.id, jsonb_build_object('kind', d.kind, 'about', d.subject));
    END IF;
  END LOOP;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $$;
