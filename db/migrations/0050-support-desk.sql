-- Support by several operators: who has a conversation, ready texts, and how long members waited for a first answer.

ALTER TABLE support_thread ADD COLUMN assigned_to bigint, ADD COLUMN assigned_at timestamptz;
ALTER TABLE support_thread ADD CONSTRAINT support_thread_assigned_since CHECK ((assigned_to IS NULL) = (assigned_at IS NULL));
-- What was set aside is nobody's: the next message is a new matter.
ALTER TABLE support_thread ADD CONSTRAINT support_thread_closed_is_nobodys CHECK (state <> 'closed' OR assigned_to IS NULL);
CREATE INDEX support_thread_of_operator ON support_thread (assigned_to, waiting_since, last_at DESC, member_id) WHERE assigned_to IS NOT NULL;
CREATE INDEX support_thread_unassigned ON support_thread (waiting_since, last_at DESC, member_id)
  WHERE waiting_since IS NOT NULL AND assigned_to IS NULL;
GRANT UPDATE (assigned_to, assigned_at) ON support_thread TO aval_server;

-- Of an answer that ended a wait: for how long the member had waited, in seconds.
ALTER TABLE support_message ADD COLUMN waited_seconds integer;
ALTER TABLE support_message ADD CONSTRAINT support_message_answers_a_wait
  CHECK (waited_seconds IS NULL OR (waited_seconds >= 0 AND operator_id IS NOT NULL));
-- Read from its end, and without a visit to the messages.
CREATE INDEX support_message_first_answers ON support_message (at) INCLUDE (operator_id, waited_seconds) WHERE waited_seconds IS NOT NULL;

-- Ready texts in both languages. Each change is a version; the newest counts. Two who change one at once meet at the key.
CREATE SEQUENCE support_template_id_seq;
CREATE TABLE support_template (
  id bigint NOT NULL DEFAULT nextval('support_template_id_seq'),
  version integer NOT NULL CHECK (version > 0),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  text_es text NOT NULL CHECK (length(text_es) BETWEEN 1 AND 2000),
  text_en text NOT NULL CHECK (length(text_en) BETWEEN 1 AND 2000),
  removed boolean NOT NULL DEFAULT false,
  operator_id bigint NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT support_template_version PRIMARY KEY (id, version)
);
CREATE TRIGGER support_template_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON support_template
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- There are few operators; to find them among a million members took a pass over all of them.
CREATE INDEX member_operators_by_name ON member (username) WHERE is_operator;

GRANT SELECT, INSERT ON support_template TO aval_server;
GRANT USAGE ON SEQUENCE support_template_id_seq TO aval_server;
