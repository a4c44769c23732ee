-- Generated from the migrations by "npm run generate"; do not edit.
-- What a fully migrated database consists of, for reading, and for seeing what a migration changes.

CREATE TYPE ledger_account AS ENUM ('principal', 'balance', 'held', 'custody:deposits', 'pool:profit', 'pool:commission', 'due:profit', 'due:commission', 'company:revenue', 'company:capital');
CREATE TYPE posting_kind AS ENUM ('deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest', 'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission', 'passive', 'direct', 'master');

CREATE TABLE chain_cursor (
  network text NOT NULL,
  scanned_block bigint NOT NULL,
  scanned_block_id text NOT NULL,
  head_block bigint NOT NULL,
  solid_block bigint NOT NULL,
  seen_at timestamp with time zone NOT NULL
);
CREATE TABLE chain_sighting (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  value bigint NOT NULL
);
CREATE TABLE chain_transfer (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  block_at timestamp with time zone NOT NULL,
  verdict text NOT NULL,
  contract text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  value numeric(78,0) NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY
);
CREATE TABLE demo_clock (
  singleton boolean NOT NULL DEFAULT true,
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamp with time zone
);
CREATE TABLE deposit_address (
  address text NOT NULL,
  member_id bigint NOT NULL
);
CREATE TABLE deposit_credit (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL,
  outcome text NOT NULL,
  invoice_id bigint,
  credited_at timestamp with time zone NOT NULL
);
CREATE TABLE house_balance (
  account ledger_account NOT NULL,
  amount bigint NOT NULL DEFAULT 0
);
CREATE TABLE idempotent_answer (
  member_id bigint NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE installation (
  singleton boolean NOT NULL DEFAULT true,
  network text NOT NULL,
  usdt_contract text NOT NULL,
  deposit_xpub text NOT NULL
);
CREATE TABLE investment (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  journal_id bigint NOT NULL,
  amount bigint NOT NULL,
  value_after bigint NOT NULL,
  from_balance boolean NOT NULL,
  txn_id text,
  txid text,
  plan_version integer NOT NULL,
  credited_at timestamp with time zone NOT NULL
);
CREATE TABLE invoice (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  txn_id text NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  plan_version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  state text NOT NULL DEFAULT 'open'::text,
  paid_txid text
);
CREATE TABLE invoice_key (
  txn_id text NOT NULL,
  member_id bigint NOT NULL,
  invoice_id bigint NOT NULL
);
CREATE TABLE journal (
  key text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  input_hash text NOT NULL
);
CREATE TABLE member (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  username text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  ref_code text NOT NULL,
  first_name text NOT NULL DEFAULT ''::text,
  last_name text NOT NULL DEFAULT ''::text,
  phone_number text NOT NULL DEFAULT ''::text,
  usdt_wallet text NOT NULL DEFAULT ''::text,
  locale text NOT NULL DEFAULT 'es'::text,
  is_fundator boolean NOT NULL DEFAULT false,
  is_operator boolean NOT NULL DEFAULT false,
  terms_accepted_at timestamp with time zone NOT NULL,
  joined_at timestamp with time zone NOT NULL
);
CREATE TABLE member_balance (
  member_id bigint NOT NULL,
  principal bigint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  earned bigint NOT NULL DEFAULT 0
);
CREATE TABLE member_identifier (
  kind text NOT NULL,
  value text NOT NULL,
  member_id bigint NOT NULL
);
CREATE TABLE payout_breakage (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  level integer NOT NULL,
  amount bigint NOT NULL,
  reason text NOT NULL
);
CREATE TABLE payout_item (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg smallint NOT NULL DEFAULT 0,
  kind posting_kind NOT NULL,
  amount bigint NOT NULL,
  basis bigint NOT NULL,
  percentage text NOT NULL,
  level integer,
  from_member_id bigint
);
CREATE TABLE payout_run (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  period text NOT NULL,
  cutoff_at timestamp with time zone NOT NULL,
  plan_version integer NOT NULL,
  state text NOT NULL,
  input_hash text,
  items_hash text,
  item_count integer NOT NULL DEFAULT 0,
  item_sum bigint NOT NULL DEFAULT 0,
  posted_count integer NOT NULL DEFAULT 0,
  posted_through bigint NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0,
  journal_id bigint,
  at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone
);
CREATE TABLE period_close (
  singleton boolean NOT NULL DEFAULT true,
  closed_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
);
CREATE TABLE placement (
  member_id bigint NOT NULL,
  parent_id bigint,
  leg text,
  left_chain bigint NOT NULL,
  right_chain bigint NOT NULL,
  preference text NOT NULL DEFAULT 'weaker'::text,
  left_referrals integer NOT NULL DEFAULT 0,
  right_referrals integer NOT NULL DEFAULT 0
);
CREATE TABLE placement_chain (
  head_id bigint NOT NULL,
  side text NOT NULL,
  tail_id bigint NOT NULL
);
CREATE TABLE plan_version (
  version integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  document jsonb NOT NULL
);
CREATE TABLE posting (
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  leg smallint NOT NULL,
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE refresh_token (
  token_hash text NOT NULL,
  member_id bigint NOT NULL,
  session_id uuid NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE session (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_because text,
  user_agent text NOT NULL DEFAULT ''::text
);
CREATE TABLE spent_captcha (
  challenge text NOT NULL,
  expires_at timestamp with time zone NOT NULL
);
CREATE TABLE sponsorship (
  member_id bigint NOT NULL,
  sponsor_id bigint,
  depth integer NOT NULL,
  is_master boolean NOT NULL DEFAULT false,
  extra_percent text NOT NULL DEFAULT '0'::text
);

ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_pkey PRIMARY KEY (network);
ALTER TABLE chain_sighting ADD CONSTRAINT chain_sighting_pkey PRIMARY KEY (txid, "position");
ALTER TABLE chain_transfer ADD CONSTRAINT chain_transfer_pkey PRIMARY KEY (txid, "position");
ALTER TABLE chain_transfer ADD CONSTRAINT chain_transfer_position_check CHECK (("position" >= '-1'::integer));
ALTER TABLE chain_transfer ADD CONSTRAINT chain_transfer_txid_check CHECK ((txid ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE chain_transfer ADD CONSTRAINT chain_transfer_value_check CHECK ((value >= (0)::numeric));
ALTER TABLE chain_transfer ADD CONSTRAINT chain_transfer_verdict_check CHECK ((verdict = ANY (ARRAY['credit'::text, 'wrong_token'::text, 'zero_value'::text, 'failed'::text, 'wrong_asset'::text])));
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_pkey PRIMARY KEY (singleton);
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_singleton_check CHECK (singleton);
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_pkey PRIMARY KEY (address);
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_amount_check CHECK ((amount > 0));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'settled_over'::text, 'short'::text, 'late'::text, 'unasked'::text, 'company'::text])));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_pkey PRIMARY KEY (txid, "position");
ALTER TABLE house_balance ADD CONSTRAINT house_balance_pkey PRIMARY KEY (account);
ALTER TABLE house_balance ADD CONSTRAINT house_not_below_zero CHECK ((amount >= 0));
ALTER TABLE idempotent_answer ADD CONSTRAINT idempotent_answer_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));
ALTER TABLE idempotent_answer ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (member_id, key);
ALTER TABLE installation ADD CONSTRAINT installation_pkey PRIMARY KEY (singleton);
ALTER TABLE installation ADD CONSTRAINT installation_singleton_check CHECK (singleton);
ALTER TABLE investment ADD CONSTRAINT investment_amount_check CHECK ((amount > 0));
ALTER TABLE investment ADD CONSTRAINT investment_check CHECK ((value_after >= amount));
ALTER TABLE investment ADD CONSTRAINT investment_member_id_journal_id_key UNIQUE (member_id, journal_id);
ALTER TABLE investment ADD CONSTRAINT investment_pkey PRIMARY KEY (member_id, id);
ALTER TABLE invoice ADD CONSTRAINT invoice_amount_check CHECK ((amount > 0));
ALTER TABLE invoice ADD CONSTRAINT invoice_check CHECK (((state = 'paid'::text) = (paid_txid IS NOT NULL)));
ALTER TABLE invoice ADD CONSTRAINT invoice_fee_check CHECK ((fee >= 0));
ALTER TABLE invoice ADD CONSTRAINT invoice_pkey PRIMARY KEY (member_id, id);
ALTER TABLE invoice ADD CONSTRAINT invoice_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'expired'::text])));
ALTER TABLE invoice_key ADD CONSTRAINT invoice_key_pkey PRIMARY KEY (txn_id);
ALTER TABLE journal ADD CONSTRAINT journal_id_key UNIQUE (id);
ALTER TABLE journal ADD CONSTRAINT journal_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));
ALTER TABLE journal ADD CONSTRAINT journal_pkey PRIMARY KEY (key);
ALTER TABLE member ADD CONSTRAINT member_id_check CHECK ((id > 0));
ALTER TABLE member ADD CONSTRAINT member_locale_check CHECK ((locale = ANY (ARRAY['es'::text, 'en'::text])));
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_ref_code_check CHECK ((ref_code ~ '^[0-9]{7}$'::text));
ALTER TABLE member_balance ADD CONSTRAINT balance_not_below_zero CHECK ((balance >= 0));
ALTER TABLE member_balance ADD CONSTRAINT held_not_below_zero CHECK ((held >= 0));
ALTER TABLE member_balance ADD CONSTRAINT member_balance_pkey PRIMARY KEY (member_id);
ALTER TABLE member_balance ADD CONSTRAINT principal_not_below_zero CHECK ((principal >= 0));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_kind_check CHECK ((kind = ANY (ARRAY['username'::text, 'email'::text, 'ref_code'::text])));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_pkey PRIMARY KEY (kind, value);
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_value_check CHECK ((value = lower(value)));
ALTER TABLE payout_breakage ADD CONSTRAINT payout_breakage_amount_check CHECK ((amount > 0));
ALTER TABLE payout_breakage ADD CONSTRAINT payout_breakage_pkey PRIMARY KEY (member_id, run_id, level);
ALTER TABLE payout_breakage ADD CONSTRAINT payout_breakage_reason_check CHECK ((reason = 'inactive'::text));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_amount_check CHECK ((amount > 0));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_basis_check CHECK ((basis > 0));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_kind_check CHECK ((kind = ANY (ARRAY['passive'::posting_kind, 'direct'::posting_kind, 'master'::posting_kind])));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_pkey PRIMARY KEY (member_id, run_id, leg);
ALTER TABLE payout_run ADD CONSTRAINT payout_run_check CHECK ((posted_count <= item_count));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_kind_check CHECK ((kind = ANY (ARRAY['passive'::text, 'direct'::text])));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_kind_period_key UNIQUE (kind, period);
ALTER TABLE payout_run ADD CONSTRAINT payout_run_missing_check CHECK ((missing >= 0));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_pkey PRIMARY KEY (id);
ALTER TABLE payout_run ADD CONSTRAINT payout_run_state_check CHECK ((state = ANY (ARRAY['computing'::text, 'sealed'::text, 'held'::text, 'released'::text, 'done'::text])));
ALTER TABLE period_close ADD CONSTRAINT period_close_pkey PRIMARY KEY (singleton);
ALTER TABLE period_close ADD CONSTRAINT period_close_singleton_check CHECK (singleton);
ALTER TABLE placement ADD CONSTRAINT placement_check CHECK (((parent_id IS NULL) = (leg IS NULL)));
ALTER TABLE placement ADD CONSTRAINT placement_leg_check CHECK ((leg = ANY (ARRAY['L'::text, 'R'::text])));
ALTER TABLE placement ADD CONSTRAINT placement_pkey PRIMARY KEY (member_id);
ALTER TABLE placement ADD CONSTRAINT placement_preference_check CHECK ((preference = ANY (ARRAY['left'::text, 'right'::text, 'weaker'::text])));
ALTER TABLE placement_chain ADD CONSTRAINT placement_chain_pkey PRIMARY KEY (head_id, side);
ALTER TABLE placement_chain ADD CONSTRAINT placement_chain_side_check CHECK ((side = ANY (ARRAY['L'::text, 'R'::text])));
ALTER TABLE plan_version ADD CONSTRAINT plan_version_pkey PRIMARY KEY (version);
ALTER TABLE posting ADD CONSTRAINT posting_follows_the_chart CHECK (
CASE kind
    WHEN 'deposit_to_principal'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'deposit_to_balance'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'deposit_fee'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'company:revenue'::ledger_account))
    WHEN 'reinvest'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'company_deposit'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'fund_profit'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'pool:profit'::ledger_account))
    WHEN 'fund_commission'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'pool:commission'::ledger_account))
    WHEN 'release_profit'::posting_kind THEN ((source = 'pool:profit'::ledger_account) AND (destination = 'due:profit'::ledger_account))
    WHEN 'release_commission'::posting_kind THEN ((source = 'pool:commission'::ledger_account) AND (destination = 'due:commission'::ledger_account))
    WHEN 'passive'::posting_kind THEN ((source = 'due:profit'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'direct'::posting_kind THEN ((source = 'due:commission'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'master'::posting_kind THEN ((source = 'due:commission'::ledger_account) AND (destination = 'balance'::ledger_account))
    ELSE false
END);
ALTER TABLE posting ADD CONSTRAINT posting_moves_something CHECK ((amount > 0));
ALTER TABLE posting ADD CONSTRAINT posting_pkey PRIMARY KEY (member_id, journal_id, leg);
ALTER TABLE posting ADD CONSTRAINT posting_under_its_owner CHECK ((((member_id = 0) = (kind = ANY (ARRAY['company_deposit'::posting_kind, 'fund_profit'::posting_kind, 'fund_commission'::posting_kind, 'release_profit'::posting_kind, 'release_commission'::posting_kind]))) AND (member_id >= 0)));
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (token_hash);
ALTER TABLE session ADD CONSTRAINT session_ended_because_check CHECK ((ended_because = ANY (ARRAY['logout'::text, 'reuse'::text, 'password'::text])));
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (member_id, id);
ALTER TABLE spent_captcha ADD CONSTRAINT spent_captcha_pkey PRIMARY KEY (challenge);
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_check CHECK (((sponsor_id IS NULL) = (depth = 0)));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_depth_check CHECK ((depth >= 0));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_extra_percent_check CHECK ((extra_percent ~ '^[0-9]{1,2}(\.[0-9]{1,4})?$'::text));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_pkey PRIMARY KEY (member_id);

CREATE INDEX chain_sighting_by_member ON public.chain_sighting USING btree (member_id);
CREATE INDEX chain_transfer_by_block ON public.chain_transfer USING btree (block DESC, txid, "position");
CREATE INDEX chain_transfer_by_member ON public.chain_transfer USING btree (member_id, seq) WHERE (verdict = 'credit'::text);
CREATE INDEX deposit_credit_by_member ON public.deposit_credit USING btree (member_id, credited_at DESC);
CREATE INDEX investment_by_date ON public.investment USING btree (credited_at);
CREATE INDEX payout_item_by_run ON public.payout_item USING btree (run_id, member_id, leg);
CREATE INDEX payout_run_unfinished ON public.payout_run USING btree (id) WHERE (state <> 'done'::text);
CREATE INDEX refresh_token_by_session ON public.refresh_token USING btree (member_id, session_id);
CREATE INDEX sponsorship_by_sponsor ON public.sponsorship USING btree (sponsor_id, member_id);
CREATE UNIQUE INDEX deposit_address_by_member ON public.deposit_address USING btree (member_id);
CREATE UNIQUE INDEX invoice_one_open_an_amount ON public.invoice USING btree (member_id, amount) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX payout_run_by_journal ON public.payout_run USING btree (journal_id);
CREATE UNIQUE INDEX placement_one_child_a_leg ON public.placement USING btree (parent_id, leg);

CREATE OR REPLACE FUNCTION public.close_period(until timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE closed timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7201);
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $function$
;
CREATE OR REPLACE FUNCTION public.ledger_apply()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  members bigint;
  updated bigint;
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT journal_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = f.journal_id)) THEN
    RAISE EXCEPTION 'posting without a journal' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF EXISTS (SELECT FROM fresh WHERE destination = 'principal' OR source = 'principal') THEN
    PERFORM pg_advisory_xact_lock_shared(7201);
    IF EXISTS (SELECT FROM fresh, period_close c
               WHERE (destination = 'principal' OR source = 'principal') AND at < c.closed_until) THEN
      RAISE EXCEPTION 'principal cannot change inside a closed period'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
    END IF;
  END IF;

  SELECT count(DISTINCT member_id) INTO members FROM fresh WHERE member_id <> 0;
  IF members > 0 THEN
    WITH delta AS (
      SELECT member_id,
        coalesce(sum(amount) FILTER (WHERE destination = 'principal'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'principal'), 0) AS principal,
        coalesce(sum(amount) FILTER (WHERE destination = 'balance'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'balance'), 0) AS balance,
        coalesce(sum(amount) FILTER (WHERE destination = 'held'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'held'), 0) AS held,
        coalesce(sum(amount) FILTER (WHERE kind IN ('passive', 'direct', 'master')), 0) AS earned
      FROM fresh WHERE member_id <> 0 GROUP BY member_id
    )
    UPDATE member_balance b
    SET principal = b.principal + d.principal, balance = b.balance + d.balance, held = b.held + d.held, earned = b.earned + d.earned
    FROM delta d WHERE b.member_id = d.member_id;
    GET DIAGNOSTICS updated = ROW_COUNT;
    IF updated <> members THEN
      RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;

  WITH delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT destination AS account, amount FROM fresh UNION ALL SELECT source, -amount FROM fresh) both_ends
    GROUP BY account
  )
  UPDATE house_balance h SET amount = h.amount + d.amount FROM delta d WHERE h.account = d.account;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.open_member_accounts(new_member_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO member_balance (member_id) VALUES (new_member_id);
END $function$
;
CREATE OR REPLACE FUNCTION public.record_transfer(new_txid text, new_position integer, new_block bigint, new_block_at timestamp with time zone, new_verdict text, new_contract text, new_from text, new_to text, new_value numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE owner bigint;
BEGIN
  SELECT member_id INTO STRICT owner FROM deposit_address WHERE address = new_to;
  INSERT INTO chain_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, new_verdict, new_contract, new_from, new_to, new_value)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  -- No queue of its own: the job takes the member's lock, and credits in the chain's order whatever else waits.
  IF new_verdict = 'credit' THEN
    PERFORM graphile_worker.add_job(
      'deposits.credit', json_build_object('txid', new_txid, 'position', new_position),
      job_key => 'credit:' || new_txid || ':' || new_position);
  END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_rewrite()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_sealed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM payout_run r WHERE r.id = f.run_id AND r.state = 'computing')) THEN
    RAISE EXCEPTION 'items are added while their run computes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_item_before_seal';
  END IF;
  RETURN NULL;
