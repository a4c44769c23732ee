-- The whole compensation engine: binary, runs of any size, reversals, and history that can be read as of any moment.

-- New kinds and accounts. Types are replaced, not extended: a value added to a type cannot be used in the transaction
-- that adds it, and all migrations share one.
ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart, DROP CONSTRAINT posting_under_its_owner;
ALTER TABLE payout_item DROP CONSTRAINT payout_item_kind_check;
ALTER TYPE ledger_account RENAME TO ledger_account_before;
ALTER TYPE posting_kind RENAME TO posting_kind_before;
CREATE TYPE ledger_account AS ENUM (
  'principal', 'balance', 'held',
  'receivable',                          -- what a member owes after a reversal; backs nothing
  'custody:deposits',
  'pool:profit', 'pool:commission', 'due:profit', 'due:commission',
  'company:revenue', 'company:capital',
  'company:claims'                       -- the other side of receivables
);
CREATE TYPE posting_kind AS ENUM (
  'deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest',
  'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission',
  'passive', 'direct', 'master', 'binary',
  'reverse_investment',                  -- principal of an investment that is taken back returns to its member's balance
  'clawback_profit', 'clawback_commission',  -- what it had paid, from the balance of whom it was paid to
  'owed_profit', 'owed_commission',          -- what that balance did not cover
  'recover_profit', 'recover_commission',    -- taken from a later balance,
  'repay_profit', 'repay_commission'       -- and no longer owed
);
ALTER TABLE posting
  ALTER COLUMN kind TYPE posting_kind USING kind::text::posting_kind,
  ALTER COLUMN source TYPE ledger_account USING source::text::ledger_account,
  ALTER COLUMN destination TYPE ledger_account USING destination::text::ledger_account,
  ALTER COLUMN leg TYPE integer;
-- Every day puts one entry a member all over this index: half of each page is left free, or every page splits (measured:
-- 5.2 instead of 3.8 µs a posting).
ALTER TABLE posting DROP CONSTRAINT posting_pkey,
  ADD CONSTRAINT posting_pkey PRIMARY KEY (member_id, journal_id, leg) WITH (fillfactor = 50);
ALTER TABLE house_balance ALTER COLUMN account TYPE ledger_account USING account::text::ledger_account;
ALTER TABLE payout_item
  ALTER COLUMN kind TYPE posting_kind USING kind::text::posting_kind,
  ALTER COLUMN leg TYPE integer;
DROP TYPE ledger_account_before;
DROP TYPE posting_kind_before;

-- The closed list of movements. From a member's balance money leads to a pool only where the pool had paid it by mistake
-- (`earned` below keeps that from ever being more than was paid); from principal to the same member's balance alone.
ALTER TABLE posting ADD CONSTRAINT posting_follows_the_chart CHECK (CASE kind
    WHEN 'passive'              THEN source = 'due:profit'       AND destination = 'balance'
    WHEN 'direct'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'master'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'binary'               THEN source = 'due:commission'   AND destination = 'balance'
    WHEN 'deposit_to_principal' THEN source = 'custody:deposits' AND destination = 'principal'
    WHEN 'deposit_to_balance'   THEN source = 'custody:deposits' AND destination = 'balance'
    WHEN 'deposit_fee'          THEN source = 'custody:deposits' AND destination = 'company:revenue'
    WHEN 'reinvest'             THEN source = 'balance'          AND destination = 'principal'
    WHEN 'company_deposit'      THEN source = 'custody:deposits' AND destination = 'company:capital'
    WHEN 'fund_profit'          THEN source = 'company:capital'  AND destination = 'pool:profit'
    WHEN 'fund_commission'      THEN source = 'company:capital'  AND destination = 'pool:commission'
    WHEN 'release_profit'       THEN source = 'pool:profit'      AND destination = 'due:profit'
    WHEN 'release_commission'   THEN source = 'pool:commission'  AND destination = 'due:commission'
    WHEN 'reverse_investment'   THEN source = 'principal'        AND destination = 'balance'
    WHEN 'clawback_profit'      THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'clawback_commission'  THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'owed_profit'          THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'owed_commission'      THEN source = 'company:claims'   AND destination = 'receivable'
    WHEN 'recover_profit'       THEN source = 'balance'          AND destination = 'pool:profit'
    WHEN 'recover_commission'   THEN source = 'balance'          AND destination = 'pool:commission'
    WHEN 'repay_profit'        THEN source = 'receivable'       AND destination = 'company:claims'
    WHEN 'repay_commission'    THEN source = 'receivable'       AND destination = 'company:claims'
    ELSE false END);
