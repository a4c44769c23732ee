-- Mail to members. The row is the truth and the job a hint: what is queued and due is handed over, whatever became of its job.

CREATE TABLE mail_message (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- What the message is about, in the words of whoever asked for it: one message an event, however often it is asked for.
  event text NOT NULL CHECK (length(event) BETWEEN 1 AND 200),
  template text NOT NULL,
  locale text NOT NULL CHECK (locale IN ('es', 'en')),
  to_address text NOT NULL CHECK (length(to_address) <= 320),
  params jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'given_up')),
  -- Hand-overs begun, those included whose process died.
  attempts integer NOT NULL DEFAULT 0,
  -- While a hand-over is under way: until when nobody else begins one.
  next_try_at timestamptz NOT NULL,
  -- The hand-over under way, or the one whose process died.
  claim uuid,
  -- Drawn at the first hand-over and kept, so that whoever receives a message twice sees that it is the same.
  message_id text,
  sent_at timestamptz,
  last_error text CHECK (length(last_error) <= 500),
  PRIMARY KEY (member_id, id),
  UNIQUE (member_id, event),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CHECK (state = 'queued' OR claim IS NULL),
  -- Secrets live here only until they are out, or out of reach.
  CONSTRAINT mail_message_keeps_no_secret CHECK (state = 'queued' OR NOT params ?| ARRAY['code', 'notMeUrl'])
);
CREATE INDEX mail_message_unsent ON mail_message (state, next_try_at) WHERE state <> 'sent';

CREATE TRIGGER mail_message_once_sent BEFORE UPDATE ON mail_message
  FOR EACH ROW WHEN (OLD.state = 'sent') EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT, UPDATE (params, state, attempts, next_try_at, claim, message_id, sent_at, last_error)
  ON mail_message TO aval_app;
