-- Mail to members. The row is the truth and the job a hint: what is queued and due is sent, whatever became of its job.

CREATE TABLE mail_message (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- What the message is about: one message an event, however often it is asked for.
  event text NOT NULL CHECK (length(event) BETWEEN 1 AND 200),
  template text NOT NULL,
  locale text NOT NULL CHECK (locale IN ('es', 'en')),
  to_address text NOT NULL CHECK (length(to_address) <= 320),
  params jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'given_up')),
  -- Attempts begun, including those whose process died.
  attempts integer NOT NULL DEFAULT 0,
  -- During an attempt: until when no other begins.
  next_try_at timestamptz NOT NULL,
  -- The attempt under way, or the one whose process died.
  claim uuid,
  -- Drawn at the first attempt and kept, so that a message received twice is recognised as the same.
  message_id text,
  sent_at timestamptz,
  last_error text CHECK (length(last_error) <= 500),
  PRIMARY KEY (member_id, id),
  UNIQUE (member_id, event),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CHECK (state = 'queued' OR claim IS NULL),
  -- Secrets live here only until they are out, or out of reach.
  CONSTRAINT mail_message_keeps_no_secret CHECK (state = 'queued' OR NOT params ?| ARRAY['code', 'notMeUrl', 'resetUrl'])
);
CREATE INDEX mail_message_unsent ON mail_message (state, next_try_at) WHERE state <> 'sent';
CREATE INDEX mail_message_sent ON mail_message (sent_at) WHERE state = 'sent';
CREATE TRIGGER mail_message_once_sent BEFORE UPDATE ON mail_message
  FOR EACH ROW WHEN (OLD.state = 'sent') EXECUTE FUNCTION refuse_change();

-- Removes sent messages after ninety days, a batch at a time; the server cannot shorten that. What waits, and what was given up, stays.
CREATE FUNCTION purge_mail(as_of timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE purged integer;
BEGIN
  DELETE FROM mail_message m USING (
    SELECT member_id, id FROM mail_message
    WHERE state = 'sent' AND sent_at < least(as_of, clock_timestamp()) - interval '90 days' ORDER BY sent_at LIMIT most) old
  WHERE m.member_id = old.member_id AND m.id = old.id;
  GET DIAGNOSTICS purged = ROW_COUNT;
  RETURN purged;
END $$;

GRANT SELECT, INSERT, UPDATE (params, state, attempts, next_try_at, claim, message_id, sent_at, last_error)
  ON mail_message TO aval_server;
GRANT EXECUTE ON FUNCTION purge_mail(timestamptz, integer) TO aval_server;
GRANT SELECT, DELETE ON mail_message TO aval_ledger;