ALTER TABLE posting ADD CONSTRAINT posting_under_its_owner CHECK (
  (member_id = 0) = (kind IN ('company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission'))
  AND member_id >= 0);

-- What was earned, by kind; net of reversals. A run rewrites every row of this table, so half of each page is left free
-- and the new version stays beside the old one without touching the index (HOT).
ALTER TABLE member_balance
  ADD COLUMN earned_passive bigint NOT NULL DEFAULT 0,
  ADD COLUMN earned_binary bigint NOT NULL DEFAULT 0,
  ADD COLUMN passive_days integer NOT NULL DEFAULT 0;
ALTER TABLE member_balance SET (fillfactor = 45);
UPDATE member_balance b SET earned_passive = p.amount, passive_days = p.days
FROM (SELECT member_id, sum(amount)::bigint AS amount, count(*)::int AS days FROM posting WHERE kind = 'passive' GROUP BY member_id) p
WHERE p.member_id = b.member_id;
ALTER TABLE member_balance
  ADD CONSTRAINT taken_back_not_above_earned CHECK (earned >= 0 AND earned_passive >= 0 AND earned_binary >= 0);

-- Few members ever owe anything: a table of its own keeps the row above narrow.
CREATE TABLE member_receivable (
  member_id bigint NOT NULL,
  pool text NOT NULL CHECK (pool IN ('profit', 'commission')),
  amount bigint NOT NULL CONSTRAINT receivable_not_below_zero CHECK (amount >= 0),
  PRIMARY KEY (member_id, pool)
);

-- Balances follow from postings. One pass over the rows decides what there is to do; a payout run, the only statement of
-- many thousand rows, then takes the short way: with one journal and one leg the primary key says that no member comes twice.
CREATE OR REPLACE FUNCTION ledger_apply() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moved record;
  members bigint;
  updated bigint;
