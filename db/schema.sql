-- Generated from the migrations by "npm run generate"; do not edit.
-- What a fully migrated database consists of, for reading, and for seeing what a migration changes.

CREATE TYPE ledger_account AS ENUM ('principal', 'balance', 'held', 'pending', 'receivable', 'custody:deposits', 'pool:profit', 'pool:commission', 'due:profit', 'due:commission', 'company:revenue', 'company:capital', 'company:claims', 'custody:hot', 'custody:cold');
CREATE TYPE posting_kind AS ENUM ('deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest', 'deposit_to_pending', 'pending_to_principal', 'pending_fee', 'pending_to_balance', 'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission', 'passive', 'direct', 'master', 'binary', 'reverse_investment', 'clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission', 'recover_profit', 'recover_commission', 'repay_profit', 'repay_commission', 'hold_balance', 'hold_principal', 'release_balance', 'release_principal', 'withdraw', 'withdraw_fee', 'sweep', 'to_cold', 'refill_hot', 'company_deposit_hot', 'company_deposit_cold', 'custody_loss_deposits', 'custody_loss_hot', 'custody_loss_cold', 'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold');

CREATE TABLE audit_event (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL,
  actor_id bigint,
  action text NOT NULL,
  outcome text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'::jsonb
);
CREATE TABLE binary_carry (
  block integer NOT NULL,
  run_id bigint NOT NULL,
  period text NOT NULL,
  lefts bigint[] NOT NULL,
  rights bigint[] NOT NULL,
  events integer[] NOT NULL
);
CREATE TABLE chain_cursor (
  network text NOT NULL,
  scanned_block bigint NOT NULL,
  scanned_block_id text NOT NULL,
  head_block bigint NOT NULL,
  solid_block bigint NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  scanned_at timestamp with time zone
);
CREATE TABLE custody_address (
  address text NOT NULL,
  role text NOT NULL,
  opening bigint NOT NULL,
  registered_at timestamp with time zone NOT NULL DEFAULT now()
);
CREATE TABLE custody_adjustment (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  address text NOT NULL,
  amount bigint NOT NULL,
  reason text NOT NULL,
  journal_id bigint NOT NULL,
  made_by bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE custody_balance (
  account text NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE custody_holding (
  address text NOT NULL,
  role text NOT NULL,
  member_id bigint NOT NULL,
  amount bigint NOT NULL DEFAULT 0,
  moved_block bigint NOT NULL DEFAULT 0
);
CREATE TABLE custody_reading (
  address text NOT NULL,
  usdt numeric(78,0) NOT NULL,
  trx bigint NOT NULL,
  from_block bigint NOT NULL,
  to_block bigint NOT NULL,
  read_at timestamp with time zone NOT NULL DEFAULT now()
);
CREATE TABLE declared_rate (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  day text NOT NULL,
  percentage text NOT NULL,
  declared_by bigint NOT NULL,
  declared_at timestamp with time zone NOT NULL
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
CREATE TABLE downline (
  generation integer NOT NULL,
  tree text NOT NULL,
  block integer NOT NULL,
  enters integer[] NOT NULL,
  sizes integer[] NOT NULL,
  depths integer[] NOT NULL,
  jumps integer[] NOT NULL,
  volumes bigint[] NOT NULL,
  members integer[] NOT NULL
);
CREATE TABLE downline_generation (
  one boolean NOT NULL DEFAULT true,
  generation integer NOT NULL,
  members integer NOT NULL,
  as_of bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE downline_recent (
  member_id bigint NOT NULL,
  sponsor_at integer,
  place_at integer,
  place_depth integer
);
CREATE TABLE email_code (
  member_id bigint NOT NULL,
  purpose text NOT NULL,
  hash text NOT NULL,
  binding text NOT NULL,
  made_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  wrong_tries smallint NOT NULL DEFAULT 0,
  used_at timestamp with time zone
);
CREATE TABLE extra_percent (
  sponsor_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'::regclass),
  percent text NOT NULL,
  set_by text NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE house_balance (
  account ledger_account NOT NULL,
  amount bigint NOT NULL DEFAULT 0
);
CREATE TABLE idempotency_response (
  member_id bigint NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE incoming_transfer (
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
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  role text NOT NULL DEFAULT 'deposit'::text
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
  received bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open'::text,
  closed_at timestamp with time zone,
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
CREATE TABLE mail_message (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  event text NOT NULL,
  template text NOT NULL,
  locale text NOT NULL,
  to_address text NOT NULL,
  params jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  state text NOT NULL DEFAULT 'queued'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamp with time zone NOT NULL,
  claim uuid,
  message_id text,
  sent_at timestamp with time zone,
  last_error text
);
CREATE TABLE master_code (
  member_id bigint NOT NULL,
  sponsor_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'::regclass),
  at timestamp with time zone NOT NULL
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
  joined_at timestamp with time zone NOT NULL,
  avatar text NOT NULL DEFAULT ''::text
);
CREATE TABLE member_avatar (
  member_id bigint NOT NULL,
  name text NOT NULL,
  image bytea NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE member_balance (
  member_id bigint NOT NULL,
  principal bigint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  earned bigint NOT NULL DEFAULT 0,
  earned_passive bigint NOT NULL DEFAULT 0,
  earned_binary bigint NOT NULL DEFAULT 0,
  passive_days integer NOT NULL DEFAULT 0
);
CREATE TABLE member_identifier (
  kind text NOT NULL,
  value text NOT NULL,
  member_id bigint NOT NULL
);
CREATE TABLE member_pending (
  member_id bigint NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE member_receivable (
  member_id bigint NOT NULL,
  pool text NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE member_totp (
  member_id bigint NOT NULL,
  secret text NOT NULL,
  made_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  last_step bigint NOT NULL DEFAULT 0,
  last_use text
);
CREATE TABLE otp_challenge (
  token_hash text NOT NULL,
  member_id bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  tries smallint NOT NULL DEFAULT 0
);
CREATE TABLE otp_tries (
  member_id bigint NOT NULL,
  place text NOT NULL,
  since timestamp with time zone NOT NULL,
  tries integer NOT NULL
);
CREATE TABLE outgoing_transfer (
  txid text NOT NULL,
  purpose text NOT NULL,
  member_id bigint NOT NULL,
  withdrawal_id bigint,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount bigint NOT NULL,
  raw bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  offline boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'prepared'::text,
  signature bytea,
  prepared_at timestamp with time zone NOT NULL DEFAULT now(),
  signed_at timestamp with time zone,
  broadcast_at timestamp with time zone,
  broadcasts integer NOT NULL DEFAULT 0,
  reply text,
  seen_block bigint,
  seen_at timestamp with time zone,
  block bigint,
  block_at timestamp with time zone,
  result text,
  arrived bigint,
  fee_sun bigint,
  closed_at timestamp with time zone
);
CREATE TABLE outgoing_transfer_booking (
  txid text NOT NULL,
  journal_id bigint,
  at timestamp with time zone NOT NULL
);
CREATE TABLE payout_batch (
  run_id bigint NOT NULL,
  number integer NOT NULL,
  first_member_id bigint NOT NULL,
  last_member_id bigint NOT NULL,
  item_count integer NOT NULL,
  posted boolean NOT NULL DEFAULT false
);
CREATE TABLE payout_item (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg integer NOT NULL DEFAULT 0,
  kind posting_kind NOT NULL,
  amount bigint NOT NULL,
  basis bigint NOT NULL,
  percentage text NOT NULL,
  level integer,
  from_member_id bigint,
  investment_id bigint,
  left_points bigint,
  right_points bigint,
  flushed bigint NOT NULL DEFAULT 0
);
CREATE TABLE payout_missed (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  level integer,
  amount bigint NOT NULL,
  reason text NOT NULL,
  leg integer NOT NULL,
  kind posting_kind NOT NULL,
  investment_id bigint,
  from_member_id bigint
);
CREATE TABLE payout_page (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  item_count integer NOT NULL,
  item_sum bigint NOT NULL,
  members bigint[] NOT NULL,
  bases bigint[] NOT NULL,
  amounts bigint[] NOT NULL,
  earned bigint[],
  hash text NOT NULL
);
CREATE TABLE payout_page_share (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  amounts bigint[] NOT NULL
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
  missing bigint NOT NULL DEFAULT 0,
  journal_id bigint,
  at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  first_investment bigint,
  last_investment bigint,
  as_of bigint,
  rate text,
  declared_id bigint,
  computed_through bigint NOT NULL DEFAULT 0,
  computed_count integer NOT NULL DEFAULT 0,
  member_count integer NOT NULL DEFAULT 0,
  inputs jsonb NOT NULL DEFAULT '{}'::jsonb,
  item_largest bigint NOT NULL DEFAULT 0,
  comparable bigint,
  not_paid bigint NOT NULL DEFAULT 0,
  payable bigint NOT NULL DEFAULT 0,
  objections jsonb NOT NULL DEFAULT '[]'::jsonb,
  prorated boolean NOT NULL DEFAULT false,
  overruled_by bigint,
  overruled_at timestamp with time zone,
  note text,
  stage_since timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE payout_share (
  member_id bigint NOT NULL,
  run_id bigint NOT NULL,
  leg integer NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE payout_stop (
  singleton boolean NOT NULL DEFAULT true,
  stopped boolean NOT NULL DEFAULT false,
  since timestamp with time zone,
  reason text,
  check_id bigint
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
  leg integer NOT NULL,
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE principal_movement (
  member_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'::regclass),
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE recovery_code (
  member_id bigint NOT NULL,
  hash text NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE refresh_token (
  token_hash text NOT NULL,
  member_id bigint NOT NULL,
  session_id uuid NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE reserve_check (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL,
  block bigint NOT NULL,
  verdict text NOT NULL,
  hot bigint NOT NULL,
  cold bigint NOT NULL,
  deposits bigint NOT NULL,
  in_flight bigint NOT NULL,
  owed bigint NOT NULL,
  drift bigint NOT NULL,
  details jsonb NOT NULL DEFAULT '[]'::jsonb,
  principal bigint NOT NULL DEFAULT 0,
  balances bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0,
  due bigint NOT NULL DEFAULT 0,
  credited_seq bigint NOT NULL DEFAULT 0,
  booked_until timestamp with time zone,
  compared_until timestamp with time zone
);
CREATE TABLE reversal (
  member_id bigint NOT NULL,
  investment_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'::regclass),
  journal_id bigint NOT NULL,
  amount bigint NOT NULL,
  reason text NOT NULL,
  reversed_by bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE reversal_part (
  member_id bigint NOT NULL,
  reversal_id bigint NOT NULL,
  leg integer NOT NULL,
  pool text NOT NULL,
  amount bigint NOT NULL,
  from_balance bigint NOT NULL,
  run_id bigint,
  item_leg integer,
  at timestamp with time zone NOT NULL
);
CREATE TABLE security_event (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  user_agent text NOT NULL DEFAULT ''::text,
  ip text NOT NULL DEFAULT ''::text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb
);
CREATE TABLE session (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_because text,
  user_agent text NOT NULL DEFAULT ''::text,
  second_factor_at timestamp with time zone,
  ip text NOT NULL DEFAULT ''::text
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
  joined_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
);
CREATE TABLE support_message (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  operator_id bigint,
  topic text,
  text text NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE support_thread (
  member_id bigint NOT NULL,
  state text NOT NULL,
  waiting_since timestamp with time zone,
  topic text,
  last_at timestamp with time zone NOT NULL,
  member_read_id bigint NOT NULL DEFAULT 0,
  operator_read_id bigint NOT NULL DEFAULT 0
);
CREATE TABLE unconfirmed_transfer (
  txid text NOT NULL,
  position integer NOT NULL,
  member_id bigint NOT NULL,
  block bigint NOT NULL,
  value bigint NOT NULL
);
CREATE TABLE unexplained_outflow (
  txid text NOT NULL,
  position integer NOT NULL,
  block bigint NOT NULL,
  block_at timestamp with time zone NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  value numeric(78,0) NOT NULL
);
CREATE TABLE withdrawal (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  from_balance bigint NOT NULL,
  from_principal bigint NOT NULL,
  wallet_address text NOT NULL,
  state text NOT NULL DEFAULT 'requested'::text,
  approvals_needed smallint NOT NULL,
  plan_version integer NOT NULL,
  risks jsonb NOT NULL DEFAULT '[]'::jsonb,
  device text NOT NULL DEFAULT ''::text,
  hold_journal_id bigint NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  approved_at timestamp with time zone,
  closed_at timestamp with time zone,
  close_journal_id bigint,
  reason text,
  closed_by bigint,
  txid text
);
CREATE TABLE withdrawal_approval (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE withdrawal_delay (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  code text NOT NULL,
  detail text NOT NULL DEFAULT ''::text,
  since timestamp with time zone NOT NULL,
  checked_at timestamp with time zone NOT NULL
);

ALTER TABLE audit_event ADD CONSTRAINT audit_event_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100)));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text])));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_pkey PRIMARY KEY (id);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_subject_check CHECK ((length(subject) <= 200));
ALTER TABLE binary_carry ADD CONSTRAINT binary_carry_pkey PRIMARY KEY (block, run_id);
ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_pkey PRIMARY KEY (network);
ALTER TABLE custody_address ADD CONSTRAINT custody_address_opening_check CHECK ((opening >= 0));
ALTER TABLE custody_address ADD CONSTRAINT custody_address_pkey PRIMARY KEY (address);
ALTER TABLE custody_address ADD CONSTRAINT custody_address_role_check CHECK ((role = ANY (ARRAY['hot'::text, 'cold'::text])));
ALTER TABLE custody_address ADD CONSTRAINT custody_address_role_key UNIQUE (role);
ALTER TABLE custody_adjustment ADD CONSTRAINT custody_adjustment_amount_check CHECK ((amount <> 0));
ALTER TABLE custody_adjustment ADD CONSTRAINT custody_adjustment_one_a_journal UNIQUE (journal_id);
ALTER TABLE custody_adjustment ADD CONSTRAINT custody_adjustment_pkey PRIMARY KEY (id);
ALTER TABLE custody_adjustment ADD CONSTRAINT custody_adjustment_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 300)));
ALTER TABLE custody_balance ADD CONSTRAINT custody_balance_account_check CHECK ((account = ANY (ARRAY['custody:deposits'::text, 'custody:hot'::text, 'custody:cold'::text])));
ALTER TABLE custody_balance ADD CONSTRAINT custody_balance_pkey PRIMARY KEY (account);
ALTER TABLE custody_holding ADD CONSTRAINT custody_holding_pkey PRIMARY KEY (address);
ALTER TABLE custody_holding ADD CONSTRAINT custody_holding_role_check CHECK ((role = ANY (ARRAY['deposit'::text, 'hot'::text, 'cold'::text])));
ALTER TABLE custody_reading ADD CONSTRAINT custody_reading_pkey PRIMARY KEY (address);
ALTER TABLE declared_rate ADD CONSTRAINT declared_rate_day_check CHECK ((day ~ '^\d{4}-\d{2}-\d{2}$'::text));
ALTER TABLE declared_rate ADD CONSTRAINT declared_rate_pkey PRIMARY KEY (id);
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_pkey PRIMARY KEY (singleton);
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_singleton_check CHECK (singleton);
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_pkey PRIMARY KEY (address);
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_amount_check CHECK ((amount > 0));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_outcome_check CHECK ((outcome = ANY (ARRAY['part'::text, 'paid'::text, 'overpaid'::text, 'late'::text, 'no_invoice'::text, 'company'::text, 'refill'::text])));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_pkey PRIMARY KEY (txid, "position");
ALTER TABLE downline ADD CONSTRAINT downline_pkey PRIMARY KEY (generation, tree, block);
ALTER TABLE downline ADD CONSTRAINT downline_tree_check CHECK ((tree = ANY (ARRAY['unilevel'::text, 'binary'::text])));
ALTER TABLE downline_generation ADD CONSTRAINT downline_generation_one_check CHECK (one);
ALTER TABLE downline_generation ADD CONSTRAINT downline_generation_pkey PRIMARY KEY (one);
ALTER TABLE downline_recent ADD CONSTRAINT downline_recent_pkey PRIMARY KEY (member_id);
ALTER TABLE email_code ADD CONSTRAINT email_code_check CHECK ((expires_at > made_at));
ALTER TABLE email_code ADD CONSTRAINT email_code_ends_after_five_wrong_tries CHECK (((wrong_tries >= 0) AND (wrong_tries <= 5)));
ALTER TABLE email_code ADD CONSTRAINT email_code_pkey PRIMARY KEY (member_id, purpose);
ALTER TABLE email_code ADD CONSTRAINT email_code_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawal'::text, 'profile'::text, 'reset'::text])));
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_percent_check CHECK (((percent ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$'::text) AND ((percent)::numeric <= (20)::numeric)));
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_pkey PRIMARY KEY (sponsor_id, id);
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100)));
ALTER TABLE house_balance ADD CONSTRAINT house_balance_pkey PRIMARY KEY (account);
ALTER TABLE house_balance ADD CONSTRAINT house_not_below_zero CHECK ((amount >= 0));
ALTER TABLE idempotency_response ADD CONSTRAINT idempotency_response_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));
ALTER TABLE idempotency_response ADD CONSTRAINT idempotency_response_pkey PRIMARY KEY (member_id, key);
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_pkey PRIMARY KEY (txid, "position");
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_position_check CHECK (("position" >= '-1'::integer));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_role_check CHECK ((role = ANY (ARRAY['deposit'::text, 'hot'::text, 'cold'::text])));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_txid_check CHECK ((txid ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_value_check CHECK ((value >= (0)::numeric));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_verdict_check CHECK ((verdict = ANY (ARRAY['credit'::text, 'wrong_token'::text, 'zero_value'::text, 'failed'::text, 'wrong_asset'::text])));
ALTER TABLE installation ADD CONSTRAINT installation_pkey PRIMARY KEY (singleton);
ALTER TABLE installation ADD CONSTRAINT installation_singleton_check CHECK (singleton);
ALTER TABLE investment ADD CONSTRAINT investment_amount_check CHECK ((amount > 0));
ALTER TABLE investment ADD CONSTRAINT investment_check CHECK ((value_after >= amount));
ALTER TABLE investment ADD CONSTRAINT investment_member_id_journal_id_key UNIQUE (member_id, journal_id);
ALTER TABLE investment ADD CONSTRAINT investment_pkey PRIMARY KEY (member_id, id);
ALTER TABLE invoice ADD CONSTRAINT invoice_amount_check CHECK ((amount > 0));
ALTER TABLE invoice ADD CONSTRAINT invoice_check CHECK (((state = 'open'::text) = (closed_at IS NULL)));
ALTER TABLE invoice ADD CONSTRAINT invoice_check1 CHECK (((state = 'paid'::text) OR (paid_txid IS NULL)));
ALTER TABLE invoice ADD CONSTRAINT invoice_fee_check CHECK ((fee >= 0));
ALTER TABLE invoice ADD CONSTRAINT invoice_pkey PRIMARY KEY (member_id, id);
ALTER TABLE invoice ADD CONSTRAINT invoice_receives_what_is_due CHECK (((received >= 0) AND (received <= (amount + fee))));
ALTER TABLE invoice ADD CONSTRAINT invoice_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'expired'::text, 'cancelled'::text])));
ALTER TABLE invoice_key ADD CONSTRAINT invoice_key_pkey PRIMARY KEY (txn_id);
ALTER TABLE journal ADD CONSTRAINT journal_id_key UNIQUE (id);
ALTER TABLE journal ADD CONSTRAINT journal_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));
ALTER TABLE journal ADD CONSTRAINT journal_pkey PRIMARY KEY (key);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_check CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_check1 CHECK (((state = 'queued'::text) OR (claim IS NULL)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_event_check CHECK (((length(event) >= 1) AND (length(event) <= 200)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_keeps_no_secret CHECK (((state = 'queued'::text) OR (NOT (params ?| ARRAY['code'::text, 'notMeUrl'::text]))));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_last_error_check CHECK ((length(last_error) <= 500));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_locale_check CHECK ((locale = ANY (ARRAY['es'::text, 'en'::text])));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_member_id_event_key UNIQUE (member_id, event);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_pkey PRIMARY KEY (member_id, id);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'given_up'::text])));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_to_address_check CHECK ((length(to_address) <= 320));
ALTER TABLE master_code ADD CONSTRAINT master_code_pkey PRIMARY KEY (member_id);
ALTER TABLE member ADD CONSTRAINT member_avatar_check CHECK ((avatar ~ '^([0-9a-f]{32})?$'::text));
ALTER TABLE member ADD CONSTRAINT member_id_check CHECK ((id > 0));
ALTER TABLE member ADD CONSTRAINT member_locale_check CHECK ((locale = ANY (ARRAY['es'::text, 'en'::text])));
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_ref_code_check CHECK ((ref_code ~ '^[0-9]{7}$'::text));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_image_check CHECK ((length(image) <= 200000));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_name_check CHECK ((name ~ '^[0-9a-f]{32}$'::text));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_pkey PRIMARY KEY (member_id);
ALTER TABLE member_balance ADD CONSTRAINT balance_not_below_zero CHECK ((balance >= 0));
ALTER TABLE member_balance ADD CONSTRAINT held_not_below_zero CHECK ((held >= 0));
ALTER TABLE member_balance ADD CONSTRAINT member_balance_pkey PRIMARY KEY (member_id);
ALTER TABLE member_balance ADD CONSTRAINT principal_not_below_zero CHECK ((principal >= 0));
ALTER TABLE member_balance ADD CONSTRAINT taken_back_not_above_earned CHECK (((earned >= 0) AND (earned_passive >= 0) AND (earned_binary >= 0)));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_kind_check CHECK ((kind = ANY (ARRAY['username'::text, 'email'::text, 'ref_code'::text])));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_pkey PRIMARY KEY (kind, value);
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_value_check CHECK ((value = lower(value)));
ALTER TABLE member_pending ADD CONSTRAINT member_pending_pkey PRIMARY KEY (member_id);
ALTER TABLE member_pending ADD CONSTRAINT pending_not_below_zero CHECK ((amount >= 0));
ALTER TABLE member_receivable ADD CONSTRAINT member_receivable_pkey PRIMARY KEY (member_id, pool);
ALTER TABLE member_receivable ADD CONSTRAINT member_receivable_pool_check CHECK ((pool = ANY (ARRAY['profit'::text, 'commission'::text])));
ALTER TABLE member_receivable ADD CONSTRAINT receivable_not_below_zero CHECK ((amount >= 0));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_last_step_check CHECK ((last_step >= 0));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_last_use_check CHECK ((length(last_use) = 64));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_pkey PRIMARY KEY (member_id);
ALTER TABLE otp_challenge ADD CONSTRAINT otp_challenge_pkey PRIMARY KEY (token_hash);
ALTER TABLE otp_challenge ADD CONSTRAINT otp_challenge_token_hash_check CHECK ((length(token_hash) = 64));
ALTER TABLE otp_challenge ADD CONSTRAINT otp_challenge_tries_check CHECK (((tries >= 0) AND (tries <= 5)));
ALTER TABLE otp_tries ADD CONSTRAINT otp_tries_pkey PRIMARY KEY (member_id, place);
ALTER TABLE otp_tries ADD CONSTRAINT otp_tries_place_check CHECK ((length(place) <= 40));
ALTER TABLE otp_tries ADD CONSTRAINT otp_tries_tries_check CHECK ((tries >= 0));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_amount_check CHECK ((amount > 0));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_check CHECK (((purpose = 'withdrawal'::text) = (withdrawal_id IS NOT NULL)));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_pkey PRIMARY KEY (txid);
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawal'::text, 'sweep'::text, 'trx_topup'::text, 'surplus'::text])));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_settled_by_a_block CHECK (((state = ANY (ARRAY['settled'::text, 'failed'::text])) = (block IS NOT NULL)));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_signature_check CHECK ((length(signature) = 65));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_signed_with_signature CHECK (((state <> 'signed'::text) OR (signature IS NOT NULL)));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_state_check CHECK ((state = ANY (ARRAY['prepared'::text, 'signed'::text, 'settled'::text, 'failed'::text, 'expired'::text])));
ALTER TABLE outgoing_transfer ADD CONSTRAINT outgoing_transfer_txid_check CHECK ((txid ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE outgoing_transfer_booking ADD CONSTRAINT outgoing_transfer_booking_pkey PRIMARY KEY (txid);
ALTER TABLE payout_batch ADD CONSTRAINT payout_batch_item_count_check CHECK ((item_count > 0));
ALTER TABLE payout_batch ADD CONSTRAINT payout_batch_pkey PRIMARY KEY (run_id, number);
ALTER TABLE payout_item ADD CONSTRAINT payout_item_amount_check CHECK ((amount > 0));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_basis_check CHECK ((basis > 0));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_kind_check CHECK ((kind = ANY (ARRAY['direct'::posting_kind, 'master'::posting_kind, 'binary'::posting_kind])));
ALTER TABLE payout_item ADD CONSTRAINT payout_item_pkey PRIMARY KEY (member_id, run_id, leg);
ALTER TABLE payout_missed ADD CONSTRAINT payout_missed_amount_check CHECK ((amount > 0));
ALTER TABLE payout_missed ADD CONSTRAINT payout_missed_kind_check CHECK ((kind = ANY (ARRAY['passive'::posting_kind, 'direct'::posting_kind, 'master'::posting_kind, 'binary'::posting_kind])));
ALTER TABLE payout_missed ADD CONSTRAINT payout_missed_pkey PRIMARY KEY (member_id, run_id, leg);
ALTER TABLE payout_missed ADD CONSTRAINT payout_missed_reason_check CHECK ((reason = ANY (ARRAY['inactive'::text, 'skipped'::text, 'flushed'::text, 'no_active_left'::text, 'no_active_right'::text, 'no_active_referrals'::text, 'capped'::text])));
ALTER TABLE payout_page ADD CONSTRAINT payout_page_pkey PRIMARY KEY (run_id, block);
ALTER TABLE payout_page_share ADD CONSTRAINT payout_page_share_pkey PRIMARY KEY (run_id, block);
ALTER TABLE payout_run ADD CONSTRAINT payout_run_check CHECK ((posted_count <= item_count));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_kind_check CHECK ((kind = ANY (ARRAY['passive'::text, 'direct'::text, 'binary'::text])));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_missing_check CHECK ((missing >= 0));
ALTER TABLE payout_run ADD CONSTRAINT payout_run_pkey PRIMARY KEY (id);
ALTER TABLE payout_run ADD CONSTRAINT payout_run_state_check CHECK ((state = ANY (ARRAY['computing'::text, 'sealed'::text, 'held'::text, 'released'::text, 'posting'::text, 'done'::text, 'cancelled'::text])));
ALTER TABLE payout_share ADD CONSTRAINT payout_share_amount_check CHECK ((amount >= 0));
ALTER TABLE payout_share ADD CONSTRAINT payout_share_pkey PRIMARY KEY (member_id, run_id, leg);
ALTER TABLE payout_stop ADD CONSTRAINT payout_stop_pkey PRIMARY KEY (singleton);
ALTER TABLE payout_stop ADD CONSTRAINT payout_stop_singleton_check CHECK (singleton);
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
    WHEN 'passive'::posting_kind THEN ((source = 'due:profit'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'direct'::posting_kind THEN ((source = 'due:commission'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'master'::posting_kind THEN ((source = 'due:commission'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'binary'::posting_kind THEN ((source = 'due:commission'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'deposit_to_principal'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'deposit_to_balance'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'deposit_fee'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'company:revenue'::ledger_account))
    WHEN 'deposit_to_pending'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'pending'::ledger_account))
    WHEN 'pending_to_principal'::posting_kind THEN ((source = 'pending'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'pending_fee'::posting_kind THEN ((source = 'pending'::ledger_account) AND (destination = 'company:revenue'::ledger_account))
    WHEN 'pending_to_balance'::posting_kind THEN ((source = 'pending'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'reinvest'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'company_deposit'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'fund_profit'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'pool:profit'::ledger_account))
    WHEN 'fund_commission'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'pool:commission'::ledger_account))
    WHEN 'release_profit'::posting_kind THEN ((source = 'pool:profit'::ledger_account) AND (destination = 'due:profit'::ledger_account))
    WHEN 'release_commission'::posting_kind THEN ((source = 'pool:commission'::ledger_account) AND (destination = 'due:commission'::ledger_account))
    WHEN 'reverse_investment'::posting_kind THEN ((source = 'principal'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'clawback_profit'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'pool:profit'::ledger_account))
    WHEN 'clawback_commission'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'pool:commission'::ledger_account))
    WHEN 'owed_profit'::posting_kind THEN ((source = 'company:claims'::ledger_account) AND (destination = 'receivable'::ledger_account))
    WHEN 'owed_commission'::posting_kind THEN ((source = 'company:claims'::ledger_account) AND (destination = 'receivable'::ledger_account))
    WHEN 'recover_profit'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'pool:profit'::ledger_account))
    WHEN 'recover_commission'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'pool:commission'::ledger_account))
    WHEN 'repay_profit'::posting_kind THEN ((source = 'receivable'::ledger_account) AND (destination = 'company:claims'::ledger_account))
    WHEN 'repay_commission'::posting_kind THEN ((source = 'receivable'::ledger_account) AND (destination = 'company:claims'::ledger_account))
    WHEN 'hold_balance'::posting_kind THEN ((source = 'balance'::ledger_account) AND (destination = 'held'::ledger_account))
    WHEN 'hold_principal'::posting_kind THEN ((source = 'principal'::ledger_account) AND (destination = 'held'::ledger_account))
    WHEN 'release_balance'::posting_kind THEN ((source = 'held'::ledger_account) AND (destination = 'balance'::ledger_account))
    WHEN 'release_principal'::posting_kind THEN ((source = 'held'::ledger_account) AND (destination = 'principal'::ledger_account))
    WHEN 'withdraw'::posting_kind THEN ((source = 'held'::ledger_account) AND (destination = 'custody:hot'::ledger_account))
    WHEN 'withdraw_fee'::posting_kind THEN ((source = 'held'::ledger_account) AND (destination = 'company:revenue'::ledger_account))
    WHEN 'sweep'::posting_kind THEN ((source = 'custody:hot'::ledger_account) AND (destination = 'custody:deposits'::ledger_account))
    WHEN 'to_cold'::posting_kind THEN ((source = 'custody:cold'::ledger_account) AND (destination = 'custody:hot'::ledger_account))
    WHEN 'refill_hot'::posting_kind THEN ((source = 'custody:hot'::ledger_account) AND (destination = 'custody:cold'::ledger_account))
    WHEN 'company_deposit_hot'::posting_kind THEN ((source = 'custody:hot'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'company_deposit_cold'::posting_kind THEN ((source = 'custody:cold'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'custody_loss_deposits'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'custody:deposits'::ledger_account))
    WHEN 'custody_loss_hot'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'custody:hot'::ledger_account))
    WHEN 'custody_loss_cold'::posting_kind THEN ((source = 'company:capital'::ledger_account) AND (destination = 'custody:cold'::ledger_account))
    WHEN 'custody_gain_deposits'::posting_kind THEN ((source = 'custody:deposits'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'custody_gain_hot'::posting_kind THEN ((source = 'custody:hot'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    WHEN 'custody_gain_cold'::posting_kind THEN ((source = 'custody:cold'::ledger_account) AND (destination = 'company:capital'::ledger_account))
    ELSE false
END);
ALTER TABLE posting ADD CONSTRAINT posting_moves_something CHECK ((amount > 0));
ALTER TABLE posting ADD CONSTRAINT posting_pkey PRIMARY KEY (member_id, journal_id, leg);
ALTER TABLE posting ADD CONSTRAINT posting_under_its_owner CHECK (
CASE
    WHEN (kind = ANY (ARRAY['passive'::posting_kind, 'direct'::posting_kind, 'master'::posting_kind, 'binary'::posting_kind])) THEN (member_id > 0)
    ELSE ((member_id >= 0) AND ((member_id = 0) = (kind = ANY (ARRAY['company_deposit'::posting_kind, 'fund_profit'::posting_kind, 'fund_commission'::posting_kind, 'release_profit'::posting_kind, 'release_commission'::posting_kind, 'sweep'::posting_kind, 'to_cold'::posting_kind, 'refill_hot'::posting_kind, 'company_deposit_hot'::posting_kind, 'company_deposit_cold'::posting_kind, 'custody_loss_deposits'::posting_kind, 'custody_loss_hot'::posting_kind, 'custody_loss_cold'::posting_kind, 'custody_gain_deposits'::posting_kind, 'custody_gain_hot'::posting_kind, 'custody_gain_cold'::posting_kind]))))
END);
ALTER TABLE principal_movement ADD CONSTRAINT principal_movement_amount_check CHECK ((amount <> 0));
ALTER TABLE principal_movement ADD CONSTRAINT principal_movement_pkey PRIMARY KEY (member_id, id);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_hash_check CHECK ((length(hash) = 64));
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (member_id, hash);
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (token_hash);
ALTER TABLE reserve_check ADD CONSTRAINT reserve_check_pkey PRIMARY KEY (id);
ALTER TABLE reserve_check ADD CONSTRAINT reserve_check_verdict_check CHECK ((verdict = ANY (ARRAY['matched'::text, 'unexplained'::text, 'waiting'::text])));
ALTER TABLE reversal ADD CONSTRAINT reversal_amount_check CHECK ((amount > 0));
ALTER TABLE reversal ADD CONSTRAINT reversal_pkey PRIMARY KEY (member_id, investment_id);
ALTER TABLE reversal ADD CONSTRAINT reversal_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 200)));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_amount_check CHECK ((amount > 0));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_check CHECK (((from_balance >= 0) AND (from_balance <= amount)));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_pkey PRIMARY KEY (member_id, reversal_id, leg);
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_pool_check CHECK ((pool = ANY (ARRAY['profit'::text, 'commission'::text])));
ALTER TABLE security_event ADD CONSTRAINT security_event_kind_check CHECK ((kind = ANY (ARRAY['wallet_changed'::text, 'email_changed'::text, 'password_changed'::text, 'password_reset'::text, 'two_factor_on'::text, 'two_factor_off'::text, 'recovery_code_used'::text, 'recovery_codes_renewed'::text, 'signed_in_new'::text, 'sessions_ended'::text, 'not_me'::text, 'fundator_on'::text, 'fundator_off'::text])));
ALTER TABLE security_event ADD CONSTRAINT security_event_pkey PRIMARY KEY (member_id, id);
ALTER TABLE session ADD CONSTRAINT session_ended_because_check CHECK ((ended_because = ANY (ARRAY['logout'::text, 'reuse'::text, 'password'::text, 'not_me'::text, 'two_factor'::text, 'ended'::text])));
ALTER TABLE session ADD CONSTRAINT session_ip_check CHECK ((length(ip) <= 64));
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (member_id, id);
ALTER TABLE spent_captcha ADD CONSTRAINT spent_captcha_pkey PRIMARY KEY (challenge);
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_check CHECK (((sponsor_id IS NULL) = (depth = 0)));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_depth_check CHECK ((depth >= 0));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_pkey PRIMARY KEY (member_id);
ALTER TABLE support_message ADD CONSTRAINT support_message_check CHECK (((topic IS NULL) OR (operator_id IS NULL)));
ALTER TABLE support_message ADD CONSTRAINT support_message_pkey PRIMARY KEY (member_id, id);
ALTER TABLE support_message ADD CONSTRAINT support_message_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)));
ALTER TABLE support_message ADD CONSTRAINT support_message_topic_check CHECK ((topic = ANY (ARRAY['callback'::text, 'order'::text, 'help'::text, 'payment'::text])));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_open_waits CHECK (((state = 'open'::text) = (waiting_since IS NOT NULL)));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_pkey PRIMARY KEY (member_id);
ALTER TABLE support_thread ADD CONSTRAINT support_thread_state_check CHECK ((state = ANY (ARRAY['open'::text, 'answered'::text, 'closed'::text])));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_topic_check CHECK ((topic = ANY (ARRAY['callback'::text, 'order'::text, 'help'::text, 'payment'::text])));
ALTER TABLE unconfirmed_transfer ADD CONSTRAINT unconfirmed_transfer_pkey PRIMARY KEY (txid, "position");
ALTER TABLE unexplained_outflow ADD CONSTRAINT unexplained_outflow_pkey PRIMARY KEY (txid, "position");
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_amount_check CHECK ((amount > 0));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_approvals_needed_check CHECK (((approvals_needed >= 0) AND (approvals_needed <= 5)));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_check CHECK (((fee >= 0) AND (fee < amount)));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_closed_once CHECK ((((state = ANY (ARRAY['requested'::text, 'approved'::text])) = (closed_at IS NULL)) AND ((closed_at IS NULL) = (close_journal_id IS NULL))));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_completed_by_a_transfer CHECK (((state = 'completed'::text) = (txid IS NOT NULL)));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_from_balance_check CHECK ((from_balance >= 0));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_from_principal_check CHECK ((from_principal >= 0));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_parts_add_up CHECK (((from_balance + from_principal) = amount));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_pkey PRIMARY KEY (member_id, id);
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_reason_check CHECK ((length(reason) <= 300));
ALTER TABLE withdrawal ADD CONSTRAINT withdrawal_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'approved'::text, 'completed'::text, 'cancelled'::text, 'refused'::text, 'failed'::text])));
ALTER TABLE withdrawal_approval ADD CONSTRAINT approval_by_somebody_else CHECK ((operator_id <> member_id));
ALTER TABLE withdrawal_approval ADD CONSTRAINT withdrawal_approval_pkey PRIMARY KEY (member_id, withdrawal_id, operator_id);
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_code_check CHECK ((code = ANY (ARRAY['chain_unhealthy'::text, 'nodes_disagree'::text, 'token_paused'::text, 'token_fee'::text, 'hot_blacklisted'::text, 'hot_usdt'::text, 'hot_trx'::text, 'fee_limit'::text, 'recipient_blacklisted'::text, 'would_revert'::text, 'signer_away'::text, 'signer_refused'::text, 'signer_cap'::text])));
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_detail_check CHECK ((length(detail) <= 300));
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_pkey PRIMARY KEY (member_id, withdrawal_id);

