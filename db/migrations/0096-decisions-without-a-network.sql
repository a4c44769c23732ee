-- Decisions travel to a signer without a network, and back, as transfers do: their approvals may last a day, as those of withdrawals. A signer
-- with a network accepts ten minutes, whatever is stored here.

-- As in 0023, for a day at most by `store_approval`.
CREATE OR REPLACE FUNCTION submit_decision_approval(operator bigint, its_network text, its_nonce text, expires timestamptz, its_root text, its_proof jsonb,
  decisions bigint[], kinds text[], statements jsonb[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made bigint;
  rows integer := coalesce(cardinality(decisions), 0);
BEGIN
  IF rows NOT BETWEEN 1 AND 50 OR array_ndims(decisions) <> 1 OR (cardinality(kinds), cardinality(statements)) IS DISTINCT FROM (rows, rows) THEN
    RAISE EXCEPTION 'a list has 1 to 50 decisions' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_has_rows';
  END IF;
  made := store_approval(operator, 'decisions', its_network, its_nonce, expires, its_root, its_proof, rows);
  INSERT INTO approval_decision (approval_id, position, decision_id, kind, statement)
  SELECT made, u.place - 1, u.decision, u.kind, u.statement
  FROM unnest(decisions, kinds, statements) WITH ORDINALITY AS u (decision, kind, statement, place);
  RETURN made;
END $$;

-- What it exports of them; it can accept none.
GRANT SELECT ON approval_decision TO aval_gateway;
