-- What members ask and operators answer: one conversation a member. Times are the system's.

CREATE TABLE support_thread (
  member_id bigint PRIMARY KEY,
  -- open: the member waits for an answer.
  state text NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
  -- Since the first message that nobody has answered.
  waiting_since timestamptz,
  -- What the member last said it is about.
  topic text CHECK (topic IN ('callback', 'order', 'help', 'payment')),
  last_at timestamptz NOT NULL,
  -- The newest message each side has seen; 0 before the first.
  member_read_id bigint NOT NULL DEFAULT 0,
  operator_read_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT support_thread_open_waits CHECK ((state = 'open') = (waiting_since IS NOT NULL))
);
-- The operators' queue: the longest wait first, then the rest, newest first; and the same within one state.
CREATE INDEX support_thread_queue ON support_thread (waiting_since, last_at DESC, member_id);
CREATE INDEX support_thread_settled ON support_thread (state, last_at DESC, member_id) WHERE state <> 'open';

-- Numbers follow the order of a conversation: its thread is locked while a message is written.
CREATE TABLE support_message (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The operator who answered; null for the member's own.
  operator_id bigint,
  topic text CHECK (topic IN ('callback', 'order', 'help', 'payment')),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id),
  CHECK (topic IS NULL OR operator_id IS NULL)
);

-- Deleted with a closed account alone (0032).
CREATE TRIGGER support_message_is_append_only BEFORE UPDATE OR TRUNCATE ON support_message
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT, UPDATE (state, waiting_since, topic, last_at, member_read_id, operator_read_id)
  ON support_thread TO aval_server;
GRANT SELECT, INSERT ON support_message TO aval_server;