CREATE INDEX audit_event_by_actor ON public.audit_event USING btree (actor_id, id);
CREATE INDEX binary_carry_by_run ON public.binary_carry USING btree (run_id, block);
CREATE INDEX binary_carry_latest ON public.binary_carry USING btree (block, period, run_id);
CREATE INDEX custody_holding_largest ON public.custody_holding USING btree (amount DESC) WHERE ((role = 'deposit'::text) AND (amount > 0));
CREATE INDEX custody_holding_moved ON public.custody_holding USING btree (moved_block);
CREATE INDEX custody_reading_oldest ON public.custody_reading USING btree (read_at);
CREATE INDEX declared_rate_by_day ON public.declared_rate USING btree (day, id DESC);
CREATE INDEX deposit_credit_by_member ON public.deposit_credit USING btree (member_id, credited_at DESC);
CREATE INDEX downline_recent_by_place ON public.downline_recent USING btree (place_at);
CREATE INDEX downline_recent_by_sponsor ON public.downline_recent USING btree (sponsor_at);
CREATE INDEX idempotency_response_by_age ON public.idempotency_response USING btree (at);
CREATE INDEX incoming_transfer_by_block ON public.incoming_transfer USING btree (block DESC, txid, "position");
CREATE INDEX incoming_transfer_by_member ON public.incoming_transfer USING btree (member_id, seq) WHERE (verdict = 'credit'::text);
CREATE INDEX incoming_transfer_in_order ON public.incoming_transfer USING btree (seq) WHERE (verdict = 'credit'::text);
CREATE INDEX investment_by_date ON public.investment USING btree (credited_at);
CREATE INDEX investment_by_number ON public.investment USING btree (id);
CREATE INDEX invoice_open ON public.invoice USING btree (member_id, id) WHERE (state = 'open'::text);
CREATE INDEX invoice_open_by_end ON public.invoice USING btree (expires_at, member_id) WHERE (state = 'open'::text);
CREATE INDEX mail_message_sent ON public.mail_message USING btree (sent_at) WHERE (state = 'sent'::text);
CREATE INDEX mail_message_unsent ON public.mail_message USING btree (state, next_try_at) WHERE (state <> 'sent'::text);
CREATE INDEX master_code_by_sponsor ON public.master_code USING btree (sponsor_id);
CREATE INDEX member_by_first_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 1) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_fourth_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 4) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_second_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 2) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_third_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 3) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_username ON public.member USING btree (folded_name(username) COLLATE "C") INCLUDE (id, username);
CREATE INDEX member_by_wallet ON public.member USING btree (usdt_wallet) WHERE (usdt_wallet <> ''::text);
CREATE INDEX otp_challenge_by_expiry ON public.otp_challenge USING btree (expires_at);
CREATE INDEX outgoing_transfer_by_withdrawal ON public.outgoing_transfer USING btree (member_id, withdrawal_id) WHERE (purpose = 'withdrawal'::text);
CREATE INDEX outgoing_transfer_came ON public.outgoing_transfer USING btree (to_address, block) WHERE ((state = 'settled'::text) AND (purpose = ANY (ARRAY['sweep'::text, 'surplus'::text])));
CREATE INDEX outgoing_transfer_closed ON public.outgoing_transfer USING btree (closed_at) WHERE (state = ANY (ARRAY['settled'::text, 'failed'::text]));
CREATE INDEX outgoing_transfer_given_up ON public.outgoing_transfer USING btree (closed_at) WHERE (state = ANY (ARRAY['failed'::text, 'expired'::text]));
CREATE INDEX outgoing_transfer_left ON public.outgoing_transfer USING btree (from_address, block) WHERE ((state = 'settled'::text) AND (purpose <> 'trx_topup'::text));
CREATE INDEX outgoing_transfer_live ON public.outgoing_transfer USING btree (expires_at) WHERE (state = ANY (ARRAY['prepared'::text, 'signed'::text]));
CREATE INDEX outgoing_transfer_signed_by_day ON public.outgoing_transfer USING btree (signed_at) WHERE (purpose = 'withdrawal'::text);
CREATE INDEX payout_item_by_run ON public.payout_item USING btree (run_id, member_id, leg);
CREATE INDEX payout_missed_by_run ON public.payout_missed USING btree (run_id, member_id, leg);
CREATE INDEX payout_run_by_investment ON public.payout_run USING btree (last_investment) WHERE ((kind = 'direct'::text) AND (state <> 'cancelled'::text));
CREATE INDEX payout_run_cancelled ON public.payout_run USING btree (id) WHERE (state = 'cancelled'::text);
CREATE INDEX payout_run_unfinished ON public.payout_run USING btree (id) WHERE (state <> ALL (ARRAY['done'::text, 'cancelled'::text]));
CREATE INDEX principal_movement_by_date ON public.principal_movement USING btree (at);
CREATE INDEX principal_movement_by_number ON public.principal_movement USING btree (id);
CREATE INDEX refresh_token_by_session ON public.refresh_token USING btree (member_id, session_id);
CREATE INDEX reversal_by_date ON public.reversal USING btree (at);
CREATE INDEX reversal_by_number ON public.reversal USING btree (id);
CREATE INDEX sponsorship_by_sponsor ON public.sponsorship USING btree (sponsor_id, member_id) INCLUDE (joined_at);
CREATE INDEX support_thread_queue ON public.support_thread USING btree (waiting_since, last_at DESC, member_id);
CREATE INDEX support_thread_settled ON public.support_thread USING btree (state, last_at DESC, member_id) WHERE (state <> 'open'::text);
CREATE INDEX unconfirmed_transfer_by_member ON public.unconfirmed_transfer USING btree (member_id);
CREATE INDEX unexplained_outflow_by_block ON public.unexplained_outflow USING btree (block);
CREATE INDEX withdrawal_approved ON public.withdrawal USING btree (approved_at, id) WHERE (state = 'approved'::text);
CREATE INDEX withdrawal_by_date ON public.withdrawal USING btree (member_id, requested_at DESC);
CREATE INDEX withdrawal_by_number ON public.withdrawal USING btree (id);
CREATE INDEX withdrawal_closed ON public.withdrawal USING btree (id) WHERE (closed_at IS NOT NULL);
CREATE INDEX withdrawal_open ON public.withdrawal USING btree (id) WHERE (state = ANY (ARRAY['requested'::text, 'approved'::text]));
CREATE UNIQUE INDEX deposit_address_by_member ON public.deposit_address USING btree (member_id);
CREATE UNIQUE INDEX outgoing_transfer_one_a_sweep ON public.outgoing_transfer USING btree (from_address) WHERE ((purpose = 'sweep'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_a_trx_topup ON public.outgoing_transfer USING btree (to_address) WHERE ((purpose = 'trx_topup'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_a_withdrawal ON public.outgoing_transfer USING btree (member_id, withdrawal_id) WHERE ((purpose = 'withdrawal'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text, 'settled'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_surplus ON public.outgoing_transfer USING btree (purpose) WHERE ((purpose = 'surplus'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX payout_run_by_journal ON public.payout_run USING btree (journal_id);
CREATE UNIQUE INDEX payout_run_one_a_period ON public.payout_run USING btree (kind, period) WHERE (state <> 'cancelled'::text);
CREATE UNIQUE INDEX placement_one_child_a_leg ON public.placement USING btree (parent_id, leg);
CREATE UNIQUE INDEX security_event_not_me_once ON public.security_event USING btree (member_id, ((details ->> 'event'::text))) WHERE (kind = 'not_me'::text);

CREATE OR REPLACE FUNCTION public.apply_postings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
  -- One notice a statement: a batch of a payout run is told once, with the range of its members (see 0019).
  IF moved.last_member > 0 THEN PERFORM pg_notify('member_notices', format('money %s-%s', moved.first_member, moved.last_member)); END IF;

  IF (CASE WHEN moved.first_journal = moved.last_journal
      THEN NOT EXISTS (SELECT FROM journal j WHERE j.id = moved.first_journal)
      ELSE EXISTS (SELECT FROM (SELECT DISTINCT journal_id FROM fresh) f
        WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = f.journal_id)) END) THEN
    RAISE EXCEPTION 'posting without a journal' USING ERRCODE = 'foreign_key_violation';
  END IF;

  IF moved.first_kind = 'passive' AND moved.last_kind = 'passive' AND moved.first_journal = moved.last_journal AND moved.last_leg = 0 THEN
    UPDATE member_balance b SET balance = b.balance + f.amount, earned = b.earned + f.amount,
      earned_passive = b.earned_passive + f.amount, passive_days = b.passive_days + 1
    -- Bounded on both sides: a merge that begins at the first member of all would read the whole table once a batch.
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

  IF EXISTS (SELECT FROM fresh WHERE source = 'pending' OR destination = 'pending') THEN
    INSERT INTO member_pending (member_id, amount) SELECT DISTINCT member_id, 0 FROM fresh ON CONFLICT DO NOTHING;
    UPDATE member_pending p SET amount = p.amount + d.amount
    FROM (SELECT member_id, coalesce(sum(amount) FILTER (WHERE destination = 'pending'), 0)
        - coalesce(sum(amount) FILTER (WHERE source = 'pending'), 0) AS amount FROM fresh GROUP BY member_id) d
    WHERE p.member_id = d.member_id;
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
END $function$
;
CREATE OR REPLACE FUNCTION public.apply_postings_to_custody()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  WITH flow AS (
    SELECT source::text, destination::text, sum(amount) AS amount FROM fresh
    WHERE kind NOT IN ('passive', 'direct', 'master', 'binary') GROUP BY source, destination
  ), delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT source AS account, amount FROM flow UNION ALL SELECT destination, -amount FROM flow) both_ends
    GROUP BY account
  )
  UPDATE custody_balance b SET amount = b.amount + d.amount FROM delta d WHERE b.account = d.account;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.approval_by_an_operator()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = NEW.operator_id AND is_operator) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawal WHERE member_id = NEW.member_id AND id = NEW.withdrawal_id AND state = 'requested') THEN
    RAISE EXCEPTION 'what is approved is a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_a_request';
  END IF;
  RETURN NEW;
END $function$
;
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
CREATE OR REPLACE FUNCTION public.downline_ancestor(of_tree text, of_member bigint, at_depth integer)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  here integer := of_member;
  far integer;
  far_depth integer;
  here_depth integer;
  current_generation integer := (SELECT generation FROM downline_generation);
BEGIN
  SELECT depths[here % 32 + 1], jumps[here % 32 + 1] INTO here_depth, far FROM downline
    WHERE generation = current_generation AND tree = of_tree AND block = here / 32 AND enters[here % 32 + 1] > 0;
  WHILE here_depth > at_depth LOOP
    SELECT depths[far % 32 + 1] INTO far_depth FROM downline
      WHERE generation = current_generation AND tree = of_tree AND block = far / 32;
    IF far_depth >= at_depth THEN
      here := far;
    ELSIF of_tree = 'unilevel' THEN
      here := (SELECT sponsor_id FROM sponsorship WHERE member_id = here);
    ELSE
      here := (SELECT parent_id FROM placement WHERE member_id = here);
    END IF;
    SELECT depths[here % 32 + 1], jumps[here % 32 + 1] INTO here_depth, far FROM downline
      WHERE generation = current_generation AND tree = of_tree AND block = here / 32;
  END LOOP;
  RETURN CASE WHEN here_depth = at_depth THEN here END;
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_credit(of_txid text, of_position integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('deposits.credit', json_build_object('txid', of_txid, 'position', of_position),
    job_key => 'credit:' || of_txid || ':' || of_position);
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_opening(of_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('custody.book_opening', json_build_object('address', of_address), job_key => 'opening:' || of_address);
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_settlement(of_txid text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle', json_build_object('txid', of_txid), job_key => 'settle:' || of_txid);
END $function$
;
CREATE OR REPLACE FUNCTION public.expire_outgoing_transfer(expired_txid text, on_network text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE p outgoing_transfer;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = expired_txid FOR UPDATE;
  IF p.txid IS NULL OR p.state NOT IN ('prepared', 'signed') THEN RETURN false; END IF;
  IF (p.state = 'signed' OR p.offline)
    AND NOT coalesce((SELECT scanned_at > p.expires_at FROM chain_cursor WHERE network = on_network), false) THEN RETURN false; END IF;
  UPDATE outgoing_transfer SET state = 'expired', seen_block = NULL, closed_at = clock_timestamp() WHERE txid = expired_txid;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.folded_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT trim(regexp_replace(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$function$
;
CREATE OR REPLACE FUNCTION public.folded_word(name text, number integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT split_part(public.folded_name(name), ' ', number)
$function$
;
CREATE OR REPLACE FUNCTION public.import_signature(signed_txid text, new_signature bytea)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  UPDATE outgoing_transfer SET state = 'signed', signature = new_signature, signed_at = clock_timestamp()
    WHERE txid = signed_txid AND offline AND state = 'prepared';
  RETURN CASE WHEN FOUND THEN 'signed' ELSE 'not_prepared' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.lift_payout_stop(of_check bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM reserve_check c, payout_stop s WHERE c.id = of_check AND c.id = (SELECT max(id) FROM reserve_check)
      AND c.verdict = 'matched' AND s.stopped AND c.id > coalesce(s.check_id, 0)) THEN
    RAISE EXCEPTION 'a stop is lifted by a newer comparison that matched' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  IF EXISTS (SELECT FROM (
      SELECT CASE role WHEN 'deposit' THEN 'deposits' ELSE role END AS wallet, amount FROM custody_holding
      UNION ALL SELECT split_part(account, ':', 2), -amount FROM custody_balance
      UNION ALL SELECT CASE t.role WHEN 'deposit' THEN 'deposits' ELSE t.role END, -t.value FROM incoming_transfer t
        WHERE t.verdict = 'credit' AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT 'cold', t.value FROM incoming_transfer t WHERE t.verdict = 'credit' AND t.role = 'hot'
        AND t.from_address IN (SELECT address FROM custody_address WHERE role = 'cold')
        AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'deposits' ELSE 'hot' END, p.amount FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose <> 'trx_topup' AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'hot' ELSE 'cold' END, -p.arrived FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose IN ('sweep', 'surplus') AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT role, -opening FROM custody_address a WHERE NOT EXISTS (SELECT FROM journal j WHERE j.key = 'opening:' || a.address)
    ) part GROUP BY wallet HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the books do not match what the wallets hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  UPDATE payout_stop SET stopped = false, since = NULL, reason = NULL, check_id = NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.move_holding(moving text, moving_role text, owner bigint, change bigint, at_block bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO custody_holding AS h (address, role, member_id, amount, moved_block) VALUES (moving, moving_role, owner, change, at_block)
  ON CONFLICT (address) DO UPDATE SET amount = h.amount + excluded.amount, moved_block = greatest(h.moved_block, excluded.moved_block);
END $function$
;
CREATE OR REPLACE FUNCTION public.move_holding_by_adjustment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE custody_holding SET amount = amount + NEW.amount WHERE address = NEW.address;
  IF NOT FOUND THEN RAISE EXCEPTION 'no address of ours' USING ERRCODE = 'foreign_key_violation'; END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.move_holding_by_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM move_holding(NEW.to_address, NEW.role, NEW.member_id, NEW.value::bigint, NEW.block);
  -- The hot wallet is refilled from the cold one by hand: no outgoing transfer of ours says that the cold one holds less now.
  IF NEW.role = 'hot' AND EXISTS (SELECT FROM custody_address WHERE address = NEW.from_address AND role = 'cold') THEN
    PERFORM move_holding(NEW.from_address, 'cold', 0, -NEW.value::bigint, NEW.block);
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_members(kind text, members bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  FOR place IN 1 .. coalesce(cardinality(members), 0) BY 380 LOOP
    PERFORM pg_notify('member_notices', kind || ' ' || array_to_string(members[place : place + 379], ','));
  END LOOP;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_confirmations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('deposits', (SELECT array_agg(DISTINCT member_id) FROM unconfirmed_transfer WHERE member_id > 0));
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT member_id) FROM outgoing_transfer
    WHERE state IN ('prepared', 'signed') AND purpose = 'withdrawal' AND seen_block IS NOT NULL));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_invoices()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('money', (SELECT array_agg(DISTINCT member_id) FROM fresh));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_outgoing_transfers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT n.member_id) FROM fresh n JOIN stale o USING (txid)
    WHERE n.purpose = 'withdrawal'
      AND (n.state, n.broadcast_at IS NULL, n.seen_block) IS DISTINCT FROM (o.state, o.broadcast_at IS NULL, o.seen_block)));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('sessions', ARRAY[NEW.member_id]);
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_unconfirmed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('deposits', (SELECT array_agg(DISTINCT member_id) FROM moved WHERE member_id > 0));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_of_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM notify_members('withdrawals', ARRAY[NEW.member_id]);
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
CREATE OR REPLACE FUNCTION public.outgoing_transfer_goes_forward()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (NEW.txid, NEW.purpose, NEW.member_id, NEW.withdrawal_id, NEW.from_address, NEW.to_address, NEW.amount, NEW.raw, NEW.expires_at, NEW.offline)
    IS DISTINCT FROM (OLD.txid, OLD.purpose, OLD.member_id, OLD.withdrawal_id, OLD.from_address, OLD.to_address, OLD.amount, OLD.raw, OLD.expires_at, OLD.offline)
    OR (OLD.signature IS NOT NULL AND NEW.signature IS DISTINCT FROM OLD.signature) THEN
    RAISE EXCEPTION 'what a transfer is never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'outgoing_transfer_never_changes';
  END IF;
  IF NEW.state <> OLD.state AND NOT ((OLD.state = 'prepared' AND NEW.state IN ('signed', 'expired', 'settled', 'failed'))
      OR (OLD.state = 'signed' AND NEW.state IN ('settled', 'failed', 'expired'))) THEN
    RAISE EXCEPTION 'a transfer does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'outgoing_transfer_goes_forward';
  END IF;
  IF NEW.seen_block IS NOT NULL AND OLD.seen_block IS NULL THEN NEW.seen_at := clock_timestamp();
  ELSIF NEW.seen_block IS NULL AND NEW.state NOT IN ('settled', 'failed') THEN NEW.seen_at := NULL; END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.prepare_outgoing_transfer(new_txid text, new_purpose text, owner bigint, of_withdrawal bigint, new_from text, new_to text, new_amount bigint, new_raw bytea, new_expires_at timestamp with time zone, is_offline boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  w withdrawal;
  hot text := (SELECT address FROM custody_address WHERE role = 'hot');
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN false; END IF;
  -- Everything leaves from the hot wallet, except a sweep, which goes there.
  IF (CASE new_purpose WHEN 'sweep' THEN new_to ELSE new_from END) IS DISTINCT FROM hot THEN RETURN false; END IF;
  IF new_purpose = 'withdrawal' THEN
    SELECT * INTO w FROM withdrawal WHERE member_id = owner AND id = of_withdrawal FOR UPDATE;
    IF w.id IS NULL OR w.state <> 'approved' OR w.wallet_address <> new_to OR w.amount - w.fee <> new_amount THEN RETURN false; END IF;
    IF EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'withdrawal' AND member_id = owner AND withdrawal_id = of_withdrawal
      AND state IN ('prepared', 'signed', 'settled', 'failed')) THEN RETURN false; END IF;
  ELSIF new_purpose IN ('sweep', 'trx_topup') THEN
    IF NOT EXISTS (SELECT FROM deposit_address WHERE member_id = owner AND address = CASE new_purpose WHEN 'sweep' THEN new_from ELSE new_to END) THEN
      RETURN false;
    END IF;
  ELSIF new_to IS DISTINCT FROM (SELECT address FROM custody_address WHERE role = 'cold') THEN
    RETURN false;
  END IF;
  INSERT INTO outgoing_transfer (txid, purpose, member_id, withdrawal_id, from_address, to_address, amount, raw, expires_at, offline)
  VALUES (new_txid, new_purpose, owner, of_withdrawal, new_from, new_to, new_amount, new_raw, new_expires_at, is_offline)
  ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.purge_idempotency_responses(as_of timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE purged integer;
BEGIN
  DELETE FROM idempotency_response a USING (
    SELECT member_id, key FROM idempotency_response
    WHERE at < least(as_of, clock_timestamp()) - interval '7 days' ORDER BY at LIMIT most) old
  WHERE a.member_id = old.member_id AND a.key = old.key;
  GET DIAGNOSTICS purged = ROW_COUNT;
  RETURN purged;
END $function$
;
CREATE OR REPLACE FUNCTION public.purge_mail(as_of timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE purged integer;
BEGIN
  DELETE FROM mail_message m USING (
    SELECT member_id, id FROM mail_message
    WHERE state = 'sent' AND sent_at < least(as_of, clock_timestamp()) - interval '90 days' ORDER BY sent_at LIMIT most) old
  WHERE m.member_id = old.member_id AND m.id = old.id;
  GET DIAGNOSTICS purged = ROW_COUNT;
  RETURN purged;
END $function$
;
CREATE OR REPLACE FUNCTION public.purge_reserve_checks()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE thinned integer;
BEGIN
  DELETE FROM reserve_check c USING (
    SELECT id, row_number() OVER (PARTITION BY date_trunc('hour', at, 'UTC') ORDER BY verdict = 'unexplained' DESC, id DESC) AS place
    FROM reserve_check WHERE at < clock_timestamp() - interval '30 days' - interval '1 hour') old
  WHERE c.id = old.id AND old.place > 1 AND NOT EXISTS (SELECT FROM payout_stop s WHERE s.check_id = c.id);
  GET DIAGNOSTICS thinned = ROW_COUNT;
  RETURN thinned;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_custody_adjustment(adjusted_address text, difference bigint, explained_as text, of_journal bigint, operator bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  its_role text := (SELECT role FROM custody_holding WHERE address = adjusted_address);
  booked record;
BEGIN
  SELECT count(*) AS postings, min(p.kind::text) AS kind, min(p.amount) AS amount, min(p.at) AS at INTO booked
  FROM journal j JOIN posting p ON p.member_id = 0 AND p.journal_id = j.id WHERE j.id = of_journal AND j.kind = 'adjustment';
  IF its_role IS NULL OR booked.postings <> 1 OR booked.amount <> abs(difference)
    OR booked.kind <> format('custody_%s_%s', CASE WHEN difference < 0 THEN 'loss' ELSE 'gain' END,
      (CASE its_role WHEN 'deposit' THEN 'deposits' ELSE its_role END))
  THEN
    RAISE EXCEPTION 'an adjustment books its own difference' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_has_its_journal';
  END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator explains a difference' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_by_an_operator';
  END IF;
  INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
  VALUES (adjusted_address, difference, explained_as, of_journal, operator, booked.at);
END $function$
;
CREATE OR REPLACE FUNCTION public.record_incoming_transfer(new_txid text, new_position integer, new_block bigint, new_block_at timestamp with time zone, new_verdict text, new_contract text, new_from text, new_to text, new_value numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  owner bigint;
  its_role text;
BEGIN
  SELECT member_id, 'deposit' INTO owner, its_role FROM deposit_address WHERE address = new_to;
  IF owner IS NULL THEN SELECT 0, role INTO STRICT owner, its_role FROM custody_address WHERE address = new_to; END IF;
  INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value, role)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, new_verdict, new_contract, new_from, new_to, new_value, its_role)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  -- The job has no queue of its own: it takes the member's lock, and credits in the chain's order.
  IF new_verdict = 'credit' THEN PERFORM enqueue_credit(new_txid, new_position); END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_outside_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f
             WHERE NOT EXISTS (SELECT FROM payout_run r WHERE r.id = f.run_id AND r.state = TG_ARGV[0])) THEN
    RAISE EXCEPTION 'rows of % are added while their run is %', TG_TABLE_NAME, TG_ARGV[0]
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_in_its_time';
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_used_step()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION 'the codes of a secret are used in order, each once' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'member_totp_moves_forward';
END $function$
;
CREATE OR REPLACE FUNCTION public.register_custody(new_address text, new_role text, held bigint, at_block bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO custody_address (address, role, opening) VALUES (new_address, new_role, held) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM move_holding(new_address, new_role, 0, held, at_block);
  IF held > 0 THEN PERFORM enqueue_opening(new_address); END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.seal_payout_run(sealed_run bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;
CREATE OR REPLACE FUNCTION public.settle_outgoing_transfer(settled_txid text, in_block bigint, in_block_at timestamp with time zone, is_success boolean, its_result text, has_arrived bigint, its_fee bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE p outgoing_transfer;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = settled_txid FOR UPDATE;
  -- An expired transfer that is on the chain all the same is explained by nothing: the gateway records an unexplained outflow.
  IF p.txid IS NULL OR p.state NOT IN ('prepared', 'signed') THEN RETURN false; END IF;
  UPDATE outgoing_transfer SET state = CASE WHEN is_success THEN 'settled' ELSE 'failed' END, block = in_block, block_at = in_block_at,
    result = its_result, arrived = has_arrived, fee_sun = its_fee, seen_block = NULL, closed_at = clock_timestamp() WHERE txid = settled_txid;
  IF is_success AND p.purpose <> 'trx_topup' THEN
    UPDATE custody_holding SET amount = amount - p.amount, moved_block = greatest(moved_block, in_block) WHERE address = p.from_address;
    IF p.purpose IN ('sweep', 'surplus') THEN
      UPDATE custody_holding SET amount = amount + has_arrived, moved_block = greatest(moved_block, in_block) WHERE address = p.to_address;
    END IF;
  END IF;
  IF p.purpose <> 'trx_topup' THEN PERFORM enqueue_settlement(settled_txid); END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.sign_outgoing_transfer(signed_txid text, new_signature bytea, cap bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  p outgoing_transfer;
  w withdrawal;
BEGIN
  PERFORM pg_advisory_xact_lock(7205); -- signatures are counted one at a time
  SELECT * INTO p FROM outgoing_transfer WHERE txid = signed_txid FOR UPDATE;
  IF p.txid IS NULL OR p.state <> 'prepared' THEN RETURN 'not_prepared'; END IF;
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  IF p.purpose = 'withdrawal' THEN
    SELECT * INTO w FROM withdrawal WHERE member_id = p.member_id AND id = p.withdrawal_id FOR UPDATE;
    IF w.id IS NULL OR w.state <> 'approved' OR w.wallet_address <> p.to_address OR w.amount - w.fee <> p.amount THEN RETURN 'not_approved'; END IF;
    -- Expired ones count too: that a transfer is expired is said by the gateway.
    IF p.amount + coalesce((SELECT sum(amount) FROM outgoing_transfer
        WHERE purpose = 'withdrawal' AND signed_at > clock_timestamp() - interval '24 hours'), 0) > cap THEN
      RETURN 'cap_reached';
    END IF;
  END IF;
  UPDATE outgoing_transfer SET state = 'signed', signature = new_signature, signed_at = clock_timestamp() WHERE txid = signed_txid;
  RETURN 'signed';
END $function$
;
CREATE OR REPLACE FUNCTION public.stop_payouts(of_check bigint, because text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE c reserve_check;
BEGIN
  SELECT * INTO c FROM reserve_check WHERE id = of_check;
  IF c.id IS NULL OR c.verdict <> 'unexplained' OR because IS NULL THEN
    RAISE EXCEPTION 'a stop has a comparison that did not match, and a reason' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_has_its_check';
  END IF;
  UPDATE payout_stop SET stopped = true, reason = because, since = CASE WHEN stopped THEN since ELSE c.at END,
    check_id = CASE WHEN stopped THEN check_id ELSE c.id END WHERE NOT stopped OR reason IS DISTINCT FROM because;
END $function$
;
CREATE OR REPLACE FUNCTION public.withdrawal_goes_forward()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE live integer;
BEGIN
  IF (NEW.member_id, NEW.id, NEW.amount, NEW.fee, NEW.from_balance, NEW.from_principal, NEW.wallet_address, NEW.approvals_needed, NEW.plan_version,
      NEW.risks, NEW.device, NEW.hold_journal_id, NEW.requested_at)
    IS DISTINCT FROM (OLD.member_id, OLD.id, OLD.amount, OLD.fee, OLD.from_balance, OLD.from_principal, OLD.wallet_address, OLD.approvals_needed, OLD.plan_version,
      OLD.risks, OLD.device, OLD.hold_journal_id, OLD.requested_at) THEN
    RAISE EXCEPTION 'what a withdrawal is about never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_never_changes';
  END IF;
  IF NOT ((OLD.state = 'requested' AND NEW.state IN ('approved', 'cancelled', 'refused'))
      OR (OLD.state = 'approved' AND NEW.state IN ('completed', 'failed', 'refused'))) THEN
    RAISE EXCEPTION 'a withdrawal does not go from % to %', OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_goes_forward';
  END IF;
  -- One approval an operator by the primary key; those of members who are operators no more do not count.
  IF NEW.state = 'approved' AND (SELECT count(*) FROM withdrawal_approval a JOIN member o ON o.id = a.operator_id AND o.is_operator
      WHERE a.member_id = NEW.member_id AND a.withdrawal_id = NEW.id AND a.operator_id <> NEW.member_id) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'approvals are missing' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_approvals';
  END IF;
  SELECT count(*) INTO live FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id
    AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
      -- What failed in the chain ends it as failed, once that is booked.
      OR (p.state = 'failed' AND NEW.state = 'refused'));
  IF NEW.state IN ('failed', 'refused') AND live > 0 THEN
    RAISE EXCEPTION 'its transfer may still arrive' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_no_live_transfer';
  END IF;
  IF NEW.state = 'completed' AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = NEW.txid AND p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND p.state = 'settled') THEN
    RAISE EXCEPTION 'no solid transfer says so' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_transfer';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.withdrawal_is_requested()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION 'a withdrawal begins as a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_is_requested';
END $function$
;

CREATE TRIGGER audit_event_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER binary_carry_before_seal AFTER INSERT ON public.binary_carry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER binary_carry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.binary_carry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_cursor_tells AFTER UPDATE OF head_block ON public.chain_cursor FOR EACH ROW WHEN ((old.head_block <> new.head_block)) EXECUTE FUNCTION notify_of_confirmations();
CREATE TRIGGER custody_address_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.custody_address FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER custody_adjustment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.custody_adjustment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER custody_adjustment_moves_holding AFTER INSERT ON public.custody_adjustment FOR EACH ROW EXECUTE FUNCTION move_holding_by_adjustment();
CREATE TRIGGER declared_rate_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.declared_rate FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER extra_percent_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.extra_percent FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER incoming_transfer_moves_holding AFTER INSERT ON public.incoming_transfer FOR EACH ROW WHEN ((new.verdict = 'credit'::text)) EXECUTE FUNCTION move_holding_by_transfer();
CREATE TRIGGER investment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.investment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_tells AFTER INSERT ON public.invoice REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();
CREATE TRIGGER invoice_tells_of_its_change AFTER UPDATE ON public.invoice REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();
CREATE TRIGGER journal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mail_message_once_sent BEFORE UPDATE ON public.mail_message FOR EACH ROW WHEN ((old.state = 'sent'::text)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER master_code_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.master_code FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identifier_is_released_by_email_alone BEFORE DELETE ON public.member_identifier FOR EACH ROW WHEN ((old.kind <> 'email'::text)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_totp_moves_forward BEFORE UPDATE ON public.member_totp FOR EACH ROW WHEN (((new.secret = old.secret) AND (new.last_step < old.last_step))) EXECUTE FUNCTION refuse_used_step();
CREATE TRIGGER outgoing_transfer_goes_forward BEFORE UPDATE ON public.outgoing_transfer FOR EACH ROW EXECUTE FUNCTION outgoing_transfer_goes_forward();
CREATE TRIGGER outgoing_transfer_is_kept BEFORE DELETE OR TRUNCATE ON public.outgoing_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outgoing_transfer_tells AFTER UPDATE ON public.outgoing_transfer REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_outgoing_transfers();
CREATE TRIGGER outgoing_transfer_booking_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.outgoing_transfer_booking FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_item_before_seal AFTER INSERT ON public.payout_item REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_item_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_missed_before_seal AFTER INSERT ON public.payout_missed REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_missed_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_missed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_before_seal AFTER INSERT ON public.payout_page REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_page_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_share_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_page_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_share_while_held AFTER INSERT ON public.payout_page_share REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE TRIGGER payout_share_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_share_while_held AFTER INSERT ON public.payout_share REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE TRIGGER plan_version_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.plan_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_applies AFTER INSERT ON public.posting REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION apply_postings();
CREATE TRIGGER posting_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_moves_custody AFTER INSERT ON public.posting REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION apply_postings_to_custody();
CREATE TRIGGER principal_movement_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.principal_movement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_check_is_kept BEFORE DELETE ON public.reserve_check FOR EACH ROW WHEN ((old.at > (clock_timestamp() - '30 days'::interval))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_check_never_changes BEFORE UPDATE OR TRUNCATE ON public.reserve_check FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_part_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reversal_part FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER security_event_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.security_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER session_tells AFTER UPDATE OF ended_at ON public.session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION notify_of_session();
CREATE TRIGGER support_message_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.support_message FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER unconfirmed_transfer_tells AFTER INSERT ON public.unconfirmed_transfer REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();
CREATE TRIGGER unconfirmed_transfer_tells_of_its_end AFTER DELETE ON public.unconfirmed_transfer REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();
CREATE TRIGGER unexplained_outflow_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.unexplained_outflow FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawal_goes_forward BEFORE UPDATE ON public.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_goes_forward();
CREATE TRIGGER withdrawal_is_kept BEFORE DELETE OR TRUNCATE ON public.withdrawal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawal_is_requested BEFORE INSERT ON public.withdrawal FOR EACH ROW WHEN (((new.state <> 'requested'::text) OR (new.approved_at IS NOT NULL))) EXECUTE FUNCTION withdrawal_is_requested();
CREATE TRIGGER withdrawal_tells AFTER INSERT OR UPDATE OF state ON public.withdrawal FOR EACH ROW EXECUTE FUNCTION notify_of_withdrawal();
CREATE TRIGGER approval_by_an_operator BEFORE INSERT ON public.withdrawal_approval FOR EACH ROW EXECUTE FUNCTION approval_by_an_operator();
CREATE TRIGGER withdrawal_approval_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.withdrawal_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT INSERT, SELECT ON audit_event TO aval_app;
GRANT INSERT ON audit_event TO aval_chain;
GRANT INSERT ON audit_event TO aval_keys;
GRANT INSERT, SELECT ON binary_carry TO aval_app;
GRANT SELECT ON chain_cursor TO aval_app;
GRANT INSERT, SELECT, UPDATE ON chain_cursor TO aval_chain;
GRANT SELECT ON chain_cursor TO aval_ledger;
GRANT SELECT ON custody_address TO aval_app;
GRANT SELECT ON custody_address TO aval_chain;
GRANT SELECT ON custody_address TO aval_keys;
GRANT INSERT, SELECT ON custody_address TO aval_ledger;
GRANT SELECT ON custody_adjustment TO aval_app;
GRANT INSERT, SELECT ON custody_adjustment TO aval_ledger;
GRANT SELECT ON custody_balance TO aval_app;
GRANT SELECT, UPDATE ON custody_balance TO aval_ledger;
GRANT SELECT ON custody_holding TO aval_app;
GRANT SELECT ON custody_holding TO aval_chain;
GRANT INSERT, SELECT, UPDATE ON custody_holding TO aval_ledger;
GRANT SELECT ON custody_reading TO aval_app;
GRANT INSERT, SELECT, UPDATE ON custody_reading TO aval_chain;
GRANT INSERT, SELECT ON declared_rate TO aval_app;
GRANT INSERT, SELECT, UPDATE ON demo_clock TO aval_app;
GRANT INSERT, SELECT ON deposit_address TO aval_app;
GRANT SELECT ON deposit_address TO aval_chain;
GRANT SELECT ON deposit_address TO aval_keys;
GRANT SELECT ON deposit_address TO aval_ledger;
GRANT INSERT, SELECT ON deposit_credit TO aval_app;
GRANT SELECT ON deposit_credit TO aval_ledger;
GRANT DELETE, INSERT, SELECT ON downline TO aval_app;
GRANT SELECT, UPDATE ON downline_generation TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON downline_recent TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON email_code TO aval_app;
GRANT INSERT, SELECT ON extra_percent TO aval_app;
GRANT SELECT ON house_balance TO aval_app;
GRANT SELECT, UPDATE ON house_balance TO aval_ledger;
GRANT INSERT, SELECT ON idempotency_response TO aval_app;
GRANT DELETE, SELECT ON idempotency_response TO aval_ledger;
GRANT SELECT ON incoming_transfer TO aval_app;
GRANT SELECT ON incoming_transfer TO aval_chain;
GRANT INSERT, SELECT ON incoming_transfer TO aval_ledger;
GRANT INSERT, SELECT ON installation TO aval_app;
GRANT SELECT ON installation TO aval_chain;
GRANT SELECT ON installation TO aval_keys;
GRANT INSERT, SELECT ON investment TO aval_app;
GRANT INSERT, SELECT, UPDATE ON invoice TO aval_app;
GRANT INSERT, SELECT ON invoice_key TO aval_app;
GRANT INSERT, SELECT ON journal TO aval_app;
GRANT SELECT ON journal TO aval_ledger;
GRANT INSERT, SELECT ON mail_message TO aval_app;
GRANT DELETE, SELECT ON mail_message TO aval_ledger;
GRANT INSERT, SELECT ON master_code TO aval_app;
GRANT INSERT, SELECT, UPDATE ON member TO aval_app;
GRANT SELECT ON member TO aval_ledger;
GRANT INSERT, SELECT, UPDATE ON member_avatar TO aval_app;
GRANT SELECT ON member_balance TO aval_app;
GRANT INSERT, SELECT, UPDATE ON member_balance TO aval_ledger;
GRANT DELETE, INSERT, SELECT ON member_identifier TO aval_app;
GRANT SELECT ON member_pending TO aval_app;
GRANT INSERT, SELECT, UPDATE ON member_pending TO aval_ledger;
GRANT SELECT ON member_receivable TO aval_app;
GRANT INSERT, SELECT, UPDATE ON member_receivable TO aval_ledger;
GRANT DELETE, INSERT, SELECT, UPDATE ON member_totp TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON otp_challenge TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON otp_tries TO aval_app;
GRANT SELECT ON outgoing_transfer TO aval_app;
GRANT SELECT ON outgoing_transfer TO aval_chain;
GRANT SELECT ON outgoing_transfer TO aval_keys;
GRANT INSERT, SELECT ON outgoing_transfer TO aval_ledger;
GRANT INSERT, SELECT ON outgoing_transfer_booking TO aval_app;
GRANT SELECT ON outgoing_transfer_booking TO aval_ledger;
GRANT INSERT, SELECT ON payout_batch TO aval_app;
GRANT INSERT, SELECT ON payout_item TO aval_app;
GRANT INSERT, SELECT ON payout_missed TO aval_app;
GRANT INSERT, SELECT ON payout_page TO aval_app;
GRANT INSERT, SELECT ON payout_page_share TO aval_app;
GRANT INSERT, SELECT, UPDATE ON payout_run TO aval_app;
GRANT INSERT, SELECT ON payout_share TO aval_app;
GRANT SELECT ON payout_stop TO aval_app;
GRANT SELECT ON payout_stop TO aval_chain;
GRANT SELECT ON payout_stop TO aval_keys;
GRANT SELECT, UPDATE ON payout_stop TO aval_ledger;
GRANT SELECT ON period_close TO aval_app;
GRANT SELECT, UPDATE ON period_close TO aval_ledger;
GRANT INSERT, SELECT, UPDATE ON placement TO aval_app;
GRANT INSERT, SELECT, UPDATE ON placement_chain TO aval_app;
GRANT INSERT, SELECT ON plan_version TO aval_app;
GRANT INSERT, SELECT ON posting TO aval_app;
GRANT SELECT ON posting TO aval_ledger;
GRANT INSERT, SELECT ON principal_movement TO aval_app;
GRANT DELETE, INSERT, SELECT ON recovery_code TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON refresh_token TO aval_app;
GRANT INSERT, SELECT ON reserve_check TO aval_app;
GRANT DELETE, SELECT ON reserve_check TO aval_ledger;
GRANT INSERT, SELECT ON reversal TO aval_app;
GRANT INSERT, SELECT ON reversal_part TO aval_app;
GRANT INSERT, SELECT ON security_event TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON session TO aval_app;
GRANT DELETE, INSERT, SELECT ON spent_captcha TO aval_app;
GRANT INSERT, SELECT ON sponsorship TO aval_app;
GRANT INSERT, SELECT ON support_message TO aval_app;
GRANT INSERT, SELECT ON support_thread TO aval_app;
GRANT SELECT ON unconfirmed_transfer TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON unconfirmed_transfer TO aval_chain;
GRANT SELECT ON unexplained_outflow TO aval_app;
GRANT INSERT, SELECT ON unexplained_outflow TO aval_chain;
GRANT INSERT, SELECT ON withdrawal TO aval_app;
GRANT SELECT ON withdrawal TO aval_ledger;
GRANT INSERT, SELECT ON withdrawal_approval TO aval_app;
GRANT SELECT ON withdrawal_approval TO aval_keys;
GRANT SELECT ON withdrawal_approval TO aval_ledger;
GRANT SELECT ON withdrawal_delay TO aval_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON withdrawal_delay TO aval_chain;

GRANT UPDATE (params, state, attempts, next_try_at, claim, message_id, sent_at, last_error) ON mail_message TO aval_app;
GRANT UPDATE (broadcast_at, broadcasts, reply, seen_block) ON outgoing_transfer TO aval_chain;
GRANT UPDATE (state, signature, signed_at, seen_block, seen_at, block, block_at, result, arrived, fee_sun, closed_at) ON outgoing_transfer TO aval_ledger;
GRANT UPDATE (posted) ON payout_batch TO aval_app;
GRANT UPDATE (used_at) ON recovery_code TO aval_app;
GRANT UPDATE (is_master) ON sponsorship TO aval_app;
GRANT UPDATE (state, waiting_since, topic, last_at, member_read_id, operator_read_id) ON support_thread TO aval_app;
GRANT UPDATE (state, approved_at, closed_at, close_journal_id, reason, closed_by, txid) ON withdrawal TO aval_app;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approved_at) ON withdrawal TO aval_chain;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approvals_needed) ON withdrawal TO aval_keys;
GRANT UPDATE (state) ON withdrawal TO aval_ledger;

ALTER FUNCTION apply_postings() OWNER TO aval_ledger;
ALTER FUNCTION apply_postings_to_custody() OWNER TO aval_ledger;
ALTER FUNCTION approval_by_an_operator() OWNER TO aval_ledger;
ALTER FUNCTION close_period(timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION enqueue_credit(text,integer) OWNER TO aval_jobs;
ALTER FUNCTION enqueue_opening(text) OWNER TO aval_jobs;
ALTER FUNCTION enqueue_settlement(text) OWNER TO aval_jobs;
ALTER FUNCTION expire_outgoing_transfer(text,text) OWNER TO aval_ledger;
ALTER FUNCTION import_signature(text,bytea) OWNER TO aval_ledger;
ALTER FUNCTION lift_payout_stop(bigint) OWNER TO aval_ledger;
ALTER FUNCTION move_holding_by_adjustment() OWNER TO aval_ledger;
ALTER FUNCTION move_holding_by_transfer() OWNER TO aval_ledger;
ALTER FUNCTION open_member_accounts(bigint) OWNER TO aval_ledger;
ALTER FUNCTION prepare_outgoing_transfer(text,text,bigint,bigint,text,text,bigint,bytea,timestamp with time zone,boolean) OWNER TO aval_ledger;
ALTER FUNCTION purge_idempotency_responses(timestamp with time zone,integer) OWNER TO aval_ledger;
ALTER FUNCTION purge_mail(timestamp with time zone,integer) OWNER TO aval_ledger;
ALTER FUNCTION purge_reserve_checks() OWNER TO aval_ledger;
ALTER FUNCTION record_custody_adjustment(text,bigint,text,bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION record_incoming_transfer(text,integer,bigint,timestamp with time zone,text,text,text,text,numeric) OWNER TO aval_ledger;
ALTER FUNCTION register_custody(text,text,bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION settle_outgoing_transfer(text,bigint,timestamp with time zone,boolean,text,bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION sign_outgoing_transfer(text,bytea,bigint) OWNER TO aval_ledger;
ALTER FUNCTION stop_payouts(bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION withdrawal_goes_forward() OWNER TO aval_ledger;

GRANT EXECUTE ON FUNCTION close_period(timestamp with time zone) TO aval_app;
GRANT EXECUTE ON FUNCTION enqueue_credit(text,integer) TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_opening(text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_settlement(text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION expire_outgoing_transfer(text,text) TO aval_chain;
GRANT EXECUTE ON FUNCTION import_signature(text,bytea) TO aval_chain;
GRANT EXECUTE ON FUNCTION lift_payout_stop(bigint) TO aval_app;
GRANT EXECUTE ON FUNCTION open_member_accounts(bigint) TO aval_app;
GRANT EXECUTE ON FUNCTION prepare_outgoing_transfer(text,text,bigint,bigint,text,text,bigint,bytea,timestamp with time zone,boolean) TO aval_chain;
GRANT EXECUTE ON FUNCTION purge_idempotency_responses(timestamp with time zone,integer) TO aval_app;
GRANT EXECUTE ON FUNCTION purge_mail(timestamp with time zone,integer) TO aval_app;
GRANT EXECUTE ON FUNCTION purge_reserve_checks() TO aval_app;
GRANT EXECUTE ON FUNCTION record_custody_adjustment(text,bigint,text,bigint,bigint) TO aval_app;
GRANT EXECUTE ON FUNCTION record_incoming_transfer(text,integer,bigint,timestamp with time zone,text,text,text,text,numeric) TO aval_chain;
GRANT EXECUTE ON FUNCTION register_custody(text,text,bigint,bigint) TO aval_chain;
GRANT EXECUTE ON FUNCTION settle_outgoing_transfer(text,bigint,timestamp with time zone,boolean,text,bigint,bigint) TO aval_chain;
GRANT EXECUTE ON FUNCTION sign_outgoing_transfer(text,bytea,bigint) TO aval_keys;
GRANT EXECUTE ON FUNCTION stop_payouts(bigint,text) TO aval_app;
