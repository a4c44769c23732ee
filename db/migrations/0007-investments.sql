-- Investments: the invoices they are paid by, their history, and their reversals.

CREATE TABLE invoice (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  txn_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  plan_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- What came for it while it was open, at most what is due: in the member's account `pending` until it ends.
  received bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'cancelled')),
  -- Business time of the end.
  closed_at timestamptz,
  -- The transfer that completed it; null where the balance did.
  paid_txid text,
  PRIMARY KEY (member_id, id),
  CONSTRAINT invoice_receives_what_is_due CHECK (received BETWEEN 0 AND amount + fee),
  CHECK ((state = 'open') = (closed_at IS NULL)),
  CHECK (state = 'paid' OR paid_txid IS NULL)
);
CREATE INDEX invoice_open ON invoice (member_id, id) WHERE state = 'open';
CREATE INDEX invoice_open_by_end ON invoice (expires_at, member_id) WHERE state = 'open';

CREATE TABLE invoice_key (
  txn_id text PRIMARY KEY,
  member_id bigint NOT NULL,
  invoice_id bigint NOT NULL
);

CREATE TABLE investment (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  value_after bigint NOT NULL CHECK (value_after >= amount),
  from_balance boolean NOT NULL,
  txn_id text,
  txid text,
  plan_version integer NOT NULL,
  credited_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id),
  UNIQUE (member_id, journal_id)
);
CREATE INDEX investment_by_date ON investment (credited_at);
CREATE INDEX investment_by_number ON investment (id);
CREATE TRIGGER investment_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON investment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The order of history: investments, reversals, master codes and movements of principal are numbered by one sequence, drawn while
-- the period is held open (lock 7201, shared). A transaction that holds that lock alone and draws a number has everything before
-- it committed.
GRANT USAGE ON SEQUENCE investment_id_seq TO aval_app;

CREATE TABLE reversal (
  member_id bigint NOT NULL,
  investment_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  journal_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 200),
  reversed_by bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, investment_id)
);
CREATE INDEX reversal_by_date ON reversal (at);
CREATE INDEX reversal_by_number ON reversal (id);
CREATE TRIGGER reversal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a reversal took back from which member, and how much of it the balance covered.
CREATE TABLE reversal_part (
  member_id bigint NOT NULL,
  reversal_id bigint NOT NULL,
  leg integer NOT NULL,
  pool text NOT NULL CHECK (pool IN ('profit', 'commission')),
  amount bigint NOT NULL CHECK (amount > 0),
  from_balance bigint NOT NULL CHECK (from_balance BETWEEN 0 AND amount),
  -- The commission that is taken back; null for passive profit, which is taken back in one sum.
  run_id bigint,
  item_leg integer,
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, reversal_id, leg)
);
CREATE TRIGGER reversal_part_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reversal_part
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A link that became a master code, and when. `sponsorship.is_master` says the same without history.
CREATE TABLE master_code (
  member_id bigint PRIMARY KEY,
  sponsor_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  at timestamptz NOT NULL
);
CREATE INDEX master_code_by_sponsor ON master_code (sponsor_id);
CREATE TRIGGER master_code_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON master_code
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Percentage points that a sponsor gets on top of the plan's first level, and since when. The last row of a sponsor counts.
CREATE TABLE extra_percent (
  sponsor_id bigint NOT NULL,
  -- In the order of history, among investments: a run reads what was set before its own number, also when it is replayed.
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  -- Without a leading or a trailing zero.
  percent text NOT NULL CHECK (percent ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$' AND percent::numeric <= 20),
  -- The person at the console.
  set_by text NOT NULL CHECK (length(set_by) BETWEEN 1 AND 100),
  at timestamptz NOT NULL,
  PRIMARY KEY (sponsor_id, id)
);
CREATE TRIGGER extra_percent_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON extra_percent
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT, UPDATE ON invoice TO aval_app;
GRANT SELECT, INSERT ON invoice_key, extra_percent, investment, reversal, reversal_part, master_code TO aval_app;