BEGIN
  SELECT count(*) AS rows, min(journal_id) AS first_journal, max(journal_id) AS last_journal,
    min(member_id) AS first_member, max(member_id) AS last_member, max(leg) AS last_leg, min(kind) AS first_kind, max(kind) AS last_kind,
    sum(amount) AS amount
  INTO moved FROM fresh;
  IF moved.rows = 0 THEN RETURN NULL; END IF;

  IF (CASE WHEN moved.first_journal = moved.last_journal
      THEN NOT EXISTS (SELECT FROM journal j WHERE j.id = moved.first_journal)
      ELSE EXISTS (SELECT FROM (SELECT DISTINCT journal_id FROM fresh) f
        WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = f.journal_id)) END) THEN
    RAISE EXCEPTION 'posting without a journal' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF moved.first_kind = 'passive' AND moved.last_kind = 'passive' AND moved.first_journal = moved.last_journal AND moved.last_leg = 0 THEN
    UPDATE member_balance b SET balance = b.balance + f.amount, earned = b.earned + f.amount,
      earned_passive = b.earned_passive + f.amount, passive_days = b.passive_days + 1
    -- Bounded on both sides: a merge that begins at the first member of all would read the whole table once a chunk.
    FROM fresh f WHERE b.member_id = f.member_id AND b.member_id BETWEEN moved.first_member AND moved.last_member;
    GET DIAGNOSTICS updated = ROW_COUNT;
    IF updated <> moved.rows THEN
      RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
    END IF;
    UPDATE house_balance SET amount = amount - moved.amount WHERE account = 'due:profit';
    RETURN NULL;
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE source = 'principal' OR destination = 'principal') THEN
    PERFORM pg_advisory_xact_lock_shared(7201);
    IF EXISTS (SELECT FROM fresh, period_close c
               WHERE (destination = 'principal' OR source = 'principal') AND at < c.closed_until) THEN
      RAISE EXCEPTION 'principal cannot change inside a closed period'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
    END IF;
  END IF;

  WITH delta AS MATERIALIZED (
    SELECT member_id,
      coalesce(sum(amount) FILTER (WHERE destination = 'principal'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'principal'), 0) AS principal,
      coalesce(sum(amount) FILTER (WHERE destination = 'balance'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'balance'), 0) AS balance,
      coalesce(sum(amount) FILTER (WHERE destination = 'held'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'held'), 0) AS held,
      coalesce(sum(amount) FILTER (WHERE kind IN ('passive', 'direct', 'master', 'binary')), 0)
        - coalesce(sum(amount) FILTER (WHERE kind IN ('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission')), 0) AS earned,
      coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0)
        - coalesce(sum(amount) FILTER (WHERE kind IN ('clawback_profit', 'owed_profit')), 0) AS passive,
      coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS "binary",
      count(*) FILTER (WHERE kind = 'passive') AS days
    FROM fresh WHERE member_id <> 0 GROUP BY member_id
  ), applied AS (
    UPDATE member_balance b
    SET principal = b.principal + d.principal, balance = b.balance + d.balance, held = b.held + d.held, earned = b.earned + d.earned,
      earned_passive = b.earned_passive + d.passive, earned_binary = b.earned_binary + d."binary", passive_days = b.passive_days + d.days
    FROM delta d WHERE b.member_id = d.member_id AND b.member_id BETWEEN moved.first_member AND moved.last_member RETURNING 1
  )
  SELECT (SELECT count(*) FROM delta), (SELECT count(*) FROM applied) INTO members, updated;
  IF updated <> members THEN
    RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE source = 'receivable' OR destination = 'receivable' OR kind IN ('recover_profit', 'recover_commission')) THEN
    IF EXISTS (SELECT FROM fresh WHERE kind IN ('recover_profit', 'repay_profit', 'recover_commission', 'repay_commission')
        GROUP BY member_id, kind IN ('recover_profit', 'repay_profit')
        HAVING sum(CASE WHEN kind IN ('recover_profit', 'recover_commission') THEN amount ELSE -amount END) <> 0) THEN
      RAISE EXCEPTION 'what is recovered must settle as much of what is owed'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'recovery_settles_what_is_owed';
    END IF;
    INSERT INTO member_receivable (member_id, pool, amount)
      SELECT DISTINCT member_id, CASE WHEN kind = 'owed_profit' THEN 'profit' ELSE 'commission' END, 0
      FROM fresh WHERE kind IN ('owed_profit', 'owed_commission')
      ON CONFLICT DO NOTHING;
    WITH delta AS MATERIALIZED (
      SELECT member_id, CASE WHEN kind IN ('owed_profit', 'repay_profit') THEN 'profit' ELSE 'commission' END AS pool,
        sum(CASE WHEN destination = 'receivable' THEN amount ELSE -amount END) AS amount
      FROM fresh WHERE source = 'receivable' OR destination = 'receivable' GROUP BY 1, 2
    ), applied AS (
      UPDATE member_receivable r SET amount = r.amount + d.amount FROM delta d
      WHERE r.member_id = d.member_id AND r.pool = d.pool RETURNING 1
    )
    SELECT (SELECT count(*) FROM delta), (SELECT count(*) FROM applied) INTO members, updated;
    IF updated <> members THEN
      RAISE EXCEPTION 'nothing is owed' USING ERRCODE = 'check_violation', CONSTRAINT = 'receivable_not_below_zero';
    END IF;
  END IF;

  WITH flow AS (
    SELECT source, destination, sum(amount) AS amount FROM fresh GROUP BY source, destination
  ), delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT destination AS account, amount FROM flow UNION ALL SELECT source, -amount FROM flow) both_ends
    GROUP BY account
  )
  UPDATE house_balance h SET amount = h.amount + d.amount FROM delta d WHERE h.account = d.account;
  RETURN NULL;
END $$;

CREATE INDEX investment_by_number ON investment (id);

-- The order of history: investments, reversals and master codes are numbered by one sequence, drawn while the period is
-- held open (lock 7201, shared). Whoever takes that lock alone and draws a number has everything before it committed.
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

-- What a reversal took back from whom, and how much of it the balance covered.
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

-- A link that became a master link, and when. `sponsorship.is_master` says the same without history.
CREATE TABLE master_code (
  member_id bigint PRIMARY KEY,
  sponsor_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'),
  at timestamptz NOT NULL
);
CREATE INDEX master_code_by_sponsor ON master_code (sponsor_id);
INSERT INTO master_code (member_id, sponsor_id, id, at)
SELECT member_id, sponsor_id, 0, '-infinity' FROM sponsorship WHERE is_master AND sponsor_id IS NOT NULL;

-- A lower rate that an operator declared for a day. The last one counts; each is kept.
CREATE TABLE declared_rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day text NOT NULL CHECK (day ~ '^\d{4}-\d{2}-\d{2}$'),
  percentage text NOT NULL,
  declared_by bigint NOT NULL,
  declared_at timestamptz NOT NULL
);
CREATE INDEX declared_rate_by_day ON declared_rate (day, id DESC);

