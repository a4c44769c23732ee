-- What needs a person (decision 076): one row while it lasts. The worker finds it from the rows; operators read it in the console, and by mail
-- what each of them chose.
CREATE TABLE operator_notification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  -- What it is about, `noun:id`; empty where there is one of its kind at most.
  subject text NOT NULL CHECK (length(subject) <= 200),
  -- What its sentence mentions.
  words jsonb NOT NULL DEFAULT '{}' CHECK (length(words::text) <= 2000),
  at timestamptz NOT NULL,
  -- When it was seen to; null while it needs somebody.
  over_at timestamptz
);
CREATE UNIQUE INDEX operator_notification_open_once ON operator_notification (kind, subject) WHERE over_at IS NULL;
CREATE INDEX operator_notification_by_time ON operator_notification (at, id);

CREATE TABLE operator_notification_read (
  operator_id bigint NOT NULL,
  notification_id bigint NOT NULL,
  PRIMARY KEY (operator_id, notification_id)
);
ALTER TABLE operator_notification_read ADD CONSTRAINT operator_notification_read_of_one FOREIGN KEY (notification_id)
  REFERENCES operator_notification ON DELETE CASCADE;
CREATE INDEX operator_notification_read_by_notification ON operator_notification_read (notification_id);

-- Which kinds come by mail, where an operator chose: else those of the role.
CREATE TABLE operator_mail_choice (
  operator_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  mailed boolean NOT NULL,
  PRIMARY KEY (operator_id, kind)
);

GRANT SELECT ON operator_notification, operator_notification_read, operator_mail_choice TO aval_server;
GRANT INSERT, DELETE, UPDATE (words, over_at) ON operator_notification TO aval_worker;
GRANT INSERT ON operator_notification_read TO aval_api;
GRANT INSERT, UPDATE (mailed) ON operator_mail_choice TO aval_api;
