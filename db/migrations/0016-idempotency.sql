-- Answers to calls under an Idempotency-Key: the same call sent again gets the first answer.

CREATE TABLE idempotency_response (
  member_id bigint NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  request_hash text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, key)
);
CREATE INDEX idempotency_response_by_age ON idempotency_response (at);

-- Removes them after seven days, a batch at a time; the server cannot shorten that.
CREATE FUNCTION purge_idempotency_responses(as_of timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE purged integer;
BEGIN
  DELETE FROM idempotency_response a USING (
    SELECT member_id, key FROM idempotency_response
    WHERE at < least(as_of, clock_timestamp()) - interval '7 days' ORDER BY at LIMIT most) old
  WHERE a.member_id = old.member_id AND a.key = old.key;
  GET DIAGNOSTICS purged = ROW_COUNT;
  RETURN purged;
END $$;

GRANT SELECT, INSERT ON idempotency_response TO aval_server;
GRANT EXECUTE ON FUNCTION purge_idempotency_responses(timestamptz, integer) TO aval_server;
GRANT SELECT, DELETE ON idempotency_response TO aval_ledger;