-- What the engine can read as a percentage: no leading zero.
ALTER TABLE sponsorship DROP CONSTRAINT sponsorship_extra_percent_check,
  ADD CONSTRAINT sponsorship_extra_percent_check CHECK (extra_percent ~ '^(0|[1-9][0-9]?)(\.[0-9]{1,4})?$');

-- Runs.
ALTER TABLE payout_run
  DROP CONSTRAINT payout_run_kind_check, DROP CONSTRAINT payout_run_state_check, DROP CONSTRAINT payout_run_kind_period_key,
  ADD CONSTRAINT payout_run_kind_check CHECK (kind IN ('passive', 'direct', 'binary')),
  ADD CONSTRAINT payout_run_state_check CHECK (state IN ('computing', 'sealed', 'held', 'released', 'posting', 'done', 'cancelled')),
  -- Of a direct run: the investments it covers, and the number of history at which it looks at who is active.
  ADD COLUMN first_investment bigint,
  ADD COLUMN last_investment bigint,
  ADD COLUMN as_of bigint,
  -- Of a passive run: the share of principal, exact, "10/3000"; and the declaration it follows.
  ADD COLUMN rate text,
  ADD COLUMN declared_id bigint,
  -- Of a passive run: every block below is computed.
  ADD COLUMN computed_through bigint NOT NULL DEFAULT 0,
  ADD COLUMN computed_count integer NOT NULL DEFAULT 0,
  ADD COLUMN member_count integer NOT NULL DEFAULT 0,
  -- Hashes of what went in, by section; `input_hash` is the hash of them all.
  ADD COLUMN inputs jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN item_largest bigint NOT NULL DEFAULT 0,
  -- The sum at the plan's own rate, so that a day with a declared rate compares with one without.
  ADD COLUMN comparable bigint NOT NULL DEFAULT 0,
  ADD COLUMN not_paid bigint NOT NULL DEFAULT 0,
  ADD COLUMN payable bigint NOT NULL DEFAULT 0,
  ADD COLUMN objections jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN prorated boolean NOT NULL DEFAULT false,
  ADD COLUMN overruled_by bigint,
  ADD COLUMN overruled_at timestamptz,
  ADD COLUMN note text,
  -- System time at which the present stage began: what its speed is told by.
  ADD COLUMN stage_since timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE UNIQUE INDEX payout_run_one_a_period ON payout_run (kind, period) WHERE state <> 'cancelled';
CREATE INDEX payout_run_by_investment ON payout_run (last_investment) WHERE kind = 'direct' AND state <> 'cancelled';
DROP INDEX payout_run_unfinished;
CREATE INDEX payout_run_unfinished ON payout_run (id) WHERE state NOT IN ('done', 'cancelled');
CREATE INDEX payout_run_cancelled ON payout_run (id) WHERE state = 'cancelled';

-- Passive profit goes to everybody every day: its items are kept by columns, a block of 1,024 member ids a row, in the
-- order of members. A tenth of the bytes of a row an item, written ten times as fast, and still plain to read (unnest).
CREATE TABLE payout_page (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  item_count integer NOT NULL,
  item_sum bigint NOT NULL,
  members bigint[] NOT NULL,
  -- Principal at the cutoff.
  bases bigint[] NOT NULL,
  amounts bigint[] NOT NULL,
  -- Passive profit of earlier days; only where the plan has a cap.
  earned bigint[],
  hash text NOT NULL,
  PRIMARY KEY (run_id, block)
);
ALTER TABLE payout_page ALTER COLUMN members SET STORAGE EXTERNAL, ALTER COLUMN bases SET STORAGE EXTERNAL, ALTER COLUMN amounts SET STORAGE EXTERNAL;

-- Commissions are few: an item a row. `leg` numbers a member's items within the run.
DROP TRIGGER payout_item_is_append_only ON payout_item;
DROP TRIGGER payout_item_before_seal ON payout_item;
ALTER TABLE payout_item
  ADD COLUMN investment_id bigint,
  ADD COLUMN left_points bigint,
  ADD COLUMN right_points bigint,
  ADD COLUMN flushed bigint NOT NULL DEFAULT 0;