END $function$
;

CREATE TRIGGER journal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite();
CREATE TRIGGER payout_item_before_seal AFTER INSERT ON public.payout_item REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_sealed();
CREATE TRIGGER payout_item_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite();
CREATE TRIGGER posting_applies AFTER INSERT ON public.posting REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply();
CREATE TRIGGER posting_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite();

GRANT SELECT ON chain_cursor TO aval_app;
GRANT INSERT, SELECT, UPDATE ON chain_cursor TO aval_chain;
GRANT SELECT ON chain_sighting TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON chain_sighting TO aval_chain;
GRANT INSERT, SELECT ON chain_transfer TO aval_app;
GRANT SELECT ON chain_transfer TO aval_chain;
GRANT INSERT, SELECT, UPDATE ON demo_clock TO aval_app;
GRANT INSERT, SELECT ON deposit_address TO aval_app;
GRANT SELECT ON deposit_address TO aval_chain;
GRANT INSERT, SELECT ON deposit_credit TO aval_app;
GRANT SELECT ON house_balance TO aval_app;
GRANT INSERT, SELECT ON idempotent_answer TO aval_app;
GRANT INSERT, SELECT ON installation TO aval_app;
GRANT SELECT ON installation TO aval_chain;
GRANT INSERT, SELECT ON investment TO aval_app;
GRANT INSERT, SELECT, UPDATE ON invoice TO aval_app;
GRANT INSERT, SELECT ON invoice_key TO aval_app;
GRANT INSERT, SELECT ON journal TO aval_app;
GRANT INSERT, SELECT, UPDATE ON member TO aval_app;
GRANT SELECT ON member_balance TO aval_app;
GRANT INSERT, SELECT ON member_identifier TO aval_app;
GRANT INSERT, SELECT ON payout_breakage TO aval_app;
GRANT INSERT, SELECT ON payout_item TO aval_app;
GRANT INSERT, SELECT, UPDATE ON payout_run TO aval_app;
GRANT SELECT ON period_close TO aval_app;
GRANT INSERT, SELECT, UPDATE ON placement TO aval_app;
GRANT INSERT, SELECT, UPDATE ON placement_chain TO aval_app;
GRANT INSERT, SELECT ON plan_version TO aval_app;
GRANT INSERT, SELECT ON posting TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON refresh_token TO aval_app;
GRANT INSERT, SELECT, UPDATE ON session TO aval_app;
GRANT DELETE, INSERT, SELECT ON spent_captcha TO aval_app;
GRANT INSERT, SELECT ON sponsorship TO aval_app;
