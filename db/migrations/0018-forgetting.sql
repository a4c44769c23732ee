-- What nobody asks for any more goes, a batch at a time. How long each is kept stands here, where the server cannot shorten it.

-- Answers that are replayed under an Idempotency-Key: seven days, and whoever tried then has long given up.
CREATE INDEX idempotency_response_by_age ON idempotency_response (at);
-- Letters that went out: ninety days. What waits, and what was given up, stays.
CREATE INDEX mail_message_sent ON mail_message (sent_at) WHERE state = 'sent';

CREATE FUNCTION purge_idempotency_responses(as_of timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE forgotten integer;
BEGIN
  DELETE FROM idempotency_response a USING (
    SELECT member_id, key FROM idempotency_response
    WHERE at < least(as_of, clock_timestamp()) - interval '7 days' ORDER BY at LIMIT most) old
  WHERE a.member_id = old.member_id AND a.key = old.key;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

CREATE FUNCTION purge_mail(as_of timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE forgotten integer;
BEGIN
  DELETE FROM mail_message m USING (
    SELECT member_id, id FROM mail_message
    WHERE state = 'sent' AND sent_at < least(as_of, clock_timestamp()) - interval '90 days' ORDER BY sent_at LIMIT most) old
  WHERE m.member_id = old.member_id AND m.id = old.id;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

REVOKE ALL ON FUNCTION purge_idempotency_responses(timestamptz, integer), purge_mail(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_idempotency_responses(timestamptz, integer), purge_mail(timestamptz, integer) TO aval_app;