-- What was not paid, and why. `leg` numbers a member's rows within the run.
ALTER TABLE payout_breakage RENAME TO payout_missed;
ALTER TABLE payout_missed DROP CONSTRAINT payout_breakage_pkey, DROP CONSTRAINT payout_breakage_reason_check;
ALTER TABLE payout_missed RENAME CONSTRAINT payout_breakage_amount_check TO payout_missed_amount_check;
ALTER TABLE payout_missed
  ADD COLUMN leg integer NOT NULL DEFAULT 0,
  ADD COLUMN kind posting_kind NOT NULL DEFAULT 'direct' CHECK (kind IN ('passive', 'direct', 'master', 'binary')),
  ADD COLUMN investment_id bigint,
  ADD COLUMN from_member_id bigint,
  ALTER COLUMN level DROP NOT NULL,
  ADD CONSTRAINT payout_missed_reason_check CHECK (reason IN
    ('inactive', 'skipped', 'flushed', 'no_active_left', 'no_active_right', 'no_active_referrals', 'capped')),
  ADD PRIMARY KEY (member_id, run_id, leg);
CREATE INDEX payout_missed_by_run ON payout_missed (run_id, member_id, leg);

-- What each leg carries out of a day, by blocks of 1,024 ids; a block is written by the runs that change it, so what
-- a run carries in is, block by block, the latest before it.
CREATE TABLE binary_carry (
  block integer NOT NULL,
  run_id bigint NOT NULL,
  period text NOT NULL,
  lefts bigint[] NOT NULL,
  rights bigint[] NOT NULL,
  -- How many investments below have given points so far.
  events integer[] NOT NULL,
  PRIMARY KEY (block, run_id)
);
CREATE INDEX binary_carry_by_run ON binary_carry (run_id, block);

-- A released run is posted by chunks of whole members. Each is claimed, posted and marked in one transaction, so that several
-- hands can share the work, and whoever comes after a crash finds exactly what is left.
CREATE TABLE payout_batch (
  run_id bigint NOT NULL,
  number integer NOT NULL,
  first_member_id bigint NOT NULL,
  last_member_id bigint NOT NULL,
  item_count integer NOT NULL CHECK (item_count > 0),
  posted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run_id, number)
);

-- After a pro rata release: what is really paid of each sealed item, in the item's own order.
CREATE TABLE payout_share (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg integer NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (member_id, run_id, leg)
);
CREATE TABLE payout_page_share (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  amounts bigint[] NOT NULL,
  PRIMARY KEY (run_id, block)
);

-- Runs from before: passive items move into pages, and all are sealed anew over the same content. Their inputs were not
-- kept in the form that is recomputed today, so they have no input hash.
DO $$ BEGIN
  IF EXISTS (SELECT FROM payout_run WHERE posted_count > 0 AND posted_count < item_count) THEN
    RAISE EXCEPTION 'a run is half posted: let the version before finish it first';
  END IF;
END $$;
INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, hash)
SELECT run_id, block, cardinality(members), total, members, bases, amounts,
  encode(sha256(convert_to(members::text || bases::text || amounts::text, 'UTF8')), 'hex')
FROM (SELECT run_id, member_id / 1024 AS block, sum(amount)::bigint AS total, array_agg(member_id ORDER BY member_id) AS members,
    array_agg(basis ORDER BY member_id) AS bases, array_agg(amount ORDER BY member_id) AS amounts
  FROM payout_item WHERE kind = 'passive' GROUP BY run_id, member_id / 1024) paged;
DELETE FROM payout_item WHERE kind = 'passive';
ALTER TABLE payout_item ADD CONSTRAINT payout_item_kind_check CHECK (kind IN ('direct', 'master', 'binary'));
UPDATE payout_item i SET investment_id = split_part(r.period, ':', 2)::bigint FROM payout_run r WHERE r.id = i.run_id;
UPDATE payout_missed m SET investment_id = split_part(r.period, ':', 2)::bigint, from_member_id = split_part(r.period, ':', 1)::bigint,
  kind = CASE WHEN m.level > jsonb_array_length(v.document->'direct'->'levels') THEN 'master' ELSE 'direct' END::posting_kind
FROM payout_run r JOIN plan_version v ON v.version = r.plan_version WHERE r.id = m.run_id;
UPDATE payout_run SET
  first_investment = split_part(period, ':', 2)::bigint, last_investment = split_part(period, ':', 2)::bigint,
  as_of = split_part(period, ':', 2)::bigint, period = split_part(period, ':', 2) || '-' || split_part(period, ':', 2)
WHERE kind = 'direct';
-- Investments whose commissions were still to be computed although those of later ones are: from now on only what comes
-- after the last run is looked for.
INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, first_investment, last_investment, as_of)
SELECT 'direct', i.id || '-' || i.id, i.credited_at, i.plan_version, 'computing', i.credited_at, i.id, i.id, nextval('investment_id_seq')
FROM investment i WHERE i.id < (SELECT max(last_investment) FROM payout_run)
  AND NOT EXISTS (SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.last_investment = i.id);
-- "0.5" percent over 30 days is 5 of 30,000.
UPDATE payout_run r SET rate = replace(p.percent, '.', '')::bigint || '/' || trunc(100 * 10::numeric ^ scale(p.percent::numeric)) * p.days
FROM plan_version v, LATERAL (SELECT v.document->'passive'->>'percentPerPeriod' AS percent,
  (v.document->'passive'->>'periodDays')::numeric AS days) p
WHERE v.version = r.plan_version AND r.kind = 'passive' AND r.state <> 'computing';
ALTER TABLE payout_missed ALTER COLUMN kind DROP DEFAULT, ALTER COLUMN leg DROP DEFAULT;

-- The seal of a run, from its rows: what the engine writes must come to the same, and the ledger's check compares.
CREATE FUNCTION seal_payout_run(sealed_run bigint) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  pages text;
  items text;
  missed text;
  carry text;
BEGIN
  SELECT coalesce(string_agg(hash || E'\n', '' ORDER BY block), '') INTO pages FROM payout_page WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', member_id, leg, kind, amount, basis, percentage, coalesce(level, 0),
    coalesce(investment_id, 0), coalesce(from_member_id, 0), coalesce(left_points, 0), coalesce(right_points, 0), flushed) || E'\n', ''
    ORDER BY member_id, leg), ''), 'UTF8')), 'hex') INTO items FROM payout_item WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', member_id, leg, kind, reason, amount, coalesce(level, 0),
    coalesce(investment_id, 0), coalesce(from_member_id, 0)) || E'\n', '' ORDER BY member_id, leg), ''), 'UTF8')), 'hex')
    INTO missed FROM payout_missed WHERE run_id = sealed_run;
  SELECT encode(sha256(convert_to(coalesce(string_agg(block || lefts::text || rights::text || events::text || E'\n', '' ORDER BY block), ''), 'UTF8')), 'hex')
    INTO carry FROM binary_carry WHERE run_id = sealed_run;
  RETURN encode(sha256(convert_to(pages || items || missed || carry, 'UTF8')), 'hex');
END $$;
UPDATE payout_run r SET input_hash = NULL, payable = item_sum, computed_count = item_count, member_count = item_count,
  item_largest = greatest((SELECT coalesce(max(amount), 0) FROM payout_item WHERE run_id = r.id),
    (SELECT coalesce(max(a), 0) FROM payout_page, unnest(amounts) a WHERE run_id = r.id)),
  not_paid = (SELECT coalesce(sum(amount), 0) FROM payout_missed WHERE run_id = r.id),
  items_hash = CASE WHEN state = 'computing' THEN NULL ELSE seal_payout_run(r.id) END,
  comparable = item_sum;
ALTER TABLE payout_run DROP COLUMN posted_through;
INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
SELECT id, 0, 0, (SELECT coalesce(max(id), 0) FROM member), item_count FROM payout_run WHERE state = 'released' AND item_count > 0;
UPDATE payout_run SET state = 'done', finished_at = at WHERE state = 'released' AND item_count = 0;

-- Sealed is what is paid: rows are added while their run computes, shares while it is held; none ever changes.
CREATE FUNCTION refuse_outside_state() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM payout_run r WHERE r.id = f.run_id AND r.state = TG_ARGV[0])) THEN
    RAISE EXCEPTION 'rows of % are added while their run is %', TG_TABLE_NAME, TG_ARGV[0]
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_in_its_time';
  END IF;
  RETURN NULL;
END $$;
DROP FUNCTION refuse_sealed();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payout_item', 'payout_page', 'payout_missed', 'binary_carry', 'payout_share', 'payout_page_share',
    'reversal', 'reversal_part', 'master_code', 'declared_rate', 'plan_version', 'investment'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      name || '_is_append_only', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['payout_item', 'payout_page', 'payout_missed', 'binary_carry'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state(''computing'')',
      name || '_before_seal', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['payout_share', 'payout_page_share'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state(''held'')',
      name || '_while_held', name);
  END LOOP;
END $$;

GRANT SELECT ON member_receivable TO aval_app;
GRANT SELECT, INSERT, UPDATE (posted) ON payout_batch TO aval_app;
GRANT SELECT, INSERT ON reversal, reversal_part, master_code, declared_rate, payout_page, payout_missed, binary_carry,
  payout_share, payout_page_share TO aval_app;
