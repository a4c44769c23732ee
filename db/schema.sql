-- Generated from the migrations by "npm run generate"; do not edit.
-- What a fully migrated database consists of, for reading, and for seeing what a migration changes.

CREATE TYPE ledger_account AS ENUM ('principal', 'balance', 'held', 'pending', 'receivable', 'custody:deposits', 'pool:profit', 'pool:commission', 'due:profit', 'due:commission', 'company:revenue', 'company:capital', 'company:claims', 'custody:hot', 'custody:cold');
CREATE TYPE posting_kind AS ENUM ('deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'reinvest', 'deposit_to_pending', 'pending_to_principal', 'pending_fee', 'pending_to_balance', 'company_deposit', 'fund_profit', 'fund_commission', 'release_profit', 'release_commission', 'passive', 'direct', 'master', 'binary', 'reverse_investment', 'clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission', 'recover_profit', 'recover_commission', 'repay_profit', 'repay_commission', 'hold_balance', 'hold_principal', 'release_balance', 'release_principal', 'withdraw', 'withdraw_fee', 'sweep', 'to_cold', 'refill_hot', 'company_deposit_hot', 'company_deposit_cold', 'custody_loss_deposits', 'custody_loss_hot', 'custody_loss_cold', 'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold');

CREATE TABLE adopted_transfer (
  txid text NOT NULL,
  restoration_id bigint NOT NULL
);
CREATE TABLE approval (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  operator_id bigint NOT NULL,
  purpose text NOT NULL,
  network text NOT NULL,
  nonce text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  root text NOT NULL,
  row_count integer NOT NULL,
  proof jsonb NOT NULL,
  submitted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'submitted'::text,
  refusal text,
  decided_at timestamp with time zone
);
CREATE TABLE approval_decision (
  approval_id bigint NOT NULL,
  position integer NOT NULL,
  decision_id bigint NOT NULL,
  kind text NOT NULL,
  statement jsonb NOT NULL
);
CREATE TABLE approval_row (
  approval_id bigint NOT NULL,
  position integer NOT NULL,
  withdrawal_id bigint NOT NULL,
  member_id bigint NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  wallet_address text NOT NULL
);
CREATE TABLE archived_part (
  part bigint NOT NULL,
  archived_at timestamp with time zone NOT NULL
);
CREATE TABLE archived_payout (
  block integer NOT NULL,
  journal_id bigint NOT NULL,
  kind posting_kind NOT NULL,
  at timestamp with time zone NOT NULL,
  members smallint[] NOT NULL,
  legs integer[],
  amounts bigint[] NOT NULL
) PARTITION BY RANGE (journal_id);
CREATE TABLE archived_posting (
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  leg integer NOT NULL,
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE audit_cut (
  singleton boolean NOT NULL DEFAULT true,
  beyond xid8 NOT NULL DEFAULT '0'::xid8,
  audit_last bigint NOT NULL DEFAULT 0,
  security_last bigint NOT NULL DEFAULT 0
);
CREATE TABLE audit_event (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL,
  actor_id bigint,
  action text NOT NULL,
  outcome text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  details_hash bytea NOT NULL,
  erased_at timestamp with time zone
);
CREATE TABLE audit_key (
  singleton boolean NOT NULL DEFAULT true,
  public_key bytea NOT NULL
);
CREATE TABLE audit_seal (
  id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  audit_last bigint NOT NULL,
  audit_ids bigint[] NOT NULL,
  audit_hashes bytea NOT NULL,
  security_last bigint NOT NULL,
  security_ids bigint[] NOT NULL,
  security_hashes bytea NOT NULL,
  root bytea NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TABLE audit_signature (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seal_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  signature bytea NOT NULL
);
CREATE TABLE audit_verification (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  asked_by bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  seals_done bigint NOT NULL DEFAULT 0,
  seals_in_all bigint NOT NULL DEFAULT 0,
  finished_at timestamp with time zone,
  rows_read bigint NOT NULL DEFAULT 0,
  erased bigint NOT NULL DEFAULT 0,
  unsealed bigint NOT NULL DEFAULT 0,
  faults text[] NOT NULL DEFAULT '{}'::text[],
  public_key text,
  signed_at timestamp with time zone,
  signed_seal bigint
);
CREATE TABLE binary_carry (
  block integer NOT NULL,
  run_id bigint NOT NULL,
  period text NOT NULL,
  lefts bigint[] NOT NULL,
  rights bigint[] NOT NULL,
  events integer[] NOT NULL
);
CREATE UNLOGGED TABLE call_count (
  key text NOT NULL,
  points integer NOT NULL,
  expire bigint NOT NULL
);
CREATE TABLE chain_cursor (
  network text NOT NULL,
  scanned_block bigint NOT NULL,
  scanned_block_id text NOT NULL,
  head_block bigint NOT NULL,
  solid_block bigint NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  scanned_at timestamp with time zone,
  moved_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE chain_genesis (
  network text NOT NULL,
  block_id text NOT NULL
);
CREATE TABLE closed_account (
  member_id bigint NOT NULL,
  username text NOT NULL,
  folded_username text NOT NULL,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  phone_number text NOT NULL,
  usdt_wallet text NOT NULL,
  closed_at timestamp with time zone NOT NULL,
  keep_until timestamp with time zone NOT NULL,
  traces_erased_at timestamp with time zone
);
CREATE TABLE company_day (
  day date NOT NULL,
  kind posting_kind NOT NULL,
  part bigint NOT NULL,
  postings bigint NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE company_day_part (
  part bigint NOT NULL,
  summed_at timestamp with time zone NOT NULL
);
CREATE TABLE company_fee (
  day date NOT NULL,
  purpose text NOT NULL,
  transfers bigint NOT NULL,
  sun bigint NOT NULL
);
CREATE TABLE company_growth (
  day date NOT NULL,
  members bigint NOT NULL,
  investors bigint NOT NULL
);
CREATE TABLE company_summary (
  name text NOT NULL,
  as_of timestamp with time zone NOT NULL
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
CREATE TABLE decision (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,
  statement jsonb NOT NULL,
  document text,
  proposed_by bigint NOT NULL,
  proposed_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL DEFAULT (clock_timestamp() + '7 days'::interval),
  needed smallint NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open'::text,
  refusal text,
  ended_at timestamp with time zone
);
CREATE TABLE decision_approval (
  decision_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  approval_id bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE declared_rate (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  day text NOT NULL,
  percentage text NOT NULL,
  declared_by bigint NOT NULL,
  declared_at timestamp with time zone NOT NULL,
  reason text
);
CREATE TABLE demo_clock (
  singleton boolean NOT NULL DEFAULT true,
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamp with time zone
);
CREATE TABLE deposit_address (
  address text NOT NULL,
  member_id bigint,
  key_index bigint,
  passed_over boolean NOT NULL DEFAULT false
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
  sent_to text NOT NULL,
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
CREATE TABLE factor_release (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  asked_by bigint NOT NULL,
  reason text NOT NULL,
  identified text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  decided_by bigint,
  decided_at timestamp with time zone,
  outcome text
);
CREATE TABLE failed_try (
  member_id bigint NOT NULL,
  hour timestamp with time zone NOT NULL,
  kind text NOT NULL,
  network text NOT NULL,
  count integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
);
CREATE TABLE former_operator (
  member_id bigint NOT NULL,
  since timestamp with time zone NOT NULL
);
CREATE TABLE gateway_lease (
  singleton boolean NOT NULL DEFAULT true,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  until timestamp with time zone NOT NULL,
  backend integer
);
CREATE TABLE gateway_node (
  place smallint NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  detail text NOT NULL,
  since timestamp with time zone NOT NULL,
  day date NOT NULL,
  calls bigint NOT NULL,
  calls_per_day bigint,
  seen_at timestamp with time zone NOT NULL
);
CREATE TABLE guess_level (
  subject text NOT NULL,
  level double precision NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE guesses_told (
  member_id bigint NOT NULL,
  told_at timestamp with time zone NOT NULL
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
CREATE TABLE integrity_check (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone NOT NULL,
  differences text[] NOT NULL
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
  credited_at timestamp with time zone NOT NULL,
  unlocks_at timestamp with time zone NOT NULL,
  unlocks_early boolean NOT NULL DEFAULT false
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
CREATE TABLE known_device (
  member_id bigint NOT NULL,
  token_hash text NOT NULL,
  used_at timestamp with time zone NOT NULL
);
CREATE TABLE ledger_seal (
  part bigint NOT NULL,
  until_journal bigint NOT NULL,
  sealed_at timestamp with time zone NOT NULL,
  content_hash text NOT NULL,
  earnings_hash text NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL
);
CREATE TABLE ledger_seal_sum (
  part bigint NOT NULL,
  kind posting_kind NOT NULL,
  postings bigint NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE lost_payment (
  txid text NOT NULL,
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  wallet text NOT NULL,
  restoration_id bigint NOT NULL
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
  email_proven_at timestamp with time zone,
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
  avatar text NOT NULL DEFAULT ''::text,
  closed_at timestamp with time zone,
  time_zone text,
  operator_role text,
  region text
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
CREATE TABLE member_freeze (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  frozen boolean NOT NULL,
  reason text NOT NULL,
  operator_id bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE member_identifier (
  kind text NOT NULL,
  value text NOT NULL,
  member_id bigint NOT NULL,
  former_since timestamp with time zone
);
CREATE TABLE member_key (
  member_id bigint NOT NULL,
  version integer NOT NULL,
  kind text NOT NULL,
  credential_id text,
  algorithm integer,
  public_key text,
  key_hash text NOT NULL,
  proof jsonb NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  nonce text NOT NULL,
  submitted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'submitted'::text,
  refusal text,
  decided_at timestamp with time zone,
  usable_from timestamp with time zone
);
CREATE TABLE member_nonce (
  nonce text NOT NULL,
  member_id bigint NOT NULL,
  used_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE member_note (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  author_id bigint NOT NULL,
  text text NOT NULL,
  at timestamp with time zone NOT NULL
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
CREATE TABLE member_view (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  operator_id bigint NOT NULL,
  operator_session_id uuid NOT NULL,
  begun_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL
);
CREATE TABLE operator_alert (
  event text NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE operator_change (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  member_id bigint NOT NULL,
  role text NOT NULL,
  asked_by bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  link_hash text,
  state text NOT NULL,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone
);
CREATE TABLE operator_mail_choice (
  operator_id bigint NOT NULL,
  kind text NOT NULL,
  mailed boolean NOT NULL
);
CREATE TABLE operator_notification (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,
  words jsonb NOT NULL DEFAULT '{}'::jsonb,
  at timestamp with time zone NOT NULL,
  over_at timestamp with time zone
);
CREATE TABLE operator_notification_read (
  operator_id bigint NOT NULL,
  notification_id bigint NOT NULL
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
  closed_at timestamp with time zone,
  traceparent text
);
CREATE TABLE outgoing_transfer_booking (
  txid text NOT NULL,
  journal_id bigint,
  at timestamp with time zone NOT NULL
);
CREATE TABLE passkey (
  member_id bigint NOT NULL,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  algorithm integer NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}'::text[],
  name text NOT NULL,
  made_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE passkey_challenge (
  hash text NOT NULL,
  purpose text NOT NULL,
  member_id bigint,
  expires_at timestamp with time zone NOT NULL
);
CREATE TABLE passkey_owner (
  credential_id text NOT NULL,
  member_id bigint NOT NULL
);
CREATE TABLE password_reset (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  requested_at timestamp with time zone NOT NULL,
  made_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  code_hash text NOT NULL,
  wrong_tries smallint NOT NULL DEFAULT 0,
  link_hash text NOT NULL,
  sent_to text NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE payments_stop (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  stopped_by bigint NOT NULL,
  stopped_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  resumed_by bigint,
  resumed_at timestamp with time zone,
  resume_reason text
);
CREATE TABLE payout_audit (
  run_id bigint NOT NULL,
  verdict text NOT NULL,
  items_hash text,
  item_count integer,
  item_sum bigint,
  differences jsonb NOT NULL,
  reason text,
  version text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE payout_batch (
  run_id bigint NOT NULL,
  number integer NOT NULL,
  first_member_id bigint NOT NULL,
  last_member_id bigint NOT NULL,
  item_count integer NOT NULL,
  posted boolean NOT NULL DEFAULT false
);
CREATE TABLE payout_digest (
  run_id bigint NOT NULL,
  before_id bigint,
  figures jsonb NOT NULL,
  made_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
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
) PARTITION BY RANGE (run_id);
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
) PARTITION BY RANGE (run_id);
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
) PARTITION BY RANGE (run_id);
CREATE TABLE payout_page_share (
  run_id bigint NOT NULL,
  block integer NOT NULL,
  amounts bigint[] NOT NULL
);
CREATE TABLE payout_replay (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  run_id bigint NOT NULL,
  asked_by bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  result jsonb,
  finished_at timestamp with time zone
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
  check_id bigint,
  integrity_check_id bigint,
  restoration_id bigint,
  operator_stop_id bigint
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
CREATE TABLE plan_preview (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  sha256 text NOT NULL,
  document text NOT NULL,
  asked_by bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  version integer,
  result jsonb,
  finished_at timestamp with time zone
);
CREATE TABLE plan_version (
  version integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  document jsonb NOT NULL
);
CREATE TABLE pool_funding (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  pool text NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  funded_by bigint,
  reason text NOT NULL DEFAULT ''::text
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
) PARTITION BY RANGE (journal_id);
CREATE TABLE posting_chart (
  kind posting_kind NOT NULL,
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL
);
CREATE TABLE principal_movement (
  member_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('investment_id_seq'::regclass),
  withdrawal_id bigint NOT NULL,
  amount bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE principal_movement_part (
  member_id bigint NOT NULL,
  movement_id bigint NOT NULL,
  investment_id bigint NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE principal_unlock (
  week date NOT NULL,
  members bigint NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE product_lock (
  name text NOT NULL
);
CREATE TABLE recovery_code (
  member_id bigint NOT NULL,
  hash text NOT NULL,
  salt text NOT NULL,
  used_at timestamp with time zone
);
CREATE TABLE referral_earned (
  member_id bigint NOT NULL,
  referral_id bigint NOT NULL,
  amount bigint NOT NULL
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
CREATE TABLE restoration (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  begun_at timestamp with time zone NOT NULL,
  read_until timestamp with time zone NOT NULL,
  reported_at timestamp with time zone,
  ended_at timestamp with time zone
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
CREATE TABLE sealed_earning (
  block integer NOT NULL,
  passive bigint[] NOT NULL,
  passive_days integer[] NOT NULL,
  commission bigint[] NOT NULL,
  matched bigint[] NOT NULL,
  points bigint[] NOT NULL
);
CREATE TABLE security_event (
  member_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  user_agent text NOT NULL DEFAULT ''::text,
  ip text NOT NULL DEFAULT ''::text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  details_hash bytea NOT NULL,
  erased_at timestamp with time zone
);
CREATE TABLE session (
  member_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_because text,
  user_agent text NOT NULL DEFAULT ''::text,
  second_factor_at timestamp with time zone,
  ip text NOT NULL DEFAULT ''::text,
  acted_at timestamp with time zone,
  elevated_until timestamp with time zone
);
CREATE TABLE signer_journal (
  singleton boolean NOT NULL DEFAULT true,
  sequence bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT ''::text,
  at timestamp with time zone
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
  at timestamp with time zone NOT NULL,
  waited_seconds integer
);
CREATE TABLE support_template (
  id bigint NOT NULL DEFAULT nextval('support_template_id_seq'::regclass),
  version integer NOT NULL,
  name text NOT NULL,
  text_es text NOT NULL,
  text_en text NOT NULL,
  removed boolean NOT NULL DEFAULT false,
  operator_id bigint NOT NULL,
  at timestamp with time zone NOT NULL
);
CREATE TABLE support_thread (
  member_id bigint NOT NULL,
  state text NOT NULL,
  waiting_since timestamp with time zone,
  topic text,
  last_at timestamp with time zone NOT NULL,
  member_read_id bigint NOT NULL DEFAULT 0,
  operator_read_id bigint NOT NULL DEFAULT 0,
  assigned_to bigint,
  assigned_at timestamp with time zone
);
CREATE TABLE transfer_review (
  member_id bigint NOT NULL,
  txid text NOT NULL,
  position integer NOT NULL,
  reviewed_by bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  note text NOT NULL
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
  txid text,
  traceparent text DEFAULT current_traceparent()
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
CREATE TABLE withdrawal_proof (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  credential_id text NOT NULL,
  proof jsonb NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  nonce text NOT NULL
);

ALTER TABLE adopted_transfer ADD CONSTRAINT adopted_transfer_pkey PRIMARY KEY (txid);
ALTER TABLE approval ADD CONSTRAINT approval_decided_once CHECK ((((state = 'submitted'::text) = (decided_at IS NULL)) AND ((state = 'refused'::text) = (refusal IS NOT NULL))));
ALTER TABLE approval ADD CONSTRAINT approval_network_check CHECK ((length(network) <= 20));
ALTER TABLE approval ADD CONSTRAINT approval_nonce_check CHECK ((nonce ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE approval ADD CONSTRAINT approval_nonce_used_once UNIQUE (nonce);
ALTER TABLE approval ADD CONSTRAINT approval_pkey PRIMARY KEY (id);
ALTER TABLE approval ADD CONSTRAINT approval_proof_check CHECK ((length((proof)::text) <= 4000));
ALTER TABLE approval ADD CONSTRAINT approval_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawals'::text, 'decisions'::text])));
ALTER TABLE approval ADD CONSTRAINT approval_refusal_check CHECK ((refusal ~ '^[a-z_]{1,60}$'::text));
ALTER TABLE approval ADD CONSTRAINT approval_root_check CHECK ((root ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE approval ADD CONSTRAINT approval_row_count_check CHECK (((row_count >= 1) AND (row_count <= 10000)));
ALTER TABLE approval ADD CONSTRAINT approval_state_check CHECK ((state = ANY (ARRAY['submitted'::text, 'accepted'::text, 'refused'::text])));
ALTER TABLE approval_decision ADD CONSTRAINT approval_decision_kind_check CHECK ((length(kind) <= 20));
ALTER TABLE approval_decision ADD CONSTRAINT approval_decision_pkey PRIMARY KEY (approval_id, "position");
ALTER TABLE approval_decision ADD CONSTRAINT approval_decision_statement_check CHECK ((length((statement)::text) <= 8000));
ALTER TABLE approval_row ADD CONSTRAINT approval_row_pkey PRIMARY KEY (approval_id, "position");
ALTER TABLE approval_row ADD CONSTRAINT approval_row_wallet_address_check CHECK ((wallet_address ~ '^[1-9A-HJ-NP-Za-km-z]{1,64}$'::text));
ALTER TABLE archived_part ADD CONSTRAINT archived_part_part_fkey FOREIGN KEY (part) REFERENCES ledger_seal(part);
ALTER TABLE archived_part ADD CONSTRAINT archived_part_pkey PRIMARY KEY (part);
ALTER TABLE archived_payout ADD CONSTRAINT archived_payout_kind_check CHECK ((kind = ANY (ARRAY['passive'::posting_kind, 'direct'::posting_kind, 'master'::posting_kind, 'binary'::posting_kind])));
ALTER TABLE archived_payout ADD CONSTRAINT archived_payout_pkey PRIMARY KEY (block, journal_id, kind);
ALTER TABLE archived_posting ADD CONSTRAINT archived_posting_amount_check CHECK ((amount > 0));
ALTER TABLE archived_posting ADD CONSTRAINT archived_posting_kind_check CHECK ((kind <> ALL (ARRAY['passive'::posting_kind, 'direct'::posting_kind, 'master'::posting_kind, 'binary'::posting_kind])));
ALTER TABLE archived_posting ADD CONSTRAINT archived_posting_pkey PRIMARY KEY (member_id, journal_id, leg);
ALTER TABLE audit_cut ADD CONSTRAINT audit_cut_pkey PRIMARY KEY (singleton);
ALTER TABLE audit_cut ADD CONSTRAINT audit_cut_singleton_check CHECK (singleton);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100)));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text])));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_pkey PRIMARY KEY (id);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_subject_check CHECK ((length(subject) <= 200));
ALTER TABLE audit_key ADD CONSTRAINT audit_key_pkey PRIMARY KEY (singleton);
ALTER TABLE audit_key ADD CONSTRAINT audit_key_public_key_check CHECK ((length(public_key) = 32));
ALTER TABLE audit_key ADD CONSTRAINT audit_key_singleton_check CHECK (singleton);
ALTER TABLE audit_seal ADD CONSTRAINT audit_seal_id_check CHECK ((id > 0));
ALTER TABLE audit_seal ADD CONSTRAINT audit_seal_pkey PRIMARY KEY (id);
ALTER TABLE audit_signature ADD CONSTRAINT audit_signature_pkey PRIMARY KEY (id);
ALTER TABLE audit_signature ADD CONSTRAINT audit_signature_seal_id_fkey FOREIGN KEY (seal_id) REFERENCES audit_seal(id);
ALTER TABLE audit_signature ADD CONSTRAINT audit_signature_signature_check CHECK ((length(signature) = 64));
ALTER TABLE audit_verification ADD CONSTRAINT audit_verification_pkey PRIMARY KEY (id);
ALTER TABLE binary_carry ADD CONSTRAINT binary_carry_pkey PRIMARY KEY (block, run_id);
ALTER TABLE call_count ADD CONSTRAINT call_count_key_check CHECK (((length(key) >= 1) AND (length(key) <= 80)));
ALTER TABLE call_count ADD CONSTRAINT call_count_pkey PRIMARY KEY (key);
ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_pkey PRIMARY KEY (network);
ALTER TABLE chain_genesis ADD CONSTRAINT chain_genesis_block_id_check CHECK ((block_id ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE chain_genesis ADD CONSTRAINT chain_genesis_pkey PRIMARY KEY (network);
ALTER TABLE closed_account ADD CONSTRAINT closed_account_folded_username_key UNIQUE (folded_username);
ALTER TABLE closed_account ADD CONSTRAINT closed_account_kept_for_years CHECK (((keep_until >= (closed_at + '1 year'::interval)) AND (keep_until <= (closed_at + '31 years'::interval))));
ALTER TABLE closed_account ADD CONSTRAINT closed_account_pkey PRIMARY KEY (member_id);
ALTER TABLE company_day ADD CONSTRAINT company_day_amount_check CHECK ((amount > 0));
ALTER TABLE company_day ADD CONSTRAINT company_day_pkey PRIMARY KEY (day, kind, part);
ALTER TABLE company_day ADD CONSTRAINT company_day_postings_check CHECK ((postings > 0));
ALTER TABLE company_day_part ADD CONSTRAINT company_day_part_pkey PRIMARY KEY (part);
ALTER TABLE company_fee ADD CONSTRAINT company_fee_pkey PRIMARY KEY (day, purpose);
ALTER TABLE company_growth ADD CONSTRAINT company_growth_pkey PRIMARY KEY (day);
ALTER TABLE company_summary ADD CONSTRAINT company_summary_name_check CHECK ((name = ANY (ARRAY['days'::text, 'unlocks'::text, 'growth'::text, 'fees'::text])));
ALTER TABLE company_summary ADD CONSTRAINT company_summary_pkey PRIMARY KEY (name);
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
ALTER TABLE decision ADD CONSTRAINT decision_document_check CHECK ((octet_length(document) <= 65536));
ALTER TABLE decision ADD CONSTRAINT decision_ended_once CHECK ((((state = 'open'::text) = (ended_at IS NULL)) AND ((state = 'refused'::text) = (refusal IS NOT NULL))));
ALTER TABLE decision ADD CONSTRAINT decision_kind_check CHECK ((kind = ANY (ARRAY['run_release'::text, 'run_prorate'::text, 'plan'::text, 'member_key'::text, 'fund_pool'::text, 'explain_difference'::text, 'resume_payments'::text, 'reverse_investment'::text, 'set_extra_percent'::text, 'set_fundator'::text])));
ALTER TABLE decision ADD CONSTRAINT decision_needed_check CHECK (((needed >= 1) AND (needed <= 5)));
ALTER TABLE decision ADD CONSTRAINT decision_pkey PRIMARY KEY (id);
ALTER TABLE decision ADD CONSTRAINT decision_refusal_check CHECK ((refusal ~ '^[a-z_]{1,60}$'::text));
ALTER TABLE decision ADD CONSTRAINT decision_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'withdrawn'::text, 'refused'::text])));
ALTER TABLE decision ADD CONSTRAINT decision_statement_check CHECK (((jsonb_typeof(statement) = 'object'::text) AND (length((statement)::text) <= 8000)));
ALTER TABLE decision ADD CONSTRAINT decision_subject_check CHECK ((length(subject) <= 100));
ALTER TABLE decision_approval ADD CONSTRAINT decision_approval_pkey PRIMARY KEY (decision_id, operator_id);
ALTER TABLE declared_rate ADD CONSTRAINT declared_rate_day_check CHECK ((day ~ '^\d{4}-\d{2}-\d{2}$'::text));
ALTER TABLE declared_rate ADD CONSTRAINT declared_rate_pkey PRIMARY KEY (id);
ALTER TABLE declared_rate ADD CONSTRAINT declared_rate_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 300)));
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_pkey PRIMARY KEY (singleton);
ALTER TABLE demo_clock ADD CONSTRAINT demo_clock_singleton_check CHECK (singleton);
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_is_derived_or_a_members CHECK (((key_index IS NOT NULL) OR (member_id IS NOT NULL)));
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_key_index_check CHECK (((key_index >= 0) AND (key_index <= 2147483647)));
ALTER TABLE deposit_address ADD CONSTRAINT deposit_address_pkey PRIMARY KEY (address);
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_amount_check CHECK ((amount > 0));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_outcome_check CHECK ((outcome = ANY (ARRAY['part'::text, 'paid'::text, 'overpaid'::text, 'late'::text, 'no_invoice'::text, 'company'::text, 'refill'::text])));
ALTER TABLE deposit_credit ADD CONSTRAINT deposit_credit_pkey PRIMARY KEY (member_id, txid, "position");
ALTER TABLE downline ADD CONSTRAINT downline_pkey PRIMARY KEY (generation, tree, block);
ALTER TABLE downline ADD CONSTRAINT downline_tree_check CHECK ((tree = ANY (ARRAY['unilevel'::text, 'binary'::text])));
ALTER TABLE downline_generation ADD CONSTRAINT downline_generation_one_check CHECK (one);
ALTER TABLE downline_generation ADD CONSTRAINT downline_generation_pkey PRIMARY KEY (one);
ALTER TABLE downline_recent ADD CONSTRAINT downline_recent_pkey PRIMARY KEY (member_id);
ALTER TABLE email_code ADD CONSTRAINT email_code_check CHECK ((expires_at > made_at));
ALTER TABLE email_code ADD CONSTRAINT email_code_ends_after_five_wrong_tries CHECK (((wrong_tries >= 0) AND (wrong_tries <= 5)));
ALTER TABLE email_code ADD CONSTRAINT email_code_pkey PRIMARY KEY (member_id, purpose);
ALTER TABLE email_code ADD CONSTRAINT email_code_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawal'::text, 'profile'::text, 'email'::text, 'correction'::text])));
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_percent_check CHECK (((percent ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$'::text) AND ((percent)::numeric <= (20)::numeric)));
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_pkey PRIMARY KEY (sponsor_id, id);
ALTER TABLE extra_percent ADD CONSTRAINT extra_percent_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100)));
ALTER TABLE factor_release ADD CONSTRAINT factor_release_check CHECK (((ends_at > asked_at) AND (ends_at <= (asked_at + '48:00:00'::interval))));
ALTER TABLE factor_release ADD CONSTRAINT factor_release_identified_check CHECK ((((length(identified) >= 10) AND (length(identified) <= 500)) OR (identified = '–'::text)));
ALTER TABLE factor_release ADD CONSTRAINT factor_release_outcome_check CHECK ((outcome = ANY (ARRAY['released'::text, 'refused'::text, 'stopped'::text, 'expired'::text])));
ALTER TABLE factor_release ADD CONSTRAINT factor_release_pkey PRIMARY KEY (member_id, id);
ALTER TABLE factor_release ADD CONSTRAINT factor_release_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300)));
ALTER TABLE factor_release ADD CONSTRAINT release_by_two CHECK (((outcome IS DISTINCT FROM 'released'::text) OR ((decided_by IS NOT NULL) AND (decided_by <> asked_by))));
ALTER TABLE factor_release ADD CONSTRAINT release_ends_once CHECK (((outcome IS NULL) = (decided_at IS NULL)));
ALTER TABLE factor_release ADD CONSTRAINT release_of_somebody_else CHECK (((asked_by <> member_id) AND (decided_by IS DISTINCT FROM member_id)));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_count_check CHECK ((count > 0));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_hour_check CHECK ((date_trunc('hour'::text, hour, 'UTC'::text) = hour));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_kind_check CHECK ((kind = ANY (ARRAY['sign_in_failed'::text, 'second_factor_failed'::text, 'reset_failed'::text])));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_member_id_check CHECK ((member_id >= 0));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_network_check CHECK ((length(network) <= 64));
ALTER TABLE failed_try ADD CONSTRAINT failed_try_pkey PRIMARY KEY (member_id, hour, kind, network);
ALTER TABLE former_operator ADD CONSTRAINT former_operator_pkey PRIMARY KEY (member_id);
ALTER TABLE gateway_lease ADD CONSTRAINT gateway_lease_epoch_check CHECK ((epoch >= 0));
ALTER TABLE gateway_lease ADD CONSTRAINT gateway_lease_holder_check CHECK ((holder ~ '^[A-Za-z0-9./-]{0,120}$'::text));
ALTER TABLE gateway_lease ADD CONSTRAINT gateway_lease_pkey PRIMARY KEY (singleton);
ALTER TABLE gateway_lease ADD CONSTRAINT gateway_lease_singleton_check CHECK (singleton);
ALTER TABLE gateway_node ADD CONSTRAINT gateway_node_calls_check CHECK ((calls >= 0));
ALTER TABLE gateway_node ADD CONSTRAINT gateway_node_detail_check CHECK ((length(detail) <= 300));
ALTER TABLE gateway_node ADD CONSTRAINT gateway_node_name_check CHECK ((length(name) <= 253));
ALTER TABLE gateway_node ADD CONSTRAINT gateway_node_pkey PRIMARY KEY (place);
ALTER TABLE gateway_node ADD CONSTRAINT gateway_node_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'away'::text, 'rate_limited'::text, 'over_budget'::text, 'key_refused'::text, 'other_network'::text])));
ALTER TABLE guess_level ADD CONSTRAINT guess_level_level_check CHECK ((level >= (0)::double precision));
ALTER TABLE guess_level ADD CONSTRAINT guess_level_pkey PRIMARY KEY (subject);
ALTER TABLE guess_level ADD CONSTRAINT guess_level_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 80)));
ALTER TABLE guesses_told ADD CONSTRAINT guesses_told_pkey PRIMARY KEY (member_id);
ALTER TABLE house_balance ADD CONSTRAINT house_balance_pkey PRIMARY KEY (account);
ALTER TABLE house_balance ADD CONSTRAINT house_not_below_zero CHECK ((amount >= 0));
ALTER TABLE idempotency_response ADD CONSTRAINT idempotency_response_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));
ALTER TABLE idempotency_response ADD CONSTRAINT idempotency_response_pkey PRIMARY KEY (member_id, key);
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_pkey PRIMARY KEY (txid, "position");
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_position_check CHECK (("position" >= '-1'::integer));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_role_check CHECK ((role = ANY (ARRAY['deposit'::text, 'hot'::text, 'cold'::text])));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_txid_check CHECK ((txid ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_value_check CHECK ((value >= (0)::numeric));
ALTER TABLE incoming_transfer ADD CONSTRAINT incoming_transfer_verdict_check CHECK ((verdict = ANY (ARRAY['credit'::text, 'wrong_token'::text, 'zero_value'::text, 'failed'::text, 'wrong_asset'::text, 'unclaimed'::text])));
ALTER TABLE installation ADD CONSTRAINT installation_pkey PRIMARY KEY (singleton);
ALTER TABLE installation ADD CONSTRAINT installation_singleton_check CHECK (singleton);
ALTER TABLE integrity_check ADD CONSTRAINT integrity_check_check CHECK ((confirmed_at >= at));
ALTER TABLE integrity_check ADD CONSTRAINT integrity_check_pkey PRIMARY KEY (id);
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
ALTER TABLE known_device ADD CONSTRAINT known_device_pkey PRIMARY KEY (member_id, token_hash);
ALTER TABLE known_device ADD CONSTRAINT known_device_token_hash_check CHECK ((length(token_hash) = 64));
ALTER TABLE ledger_seal ADD CONSTRAINT ledger_seal_pkey PRIMARY KEY (part);
ALTER TABLE ledger_seal_sum ADD CONSTRAINT ledger_seal_sum_pkey PRIMARY KEY (part, kind);
ALTER TABLE lost_payment ADD CONSTRAINT lost_payment_amount_check CHECK ((amount > 0));
ALTER TABLE lost_payment ADD CONSTRAINT lost_payment_fee_check CHECK ((fee >= 0));
ALTER TABLE lost_payment ADD CONSTRAINT lost_payment_pkey PRIMARY KEY (txid);
ALTER TABLE lost_payment ADD CONSTRAINT lost_payment_txid_check CHECK ((txid ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_check CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_check1 CHECK (((state = 'queued'::text) OR (claim IS NULL)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_event_check CHECK (((length(event) >= 1) AND (length(event) <= 200)));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_keeps_no_secret CHECK (((state = 'queued'::text) OR (NOT (params ?| ARRAY['code'::text, 'notMeUrl'::text, 'resetUrl'::text]))));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_last_error_check CHECK ((length(last_error) <= 500));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_locale_check CHECK ((locale = ANY (ARRAY['es'::text, 'en'::text])));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_member_id_event_key UNIQUE (member_id, event);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_pkey PRIMARY KEY (member_id, id);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'given_up'::text])));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_to_address_check CHECK ((length(to_address) <= 320));
ALTER TABLE master_code ADD CONSTRAINT master_code_pkey PRIMARY KEY (member_id);
ALTER TABLE member ADD CONSTRAINT member_avatar_check CHECK ((avatar ~ '^([0-9a-f]{32})?$'::text));
ALTER TABLE member ADD CONSTRAINT member_closed_is_nobody CHECK (((closed_at IS NULL) OR ((username = ('closed-'::text || id)) AND (NOT is_operator) AND ((email = ''::text) AND (first_name = ''::text) AND (last_name = ''::text) AND (phone_number = ''::text) AND (usdt_wallet = ''::text) AND (avatar = ''::text)))));
ALTER TABLE member ADD CONSTRAINT member_closed_is_nowhere CHECK (((closed_at IS NULL) OR ((time_zone IS NULL) AND (region IS NULL))));
ALTER TABLE member ADD CONSTRAINT member_id_check CHECK ((id > 0));
ALTER TABLE member ADD CONSTRAINT member_locale_check CHECK ((locale = ANY (ARRAY['es'::text, 'en'::text])));
ALTER TABLE member ADD CONSTRAINT member_operator_has_a_role CHECK ((is_operator = (operator_role IS NOT NULL)));
ALTER TABLE member ADD CONSTRAINT member_operator_role_is_known CHECK ((operator_role = ANY (ARRAY['support'::text, 'treasurer'::text, 'compliance'::text, 'admin'::text])));
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_ref_code_check CHECK ((ref_code ~ '^[0-9]{7}$'::text));
ALTER TABLE member ADD CONSTRAINT member_region_check CHECK ((region ~ '^[a-z]{2}-[A-Z]{2}$'::text));
ALTER TABLE member ADD CONSTRAINT member_time_zone_check CHECK ((time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'::text));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_image_check CHECK ((length(image) <= 200000));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_name_check CHECK ((name ~ '^[0-9a-f]{32}$'::text));
ALTER TABLE member_avatar ADD CONSTRAINT member_avatar_pkey PRIMARY KEY (member_id);
ALTER TABLE member_balance ADD CONSTRAINT balance_not_below_zero CHECK ((balance >= 0));
ALTER TABLE member_balance ADD CONSTRAINT held_not_below_zero CHECK ((held >= 0));
ALTER TABLE member_balance ADD CONSTRAINT member_balance_pkey PRIMARY KEY (member_id);
ALTER TABLE member_balance ADD CONSTRAINT principal_not_below_zero CHECK ((principal >= 0));
ALTER TABLE member_balance ADD CONSTRAINT taken_back_not_above_earned CHECK (((earned >= 0) AND (earned_passive >= 0) AND (earned_binary >= 0)));
ALTER TABLE member_freeze ADD CONSTRAINT freeze_by_somebody_else CHECK ((operator_id <> member_id));
ALTER TABLE member_freeze ADD CONSTRAINT member_freeze_pkey PRIMARY KEY (member_id, id);
ALTER TABLE member_freeze ADD CONSTRAINT member_freeze_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300)));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_check CHECK (((former_since IS NULL) OR (kind = 'email'::text)));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_kind_check CHECK ((kind = ANY (ARRAY['username'::text, 'skeleton'::text, 'email'::text, 'ref_code'::text])));
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_pkey PRIMARY KEY (kind, value);
ALTER TABLE member_identifier ADD CONSTRAINT member_identifier_value_check CHECK ((value = lower(value)));
ALTER TABLE member_key ADD CONSTRAINT member_key_algorithm_check CHECK ((algorithm = ANY (ARRAY['-7'::integer, '-8'::integer, '-257'::integer])));
ALTER TABLE member_key ADD CONSTRAINT member_key_credential_id_check CHECK (((credential_id ~ '^[A-Za-z0-9_-]+$'::text) AND (length(credential_id) <= 1400)));
ALTER TABLE member_key ADD CONSTRAINT member_key_decided_once CHECK ((((state = 'submitted'::text) = (decided_at IS NULL)) AND ((state = 'refused'::text) = (refusal IS NOT NULL)) AND ((state = 'sealed'::text) = (usable_from IS NOT NULL))));
ALTER TABLE member_key ADD CONSTRAINT member_key_has_a_key CHECK ((((kind = 'off'::text) = (key_hash = ''::text)) AND ((key_hash = ''::text) = (public_key IS NULL)) AND ((public_key IS NULL) = (credential_id IS NULL)) AND ((public_key IS NULL) = (algorithm IS NULL))));
ALTER TABLE member_key ADD CONSTRAINT member_key_key_hash_check CHECK ((key_hash ~ '^([0-9a-f]{64})?$'::text));
ALTER TABLE member_key ADD CONSTRAINT member_key_kind_check CHECK ((kind = ANY (ARRAY['on'::text, 'replaced'::text, 'off'::text, 'recovered'::text])));
ALTER TABLE member_key ADD CONSTRAINT member_key_nonce_check CHECK ((nonce ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE member_key ADD CONSTRAINT member_key_pkey PRIMARY KEY (member_id, version);
ALTER TABLE member_key ADD CONSTRAINT member_key_proof_check CHECK ((length((proof)::text) <= 4000));
ALTER TABLE member_key ADD CONSTRAINT member_key_public_key_check CHECK (((public_key ~ '^[A-Za-z0-9_-]+$'::text) AND (length(public_key) <= 1000)));
ALTER TABLE member_key ADD CONSTRAINT member_key_refusal_check CHECK ((refusal ~ '^[a-z_]{1,60}$'::text));
ALTER TABLE member_key ADD CONSTRAINT member_key_state_check CHECK ((state = ANY (ARRAY['submitted'::text, 'sealed'::text, 'refused'::text])));
ALTER TABLE member_key ADD CONSTRAINT member_key_version_check CHECK ((version >= 1));
ALTER TABLE member_nonce ADD CONSTRAINT member_nonce_nonce_check CHECK ((nonce ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE member_nonce ADD CONSTRAINT member_nonce_used_once PRIMARY KEY (nonce);
ALTER TABLE member_note ADD CONSTRAINT member_note_pkey PRIMARY KEY (member_id, id);
ALTER TABLE member_note ADD CONSTRAINT member_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)));
ALTER TABLE member_pending ADD CONSTRAINT member_pending_pkey PRIMARY KEY (member_id);
ALTER TABLE member_pending ADD CONSTRAINT pending_not_below_zero CHECK ((amount >= 0));
ALTER TABLE member_receivable ADD CONSTRAINT member_receivable_pkey PRIMARY KEY (member_id, pool);
ALTER TABLE member_receivable ADD CONSTRAINT member_receivable_pool_check CHECK ((pool = ANY (ARRAY['profit'::text, 'commission'::text])));
ALTER TABLE member_receivable ADD CONSTRAINT receivable_not_below_zero CHECK ((amount >= 0));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_last_step_check CHECK ((last_step >= 0));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_last_use_check CHECK ((length(last_use) = 64));
ALTER TABLE member_totp ADD CONSTRAINT member_totp_pkey PRIMARY KEY (member_id);
ALTER TABLE member_view ADD CONSTRAINT member_view_pkey PRIMARY KEY (member_id, id);
ALTER TABLE member_view ADD CONSTRAINT view_is_short CHECK (((ends_at > begun_at) AND (ends_at <= (begun_at + '00:15:00'::interval))));
ALTER TABLE member_view ADD CONSTRAINT view_of_somebody_else CHECK ((operator_id <> member_id));
ALTER TABLE operator_alert ADD CONSTRAINT operator_alert_event_check CHECK ((length(event) <= 200));
ALTER TABLE operator_alert ADD CONSTRAINT operator_alert_pkey PRIMARY KEY (event);
ALTER TABLE operator_change ADD CONSTRAINT operator_change_ended_once CHECK (((state = ANY (ARRAY['applied'::text, 'withdrawn'::text, 'lapsed'::text])) = (ended_at IS NOT NULL)));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'role'::text])));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_lasts_a_week CHECK ((expires_at <= (asked_at + '7 days'::interval)));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_link_hash_check CHECK ((link_hash ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_not_of_oneself CHECK ((member_id <> asked_by));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_pkey PRIMARY KEY (id);
ALTER TABLE operator_change ADD CONSTRAINT operator_change_role_check CHECK ((role = ANY (ARRAY['support'::text, 'treasurer'::text, 'compliance'::text, 'admin'::text])));
ALTER TABLE operator_change ADD CONSTRAINT operator_change_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'applied'::text, 'withdrawn'::text, 'lapsed'::text])));
ALTER TABLE operator_mail_choice ADD CONSTRAINT operator_mail_choice_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text));
ALTER TABLE operator_mail_choice ADD CONSTRAINT operator_mail_choice_pkey PRIMARY KEY (operator_id, kind);
ALTER TABLE operator_notification ADD CONSTRAINT operator_notification_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text));
ALTER TABLE operator_notification ADD CONSTRAINT operator_notification_pkey PRIMARY KEY (id);
ALTER TABLE operator_notification ADD CONSTRAINT operator_notification_subject_check CHECK ((length(subject) <= 200));
ALTER TABLE operator_notification ADD CONSTRAINT operator_notification_words_check CHECK ((length((words)::text) <= 2000));
ALTER TABLE operator_notification_read ADD CONSTRAINT operator_notification_read_of_one FOREIGN KEY (notification_id) REFERENCES operator_notification(id) ON DELETE CASCADE;
ALTER TABLE operator_notification_read ADD CONSTRAINT operator_notification_read_pkey PRIMARY KEY (operator_id, notification_id);
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
ALTER TABLE passkey ADD CONSTRAINT passkey_algorithm_check CHECK ((algorithm = ANY (ARRAY['-7'::integer, '-8'::integer, '-257'::integer])));
ALTER TABLE passkey ADD CONSTRAINT passkey_counter_check CHECK ((counter >= 0));
ALTER TABLE passkey ADD CONSTRAINT passkey_credential_id_check CHECK (((credential_id ~ '^[A-Za-z0-9_-]+$'::text) AND (length(credential_id) <= 1400)));
ALTER TABLE passkey ADD CONSTRAINT passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)));
ALTER TABLE passkey ADD CONSTRAINT passkey_pkey PRIMARY KEY (member_id, credential_id);
ALTER TABLE passkey ADD CONSTRAINT passkey_public_key_check CHECK (((public_key ~ '^[A-Za-z0-9_-]+$'::text) AND (length(public_key) <= 1000)));
ALTER TABLE passkey ADD CONSTRAINT passkey_transports_check CHECK ((cardinality(transports) <= 10));
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_check CHECK (((member_id IS NULL) = (purpose = 'sign_in'::text)));
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_hash_check CHECK ((length(hash) = 64));
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_pkey PRIMARY KEY (hash);
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['enrol'::text, 'sign_in'::text, 'second_factor'::text])));
ALTER TABLE passkey_owner ADD CONSTRAINT passkey_owner_pkey PRIMARY KEY (credential_id);
ALTER TABLE password_reset ADD CONSTRAINT password_reset_check CHECK ((expires_at > made_at));
ALTER TABLE password_reset ADD CONSTRAINT password_reset_link_hash_check CHECK ((length(link_hash) = 64));
ALTER TABLE password_reset ADD CONSTRAINT password_reset_pkey PRIMARY KEY (member_id, id);
ALTER TABLE password_reset ADD CONSTRAINT reset_code_ends_after_five_wrong_tries CHECK (((wrong_tries >= 0) AND (wrong_tries <= 5)));
ALTER TABLE payments_stop ADD CONSTRAINT payments_stop_ends_whole CHECK ((((resumed_by IS NULL) = (resumed_at IS NULL)) AND ((resumed_by IS NULL) = (resume_reason IS NULL))));
ALTER TABLE payments_stop ADD CONSTRAINT payments_stop_pkey PRIMARY KEY (id);
ALTER TABLE payments_stop ADD CONSTRAINT payments_stop_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 300)));
ALTER TABLE payments_stop ADD CONSTRAINT payments_stop_resume_reason_check CHECK (((length(resume_reason) >= 3) AND (length(resume_reason) <= 300)));
ALTER TABLE payments_stop ADD CONSTRAINT resumed_at_a_moment CHECK (((resumed_at IS NULL) OR isfinite(resumed_at)));
ALTER TABLE payments_stop ADD CONSTRAINT stopped_at_a_moment CHECK (isfinite(stopped_at));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_differences_check CHECK (((jsonb_typeof(differences) = 'array'::text) AND (jsonb_array_length(differences) <= 10) AND (length((differences)::text) <= 8000)));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_items_hash_check CHECK ((items_hash ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_pkey PRIMARY KEY (run_id);
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300)));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_says_what CHECK ((((verdict = 'unable'::text) = (items_hash IS NULL)) AND ((verdict = 'unable'::text) = (reason IS NOT NULL))));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_verdict_check CHECK ((verdict = ANY (ARRAY['matches'::text, 'differs'::text, 'unable'::text])));
ALTER TABLE payout_audit ADD CONSTRAINT payout_audit_version_check CHECK (((length(version) >= 1) AND (length(version) <= 40)));
ALTER TABLE payout_batch ADD CONSTRAINT payout_batch_item_count_check CHECK ((item_count > 0));
ALTER TABLE payout_batch ADD CONSTRAINT payout_batch_pkey PRIMARY KEY (run_id, number);
ALTER TABLE payout_digest ADD CONSTRAINT payout_digest_pkey PRIMARY KEY (run_id);
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
ALTER TABLE payout_replay ADD CONSTRAINT payout_replay_ended_once CHECK (((state = ANY (ARRAY['waiting'::text, 'computing'::text])) = (finished_at IS NULL)));
ALTER TABLE payout_replay ADD CONSTRAINT payout_replay_pkey PRIMARY KEY (id);
ALTER TABLE payout_replay ADD CONSTRAINT payout_replay_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'computing'::text, 'matches'::text, 'differs'::text, 'unsealed'::text])));
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
ALTER TABLE plan_preview ADD CONSTRAINT plan_preview_document_check CHECK ((octet_length(document) <= 65536));
ALTER TABLE plan_preview ADD CONSTRAINT plan_preview_ended_once CHECK (((state = ANY (ARRAY['waiting'::text, 'computing'::text])) = (finished_at IS NULL)));
ALTER TABLE plan_preview ADD CONSTRAINT plan_preview_pkey PRIMARY KEY (id);
ALTER TABLE plan_preview ADD CONSTRAINT plan_preview_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE plan_preview ADD CONSTRAINT plan_preview_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'computing'::text, 'done'::text, 'failed'::text])));
ALTER TABLE plan_version ADD CONSTRAINT plan_version_pkey PRIMARY KEY (version);
ALTER TABLE pool_funding ADD CONSTRAINT pool_funding_amount_check CHECK ((amount > 0));
ALTER TABLE pool_funding ADD CONSTRAINT pool_funding_pkey PRIMARY KEY (id);
ALTER TABLE pool_funding ADD CONSTRAINT pool_funding_pool_check CHECK ((pool = ANY (ARRAY['profit'::text, 'commission'::text])));
ALTER TABLE pool_funding ADD CONSTRAINT pool_funding_reason_check CHECK ((length(reason) <= 200));
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
ALTER TABLE posting_chart ADD CONSTRAINT posting_chart_pkey PRIMARY KEY (kind);
ALTER TABLE principal_movement ADD CONSTRAINT principal_movement_amount_check CHECK ((amount <> 0));
ALTER TABLE principal_movement ADD CONSTRAINT principal_movement_pkey PRIMARY KEY (member_id, id);
ALTER TABLE principal_movement_part ADD CONSTRAINT principal_movement_part_amount_check CHECK ((amount <> 0));
ALTER TABLE principal_movement_part ADD CONSTRAINT principal_movement_part_pkey PRIMARY KEY (member_id, movement_id, investment_id);
ALTER TABLE principal_unlock ADD CONSTRAINT principal_unlock_pkey PRIMARY KEY (week);
ALTER TABLE product_lock ADD CONSTRAINT product_lock_pkey PRIMARY KEY (name);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_hash_check CHECK ((length(hash) = 64));
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (member_id, hash);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_salt_check CHECK ((salt ~ '^[0-9a-f]{32}$'::text));
ALTER TABLE referral_earned ADD CONSTRAINT referral_earned_pkey PRIMARY KEY (member_id, referral_id);
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (token_hash);
ALTER TABLE reserve_check ADD CONSTRAINT reserve_check_pkey PRIMARY KEY (id);
ALTER TABLE reserve_check ADD CONSTRAINT reserve_check_verdict_check CHECK ((verdict = ANY (ARRAY['matched'::text, 'unexplained'::text, 'waiting'::text])));
ALTER TABLE restoration ADD CONSTRAINT restoration_pkey PRIMARY KEY (id);
ALTER TABLE reversal ADD CONSTRAINT reversal_amount_check CHECK ((amount > 0));
ALTER TABLE reversal ADD CONSTRAINT reversal_pkey PRIMARY KEY (member_id, investment_id);
ALTER TABLE reversal ADD CONSTRAINT reversal_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 200)));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_amount_check CHECK ((amount > 0));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_check CHECK (((from_balance >= 0) AND (from_balance <= amount)));
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_pkey PRIMARY KEY (member_id, reversal_id, leg);
ALTER TABLE reversal_part ADD CONSTRAINT reversal_part_pool_check CHECK ((pool = ANY (ARRAY['profit'::text, 'commission'::text])));
ALTER TABLE sealed_earning ADD CONSTRAINT sealed_earning_pkey PRIMARY KEY (block);
ALTER TABLE security_event ADD CONSTRAINT security_event_kind_check CHECK ((kind = ANY (ARRAY['wallet_changed'::text, 'email_changed'::text, 'password_changed'::text, 'password_reset'::text, 'two_factor_on'::text, 'two_factor_off'::text, 'recovery_code_used'::text, 'recovery_codes_renewed'::text, 'signed_in_new'::text, 'sessions_ended'::text, 'not_me'::text, 'fundator_on'::text, 'fundator_off'::text, 'passkey_added'::text, 'passkey_removed'::text, 'passkey_refused'::text, 'passkey_only_on'::text, 'passkey_only_off'::text, 'passkey_only_replaced'::text, 'passkey_only_lost'::text, 'data_downloaded'::text, 'account_closed'::text, 'account_reopened'::text, 'account_frozen'::text, 'account_unfrozen'::text, 'extra_points_set'::text, 'phone_corrected'::text, 'release_asked'::text])));
ALTER TABLE security_event ADD CONSTRAINT security_event_pkey PRIMARY KEY (member_id, id);
ALTER TABLE session ADD CONSTRAINT session_ended_because_check CHECK ((ended_because = ANY (ARRAY['logout'::text, 'reuse'::text, 'password'::text, 'not_me'::text, 'two_factor'::text, 'ended'::text])));
ALTER TABLE session ADD CONSTRAINT session_ip_check CHECK ((length(ip) <= 64));
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (member_id, id);
ALTER TABLE signer_journal ADD CONSTRAINT signer_journal_hash_check CHECK ((hash ~ '^([0-9a-f]{64})?$'::text));
ALTER TABLE signer_journal ADD CONSTRAINT signer_journal_pkey PRIMARY KEY (singleton);
ALTER TABLE signer_journal ADD CONSTRAINT signer_journal_sequence_check CHECK ((sequence >= 0));
ALTER TABLE signer_journal ADD CONSTRAINT signer_journal_singleton_check CHECK (singleton);
ALTER TABLE spent_captcha ADD CONSTRAINT spent_captcha_pkey PRIMARY KEY (challenge);
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_check CHECK (((sponsor_id IS NULL) = (depth = 0)));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_depth_check CHECK ((depth >= 0));
ALTER TABLE sponsorship ADD CONSTRAINT sponsorship_pkey PRIMARY KEY (member_id);
ALTER TABLE support_message ADD CONSTRAINT support_message_answers_a_wait CHECK (((waited_seconds IS NULL) OR ((waited_seconds >= 0) AND (operator_id IS NOT NULL))));
ALTER TABLE support_message ADD CONSTRAINT support_message_check CHECK (((topic IS NULL) OR (operator_id IS NULL)));
ALTER TABLE support_message ADD CONSTRAINT support_message_pkey PRIMARY KEY (member_id, id);
ALTER TABLE support_message ADD CONSTRAINT support_message_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)));
ALTER TABLE support_message ADD CONSTRAINT support_message_topic_check CHECK ((topic = ANY (ARRAY['callback'::text, 'order'::text, 'help'::text, 'payment'::text])));
ALTER TABLE support_template ADD CONSTRAINT support_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)));
ALTER TABLE support_template ADD CONSTRAINT support_template_text_en_check CHECK (((length(text_en) >= 1) AND (length(text_en) <= 2000)));
ALTER TABLE support_template ADD CONSTRAINT support_template_text_es_check CHECK (((length(text_es) >= 1) AND (length(text_es) <= 2000)));
ALTER TABLE support_template ADD CONSTRAINT support_template_version PRIMARY KEY (id, version);
ALTER TABLE support_template ADD CONSTRAINT support_template_version_check CHECK ((version > 0));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_assigned_since CHECK (((assigned_to IS NULL) = (assigned_at IS NULL)));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_closed_is_nobodys CHECK (((state <> 'closed'::text) OR (assigned_to IS NULL)));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_open_waits CHECK (((state = 'open'::text) = (waiting_since IS NOT NULL)));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_pkey PRIMARY KEY (member_id);
ALTER TABLE support_thread ADD CONSTRAINT support_thread_state_check CHECK ((state = ANY (ARRAY['open'::text, 'answered'::text, 'closed'::text])));
ALTER TABLE support_thread ADD CONSTRAINT support_thread_topic_check CHECK ((topic = ANY (ARRAY['callback'::text, 'order'::text, 'help'::text, 'payment'::text])));
ALTER TABLE transfer_review ADD CONSTRAINT transfer_review_note_check CHECK (((length(note) >= 3) AND (length(note) <= 300)));
ALTER TABLE transfer_review ADD CONSTRAINT transfer_review_pkey PRIMARY KEY (member_id, txid, "position");
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
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_code_check CHECK ((code = ANY (ARRAY['chain_unhealthy'::text, 'nodes_disagree'::text, 'token_paused'::text, 'token_fee'::text, 'hot_blacklisted'::text, 'hot_usdt'::text, 'hot_trx'::text, 'fee_limit'::text, 'recipient_blacklisted'::text, 'would_revert'::text, 'signer_away'::text, 'signer_refused'::text, 'signer_cap'::text, 'earlier_transfer_unseen'::text, 'earlier_transfer_arrived'::text])));
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_detail_check CHECK ((length(detail) <= 300));
ALTER TABLE withdrawal_delay ADD CONSTRAINT withdrawal_delay_pkey PRIMARY KEY (member_id, withdrawal_id);
ALTER TABLE withdrawal_proof ADD CONSTRAINT withdrawal_proof_credential_id_check CHECK (((credential_id ~ '^[A-Za-z0-9_-]+$'::text) AND (length(credential_id) <= 1400)));
ALTER TABLE withdrawal_proof ADD CONSTRAINT withdrawal_proof_nonce_check CHECK ((nonce ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE withdrawal_proof ADD CONSTRAINT withdrawal_proof_pkey PRIMARY KEY (member_id, withdrawal_id);
ALTER TABLE withdrawal_proof ADD CONSTRAINT withdrawal_proof_proof_check CHECK ((length((proof)::text) <= 4000));

CREATE INDEX approval_by_operator ON public.approval USING btree (operator_id, id);
CREATE INDEX approval_undecided ON public.approval USING btree (id) WHERE (state = 'submitted'::text);
CREATE INDEX archived_posting_by_journal ON public.archived_posting USING brin (journal_id) WITH (pages_per_range='16');
CREATE INDEX audit_event_by_action ON public.audit_event USING btree (action, at, id);
CREATE INDEX audit_event_by_actor ON public.audit_event USING btree (actor_id, at, id);
CREATE INDEX audit_event_by_subject ON public.audit_event USING btree (subject, at, id);
CREATE INDEX audit_event_by_time ON public.audit_event USING btree (at, id);
CREATE INDEX audit_event_of_guards ON public.audit_event USING btree (action, id) WHERE (action = ANY (ARRAY['key_file.use'::text, 'settings.use'::text]));
CREATE INDEX audit_event_refused ON public.audit_event USING btree (at, id) WHERE (outcome = 'refused'::text);
CREATE INDEX binary_carry_by_run ON public.binary_carry USING btree (run_id, block);
CREATE INDEX binary_carry_latest ON public.binary_carry USING btree (block, period, run_id);
CREATE INDEX call_count_by_end ON public.call_count USING btree (expire);
CREATE INDEX closed_account_by_end ON public.closed_account USING btree (keep_until);
CREATE INDEX closed_account_with_traces ON public.closed_account USING btree (closed_at) WHERE (traces_erased_at IS NULL);
CREATE INDEX company_day_by_part ON public.company_day USING btree (part);
CREATE INDEX custody_holding_largest ON public.custody_holding USING btree (amount DESC) WHERE ((role = 'deposit'::text) AND (amount > 0));
CREATE INDEX custody_holding_moved ON public.custody_holding USING btree (moved_block);
CREATE INDEX custody_reading_oldest ON public.custody_reading USING btree (read_at);
CREATE INDEX decision_by_subject ON public.decision USING btree (subject, id);
CREATE INDEX declared_rate_by_day ON public.declared_rate USING btree (day, id DESC);
CREATE INDEX deposit_address_unclaimed ON public.deposit_address USING btree (key_index) WHERE ((member_id IS NULL) AND (NOT passed_over));
CREATE INDEX deposit_address_underived ON public.deposit_address USING btree (member_id) WHERE (key_index IS NULL);
CREATE INDEX deposit_credit_by_amount ON public.deposit_credit USING btree (amount, credited_at);
CREATE INDEX deposit_credit_by_member ON public.deposit_credit USING btree (member_id, credited_at DESC);
CREATE INDEX deposit_credit_by_outcome ON public.deposit_credit USING btree (outcome, credited_at DESC, txid, "position");
CREATE INDEX downline_recent_by_place ON public.downline_recent USING btree (place_at);
CREATE INDEX downline_recent_by_sponsor ON public.downline_recent USING btree (sponsor_at);
CREATE INDEX failed_try_by_hour ON public.failed_try USING btree (hour);
CREATE INDEX guess_level_by_time ON public.guess_level USING btree (at);
CREATE INDEX idempotency_response_by_age ON public.idempotency_response USING btree (at);
CREATE INDEX incoming_transfer_by_member ON public.incoming_transfer USING btree (member_id, seq) WHERE (verdict = 'credit'::text);
CREATE INDEX incoming_transfer_by_sender ON public.incoming_transfer USING btree (from_address, block_at DESC);
CREATE INDEX incoming_transfer_by_time ON public.incoming_transfer USING btree (block_at DESC, txid, "position");
CREATE INDEX incoming_transfer_in_order ON public.incoming_transfer USING btree (seq) WHERE (verdict = 'credit'::text);
CREATE INDEX incoming_transfer_not_credited ON public.incoming_transfer USING btree (verdict, block_at DESC, txid, "position") WHERE (verdict <> 'credit'::text);
CREATE INDEX incoming_transfer_of_member ON public.incoming_transfer USING btree (member_id, block_at DESC, txid, "position");
CREATE INDEX investment_by_amount ON public.investment USING btree (amount, id);
CREATE INDEX investment_by_date ON public.investment USING btree (credited_at);
CREATE INDEX investment_by_number ON public.investment USING btree (id);
CREATE INDEX invoice_open ON public.invoice USING btree (member_id, id) WHERE (state = 'open'::text);
CREATE INDEX invoice_open_by_end ON public.invoice USING btree (expires_at, member_id) WHERE (state = 'open'::text);
CREATE INDEX known_device_by_token ON public.known_device USING btree (token_hash);
CREATE INDEX known_device_by_use ON public.known_device USING btree (used_at);
CREATE INDEX mail_message_sent ON public.mail_message USING btree (sent_at) WHERE (state = 'sent'::text);
CREATE INDEX mail_message_unsent ON public.mail_message USING btree (state, next_try_at) WHERE (state <> 'sent'::text);
CREATE INDEX master_code_by_sponsor ON public.master_code USING btree (sponsor_id);
CREATE INDEX member_balance_by_principal ON public.member_balance USING btree (principal, member_id);
CREATE INDEX member_by_first_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 1) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_fourth_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 4) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_joining ON public.member USING btree (joined_at, id);
CREATE INDEX member_by_later_words ON public.member USING gin (folded_later_words(((first_name || ' '::text) || last_name))) WHERE (folded_later_words(((first_name || ' '::text) || last_name)) <> ''::tsvector);
CREATE INDEX member_by_phone ON public.member USING btree (reverse(ltrim(phone_number, '+'::text)) COLLATE "C") WHERE (phone_number <> ''::text);
CREATE INDEX member_by_second_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 2) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_third_word ON public.member USING btree (folded_word(((first_name || ' '::text) || last_name), 3) COLLATE "C") INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_username ON public.member USING btree (folded_name(username) COLLATE "C") INCLUDE (id, username);
CREATE INDEX member_by_wallet ON public.member USING btree (usdt_wallet) WHERE (usdt_wallet <> ''::text);
CREATE INDEX member_closed ON public.member USING btree (joined_at, id) WHERE (closed_at IS NOT NULL);
CREATE INDEX member_fundators ON public.member USING btree (joined_at, id) WHERE is_fundator;
CREATE INDEX member_identifier_by_email ON public.member_identifier USING btree (value COLLATE "C") INCLUDE (member_id, former_since) WHERE (kind = 'email'::text);
CREATE INDEX member_identifier_former ON public.member_identifier USING btree (former_since) WHERE (former_since IS NOT NULL);
CREATE INDEX member_key_decided ON public.member_key USING btree (decided_at) WHERE (state <> 'submitted'::text);
CREATE INDEX member_key_undecided ON public.member_key USING btree (submitted_at) WHERE (state = 'submitted'::text);
CREATE INDEX member_operators ON public.member USING btree (id) WHERE is_operator;
CREATE INDEX member_operators_by_name ON public.member USING btree (username) WHERE is_operator;
CREATE INDEX member_view_by_end ON public.member_view USING btree (ends_at);
CREATE INDEX operator_change_by_link ON public.operator_change USING btree (link_hash) WHERE (state = 'open'::text);
CREATE INDEX operator_notification_by_end ON public.operator_notification USING btree (over_at) WHERE (over_at IS NOT NULL);
CREATE INDEX operator_notification_by_time ON public.operator_notification USING btree (at, id);
CREATE INDEX operator_notification_read_by_notification ON public.operator_notification_read USING btree (notification_id);
CREATE INDEX otp_challenge_by_expiry ON public.otp_challenge USING btree (expires_at);
CREATE INDEX outgoing_transfer_by_withdrawal ON public.outgoing_transfer USING btree (member_id, withdrawal_id) WHERE (purpose = 'withdrawal'::text);
CREATE INDEX outgoing_transfer_came ON public.outgoing_transfer USING btree (to_address, block) WHERE ((state = 'settled'::text) AND (purpose = ANY (ARRAY['sweep'::text, 'surplus'::text])));
CREATE INDEX outgoing_transfer_closed ON public.outgoing_transfer USING btree (closed_at) WHERE (state = ANY (ARRAY['settled'::text, 'failed'::text]));
CREATE INDEX outgoing_transfer_given_up ON public.outgoing_transfer USING btree (closed_at) WHERE (state = ANY (ARRAY['failed'::text, 'expired'::text]));
CREATE INDEX outgoing_transfer_left ON public.outgoing_transfer USING btree (from_address, block) WHERE ((state = 'settled'::text) AND (purpose <> 'trx_topup'::text));
CREATE INDEX outgoing_transfer_live ON public.outgoing_transfer USING btree (expires_at) WHERE (state = ANY (ARRAY['prepared'::text, 'signed'::text]));
CREATE INDEX outgoing_transfer_signed_by_day ON public.outgoing_transfer USING btree (signed_at) WHERE (purpose = 'withdrawal'::text);
CREATE INDEX passkey_challenge_by_expiry ON public.passkey_challenge USING btree (expires_at);
CREATE INDEX password_reset_by_expiry ON public.password_reset USING btree (expires_at);
CREATE INDEX payout_item_by_run ON ONLY public.payout_item USING btree (run_id, member_id, leg);
CREATE INDEX payout_missed_by_run ON ONLY public.payout_missed USING btree (run_id, member_id, leg);
CREATE INDEX payout_replay_by_run ON public.payout_replay USING btree (run_id, id);
CREATE INDEX payout_run_by_investment ON public.payout_run USING btree (last_investment) WHERE ((kind = 'direct'::text) AND (state <> 'cancelled'::text));
CREATE INDEX payout_run_cancelled ON public.payout_run USING btree (id) WHERE (state = 'cancelled'::text);
CREATE INDEX payout_run_direct_by_time ON public.payout_run USING btree (at) INCLUDE (state, item_sum, payable) WHERE ((kind = 'direct'::text) AND (state <> 'cancelled'::text));
CREATE INDEX payout_run_unfinished ON public.payout_run USING btree (id) WHERE (state <> ALL (ARRAY['done'::text, 'cancelled'::text]));
CREATE INDEX plan_preview_by_document ON public.plan_preview USING btree (sha256, id);
CREATE INDEX principal_movement_by_date ON public.principal_movement USING btree (at);
CREATE INDEX principal_movement_by_number ON public.principal_movement USING btree (id);
CREATE INDEX refresh_token_by_session ON public.refresh_token USING btree (member_id, session_id);
CREATE INDEX reversal_by_date ON public.reversal USING btree (at);
CREATE INDEX reversal_by_number ON public.reversal USING btree (id);
CREATE INDEX security_event_by_id ON public.security_event USING btree (id);
CREATE INDEX sponsorship_by_date ON public.sponsorship USING btree (sponsor_id, joined_at, member_id);
CREATE INDEX sponsorship_by_sponsor ON public.sponsorship USING btree (sponsor_id, member_id) INCLUDE (joined_at);
CREATE INDEX support_message_first_answers ON public.support_message USING btree (at) INCLUDE (operator_id, waited_seconds) WHERE (waited_seconds IS NOT NULL);
CREATE INDEX support_thread_of_operator ON public.support_thread USING btree (assigned_to, waiting_since, last_at DESC, member_id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX support_thread_queue ON public.support_thread USING btree (waiting_since, last_at DESC, member_id);
CREATE INDEX support_thread_settled ON public.support_thread USING btree (state, last_at DESC, member_id) WHERE (state <> 'open'::text);
CREATE INDEX support_thread_unassigned ON public.support_thread USING btree (waiting_since, last_at DESC, member_id) WHERE ((waiting_since IS NOT NULL) AND (assigned_to IS NULL));
CREATE INDEX unconfirmed_transfer_by_member ON public.unconfirmed_transfer USING btree (member_id);
CREATE INDEX unexplained_outflow_by_block ON public.unexplained_outflow USING btree (block);
CREATE INDEX withdrawal_approved ON public.withdrawal USING btree (approved_at, id) WHERE (state = 'approved'::text);
CREATE INDEX withdrawal_by_amount ON public.withdrawal USING btree (amount, id);
CREATE INDEX withdrawal_by_date ON public.withdrawal USING btree (member_id, requested_at DESC);
CREATE INDEX withdrawal_by_number ON public.withdrawal USING btree (id);
CREATE INDEX withdrawal_closed ON public.withdrawal USING btree (id) WHERE (closed_at IS NOT NULL);
CREATE INDEX withdrawal_open ON public.withdrawal USING btree (id) WHERE (state = ANY (ARRAY['requested'::text, 'approved'::text]));
CREATE INDEX withdrawal_requested ON public.withdrawal USING btree (id) WHERE (state = 'requested'::text);
CREATE UNIQUE INDEX approval_decision_once ON public.approval_decision USING btree (decision_id, approval_id);
CREATE UNIQUE INDEX approval_row_by_withdrawal ON public.approval_row USING btree (withdrawal_id, approval_id);
CREATE UNIQUE INDEX audit_verification_one_at_a_time ON public.audit_verification USING btree ((true)) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX decision_open_once ON public.decision USING btree (subject) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX deposit_address_by_key_index ON public.deposit_address USING btree (key_index);
CREATE UNIQUE INDEX deposit_address_by_member ON public.deposit_address USING btree (member_id);
CREATE UNIQUE INDEX factor_release_one_open ON public.factor_release USING btree (member_id) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX member_key_waiting ON public.member_key USING btree (member_id) WHERE (state = 'submitted'::text);
CREATE UNIQUE INDEX operator_change_one_open ON public.operator_change USING btree (member_id) WHERE (state = ANY (ARRAY['open'::text, 'accepted'::text]));
CREATE UNIQUE INDEX operator_notification_open_once ON public.operator_notification USING btree (kind, subject) WHERE (over_at IS NULL);
CREATE UNIQUE INDEX outgoing_transfer_one_a_sweep ON public.outgoing_transfer USING btree (from_address) WHERE ((purpose = 'sweep'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_a_trx_topup ON public.outgoing_transfer USING btree (to_address) WHERE ((purpose = 'trx_topup'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_a_withdrawal ON public.outgoing_transfer USING btree (member_id, withdrawal_id) WHERE ((purpose = 'withdrawal'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text, 'settled'::text])));
CREATE UNIQUE INDEX outgoing_transfer_one_surplus ON public.outgoing_transfer USING btree (purpose) WHERE ((purpose = 'surplus'::text) AND (state = ANY (ARRAY['prepared'::text, 'signed'::text])));
CREATE UNIQUE INDEX password_reset_by_link ON public.password_reset USING btree (link_hash);
CREATE UNIQUE INDEX payments_stop_one_at_a_time ON public.payments_stop USING btree ((true)) WHERE (resumed_at IS NULL);
CREATE UNIQUE INDEX payout_replay_once ON public.payout_replay USING btree (run_id) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX payout_run_by_journal ON public.payout_run USING btree (journal_id);
CREATE UNIQUE INDEX payout_run_one_a_period ON public.payout_run USING btree (kind, period) WHERE (state <> 'cancelled'::text);
CREATE UNIQUE INDEX placement_one_child_a_leg ON public.placement USING btree (parent_id, leg);
CREATE UNIQUE INDEX plan_preview_once ON public.plan_preview USING btree (sha256) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX restoration_one_at_a_time ON public.restoration USING btree ((true)) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX security_event_not_me_once ON public.security_event USING btree (member_id, ((details ->> 'event'::text))) WHERE (kind = 'not_me'::text);

CREATE OR REPLACE FUNCTION public.accept_approval(of_approval bigint, at_least smallint[] DEFAULT NULL::smallint[])
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT apply_approval(of_approval, at_least)
$function$
;
CREATE OR REPLACE FUNCTION public.accept_decision_approval(of_approval bigint, at_least smallint[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  a approval;
  d decision;
  refused text;
  listed record;
  given integer;
  -- The development network alone has a clock that the API sets.
  business timestamptz := clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock, installation WHERE network = 'devnet'), 0)
    * interval '1 millisecond';
BEGIN
  SELECT * INTO a FROM approval WHERE id = of_approval FOR UPDATE;
  IF a.id IS NULL OR a.purpose <> 'decisions' THEN RETURN 'approval_not_found'; END IF;
  IF a.state = 'accepted' THEN RETURN 'accepted'; END IF;
  IF a.state = 'refused' THEN RETURN a.refusal; END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = a.operator_id AND is_operator) THEN RETURN 'not_an_operator'; END IF;
  -- Members before all else, in order.
  PERFORM FROM member WHERE id IN (SELECT members_of(r.kind, r.statement) FROM approval_decision r WHERE r.approval_id = a.id) ORDER BY id FOR NO KEY UPDATE;
  -- The run before the decision about it, as whoever else touches both.
  PERFORM FROM payout_run WHERE id IN (SELECT (statement->>'run')::bigint FROM approval_decision WHERE approval_id = a.id AND kind LIKE 'run%')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM decision WHERE id IN (SELECT decision_id FROM approval_decision WHERE approval_id = a.id) ORDER BY id FOR UPDATE;
  IF EXISTS (SELECT FROM approval_decision r LEFT JOIN decision o ON o.id = r.decision_id
      WHERE r.approval_id = a.id AND (o.kind, o.statement) IS DISTINCT FROM (r.kind, r.statement)) THEN
    RETURN 'rows_differ';
  END IF;
  FOR d IN SELECT o.* FROM decision o JOIN approval_decision r ON r.decision_id = o.id WHERE r.approval_id = a.id ORDER BY o.id LOOP
    refused := coalesce(decision_refusal(d, later(d, business)), signer_refusal(d, a.operator_id));
    IF refused IS NOT NULL THEN
      IF NOT refusal_passes(refused) THEN
        UPDATE decision SET state = 'refused', refusal = refused, ended_at = business WHERE id = d.id;
      END IF;
      RETURN refused;
    END IF;
  END LOOP;
  FOR listed IN SELECT decision_id, position FROM approval_decision WHERE approval_id = a.id ORDER BY decision_id LOOP
    INSERT INTO decision_approval (decision_id, operator_id, approval_id, at) VALUES (listed.decision_id, a.operator_id, a.id, business) ON CONFLICT DO NOTHING;
    UPDATE decision SET needed = greatest(needed, coalesce(at_least[listed.position + 1], 1)) WHERE id = listed.decision_id RETURNING * INTO d;
    SELECT count(*) INTO given FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator WHERE v.decision_id = d.id;
    PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.approve', 'done', 'decision:' || d.id, jsonb_build_object('kind', d.kind,
      'about', d.subject, 'approvals', given, 'needed', d.needed, 'approval', a.id::text));
    -- Of a plan, one of them is somebody else than who proposed it.
    IF given >= d.needed AND (d.kind <> 'plan' OR EXISTS (SELECT FROM decision_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.decision_id = d.id AND v.operator_id <> d.proposed_by)) THEN
      -- Another decision of this list may have emptied the pool.
      PERFORM record_audit(clock_timestamp(), a.operator_id, 'decision.apply', CASE apply_decision(d.id, a.operator_id, later(d, business)) WHEN 'applied' THEN 'done'
        ELSE 'refused' END, 'decision:' || d.id, jsonb_build_object('kind', d.kind, 'about', d.subject));
    END IF;
  END LOOP;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $function$
;
CREATE OR REPLACE FUNCTION public.accept_operator_invitation(of_member bigint, token text, as_of timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE c operator_change;
BEGIN
  SELECT * INTO c FROM operator_change WHERE state = 'open' AND member_id = of_member
    AND link_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex') FOR UPDATE;
  IF NOT FOUND OR c.expires_at <= clock_timestamp() OR NOT is_admin(c.asked_by) THEN RETURN 'invitation_ended'; END IF;
  IF NOT EXISTS (SELECT FROM member_totp WHERE member_id = of_member AND confirmed_at IS NOT NULL) THEN RETURN 'two_factor_off'; END IF;
  UPDATE operator_change SET state = 'accepted', accepted_at = least(as_of, clock_timestamp()) WHERE id = c.id;
  RETURN 'accepted';
END $function$
;
CREATE OR REPLACE FUNCTION public.act_refusal(d decision)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE said jsonb := (SELECT s.said FROM statement_of_act(d.kind, d.statement) s);
BEGIN
  IF said IS NULL THEN RETURN NULL; END IF;
  RETURN CASE WHEN said ? 'refused' THEN said->>'refused' WHEN what_is_done(said) <> what_is_done(d.statement) THEN 'decision_changed' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.activate_master(fundator bigint, referral bigint, event_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE open_at timestamptz;
BEGIN
  PERFORM FROM member WHERE id = fundator AND is_fundator AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND OR (SELECT count(*) FROM master_code WHERE sponsor_id = fundator) >= 100 THEN
    RAISE EXCEPTION 'a fundator with fewer than 100' USING ERRCODE = 'check_violation', CONSTRAINT = 'master_by_a_fundator';
  END IF;
  UPDATE sponsorship SET is_master = true WHERE member_id = referral AND sponsor_id = fundator AND NOT is_master;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a direct referral that is none yet' USING ERRCODE = 'check_violation', CONSTRAINT = 'master_of_a_referral';
  END IF;
  open_at := hold_period(event_at);
  INSERT INTO master_code (member_id, sponsor_id, at) VALUES (referral, fundator, open_at);
  PERFORM record_audit(clock_timestamp(), fundator, 'member.master', 'done', 'member:' || referral, jsonb_build_object('by', session_user));
END $function$
;
CREATE OR REPLACE FUNCTION public.add_referral_earned()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (SELECT kind FROM payout_run WHERE id = NEW.run_id) <> 'direct' THEN RETURN NULL; END IF;
  INSERT INTO referral_earned (member_id, referral_id, amount)
    SELECT member_id, referral_id, sum(amount) FROM (
      SELECT i.member_id, referral_above(i.member_id, i.from_member_id) AS referral_id, coalesce(s.amount, i.amount) AS amount
      FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.run_id = NEW.run_id AND i.member_id BETWEEN NEW.first_member_id AND NEW.last_member_id AND i.kind IN ('direct', 'master')) item
    WHERE referral_id IS NOT NULL GROUP BY member_id, referral_id ORDER BY member_id, referral_id
  ON CONFLICT (member_id, referral_id) DO UPDATE SET amount = referral_earned.amount + excluded.amount;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.add_sealed_earnings(of_part bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH paid AS (
    SELECT member_id, coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0) AS passive, count(*) FILTER (WHERE kind = 'passive') AS passive_days,
      coalesce(sum(amount) FILTER (WHERE kind IN ('direct', 'master')), 0) AS commission,
      coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS matched, 0 AS points
    FROM posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind IN ('passive', 'direct', 'master', 'binary')
    GROUP BY member_id
    UNION ALL SELECT i.member_id, 0, 0, 0, 0, sum(i.basis) FROM payout_item i JOIN payout_run r ON r.id = i.run_id
      WHERE i.kind = 'binary' AND r.journal_id >= of_part * 131072 AND r.journal_id < (of_part + 1) * 131072 GROUP BY i.member_id
    UNION ALL SELECT * FROM ledger_open.earned_before
  ), total AS (
    SELECT member_id, sum(passive)::bigint AS passive, sum(passive_days)::integer AS passive_days, sum(commission)::bigint AS commission,
      sum(matched)::bigint AS matched, sum(points)::bigint AS points FROM paid GROUP BY member_id
  ), place AS (
    SELECT b.block, p.place FROM (SELECT DISTINCT (member_id / 1024)::integer AS block FROM total) b, generate_series(0, 1023) AS p (place)
  )
  INSERT INTO sealed_earning (block, passive, passive_days, commission, matched, points)
  SELECT p.block, array_agg(coalesce(t.passive, 0) ORDER BY p.place), array_agg(coalesce(t.passive_days, 0) ORDER BY p.place),
    array_agg(coalesce(t.commission, 0) ORDER BY p.place), array_agg(coalesce(t.matched, 0) ORDER BY p.place), array_agg(coalesce(t.points, 0) ORDER BY p.place)
  FROM place p LEFT JOIN total t ON t.member_id = p.block::bigint * 1024 + p.place GROUP BY p.block
  ON CONFLICT (block) DO UPDATE SET passive = excluded.passive, passive_days = excluded.passive_days, commission = excluded.commission,
    matched = excluded.matched, points = excluded.points
$function$
;
CREATE OR REPLACE FUNCTION public.adopt_transfer(new_txid text, new_from text, new_to text, moved bigint, in_block bigint, in_block_at timestamp with time zone, its_fee bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r restoration;
  l lost_payment;
  w withdrawal;
  hot text := (SELECT address FROM custody_address WHERE role = 'hot');
  owner bigint := 0;
  number bigint;
  its_purpose text;
BEGIN
  SELECT * INTO r FROM restoration WHERE ended_at IS NULL FOR UPDATE;
  IF r.id IS NULL OR EXISTS (SELECT FROM outgoing_transfer WHERE txid = new_txid) THEN RETURN NULL; END IF;
  IF new_to = hot THEN
    its_purpose := 'sweep';
    SELECT member_id INTO owner FROM deposit_address WHERE address = new_from;
    IF owner IS NULL THEN RETURN NULL; END IF;
  ELSIF new_from IS DISTINCT FROM hot THEN
    RETURN NULL;
  ELSIF new_to = (SELECT address FROM custody_address WHERE role = 'cold') THEN
    its_purpose := 'surplus';
  ELSE
    IF r.reported_at IS NULL THEN
      RAISE EXCEPTION 'the signer has not said yet what it signed' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    its_purpose := 'withdrawal';
    SELECT * INTO l FROM lost_payment WHERE txid = new_txid;
    SELECT * INTO w FROM withdrawal c WHERE c.wallet_address = new_to AND c.amount - c.fee = moved AND c.state IN ('requested', 'approved')
      AND (l.txid IS NULL OR c.member_id = l.member_id)
      AND NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = c.member_id AND p.withdrawal_id = c.id
        AND p.state IN ('prepared', 'signed', 'settled', 'failed'))
      ORDER BY c.id = l.withdrawal_id DESC NULLS LAST, c.state = 'approved' DESC, c.id LIMIT 1 FOR UPDATE;
    IF w.id IS NULL AND l.txid IS NOT NULL AND l.amount = moved AND l.wallet = new_to THEN
      number := remake_withdrawal(l, in_block_at);
      SELECT * INTO w FROM withdrawal WHERE member_id = l.member_id AND id = number;
    END IF;
    IF w.id IS NULL THEN RETURN NULL; END IF;
    owner := w.member_id;
  END IF;
  INSERT INTO adopted_transfer (txid, restoration_id) VALUES (new_txid, r.id);
  INSERT INTO outgoing_transfer (txid, purpose, member_id, withdrawal_id, from_address, to_address, amount, raw, expires_at, offline)
    VALUES (new_txid, its_purpose, owner, w.id, new_from, new_to, moved, '', in_block_at, true);
  PERFORM settle_outgoing_transfer(new_txid, in_block, in_block_at, true, 'SUCCESS', moved, its_fee);
  -- Who approved it is lost with the rest; that it left says that they did.
  IF w.state = 'requested' THEN UPDATE withdrawal SET state = 'approved', approved_at = in_block_at WHERE member_id = w.member_id AND id = w.id; END IF;
  RETURN its_purpose;
END $function$
;
CREATE OR REPLACE FUNCTION public.announce_approved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM fresh n JOIN stale o USING (member_id, id) WHERE n.state = 'approved' AND o.state <> 'approved') THEN
    PERFORM enqueue_announcing();
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.announce_sent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM fresh n JOIN stale o USING (txid)
      WHERE n.purpose = 'withdrawal' AND o.broadcast_at IS NULL AND n.broadcast_at IS NOT NULL) THEN
    PERFORM enqueue_announcing();
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.apply_act(d decision, operator bigint, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  said jsonb := d.statement;
  request text := 'decision:' || d.id;
BEGIN
  CASE d.kind
    WHEN 'fund_pool' THEN
      PERFORM fund_pool(said->>'pool', (said->>'amount')::bigint, request, at, operator, said->>'reason');
      PERFORM enqueue_resumption();
    WHEN 'explain_difference' THEN
      PERFORM explain_difference(said->>'address', (said->>'difference')::bigint, said->>'reason', operator, request, at);
    WHEN 'resume_payments' THEN
      PERFORM resume_payments((said->>'stop')::bigint, operator, said->>'reason', least(at, clock_timestamp()));
      PERFORM enqueue_resumption();
    WHEN 'reverse_investment' THEN
      PERFORM reverse_investment((said->>'investment')::bigint, said->>'reason', operator, at);
    WHEN 'set_extra_percent' THEN
      PERFORM set_extra_percent((said->>'member')::bigint, said->>'to', operator, at);
    WHEN 'set_fundator' THEN
      PERFORM set_fundator((said->>'member')::bigint, (said->>'to')::boolean);
    ELSE RETURN;
  END CASE;
  PERFORM record_audit(clock_timestamp(), operator, CASE d.kind WHEN 'fund_pool' THEN 'pool.fund' WHEN 'explain_difference' THEN 'reserves.explain'
    WHEN 'reverse_investment' THEN 'investment.reverse' WHEN 'set_extra_percent' THEN 'member.extra_percent' WHEN 'set_fundator' THEN 'member.fundator' ELSE 'payments.resume' END, 'done', CASE WHEN d.kind LIKE 'set%' THEN 'member:' || (said->>'member') ELSE d.subject END,
    terms_changed(d) || jsonb_strip_nulls(jsonb_build_object('decision', d.id::text, 'reason', said->>'reason',
    'amount', in_usdt(said->>'amount'), 'difference', in_usdt(said->>'difference'))));
  PERFORM enqueue_applied(d.kind, d.id);
END $function$
;
CREATE OR REPLACE FUNCTION public.apply_approval(of_approval bigint, at_least smallint[])
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  a approval;
  counted record;
  business timestamptz := clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond';
BEGIN
  SELECT * INTO a FROM approval WHERE id = of_approval FOR UPDATE;
  IF a.id IS NULL OR a.purpose <> 'withdrawals' THEN RETURN 'approval_not_found'; END IF;
  IF a.state = 'accepted' THEN RETURN 'accepted'; END IF;
  IF a.state = 'refused' THEN RETURN a.refusal; END IF;
  IF (SELECT stopped FROM payout_stop) THEN RETURN 'stopped'; END IF;
  IF NOT EXISTS (SELECT FROM member WHERE id = a.operator_id AND is_operator) THEN RETURN 'not_an_operator'; END IF;
  IF EXISTS (SELECT FROM approval_row WHERE approval_id = a.id AND member_id = a.operator_id) THEN RETURN 'own_withdrawal'; END IF;
  PERFORM FROM withdrawal w JOIN approval_row r ON r.approval_id = a.id AND r.member_id = w.member_id AND r.withdrawal_id = w.id
    ORDER BY w.member_id, w.id FOR UPDATE OF w;
  IF EXISTS (SELECT FROM approval_row r LEFT JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
      WHERE r.approval_id = a.id AND (w.amount, w.fee, w.wallet_address) IS DISTINCT FROM (r.amount, r.fee, r.wallet_address)) THEN
    RETURN 'rows_differ';
  END IF;
  INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at)
    SELECT w.member_id, w.id, a.operator_id, business
    FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
    WHERE r.approval_id = a.id AND w.state IN ('requested', 'approved') ORDER BY w.member_id, w.id
    ON CONFLICT DO NOTHING;
  SELECT array_agg(c.member_id ORDER BY c.member_id, c.id) FILTER (WHERE c.given >= c.needed) AS members,
    array_agg(c.id ORDER BY c.member_id, c.id) FILTER (WHERE c.given >= c.needed) AS approved,
    array_agg('withdrawal:' || c.id ORDER BY c.member_id, c.id) AS subjects,
    array_agg(jsonb_build_object('amount', c.amount::text, 'approvals', c.given, 'needed', c.needed, 'approval', a.id::text)
      ORDER BY c.member_id, c.id) AS details
  INTO counted FROM (
    SELECT w.member_id, w.id, w.amount, greatest(w.approvals_needed, coalesce(at_least[r.position + 1], 1), 1) AS needed,
      (SELECT count(*) FROM withdrawal_approval v JOIN member o ON o.id = v.operator_id AND o.is_operator
        WHERE v.member_id = w.member_id AND v.withdrawal_id = w.id) AS given
    FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id
    WHERE r.approval_id = a.id AND w.state = 'requested') c;
  PERFORM record_audits(clock_timestamp(), a.operator_id, 'withdrawal.approve', 'done', counted.subjects, counted.details);
  UPDATE withdrawal w SET state = 'approved', approved_at = business
    FROM unnest(counted.members, counted.approved) AS enough (member_id, id) WHERE w.member_id = enough.member_id AND w.id = enough.id;
  UPDATE approval SET state = 'accepted', decided_at = clock_timestamp() WHERE id = a.id;
  PERFORM pg_notify('approval_decided', a.id::text);
  RETURN 'accepted';
END $function$
;
CREATE OR REPLACE FUNCTION public.apply_decision(of_decision bigint, operator bigint, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  d decision;
  refused text;
BEGIN
  PERFORM FROM payout_run WHERE id = (SELECT (statement->>'run')::bigint FROM decision WHERE id = of_decision) FOR NO KEY UPDATE;
  SELECT * INTO d FROM decision WHERE id = of_decision FOR UPDATE;
  refused := decision_refusal(d, at);
  IF refused IS NOT NULL THEN
    IF NOT refusal_passes(refused) THEN
      UPDATE decision SET state = 'refused', refusal = refused, ended_at = at WHERE id = d.id;
    END IF;
    RETURN refused;
  END IF;
  UPDATE decision SET state = 'accepted', ended_at = at WHERE id = d.id;
  IF d.kind = 'run_release' THEN
    PERFORM overrule_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'run_prorate' THEN
    PERFORM prorate_payout_run((d.statement->>'run')::bigint, operator, d.statement->>'note', at);
    PERFORM enqueue_resumption();
  ELSIF d.kind = 'plan' THEN
    PERFORM hold_lock('plan version');
    INSERT INTO plan_version (version, starts_at, document)
      SELECT coalesce(max(version), 0) + 1, (d.statement->>'starts_at')::timestamptz, d.document::jsonb FROM plan_version;
  ELSE
    PERFORM apply_act(d, operator, at);
  END IF;
  RETURN 'applied';
END $function$
;
CREATE OR REPLACE FUNCTION public.apply_operator_change(of_change bigint, as_of timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  c operator_change;
  m member;
BEGIN
  PERFORM lock_operators();
  SELECT * INTO c FROM operator_change WHERE id = of_change AND state = 'accepted' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO m FROM member WHERE id = c.member_id FOR UPDATE;
  IF NOT is_admin(c.asked_by) OR m.closed_at IS NOT NULL OR m.is_operator <> (c.kind = 'role') OR is_last_admin(c.member_id)
    OR (c.kind = 'invitation' AND EXISTS (SELECT FROM former_operator WHERE member_id = c.member_id))
    OR NOT EXISTS (SELECT FROM member_totp WHERE member_id = c.member_id AND confirmed_at IS NOT NULL) THEN
    UPDATE operator_change SET state = 'lapsed', ended_at = moment WHERE id = c.id;
    RETURN 'lapsed';
  END IF;
  UPDATE member SET is_operator = true, operator_role = c.role WHERE id = c.member_id;
  UPDATE operator_change SET state = 'applied', ended_at = moment WHERE id = c.id;
  RETURN 'applied';
END $function$
;
CREATE OR REPLACE FUNCTION public.approval_by_an_operator()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT operator_id FROM fresh) f
      WHERE NOT EXISTS (SELECT FROM member WHERE id = f.operator_id AND is_operator)) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF EXISTS (SELECT FROM fresh f LEFT JOIN withdrawal w ON w.member_id = f.member_id AND w.id = f.withdrawal_id
      WHERE (w.state IN ('requested', 'approved')) IS NOT TRUE) THEN
    RAISE EXCEPTION 'what is approved is a request' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_a_request';
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.archive_ledger_part(keep interval, now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  of_part bigint;
  latest timestamptz;
BEGIN
  LOCK TABLE archived_part IN SHARE ROW EXCLUSIVE MODE;
  of_part := (SELECT coalesce(max(part) + 1, 0) FROM archived_part);
  IF NOT EXISTS (SELECT FROM ledger_seal WHERE part = of_part) THEN RETURN NULL; END IF;
  latest := (SELECT max(at) FROM journal WHERE id >= of_part * 131072 AND id < (of_part + 1) * 131072);
  IF latest > (SELECT max(at) FROM journal WHERE id > (SELECT max(id) FROM journal) - 1000) - keep THEN RETURN NULL; END IF;
  IF archived_content_hash(of_part) <> (SELECT content_hash FROM ledger_seal WHERE part = of_part) THEN
    RAISE EXCEPTION 'part % has other postings than were sealed', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'part_is_as_sealed';
  END IF;
  INSERT INTO archived_payout (block, journal_id, kind, at, members, legs, amounts)
    SELECT block, journal_id, kind, at, members, legs, amounts FROM payouts_of_part(of_part) ORDER BY journal_id, kind, block;
  IF copied_otherwise(of_part, false) + copied_otherwise(of_part, true) <> 0 THEN
    RAISE EXCEPTION 'the archive of part % differs from it', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'archive_is_whole';
  END IF;
  INSERT INTO archived_part VALUES (of_part, now);
  EXECUTE format('DROP TABLE posting_%s', of_part);
  RETURN of_part;
END $function$
;
CREATE OR REPLACE FUNCTION public.archived_content_hash(of_part bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT encode(sha256(netstrings(
    (SELECT string_agg(encode(sha256(netstrings(journal_id::text, kind::text, block::text, microseconds(at), members::text, legs::text, amounts::text)), 'hex'), ' '
        ORDER BY journal_id, kind, block) FROM payouts_of_part(of_part)),
    (SELECT string_agg(posted, ' ' ORDER BY journal_id) FROM (
      SELECT journal_id, encode(sha256(convert_to(string_agg(concat_ws(' ', member_id, leg, kind, source, destination, amount, microseconds(at)), '|'
          ORDER BY member_id, leg), 'UTF8')), 'hex') AS posted
      FROM archived_posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY journal_id) journals))), 'hex')
$function$
;
CREATE OR REPLACE FUNCTION public.archived_until()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce(max(part) + 1, 0) * 131072 FROM archived_part
$function$
;
CREATE OR REPLACE FUNCTION public.ask_about_lost_key()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM hold_lock('decisions'); -- counted one at a time
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind = 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at, expires_at)
    SELECT 'member_key', 'member_key:' || NEW.member_id, jsonb_build_object('member', NEW.member_id::text, 'username', username,
        'version', NEW.version::text, 'key_hash', NEW.key_hash), NEW.member_id,
      clock_timestamp() + coalesce((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond', NEW.expires_at + interval '30 days'
    FROM member WHERE id = NEW.member_id;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.ask_operator_change(by_operator bigint, of_member bigint, its_kind text, new_role text, as_of timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  m member;
BEGIN
  PERFORM lock_operators();
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  IF by_operator = of_member THEN RETURN 'operator_own'; END IF;
  SELECT * INTO m FROM member WHERE id = of_member AND closed_at IS NULL;
  IF NOT FOUND THEN RETURN 'member_not_found'; END IF;
  UPDATE operator_change SET state = 'lapsed', ended_at = moment
    WHERE member_id = of_member AND state IN ('open', 'accepted') AND expires_at <= clock_timestamp();
  IF EXISTS (SELECT FROM operator_change WHERE member_id = of_member AND state IN ('open', 'accepted')) THEN RETURN 'operator_change_waits'; END IF;
  IF its_kind = 'invitation' AND m.is_operator THEN RETURN 'operator_already'; END IF;
  IF its_kind = 'invitation' AND EXISTS (SELECT FROM former_operator WHERE member_id = of_member) THEN RETURN 'operator_former'; END IF;
  IF its_kind = 'role' AND NOT m.is_operator THEN RETURN 'operator_not_found'; END IF;
  IF its_kind = 'role' AND m.operator_role = new_role THEN RETURN 'operator_changed'; END IF;
  IF its_kind = 'role' AND is_last_admin(of_member) THEN RETURN 'operator_last_admin'; END IF;
  INSERT INTO operator_change (kind, member_id, role, asked_by, asked_at, expires_at, state, accepted_at)
  VALUES (its_kind, of_member, new_role, by_operator, moment, moment + interval '7 days', CASE its_kind WHEN 'role' THEN 'accepted' ELSE 'open' END,
    CASE its_kind WHEN 'role' THEN moment END);
  RETURN 'asked';
END $function$
;
CREATE OR REPLACE FUNCTION public.ask_release(of_member bigint, because text, how text, operator bigint, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  UPDATE factor_release SET outcome = 'expired', decided_at = event_at WHERE member_id = of_member AND outcome IS NULL AND ends_at <= event_at;
  INSERT INTO factor_release (member_id, asked_by, reason, identified, asked_at, ends_at)
    VALUES (of_member, operator, because, how, event_at, event_at + interval '48 hours')
    ON CONFLICT (member_id) WHERE outcome IS NULL DO NOTHING RETURNING id INTO number;
  RETURN number;
END $function$
;
CREATE OR REPLACE FUNCTION public.begin_restoration(until timestamp with time zone, has_signer boolean)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE number bigint;
BEGIN
  INSERT INTO restoration (begun_at, read_until, reported_at) VALUES (clock_timestamp(), until, CASE WHEN NOT has_signer THEN clock_timestamp() END)
  ON CONFLICT ((true)) WHERE ended_at IS NULL DO UPDATE SET read_until = greatest(restoration.read_until, excluded.read_until)
  RETURNING id INTO number;
  UPDATE payout_stop SET restoration_id = number;
  RETURN number;
END $function$
;
CREATE OR REPLACE FUNCTION public.book_opening(of_address text, event_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  wallet custody_address;
  posted record;
BEGIN
  SELECT * INTO wallet FROM custody_address WHERE address = of_address;
  IF wallet.address IS NULL THEN RAISE EXCEPTION '% is no wallet of the company', of_address USING ERRCODE = 'foreign_key_violation'; END IF;
  SELECT * INTO posted FROM post_event('opening:' || wallet.address, 'opening', 0, event_at,
    ARRAY['company_deposit_' || wallet.role]::posting_kind[], ARRAY[wallet.opening]);
  RETURN NOT posted.replayed;
END $function$
;
CREATE OR REPLACE FUNCTION public.book_outgoing_transfer(of_txid text, because text, event_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  p outgoing_transfer;
  w withdrawal;
  lost bigint;
  posted record;
  booked bigint;
BEGIN
  SELECT * INTO p FROM outgoing_transfer WHERE txid = of_txid AND state IN ('settled', 'failed') AND purpose <> 'trx_topup';
  IF p.txid IS NULL THEN
    RAISE EXCEPTION 'the chain has not ended it' USING ERRCODE = 'check_violation', CONSTRAINT = 'booking_of_an_ended_transfer';
  END IF;
  IF p.purpose = 'withdrawal' THEN SELECT * INTO w FROM withdrawal WHERE member_id = p.member_id AND id = p.withdrawal_id FOR NO KEY UPDATE; END IF;
  IF EXISTS (SELECT FROM outgoing_transfer_booking WHERE txid = p.txid) THEN RETURN false; END IF;
  IF p.purpose <> 'withdrawal' AND p.state = 'settled' THEN
    lost := p.amount - coalesce(p.arrived, p.amount);
    SELECT * INTO posted FROM post_event('payment:' || p.txid, p.purpose, 0, event_at,
      (CASE p.purpose WHEN 'sweep' THEN ARRAY['sweep', 'custody_loss_deposits'] ELSE ARRAY['to_cold', 'custody_loss_hot'] END)::posting_kind[],
      ARRAY[p.amount - lost, lost]);
    IF posted.replayed THEN RETURN false; END IF;
    booked := posted.journal;
  ELSIF p.purpose = 'withdrawal' AND p.state = 'failed' THEN
    booked := close_unpaid(w.member_id, w.id, 'failed', because, NULL, event_at);
  ELSIF p.purpose = 'withdrawal' THEN
    SELECT * INTO posted FROM post_event(format('withdrawal:%s:settle', w.id), 'withdrawal_settle', w.member_id, event_at,
      ARRAY['withdraw', 'withdraw_fee']::posting_kind[], ARRAY[w.amount - w.fee, w.fee]);
    booked := posted.journal;
    UPDATE withdrawal SET state = 'completed', closed_at = event_at, close_journal_id = booked, txid = p.txid WHERE member_id = w.member_id AND id = w.id;
  END IF;
  INSERT INTO outgoing_transfer_booking (txid, journal_id, at) VALUES (p.txid, booked, event_at);
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.cancel_member_key(owner bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = 'cancelled', decided_at = clock_timestamp()
    WHERE member_id = owner AND state = 'submitted' AND kind = 'recovered';
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.cancel_payout_run(of_run bigint, operator bigint, remark text, now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
  again bigint;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state IS NULL OR r.state NOT IN ('held', 'sealed') OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator)
    OR (r.kind = 'binary' AND EXISTS (SELECT FROM payout_run WHERE kind = 'binary' AND period > r.period AND state NOT IN ('computing', 'cancelled'))) THEN
    RAISE EXCEPTION 'an operator discards what is not released' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_cancelled';
  END IF;
  UPDATE payout_run SET state = 'cancelled', overruled_by = operator, overruled_at = now, finished_at = now, note = coalesce(nullif(remark, ''), note),
    stage_since = clock_timestamp() WHERE id = r.id;
  INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, first_investment, last_investment, as_of)
    VALUES (r.kind, r.period, r.cutoff_at, r.plan_version, 'computing', r.at, r.first_investment, r.last_investment,
      CASE WHEN r.first_investment IS NOT NULL THEN draw_number() END) RETURNING id INTO again;
  RETURN again;
END $function$
;
CREATE OR REPLACE FUNCTION public.cancel_withdrawal(owner bigint, of_withdrawal bigint, because text, event_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM close_unpaid(owner, of_withdrawal, 'cancelled', because, owner, event_at);
END $function$
;
CREATE OR REPLACE FUNCTION public.claim_deposit_address(of_member bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE a deposit_address;
BEGIN
  SELECT * INTO a FROM deposit_address WHERE member_id = of_member;
  IF NOT FOUND THEN
    PERFORM FROM member WHERE id = of_member FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'an address belongs to a member' USING ERRCODE = 'foreign_key_violation'; END IF;
    SELECT * INTO a FROM deposit_address WHERE member_id = of_member;
  END IF;
  IF a.address IS NULL THEN
    SELECT * INTO a FROM deposit_address WHERE member_id IS NULL AND NOT passed_over ORDER BY key_index LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE deposit_address SET member_id = of_member WHERE address = a.address;
  END IF;
  RETURN CASE WHEN a.key_index IS NOT NULL THEN a.address END;
END $function$
;
CREATE OR REPLACE FUNCTION public.close_account(of_member bigint, folded_name text, name_skeleton text, folded_email text, closes_at timestamp with time zone, kept_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE m member;
BEGIN
  SELECT * INTO STRICT m FROM member WHERE id = of_member FOR UPDATE;
  IF m.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'it is closed already' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_once';
  END IF;
  IF m.is_operator OR NOT EXISTS (SELECT FROM sponsorship WHERE member_id = of_member AND sponsor_id IS NOT NULL) THEN
    RAISE EXCEPTION 'operators and the first member stay' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_may_close';
  END IF;
  IF EXISTS (SELECT FROM left_in_account(of_member)) THEN
    RAISE EXCEPTION 'something is left in it' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_empty';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'username' AND value = folded_name AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another username' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'skeleton' AND value = name_skeleton AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another skeleton' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  UPDATE member_identifier SET member_id = 0 WHERE kind = 'ref_code' AND value = m.ref_code AND member_id = of_member;
  DELETE FROM member_identifier WHERE kind = 'email' AND value = folded_email AND member_id = of_member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another e-mail' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closes_under_its_name';
  END IF;
  DELETE FROM member_identifier WHERE former_since IS NOT NULL AND member_id = of_member;
  INSERT INTO closed_account (member_id, username, folded_username, email, first_name, last_name, phone_number, usdt_wallet, closed_at, keep_until)
    VALUES (of_member, m.username, folded_name, m.email, m.first_name, m.last_name, m.phone_number, m.usdt_wallet, closes_at, kept_until);
  UPDATE member SET username = 'closed-' || id, email = '', email_proven_at = NULL, first_name = '', last_name = '', phone_number = '', usdt_wallet = '', avatar = '',
    password_hash = '', is_fundator = false, closed_at = closes_at WHERE id = of_member;
  DELETE FROM member_avatar WHERE member_id = of_member;
  DELETE FROM passkey_owner WHERE member_id = of_member;
END $function$
;
CREATE OR REPLACE FUNCTION public.close_period(until timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  closed timestamptz;
  ahead bigint := (SELECT c.offset_ms FROM demo_clock c, installation i WHERE i.network = 'devnet');
BEGIN
  IF until > clock_timestamp() + greatest(ahead, 0) * interval '1 millisecond' + interval '1 minute' THEN
    RAISE EXCEPTION 'a period is closed when it is over' USING ERRCODE = 'check_violation', CONSTRAINT = 'period_is_over';
  END IF;
  LOCK TABLE period_close IN EXCLUSIVE MODE;
  UPDATE period_close SET closed_until = greatest(closed_until, until) RETURNING closed_until INTO closed;
  RETURN closed;
END $function$
;
CREATE OR REPLACE FUNCTION public.close_unpaid(owner bigint, of_withdrawal bigint, as_state text, because text, by_whom bigint, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  w withdrawal;
  released bigint;
BEGIN
  SELECT * INTO w FROM withdrawal WHERE member_id = owner AND id = of_withdrawal;
  IF w.id IS NULL THEN RAISE EXCEPTION 'no such withdrawal' USING ERRCODE = 'foreign_key_violation'; END IF;
  released := move_hold('release', owner, w.id, w.from_balance, w.from_principal, event_at);
  UPDATE withdrawal SET state = as_state, closed_at = event_at, close_journal_id = released, reason = because, closed_by = by_whom
    WHERE member_id = owner AND id = w.id;
  RETURN released;
END $function$
;
CREATE OR REPLACE FUNCTION public.commissions_of(of_investment bigint)
 RETURNS payout_run
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT * FROM (SELECT * FROM payout_run WHERE kind = 'direct' AND state <> 'cancelled' AND last_investment >= of_investment
    ORDER BY last_investment LIMIT 1) r WHERE r.first_investment <= of_investment
$function$
;
CREATE OR REPLACE FUNCTION public.company_day_start(of_day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH turn AS (
    SELECT starts_at, version, document->>'timeZone' AS zone, lag(version) OVER past IS NULL AS is_first, lead(starts_at) OVER past AS ends_at,
      -- Of a midnight that comes twice, PostgreSQL takes the second. By the clock of the evening before it is the first.
      of_day::timestamp AT TIME ZONE (document->>'timeZone') AS midnight,
      (of_day::timestamp - interval '3 hours') AT TIME ZONE (document->>'timeZone') + interval '3 hours' AS by_the_evening
    FROM plan_version WINDOW past AS (ORDER BY starts_at, version)),
  begun AS (
    SELECT starts_at, version, ends_at, greatest(
      CASE WHEN by_the_evening AT TIME ZONE zone >= of_day THEN least(midnight, by_the_evening) ELSE midnight END,
      CASE WHEN NOT is_first THEN starts_at END) AS begins
    FROM turn)
  SELECT begins FROM begun WHERE ends_at IS NULL OR begins < ends_at ORDER BY starts_at, version LIMIT 1
$function$
;
CREATE OR REPLACE FUNCTION public.company_deposit_kind(its_role text, its_from text)
 RETURNS posting_kind
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN CASE its_role WHEN 'deposit' THEN 'company_deposit' WHEN 'cold' THEN 'company_deposit_cold'
    ELSE CASE WHEN EXISTS (SELECT FROM custody_address WHERE address = its_from AND role = 'cold') THEN 'refill_hot' ELSE 'company_deposit_hot' END END;
END $function$
;
CREATE OR REPLACE FUNCTION public.complete_invoice(owner bigint, of_invoice bigint, its_fee bigint, under_plan integer, event_at timestamp with time zone, ended_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  i invoice := open_invoice(owner, of_invoice);
  posted record;
BEGIN
  PERFORM refuse_frozen(owner);
  PERFORM refuse_owed(owner, i.amount - i.received + its_fee);
  IF its_fee NOT BETWEEN 0 AND least(i.fee, i.received) OR i.received - its_fee > i.amount THEN
    RAISE EXCEPTION 'an invoice bears its own fee' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_bears_its_fee';
  END IF;
  SELECT * INTO posted FROM post_event(format('invoice:%s:complete', i.id), 'invoice', owner, event_at,
    ARRAY['pending_to_principal', 'pending_fee', 'reinvest']::posting_kind[], ARRAY[i.received - its_fee, its_fee, i.amount - i.received + its_fee]);
  UPDATE invoice SET state = 'paid', closed_at = ended_at WHERE member_id = owner AND id = i.id;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, plan_version, credited_at)
    SELECT owner, posted.journal, i.amount, b.principal, i.received = 0, i.txn_id, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
END $function$
;
CREATE OR REPLACE FUNCTION public.copied_otherwise(of_part bigint, of_payouts boolean)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH was AS (SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM posting
      WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND (kind IN ('passive', 'direct', 'master', 'binary')) = of_payouts),
    kept AS (SELECT * FROM archived_posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND NOT of_payouts
      UNION ALL SELECT * FROM ledger_whole.archived WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND of_payouts)
  SELECT (SELECT count(*) FROM (SELECT * FROM was EXCEPT ALL SELECT * FROM kept) lost) + abs((SELECT count(*) FROM kept) - (SELECT count(*) FROM was))
$function$
;
CREATE OR REPLACE FUNCTION public.count_failed_try(of_member bigint, its_kind text, its_network text, its_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  this_hour timestamptz := date_trunc('hour', its_at, 'UTC');
  most_networks constant integer := 20;
  named text := its_network;
BEGIN
  IF NOT EXISTS (SELECT FROM failed_try WHERE member_id = of_member AND hour = this_hour AND kind = its_kind AND network = its_network)
    AND (SELECT count(*) FROM failed_try WHERE member_id = of_member AND hour = this_hour AND kind = its_kind) >= most_networks
  THEN named := ''; END IF;
  INSERT INTO failed_try AS kept (member_id, hour, kind, network, count, last_at) VALUES (of_member, this_hour, its_kind, named, 1, its_at)
  ON CONFLICT (member_id, hour, kind, network) DO UPDATE SET count = kept.count + 1, last_at = greatest(kept.last_at, its_at);
END $function$
;
CREATE OR REPLACE FUNCTION public.credit_transfer(of_txid text, of_position integer, event_at timestamp with time zone, its_outcome text, of_invoice bigint, part bigint, under_plan integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  t incoming_transfer;
  i invoice;
  posted record;
  kinds posting_kind[];
  amounts bigint[];
  completes boolean := false;
BEGIN
  SELECT * INTO t FROM incoming_transfer WHERE txid = of_txid AND position = of_position AND verdict = 'credit';
  IF t.txid IS NULL THEN
    RAISE EXCEPTION 'what is credited was recorded' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_credit_of_a_transfer';
  END IF;
  IF t.member_id = 0 THEN
    kinds := ARRAY[company_deposit_kind(t.role, t.from_address)];
    amounts := ARRAY[t.value];
    its_outcome := CASE kinds[1] WHEN 'refill_hot' THEN 'refill' ELSE 'company' END;
  ELSIF its_outcome IN ('late', 'no_invoice') THEN
    kinds := ARRAY['deposit_to_balance'];
    amounts := ARRAY[t.value];
  ELSE
    i := open_invoice(t.member_id, of_invoice);
    completes := i.received + part = i.amount + i.fee;
    IF part NOT BETWEEN 1 AND t.value OR its_outcome <> (CASE WHEN part < t.value THEN 'overpaid' WHEN completes THEN 'paid' ELSE 'part' END)
      OR (part < t.value AND NOT completes) THEN
      RAISE EXCEPTION 'an invoice takes what is due, and the balance the rest' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_credit_adds_up';
    END IF;
    -- What one transfer pays whole never passes through `pending`.
    IF NOT completes THEN
      kinds := ARRAY['deposit_to_pending'];
      amounts := ARRAY[part];
    ELSIF i.received = 0 THEN
      kinds := ARRAY['deposit_to_principal', 'deposit_fee', 'deposit_to_balance'];
      amounts := ARRAY[i.amount, i.fee, t.value - part];
    ELSE
      kinds := ARRAY['deposit_to_pending', 'pending_to_principal', 'pending_fee', 'deposit_to_balance'];
      amounts := ARRAY[part, i.amount, i.fee, t.value - part];
    END IF;
  END IF;
  SELECT * INTO posted FROM post_event(format('deposit:%s:%s', t.txid, t.position), 'deposit', t.member_id, event_at, kinds, amounts);
  IF posted.replayed THEN RETURN false; END IF;
  INSERT INTO deposit_credit (txid, position, member_id, journal_id, amount, outcome, invoice_id, credited_at)
    VALUES (t.txid, t.position, t.member_id, posted.journal, t.value, its_outcome, of_invoice, event_at);
  IF i.id IS NOT NULL THEN
    UPDATE invoice SET received = i.received + part, state = CASE WHEN completes THEN 'paid' ELSE 'open' END,
      closed_at = CASE WHEN completes THEN event_at END, paid_txid = CASE WHEN completes THEN t.txid END WHERE member_id = i.member_id AND id = i.id;
  END IF;
  IF completes THEN
    INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, txn_id, txid, plan_version, credited_at)
      SELECT i.member_id, posted.journal, i.amount, b.principal, false, i.txn_id, t.txid, under_plan, event_at
      FROM member_balance b WHERE b.member_id = i.member_id;
  END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.current_traceparent()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT substring(current_setting('aval.traceparent', true) FROM '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$') $function$
;
CREATE OR REPLACE FUNCTION public.cut_batches(of_run bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT of_run, part, min(block)::bigint * 1024, max(block)::bigint * 1024 + 1023, sum(item_count)
    FROM (SELECT block, item_count, ((row_number() OVER (ORDER BY block)) - 1) / 16 AS part FROM payout_page WHERE run_id = of_run) pages
    GROUP BY part;
  INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT of_run, (row_number() OVER (ORDER BY min(member_id))) - 1, min(member_id), max(member_id), sum(items)
    FROM (SELECT member_id, count(*) AS items, div(sum(count(*)) OVER (ORDER BY member_id) - 1, 16000) AS part
      FROM payout_item WHERE run_id = of_run GROUP BY member_id) members GROUP BY part;
END $function$
;
CREATE OR REPLACE FUNCTION public.day_of_period(period text)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN CASE WHEN period ~ '^\d{4}-\d{2}-\d{2}$' THEN make_date(left(period, 4)::int, substr(period, 6, 2)::int, right(period, 2)::int) END;
EXCEPTION WHEN datetime_field_overflow THEN
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.decision_refusal(d decision, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
BEGIN
  IF d.state <> 'open' THEN RETURN 'decision_closed'; END IF;
  IF d.expires_at <= clock_timestamp() THEN RETURN 'decision_expired'; END IF;
  IF d.kind = 'plan' THEN
    RETURN CASE WHEN d.statement->>'sha256' IS DISTINCT FROM encode(sha256(convert_to(d.document, 'UTF8')), 'hex') THEN 'document_differs'
      WHEN (d.statement->>'starts_at')::timestamptz <= at THEN 'plan_start_passed' END;
  END IF;
  IF d.kind = 'reverse_investment' AND some_day_waits((d.statement->>'credited_at')::timestamptz, hold_period(at)) THEN RETURN 'investment_unsettled'; END IF;
  IF d.kind NOT IN ('run_release', 'run_prorate') THEN RETURN act_refusal(d); END IF;
  SELECT * INTO r FROM payout_run WHERE id = (d.statement->>'run')::bigint FOR NO KEY UPDATE;
  IF (r.items_hash, r.item_sum::text, r.item_count::text, r.payable::text, left(r.objections::text, 1000)) IS DISTINCT FROM
    (d.statement->>'items_hash', d.statement->>'sum', d.statement->>'items', d.statement->>'payable', d.statement->>'objections') THEN RETURN 'run_changed'; END IF;
  RETURN CASE WHEN (SELECT stopped FROM payout_stop) THEN 'stopped' ELSE run_refusal(r, d.kind, pool_of(r)) END;
END $function$
;
CREATE OR REPLACE FUNCTION public.declare_rate(of_day text, its_percentage text, because text, operator bigint, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE paid jsonb;
BEGIN
  SELECT document->'passive' INTO paid FROM plan_version WHERE starts_at <= company_day_start(of_day::date) ORDER BY starts_at DESC, version DESC LIMIT 1;
  IF its_percentage !~ '^(0|[1-9]\d{0,2})(\.\d{1,6})?$'
    OR (its_percentage::numeric * (paid->>'periodDays')::numeric <= (paid->>'percentPerPeriod')::numeric) IS NOT TRUE THEN
    RAISE EXCEPTION 'a declared rate is the plan''s or less' USING ERRCODE = 'check_violation', CONSTRAINT = 'declared_rate_within_plan';
  END IF;
  -- Compared as it is shown, with six decimals: a third of a percent is the plan's own.
  IF because IS NULL AND its_percentage::numeric < trunc((paid->>'percentPerPeriod')::numeric / (paid->>'periodDays')::numeric, 6) THEN
    RAISE EXCEPTION 'a lower rate needs a reason' USING ERRCODE = 'check_violation', CONSTRAINT = 'lower_rate_has_a_reason';
  END IF;
  INSERT INTO declared_rate (day, percentage, reason, declared_by, declared_at) VALUES (of_day, its_percentage, because, operator, at);
END $function$
;
CREATE OR REPLACE FUNCTION public.delete_notes_of_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM member_note WHERE member_id = NEW.member_id;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.deposit_address_stock(OUT derived bigint, OUT unclaimed bigint, OUT underived bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  derived := (SELECT coalesce(max(key_index) + 1, 0) FROM deposit_address);
  unclaimed := (SELECT count(*) FROM deposit_address WHERE member_id IS NULL AND NOT passed_over);
  underived := (SELECT count(*) FROM deposit_address WHERE key_index IS NULL AND member_id BETWEEN derived AND (SELECT last_value FROM member_id_seq));
END $function$
;
CREATE OR REPLACE FUNCTION public.dismiss_operator(by_operator bigint, of_member bigint, as_of timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE moment timestamptz := least(as_of, clock_timestamp());
BEGIN
  PERFORM lock_operators();
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  IF by_operator = of_member THEN RETURN 'operator_own'; END IF;
  PERFORM FROM member WHERE id = of_member AND is_operator FOR UPDATE;
  IF NOT FOUND THEN RETURN 'operator_not_found'; END IF;
  IF is_last_admin(of_member) THEN RETURN 'operator_last_admin'; END IF;
  UPDATE operator_change SET state = 'lapsed', ended_at = moment WHERE member_id = of_member AND state IN ('open', 'accepted');
  INSERT INTO former_operator VALUES (of_member, moment) ON CONFLICT (member_id) DO UPDATE SET since = excluded.since;
  UPDATE member SET is_operator = false, operator_role = null WHERE id = of_member;
  RETURN 'dismissed';
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
CREATE OR REPLACE FUNCTION public.draw_number()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE period_close IN EXCLUSIVE MODE;
  RETURN nextval('investment_id_seq');
END $function$
;
CREATE OR REPLACE FUNCTION public.end_decision_of_a_key()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE decision SET state = 'withdrawn', ended_at = clock_timestamp()
    WHERE subject = 'member_key:' || NEW.member_id AND state = 'open' AND statement->>'version' = NEW.version::text;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.end_decision_of_a_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE decision SET state = 'refused', refusal = 'run_not_held', ended_at = clock_timestamp()
    WHERE subject = 'run:' || NEW.id AND state = 'open';
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.end_invoice(owner bigint, of_invoice bigint, as_state text, ended_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE i invoice := open_invoice(owner, of_invoice);
BEGIN
  IF as_state NOT IN ('expired', 'cancelled') THEN
    RAISE EXCEPTION 'an invoice ends unpaid' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_ends_unpaid';
  END IF;
  UPDATE invoice SET state = as_state, closed_at = ended_at WHERE member_id = owner AND id = i.id;
  PERFORM post_event(format('invoice:%s:end', i.id), 'invoice', owner, ended_at, ARRAY['pending_to_balance']::posting_kind[], ARRAY[i.received]);
END $function$
;
CREATE OR REPLACE FUNCTION public.end_of_term(under_plan integer, began_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN began_at + make_interval(hours => 24 * (SELECT (document->'investment'->>'lockDays')::int FROM plan_version WHERE version = under_plan));
END $function$
;
CREATE OR REPLACE FUNCTION public.end_release(of_member bigint, as_outcome text, operator bigint, event_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF as_outcome NOT IN ('released', 'refused', 'stopped') OR (as_outcome = 'stopped') <> (operator IS NULL) OR (operator IS NOT NULL
      AND NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('support', 'compliance', 'admin'))) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  UPDATE factor_release SET outcome = as_outcome, decided_by = operator, decided_at = event_at
    WHERE member_id = of_member AND outcome IS NULL AND ends_at > event_at;
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.end_restoration()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE r restoration;
BEGIN
  SELECT * INTO r FROM restoration WHERE ended_at IS NULL FOR UPDATE;
  IF r.id IS NULL OR r.reported_at IS NULL
    OR NOT EXISTS (SELECT FROM chain_cursor c, installation i WHERE c.network = i.network AND c.scanned_at > r.read_until)
    OR EXISTS (SELECT FROM adopted_transfer a WHERE a.restoration_id = r.id
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = a.txid))
    OR NOT EXISTS (SELECT FROM reserve_check c WHERE c.verdict = 'matched' AND c.at > r.begun_at AND c.id = (SELECT max(id) FROM reserve_check)) THEN
    RETURN false;
  END IF;
  UPDATE restoration SET ended_at = clock_timestamp() WHERE id = r.id;
  UPDATE payout_stop SET restoration_id = NULL, stopped = reason IS NOT NULL OR integrity_check_id IS NOT NULL,
    since = CASE WHEN reason IS NOT NULL OR integrity_check_id IS NOT NULL THEN since END;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_announcing()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = 'withdrawals.announce' AND locked_at IS NULL AND attempts = 0) THEN
    PERFORM graphile_worker.add_job('withdrawals.announce', '{}', job_key => 'withdrawals.announce', job_key_mode => 'preserve_run_at',
      run_at => clock_timestamp() + interval '2 seconds', priority => 5);
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_applied(its_kind text, of_decision bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF its_kind = 'explain_difference' THEN
    PERFORM graphile_worker.add_job('reserves.check', '{}', queue_name => 'reserves', job_key => 'reserves.check');
  ELSIF its_kind = 'resume_payments' THEN
    PERFORM graphile_worker.add_job('payments.resumed', json_build_object('decision', of_decision::text), job_key => 'decision:' || of_decision);
  ELSIF its_kind LIKE 'set%' THEN
    PERFORM graphile_worker.add_job('members.terms_changed', json_build_object('decision', of_decision::text), job_key => 'decision:' || of_decision);
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_credit(of_txid text, of_position integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('deposits.credit', public.traced(json_build_object('txid', of_txid, 'position', of_position)),
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
CREATE OR REPLACE FUNCTION public.enqueue_resumption()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('payout_runs.resume', '{}', queue_name => 'payouts', job_key => 'payout_runs.resume');
END $function$
;
CREATE OR REPLACE FUNCTION public.enqueue_settlements(txids text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle', public.traced(json_build_object('txids', ended.txids), ended.traceparent),
      job_key => 'settle:' || ended.txids[1])
    FROM (SELECT array_agg(u.txid ORDER BY u.place) AS txids, t.traceparent
      FROM unnest(txids) WITH ORDINALITY AS u (txid, place) JOIN public.outgoing_transfer t ON t.txid = u.txid
      GROUP BY t.traceparent, CASE WHEN t.traceparent IS NULL THEN (u.place - 1) / 100 ELSE u.place END ORDER BY min(u.place)) ended;
END $function$
;
CREATE OR REPLACE FUNCTION public.erase_audit_details(of_member bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE moment timestamptz := clock_timestamp();
BEGIN
  UPDATE audit_event SET details = '{}', erased_at = moment
    WHERE (actor_id = of_member OR subject = 'member:' || of_member) AND erased_at IS NULL;
  UPDATE security_event SET details = '{}', user_agent = '', ip = '', erased_at = moment WHERE member_id = of_member AND erased_at IS NULL;
  PERFORM record_audit(moment, NULL, 'audit.erase', 'done', 'member:' || of_member, '{}');
END $function$
;
CREATE OR REPLACE FUNCTION public.erase_reasons_of_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member_freeze SET reason = '–' WHERE member_id = NEW.member_id AND reason <> '–';
  UPDATE factor_release SET reason = '–', identified = '–' WHERE member_id = NEW.member_id;
  RETURN NULL;
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
CREATE OR REPLACE FUNCTION public.explain_difference(of_address text, difference bigint, because text, operator bigint, request text, event_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  holding custody_holding;
  posted record;
BEGIN
  SELECT * INTO holding FROM custody_holding WHERE address = of_address FOR NO KEY UPDATE;
  IF holding.address IS NULL THEN RAISE EXCEPTION 'no address of ours' USING ERRCODE = 'foreign_key_violation'; END IF;
  IF difference IS DISTINCT FROM (SELECT usdt - holding.amount FROM custody_reading WHERE address = of_address) THEN
    RAISE EXCEPTION 'nobody found that much' USING ERRCODE = 'check_violation', CONSTRAINT = 'custody_adjustment_of_what_was_found';
  END IF;
  SELECT * INTO posted FROM post_event('adjustment:' || request, 'adjustment', 0, event_at, ARRAY[format('custody_%s_%s',
    CASE WHEN difference < 0 THEN 'loss' ELSE 'gain' END, CASE holding.role WHEN 'deposit' THEN 'deposits' ELSE holding.role END)]::posting_kind[],
    ARRAY[abs(difference)]);
  INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
    VALUES (of_address, difference, because, posted.journal, operator, event_at);
  UPDATE custody_holding SET amount = amount + difference WHERE address = of_address;
END $function$
;
CREATE OR REPLACE FUNCTION public.extend_all_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM extend_partitions('posting', 131072, (SELECT coalesce(max(id), 0) / 131072 + 5 FROM journal));
  PERFORM extend_partitions('archived_payout', 8388608, (SELECT coalesce(max(id), 0) / 8388608 + 2 FROM journal));
  PERFORM extend_partitions(whole, 8192, (SELECT coalesce(max(id), 0) / 8192 + 3 FROM payout_run))
  FROM unnest(ARRAY['payout_page', 'payout_item', 'payout_missed']::regclass[]) AS whole;
END $function$
;
CREATE OR REPLACE FUNCTION public.extend_partitions(whole regclass, width bigint, wanted bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE next bigint := (SELECT coalesce(max(substring(inhrelid::regclass::text FROM '_([0-9]+)$')::bigint) + 1, 0) FROM pg_inherits WHERE inhparent = whole);
BEGIN
  WHILE next < wanted LOOP
    EXECUTE format('CREATE TABLE %s_%s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES INCLUDING STORAGE)', whole, next, whole);
    EXECUTE format('CREATE TRIGGER %s_is_written_whole BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s_%s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', whole, whole, next);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s_%s FOR VALUES FROM (%s) TO (%s)', whole, whole, next, next * width, (next + 1) * width);
    next := next + 1;
  END LOOP;
END $function$
;
CREATE OR REPLACE FUNCTION public.fence_gateway()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF session_user <> current_database() || '_gateway_login' THEN RETURN NULL; END IF;
  PERFORM FROM public.gateway_lease
    WHERE epoch || ':' || holder = coalesce(nullif(current_setting('aval.gateway_term', true), ''), '0:') FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'another gateway leads' USING ERRCODE = 'AV069', CONSTRAINT = 'gateway_leads'; END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.folded_later_words(name text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 10000
AS $function$
BEGIN
  RETURN array_to_tsvector((string_to_array(public.folded_name(name), ' '))[5:]);
END $function$
;
CREATE OR REPLACE FUNCTION public.folded_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT trim(regexp_replace(lower(regexp_replace(normalize(name, NFKD),
    '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff''\u2018\u2019\u02bc\u02bb]', '', 'g')), '\s+', ' ', 'g'))
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
CREATE OR REPLACE FUNCTION public.forget_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.time_zone := NULL;
  NEW.region := NULL;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.freeze_member(of_member bigint, to_frozen boolean, because text, operator bigint, event_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND operator_role IN ('compliance', 'admin')) THEN
    RAISE EXCEPTION 'another role' USING ERRCODE = 'check_violation', CONSTRAINT = 'freeze_by_an_operator';
  END IF;
  PERFORM refuse_act_above(of_member, operator);
  PERFORM FROM member WHERE id = of_member AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  PERFORM FROM withdrawal WHERE member_id = of_member AND state IN ('requested', 'approved') ORDER BY id FOR UPDATE;
  IF coalesce((SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1), false) = to_frozen THEN RETURN false; END IF;
  INSERT INTO member_freeze (member_id, frozen, reason, operator_id, at) VALUES (of_member, to_frozen, because, operator, event_at);
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.fund_pool(pool text, funded bigint, request text, event_at timestamp with time zone, by_operator bigint, because text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE posted record;
BEGIN
  SELECT * INTO posted FROM post_event(format('fund:%s:%s', pool, request), 'fund', 0, event_at, ARRAY['fund_' || pool]::posting_kind[], ARRAY[funded]);
  IF NOT posted.replayed THEN
    INSERT INTO pool_funding (pool, amount, at, funded_by, reason) VALUES (fund_pool.pool, funded, event_at, by_operator, because);
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.held_run(of_run bigint, operator bigint)
 RETURNS payout_run
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE r payout_run;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state IS DISTINCT FROM 'held' OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'an operator decides about a held run' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_decided';
  END IF;
  RETURN r;
END $function$
;
CREATE OR REPLACE FUNCTION public.hold_gateway_lease(who text, seconds integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held public.gateway_lease;
  mine bigint;
BEGIN
  IF who = '' OR seconds NOT BETWEEN 1 AND 600 THEN RAISE EXCEPTION 'no lease for "%" over % seconds', who, seconds; END IF;
  -- Waits for nobody: what the holder has under way keeps the row's key only.
  UPDATE public.gateway_lease SET until = clock_timestamp() + make_interval(secs => seconds), backend = pg_backend_pid()
    WHERE holder = who RETURNING epoch INTO mine;
  IF FOUND THEN RETURN mine; END IF;
  -- Looked at before it is locked, so that whoever stands by disturbs nobody; and again afterwards.
  FOR look IN 1 .. 2 LOOP
    IF look = 1 THEN SELECT * INTO held FROM public.gateway_lease;
    -- Waits for every transaction that was begun under the epoch that ends here; none is begun under it afterwards.
    ELSE SELECT * INTO held FROM public.gateway_lease FOR UPDATE; END IF;
    IF held.until > clock_timestamp() AND EXISTS (SELECT FROM pg_stat_activity WHERE pid = held.backend) THEN RETURN NULL; END IF;
  END LOOP;
  UPDATE public.gateway_lease SET epoch = held.epoch + 1, holder = who, until = clock_timestamp() + make_interval(secs => seconds),
    backend = pg_backend_pid();
  RETURN held.epoch + 1;
END $function$
;
CREATE OR REPLACE FUNCTION public.hold_lock(of_name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR UPDATE;
END $function$
;
CREATE OR REPLACE FUNCTION public.hold_period(asked timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE period_close IN ROW SHARE MODE;
  RETURN (SELECT greatest(closed_until, asked) FROM period_close);
END $function$
;
CREATE OR REPLACE FUNCTION public.hold_pool(pool ledger_account)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN (SELECT amount FROM house_balance WHERE account = pool FOR NO KEY UPDATE);
END $function$
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
CREATE OR REPLACE FUNCTION public.impossible_binary(r payout_run, plan jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
DECLARE most bigint := coalesce((plan->'binary'->>'dailyCap')::numeric, 1000) * 1000000;
BEGIN
  -- A match is computed on what the day before carries, and that has to be certain.
  IF EXISTS (SELECT FROM payout_run e LEFT JOIN payout_audit a ON a.run_id = e.id WHERE e.kind = 'binary' AND e.period < r.period
      AND (e.state = 'computing' OR (e.state IN ('sealed', 'held') AND a.verdict IS DISTINCT FROM 'matches'))) THEN
    RETURN 'payout_run_after_the_day_before';
  END IF;
  RETURN CASE WHEN EXISTS (SELECT FROM payout_page WHERE run_id = r.id) THEN 'payout_item_of_its_kind'
    WHEN EXISTS (WITH standing AS MATERIALIZED (SELECT * FROM principal_before(r.cutoff_at))
      SELECT FROM payout_item i LEFT JOIN standing s ON s.member_id = i.member_id
      WHERE i.run_id = r.id AND (i.kind <> 'binary' OR i.leg <> 0 OR i.amount > least(most, coalesce(s.principal, 0)))) THEN 'payout_item_within_the_cap' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.impossible_day(r payout_run)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  day date := day_of_period(r.period);
  begins timestamptz := company_day_start(day);
BEGIN
  RETURN CASE
    WHEN day IS NULL THEN 'payout_run_of_a_day'
    -- Of a passive run the midnight that begins the day, of a match the one that ends it.
    WHEN r.cutoff_at IS DISTINCT FROM (CASE r.kind WHEN 'passive' THEN begins ELSE company_day_start(day + 1) END)
      OR r.at <> r.cutoff_at OR r.cutoff_at > (SELECT closed_until FROM period_close) THEN 'payout_run_of_a_closed_day'
    WHEN r.plan_version IS DISTINCT FROM (SELECT version FROM plan_version WHERE starts_at <= begins ORDER BY starts_at DESC, version DESC LIMIT 1)
      THEN 'payout_run_under_its_plan' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.impossible_direct(r payout_run, plan jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE levels jsonb := plan->'direct'->'levels';
BEGIN
  IF NOT EXISTS (SELECT 1 FROM investment WHERE id BETWEEN r.first_investment AND r.last_investment
      HAVING (min(id), max(id), min(id) || '-' || max(id), max(credited_at), max(credited_at), min(plan_version), max(plan_version))
        = (r.first_investment, r.last_investment, r.period, r.cutoff_at, r.at, r.plan_version, r.plan_version))
    OR (r.as_of > r.last_investment AND r.as_of <= (SELECT last_value FROM investment_id_seq)) IS NOT TRUE THEN
    RETURN 'payout_run_of_a_batch';
  END IF;
  IF EXISTS (SELECT FROM payout_run e WHERE e.kind = 'direct' AND e.state <> 'cancelled' AND e.id <> r.id
      AND e.first_investment <= r.last_investment AND e.last_investment >= r.first_investment)
    OR EXISTS (SELECT FROM investment i WHERE i.id < r.first_investment AND i.id > (SELECT coalesce(max(e.last_investment), 0) FROM payout_run e
      WHERE e.kind = 'direct' AND e.state <> 'cancelled' AND e.last_investment < r.first_investment)) THEN
    RETURN 'payout_run_after_the_batch_before';
  END IF;
  IF EXISTS (SELECT FROM payout_page WHERE run_id = r.id)
    OR EXISTS (SELECT FROM payout_item WHERE run_id = r.id GROUP BY investment_id, level HAVING count(*) > 1) THEN
    RETURN 'payout_item_of_its_kind';
  END IF;
  RETURN CASE WHEN EXISTS (SELECT FROM payout_item i
      LEFT JOIN investment v ON v.id = i.investment_id AND v.id BETWEEN r.first_investment AND r.last_investment AND v.member_id = i.from_member_id
      WHERE i.run_id = r.id AND (i.amount * 100::numeric <= v.amount * (CASE
        WHEN i.kind = 'direct' AND i.level = 1 THEN (levels->>0)::numeric + coalesce((SELECT e.percent::numeric FROM extra_percent e
          WHERE e.sponsor_id = i.member_id AND e.id < r.as_of ORDER BY e.id DESC LIMIT 1), 0)
        WHEN i.kind = 'direct' AND i.level > 1 THEN (levels->>(i.level - 1))::numeric
        WHEN i.kind = 'master' AND i.level > jsonb_array_length(levels) THEN (plan->'direct'->>'masterPercent')::numeric END)) IS NOT TRUE)
    THEN 'payout_item_within_its_level' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.impossible_passive(r payout_run, plan jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
DECLARE
  paid record := rate_of_day(r, plan);
  share float8;
BEGIN
  -- The rate as the worker read it, "10/3000" of principal.
  IF (split_part(r.rate, '/', 1)::numeric * 100 * paid.days = paid.percent * split_part(r.rate, '/', 2)::numeric) IS NOT TRUE THEN RETURN 'payout_run_at_its_rate'; END IF;
  IF EXISTS (SELECT FROM payout_item WHERE run_id = r.id) THEN RETURN 'payout_item_of_its_kind'; END IF;
  -- To the micro: doubles are twice as fast here as exact figures, and the auditor is exact.
  share := paid.percent / 100 / paid.days;
  RETURN (WITH standing AS MATERIALIZED (SELECT * FROM principal_before(r.cutoff_at)),
    item AS MATERIALIZED (SELECT i.member_id, i.amount FROM payout_page p, unnest(p.members, p.amounts) AS i (member_id, amount) WHERE p.run_id = r.id)
    SELECT 'payout_item_within_the_rate' FROM item i LEFT JOIN standing s ON s.member_id = i.member_id
    WHERE i.amount > coalesce(s.principal, 0) * share + 1 LIMIT 1);
END $function$
;
CREATE OR REPLACE FUNCTION public.in_usdt(micro text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT (micro::numeric / 1000000)::numeric(30, 6)::text
$function$
;
CREATE OR REPLACE FUNCTION public.invest_balance(owner bigint, request text, invested bigint, under_plan integer, event_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE posted record;
BEGIN
  PERFORM refuse_frozen(owner);
  PERFORM refuse_owed(owner, invested);
  SELECT * INTO posted FROM post_event(format('reinvest:%s:%s', owner, request), 'reinvest', owner, event_at, ARRAY['reinvest']::posting_kind[], ARRAY[invested]);
  IF posted.replayed THEN RETURN false; END IF;
  INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
    SELECT owner, posted.journal, invested, b.principal, true, under_plan, event_at FROM member_balance b WHERE b.member_id = owner;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.investment_keeps_its_term()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.unlocks_at := end_of_term(NEW.plan_version, NEW.credited_at);
  NEW.unlocks_early := false;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.investment_of_the_balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  p jsonb := (SELECT document FROM plan_version WHERE version = NEW.plan_version);
  most integer := coalesce((p->'investment'->>'balanceADay')::integer, 20);
  begun timestamptz := date_trunc('day', NEW.credited_at, p->>'timeZone');
BEGIN
  IF (SELECT count(*) FROM investment WHERE member_id = NEW.member_id AND from_balance AND credited_at >= begun) >= most THEN
    RAISE EXCEPTION 'the balance was invested often enough today' USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_is_invested_so_often';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.is_above(of_member bigint, operator bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN coalesce((SELECT max(rank) FILTER (WHERE id = of_member) > max(rank) FILTER (WHERE id = operator) FROM (
    SELECT id, CASE operator_role WHEN 'admin' THEN 3 WHEN 'treasurer' THEN 2 WHEN 'compliance' THEN 2 WHEN 'support' THEN 1 ELSE 0 END AS rank
    FROM member WHERE id IN (of_member, operator)) ranks), false);
END $function$
;
CREATE OR REPLACE FUNCTION public.is_admin(of_member bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM member WHERE id = of_member AND operator_role = 'admin' AND closed_at IS NULL)
$function$
;
CREATE OR REPLACE FUNCTION public.is_frozen(of_member bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN coalesce((SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1), false);
END $function$
;
CREATE OR REPLACE FUNCTION public.is_last_admin(of_member bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT is_admin(of_member) AND NOT EXISTS (SELECT FROM member WHERE is_operator AND operator_role = 'admin' AND closed_at IS NULL AND id <> of_member)
$function$
;
CREATE OR REPLACE FUNCTION public.keep_gateway_lease()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NEW.epoch < OLD.epoch OR (NEW.epoch = OLD.epoch AND NEW.holder <> OLD.holder) THEN
    RAISE EXCEPTION 'the gateway''s lease goes forward' USING ERRCODE = 'check_violation', CONSTRAINT = 'gateway_lease_goes_forward';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.keep_stop_of_restoration()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.stopped := true;
  NEW.since := coalesce(NEW.since, OLD.since, clock_timestamp());
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.keep_withdrawal_proof(owner bigint, of_withdrawal bigint, its_proof jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE k member_key := sealed_member_key(owner);
BEGIN
  IF EXISTS (SELECT FROM member_key WHERE member_id = owner AND state = 'submitted' AND (kind = 'recovered' OR expires_at > clock_timestamp())) THEN
    RAISE EXCEPTION 'a change of the member''s key waits' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_waits';
  END IF;
  IF coalesce(k.kind, 'off') = 'off' THEN
    IF its_proof IS NOT NULL THEN
      RAISE EXCEPTION 'the member has no key' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_proof_by_its_key';
    END IF;
    RETURN;
  END IF;
  IF its_proof IS NULL THEN
    RAISE EXCEPTION 'only the member''s passkey moves money' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_proof';
  END IF;
  IF its_proof->>'credential_id' IS DISTINCT FROM k.credential_id THEN
    RAISE EXCEPTION 'another key signed' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_proof_by_its_key';
  END IF;
  PERFORM use_member_nonce(owner, its_proof->>'nonce');
  INSERT INTO withdrawal_proof (member_id, withdrawal_id, credential_id, proof, expires_at, nonce)
    VALUES (owner, of_withdrawal, its_proof->>'credential_id', its_proof->'proof', (its_proof->>'expires_at')::timestamptz, its_proof->>'nonce');
END $function$
;
CREATE OR REPLACE FUNCTION public.later(d decision, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE d.kind WHEN 'plan' THEN greatest(at, clock_timestamp()) ELSE at END
$function$
;
CREATE OR REPLACE FUNCTION public.latest_moment()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT clock_timestamp() + interval '1 minute' + coalesce(
    (SELECT c.offset_ms FROM demo_clock c, installation i WHERE i.network = 'devnet'), 0) * interval '1 millisecond'
$function$
;
CREATE OR REPLACE FUNCTION public.leave_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  -- Of the noun and the column that a trigger is given, `member:7`; then actions whose entries have another subject.
  about text := TG_ARGV[0] || coalesce(':' || (changed->>TG_ARGV[1]), '');
BEGIN
  IF EXISTS (SELECT FROM audit_event WHERE (subject = about OR action = ANY (TG_ARGV[2:])) AND xmin = pg_current_xact_id()::xid)
    OR (TG_ARGV[0] = 'member' AND EXISTS (SELECT FROM security_event
      WHERE member_id = (changed->>TG_ARGV[1])::bigint AND xmin = pg_current_xact_id()::xid)) THEN
    RETURN NULL;
  END IF;
  PERFORM record_audit(clock_timestamp(), NULL, 'database.change', 'done', about,
    jsonb_build_object('table', TG_TABLE_NAME, 'change', lower(TG_OP), 'by', session_user));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.ledger_part()
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce(max(id), 0) / 131072 FROM journal
$function$
;
CREATE OR REPLACE FUNCTION public.ledger_seal_hash(s ledger_seal)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT encode(sha256(netstrings(s.part::text, s.until_journal::text, microseconds(s.sealed_at), s.content_hash, s.earnings_hash, s.previous_hash,
    (SELECT string_agg(concat_ws(' ', kind, postings, amount), '|' ORDER BY kind::text COLLATE "C") FROM ledger_seal_sum WHERE part = s.part))), 'hex')
$function$
;
CREATE OR REPLACE FUNCTION public.left_in_account(of_member bigint)
 RETURNS TABLE(what text, amount bigint, count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH open_run AS (SELECT id, kind, state FROM payout_run WHERE state NOT IN ('done', 'cancelled')),
  unposted AS (
    SELECT i.amount FROM payout_item i JOIN open_run r ON r.id = i.run_id WHERE i.member_id = of_member AND NOT EXISTS (
      SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted AND of_member BETWEEN c.first_member_id AND c.last_member_id)
    UNION ALL
    SELECT p.amounts[array_position(p.members, of_member)] FROM open_run r JOIN payout_page p ON p.run_id = r.id AND p.block = of_member / 1024
    WHERE r.kind = 'passive' AND of_member = ANY(p.members) AND NOT EXISTS (
      SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted AND of_member BETWEEN c.first_member_id AND c.last_member_id)
  ),
  arriving AS (
    SELECT value FROM unconfirmed_transfer u WHERE u.member_id = of_member
    UNION ALL
    SELECT value::bigint FROM incoming_transfer t WHERE t.member_id = of_member AND t.verdict = 'credit' AND NOT EXISTS (
      SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)
  ),
  found (place, what, amount, count) AS (
    SELECT 1, 'principal', principal, 0 FROM member_balance WHERE member_id = of_member
    UNION ALL SELECT 2, 'balance', balance, 0 FROM member_balance WHERE member_id = of_member
    UNION ALL SELECT 3, 'payouts', coalesce(sum(amount), 0)::bigint, 0 FROM unposted
    UNION ALL SELECT 4, 'arriving', coalesce(sum(value), 0)::bigint, 0 FROM arriving
    UNION ALL SELECT 5, 'invoices', (SELECT coalesce(sum(amount), 0)::bigint FROM member_pending WHERE member_id = of_member), count(*)::integer
      FROM invoice WHERE member_id = of_member AND state = 'open'
    UNION ALL SELECT 6, 'withdrawals', (SELECT held FROM member_balance WHERE member_id = of_member), count(*)::integer
      FROM withdrawal WHERE member_id = of_member AND state IN ('requested', 'approved')
    UNION ALL SELECT 7, 'owed', coalesce(sum(amount), 0)::bigint, 0 FROM member_receivable WHERE member_id = of_member
  )
  SELECT what, amount, count FROM found WHERE amount > 0 OR count > 0 ORDER BY place
$function$
;
CREATE OR REPLACE FUNCTION public.let_payout_run_go(r payout_run, now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  opened bigint;
  state_now text;
BEGIN
  IF r.payable > r.item_sum OR NOT EXISTS (SELECT FROM payout_audit WHERE run_id = r.id AND verdict = 'matches' AND items_hash = r.items_hash)
    OR NOT EXISTS (SELECT
      FROM (SELECT coalesce(sum(item_count), 0) AS items, coalesce(sum(item_sum), 0) AS amount FROM payout_page WHERE run_id = r.id) p,
        (SELECT count(*) AS items, coalesce(sum(amount), 0) AS amount FROM payout_item WHERE run_id = r.id) i
      WHERE p.items + i.items = r.item_count AND p.amount + i.amount = r.item_sum) THEN
    RAISE EXCEPTION 'the run % is not what was computed twice', r.id USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_adds_up';
  END IF;
  PERFORM post_event('release:' || r.id, 'release', 0, r.at, ARRAY[CASE r.kind WHEN 'passive' THEN 'release_profit' ELSE 'release_commission' END]::posting_kind[],
    ARRAY[r.payable]);
  INSERT INTO journal (key, kind, at, input_hash) VALUES ('run:' || r.id, 'payout', r.at, coalesce(r.items_hash, '')) RETURNING id INTO opened;
  PERFORM cut_batches(r.id);
  UPDATE payout_run SET state = 'released', missing = 0, journal_id = opened, stage_since = clock_timestamp() WHERE id = r.id RETURNING state INTO state_now;
  -- A run that pays nobody is done with its release.
  IF r.item_count = 0 THEN UPDATE payout_run SET state = 'done', finished_at = now WHERE id = r.id RETURNING state INTO state_now; END IF;
  RETURN state_now;
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
        WHERE t.verdict = 'credit' AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.member_id = t.member_id AND d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT 'cold', t.value FROM incoming_transfer t WHERE t.verdict = 'credit' AND t.role = 'hot'
        AND t.from_address IN (SELECT address FROM custody_address WHERE role = 'cold')
        AND NOT EXISTS (SELECT FROM deposit_credit d WHERE d.member_id = t.member_id AND d.txid = t.txid AND d.position = t.position)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'deposits' ELSE 'hot' END, p.amount FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose <> 'trx_topup' AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT CASE p.purpose WHEN 'sweep' THEN 'hot' ELSE 'cold' END, -p.arrived FROM outgoing_transfer p
        WHERE p.state = 'settled' AND p.purpose IN ('sweep', 'surplus') AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
      UNION ALL SELECT role, -opening FROM custody_address a WHERE NOT EXISTS (SELECT FROM journal j WHERE j.key = 'opening:' || a.address)
    ) part GROUP BY wallet HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the books do not match what the wallets hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_stop_lifted_by_a_match';
  END IF;
  UPDATE payout_stop SET stopped = integrity_check_id IS NOT NULL, since = CASE WHEN integrity_check_id IS NOT NULL THEN since END,
    reason = NULL, check_id = NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.lock_operators()
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT pg_advisory_xact_lock(7045)
$function$
;
CREATE OR REPLACE FUNCTION public.may_propose(operator bigint, its_kind text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM member WHERE id = operator AND is_operator AND (its_kind NOT IN ('fund_pool', 'explain_difference', 'resume_payments', 'reverse_investment',
      'set_extra_percent', 'set_fundator')
    OR operator_role = 'admin' OR (operator_role = 'treasurer' AND its_kind NOT LIKE 'set%') OR (its_kind = 'explain_difference' AND operator_role = 'compliance')))
$function$
;
CREATE OR REPLACE FUNCTION public.member_of_a_free_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM refuse_frozen(NEW.id);
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.members_of(its_kind text, said jsonb)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF said ? 'member' THEN RETURN NEXT (said->>'member')::bigint; END IF;
  IF its_kind = 'reverse_investment' THEN
    RETURN QUERY SELECT p.member FROM investment i, parts_of_reversal(i) p WHERE i.id = (said->>'investment')::bigint;
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.microseconds(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT (extract(epoch FROM moment) * 1000000)::bigint::text
$function$
;
CREATE OR REPLACE FUNCTION public.move_chain_cursor(of_network text, numbers bigint[], ids text[], parents text[], times timestamp with time zone[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  c chain_cursor;
  last chain_cursor;
BEGIN
  IF NOT EXISTS (SELECT FROM installation WHERE network = of_network) THEN RETURN 'other_network'; END IF;
  SELECT * INTO c FROM chain_cursor WHERE network = of_network FOR UPDATE;
  IF c.network IS NULL OR coalesce(cardinality(numbers), 0) = 0 THEN RETURN 'elsewhere'; END IF;
  last := c;
  FOR place IN 1 .. cardinality(numbers) LOOP
    IF numbers[place] IS DISTINCT FROM last.scanned_block + 1 OR parents[place] IS DISTINCT FROM last.scanned_block_id THEN
      RETURN CASE place WHEN 1 THEN 'elsewhere' ELSE 'no_link' END;
    END IF;
    IF ids[place] IS NULL OR times[place] IS NULL OR NOT isfinite(times[place]) THEN RETURN 'no_link'; END IF;
    IF times[place] < last.scanned_at THEN RETURN 'time_goes_back'; END IF;
    last.scanned_block := numbers[place];
    last.scanned_block_id := ids[place];
    last.scanned_at := times[place];
  END LOOP;
  IF of_network <> 'devnet' THEN
    IF last.scanned_at > clock_timestamp() + interval '5 minutes' THEN RETURN 'time_ahead'; END IF;
    -- A block comes every three seconds, and a witness that is away leaves a gap.
    IF last.scanned_at - c.scanned_at > cardinality(numbers) * interval '1 minute' + (clock_timestamp() - c.moved_at) THEN
      RETURN 'time_leaps';
    END IF;
  END IF;
  UPDATE chain_cursor SET scanned_block = last.scanned_block, scanned_block_id = last.scanned_block_id, scanned_at = last.scanned_at,
    moved_at = clock_timestamp() WHERE network = of_network;
  RETURN 'moved';
END $function$
;
CREATE OR REPLACE FUNCTION public.move_hold(verb text, owner bigint, of_withdrawal bigint, of_balance bigint, of_principal bigint, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  dated timestamptz := CASE WHEN of_principal > 0 THEN hold_period(event_at) ELSE event_at END;
  posted record;
  movement bigint;
BEGIN
  SELECT * INTO posted FROM post_event(format('withdrawal:%s:%s', of_withdrawal, verb), 'withdrawal_' || verb, owner, dated,
    ARRAY[verb || '_balance', verb || '_principal']::posting_kind[], ARRAY[of_balance, of_principal]);
  IF of_principal > 0 THEN
    INSERT INTO principal_movement (member_id, withdrawal_id, amount, at)
      VALUES (owner, of_withdrawal, CASE verb WHEN 'hold' THEN -of_principal ELSE of_principal END, dated) RETURNING id INTO movement;
    IF verb = 'hold' THEN PERFORM take_principal(owner, movement, of_principal);
    ELSE PERFORM return_principal(owner, movement, of_withdrawal);
    END IF;
  END IF;
  RETURN posted.journal;
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
CREATE OR REPLACE FUNCTION public.move_house(kinds posting_kind[], amounts bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE change record;
BEGIN
  FOR change IN SELECT e.account, sum(e.amount)::bigint AS amount FROM unnest(kinds, amounts) AS m (kind, amount)
      JOIN posting_chart c ON c.kind = m.kind
      CROSS JOIN LATERAL (VALUES (c.destination, m.amount), (c.source, -m.amount)) AS e (account, amount)
    WHERE e.account IN ('pool:profit', 'pool:commission', 'company:capital', 'custody:deposits', 'custody:hot', 'custody:cold',
      'due:profit', 'due:commission')
    GROUP BY e.account HAVING sum(e.amount) <> 0 ORDER BY e.account
  LOOP
    IF change.account IN ('custody:deposits', 'custody:hot', 'custody:cold') THEN
      UPDATE custody_balance SET amount = amount - change.amount WHERE account = change.account::text;
    ELSE
      UPDATE house_balance SET amount = amount + change.amount WHERE account = change.account;
    END IF;
  END LOOP;
END $function$
;
CREATE OR REPLACE FUNCTION public.move_receivables(owner bigint, kinds posting_kind[], amounts bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE part record;
BEGIN
  FOR part IN SELECT p.pool, coalesce(sum(amount) FILTER (WHERE kind = ('owed_' || p.pool)::posting_kind), 0) AS owed,
      coalesce(sum(amount) FILTER (WHERE kind = ('repay_' || p.pool)::posting_kind), 0) AS repaid,
      coalesce(sum(amount) FILTER (WHERE kind = ('recover_' || p.pool)::posting_kind), 0) AS recovered
    FROM (VALUES ('commission'), ('profit')) AS p (pool), unnest(kinds, amounts) AS m (kind, amount) GROUP BY p.pool ORDER BY p.pool
  LOOP
    IF part.repaid <> part.recovered THEN
      RAISE EXCEPTION 'what is recovered must settle as much of what is owed'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'recovery_settles_what_is_owed';
    END IF;
    IF part.owed > 0 THEN
      INSERT INTO member_receivable (member_id, pool, amount) VALUES (owner, part.pool, 0) ON CONFLICT DO NOTHING;
    END IF;
    UPDATE member_receivable SET amount = amount + part.owed - part.repaid WHERE member_id = owner AND pool = part.pool AND part.owed <> part.repaid;
    IF NOT FOUND AND part.owed <> part.repaid THEN
      RAISE EXCEPTION 'nothing is owed' USING ERRCODE = 'check_violation', CONSTRAINT = 'receivable_not_below_zero';
    END IF;
  END LOOP;
END $function$
;
CREATE OR REPLACE FUNCTION public.named(of_member bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT jsonb_build_object('member', id::text, 'username', username) FROM member WHERE id = of_member
$function$
;
CREATE OR REPLACE FUNCTION public.netstrings(VARIADIC texts text[])
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT convert_to(string_agg(CASE WHEN t IS NULL THEN '-' ELSE octet_length(t) || ':' || t END, '' ORDER BY place), 'UTF8')
  FROM unnest(texts) WITH ORDINALITY AS list (t, place)
$function$
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
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT member_id) FROM fresh));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.notify_operators()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_notify('member_notices', 'console 0');
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.objections_to(r payout_run)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  plan jsonb := (SELECT document FROM plan_version WHERE version = r.plan_version);
  guards jsonb := coalesce(plan->'guards', '{"changePercent": "50", "changeFrom": "1000", "memberMost": "100000", "runMost": "100000000"}');
  smallest numeric := (guards->>'changeFrom')::numeric * 1000000;
  member_most bigint := (guards->>'memberMost')::numeric * 1000000;
  run_most bigint := (guards->>'runMost')::numeric * 1000000;
  current bigint := CASE r.kind WHEN 'direct' THEN r.item_sum ELSE r.comparable END;
  before bigint;
  own numeric;
  paid numeric;
  base numeric;
  found jsonb := '[]';
BEGIN
  IF r.kind = 'passive' AND split_part(r.rate, '/', 1)::numeric * 100 * (plan->'passive'->>'periodDays')::numeric
      > (plan->'passive'->>'percentPerPeriod')::numeric * split_part(r.rate, '/', 2)::numeric THEN
    found := found || jsonb_build_object('check', 'rate_above_plan', 'rate',
      trim_scale(trunc(split_part(r.rate, '/', 1)::numeric * 100 / split_part(r.rate, '/', 2)::numeric, 6))::text);
  END IF;
  IF r.kind = 'direct' THEN
    own := (SELECT sum(amount) FROM investment WHERE id BETWEEN r.first_investment AND r.last_investment);
    WITH earlier AS (SELECT e.item_sum, e.last_investment, (SELECT sum(i.amount) FROM investment i WHERE i.id BETWEEN e.first_investment AND e.last_investment) AS invested
      FROM payout_run e WHERE e.kind = 'direct' AND e.state IN ('released', 'posting', 'done') AND e.last_investment < r.first_investment
      ORDER BY e.last_investment DESC LIMIT 20),
    counted AS (SELECT item_sum, invested, sum(invested) OVER (ORDER BY last_investment DESC) - invested AS later FROM earlier)
    SELECT sum(c.item_sum), sum(c.invested) INTO paid, base FROM counted c WHERE c.later < own;
    before := div(paid * own, base);
  ELSE
    SELECT e.comparable INTO before FROM payout_run e WHERE e.kind = r.kind AND e.period < r.period AND e.comparable IS NOT NULL
      AND e.state IN ('released', 'posting', 'done') ORDER BY e.period DESC LIMIT 1;
  END IF;
  IF current IS NOT NULL AND before IS NOT NULL AND (current >= smallest OR before >= smallest)
    AND abs(current - before) > div(before * (guards->>'changePercent')::numeric, 100) THEN
    found := found || CASE r.kind WHEN 'direct' THEN jsonb_build_object('check', 'direct_rate_changed',
        'now', trim_scale(trunc(current * 100::numeric / own, 2))::text, 'before', trim_scale(trunc(before * 100::numeric / own, 2))::text)
      ELSE jsonb_build_object('check', 'change_too_large', 'now', current::text, 'before', before::text) END;
  END IF;
  IF r.item_largest > member_most THEN
    found := found || jsonb_build_object('check', 'member_above_cap', 'largest', r.item_largest::text, 'limit', member_most::text);
  END IF;
  IF r.item_sum > run_most THEN found := found || jsonb_build_object('check', 'run_above_cap', 'limit', run_most::text); END IF;
  RETURN found;
END $function$
;
CREATE OR REPLACE FUNCTION public.open_invoice(owner bigint, of_invoice bigint)
 RETURNS invoice
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE i invoice;
BEGIN
  SELECT * INTO i FROM invoice WHERE member_id = owner AND id = of_invoice AND state = 'open' FOR NO KEY UPDATE;
  IF i.id IS NULL THEN
    RAISE EXCEPTION 'the invoice % is not open', of_invoice USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_is_open';
  END IF;
  RETURN i;
END $function$
;
CREATE OR REPLACE FUNCTION public.open_member_accounts(new_member_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = new_member_id) THEN
    RAISE EXCEPTION 'accounts belong to a member' USING ERRCODE = 'foreign_key_violation';
  END IF;
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
CREATE OR REPLACE FUNCTION public.outgoing_transfer_keeps_trace()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  SELECT traceparent INTO NEW.traceparent FROM withdrawal WHERE member_id = NEW.member_id AND id = NEW.withdrawal_id;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.overrule_payout_run(of_run bigint, operator bigint, remark text, now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE r payout_run := held_run(of_run, operator);
BEGIN
  UPDATE payout_run SET overruled_by = operator, overruled_at = now, note = coalesce(nullif(remark, ''), note) WHERE id = r.id;
END $function$
;
CREATE OR REPLACE FUNCTION public.partitions_short()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT t.whole FROM (VALUES ('posting', (SELECT ledger_part())),
      ('payout_page', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run)),
      ('payout_item', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run)),
      ('payout_missed', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run))) AS t (whole, used)
  WHERE to_regclass(t.whole || '_' || t.used) IS NULL OR to_regclass(t.whole || '_' || t.used + 1) IS NULL
  ORDER BY t.whole
$function$
;
CREATE OR REPLACE FUNCTION public.parts_of_reversal(taken investment)
 RETURNS TABLE(member bigint, pool text, amount bigint, run bigint, item_leg integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT member, pool, amount, run, item_leg FROM (
    SELECT i.member_id AS member, 'commission' AS pool, coalesce(s.amount, i.amount) AS amount, i.run_id AS run, i.leg AS item_leg, i.level AS place
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = (commissions_of(taken.id)).id AND i.investment_id = taken.id
    UNION ALL SELECT taken.member_id, 'profit', passive_share(taken), NULL, NULL, 2147483647) part
  WHERE amount > 0 ORDER BY place, member
$function$
;
CREATE OR REPLACE FUNCTION public.pass_over_deposit_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE deposit_address SET passed_over = true WHERE member_id IS NULL AND NOT passed_over;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.passive_part(principal numeric, basis bigint, paid bigint, rate text, multiple numeric, earned bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE WHEN principal <= 0 OR passive_profit(basis, rate, multiple, earned) = 0 THEN 0
    ELSE div(passive_profit(principal, rate, multiple, earned) * paid, passive_profit(basis, rate, multiple, earned)) END
$function$
;
CREATE OR REPLACE FUNCTION public.passive_profit(principal numeric, rate text, multiple numeric, earned bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT greatest(0, least(div(principal * split_part(rate, '/', 1)::numeric, split_part(rate, '/', 2)::numeric), trunc(principal * multiple) - earned))
$function$
;
CREATE OR REPLACE FUNCTION public.passive_share(taken investment)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce(sum(passive_part(day.standing, day.basis, day.paid, day.rate, day.multiple, day.earned)
    - passive_part(day.standing - taken.amount, day.basis, day.paid, day.rate, day.multiple, day.earned)), 0)::bigint
  FROM (
    SELECT r.rate, p.bases[at.i] AS basis, coalesce(p.earned[at.i], 0) AS earned, coalesce(s.amounts[at.i], p.amounts[at.i]) AS paid,
      (v.document->'passive'->>'capMultiple')::numeric AS multiple,
      p.bases[at.i] - coalesce((SELECT sum(w.amount) FROM reversal w JOIN investment n ON n.member_id = w.member_id AND n.id = w.investment_id
        WHERE w.member_id = taken.member_id AND n.credited_at < r.cutoff_at AND w.at >= r.cutoff_at), 0) AS standing
    FROM payout_run r JOIN plan_version v ON v.version = r.plan_version
      JOIN payout_page p ON p.run_id = r.id AND p.block = taken.member_id / 1024
      CROSS JOIN LATERAL (SELECT array_position(p.members, taken.member_id) AS i) at
      LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE r.kind = 'passive' AND r.state <> 'cancelled' AND r.cutoff_at > taken.credited_at AND at.i IS NOT NULL
  ) day
$function$
;
CREATE OR REPLACE FUNCTION public.payout_page_counts_itself()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.item_count := cardinality(NEW.members);
  NEW.item_sum := (SELECT sum(amount) FROM unnest(NEW.amounts) AS amount);
  NEW.hash := encode(sha256(convert_to(NEW.members::text || NEW.bases::text || NEW.amounts::text || coalesce(NEW.earned::text, ''), 'UTF8')), 'hex');
  IF (cardinality(NEW.bases), cardinality(NEW.amounts), coalesce(cardinality(NEW.earned), NEW.item_count))
      IS DISTINCT FROM (NEW.item_count, NEW.item_count, NEW.item_count) OR 0 >= ANY (NEW.amounts) THEN
    RAISE EXCEPTION 'a page has an amount for each of its members' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_page_is_whole';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.payout_run_begins()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION 'a run begins with its computing' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_begins';
END $function$
;
CREATE OR REPLACE FUNCTION public.payout_run_goes_forward()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NEW.state <> OLD.state AND NOT ((OLD.state, NEW.state) = ('computing', 'sealed')
      OR (current_user = 'aval_ledger' AND (OLD.state, NEW.state) IN (('sealed', 'held'), ('sealed', 'cancelled'), ('held', 'cancelled'),
        ('sealed', 'released'), ('held', 'released'), ('released', 'posting'), ('released', 'done'), ('posting', 'done')))) THEN
    RAISE EXCEPTION 'a run does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_goes_forward';
  END IF;
  IF (NEW.id, NEW.kind, NEW.period, NEW.cutoff_at, NEW.plan_version, NEW.at, NEW.first_investment, NEW.last_investment, NEW.as_of)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.period, OLD.cutoff_at, OLD.plan_version, OLD.at, OLD.first_investment, OLD.last_investment, OLD.as_of)
    OR (OLD.rate IS NOT NULL AND (NEW.rate, NEW.declared_id) IS DISTINCT FROM (OLD.rate, OLD.declared_id))
    OR (OLD.state <> 'computing' AND (NEW.input_hash, NEW.items_hash, NEW.item_count, NEW.item_sum, NEW.item_largest, NEW.inputs, NEW.comparable, NEW.not_paid,
        NEW.rate, NEW.declared_id)
      IS DISTINCT FROM (OLD.input_hash, OLD.items_hash, OLD.item_count, OLD.item_sum, OLD.item_largest, OLD.inputs, OLD.comparable, OLD.not_paid,
        OLD.rate, OLD.declared_id))
    OR (current_user <> 'aval_ledger' AND ((OLD.state <> 'computing' AND (NEW.payable, NEW.prorated, NEW.objections)
        IS DISTINCT FROM (OLD.payable, OLD.prorated, OLD.objections))
      OR (NEW.journal_id, NEW.posted_count, NEW.overruled_by, NEW.overruled_at) IS DISTINCT FROM (OLD.journal_id, OLD.posted_count, OLD.overruled_by, OLD.overruled_at))) THEN
    RAISE EXCEPTION 'what is sealed never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_sealed';
  END IF;
  IF OLD.rate IS NULL AND NEW.rate IS NOT NULL AND (NEW.declared_id IS DISTINCT FROM (SELECT max(id) FROM declared_rate WHERE day = NEW.period)
      OR NEW.cutoff_at > (SELECT closed_until FROM period_close)) THEN
    RAISE EXCEPTION 'a day pays what was declared last' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_at_its_rate';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.payout_run_seals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  plan jsonb := (SELECT document FROM plan_version WHERE version = NEW.plan_version);
  impossible text := CASE NEW.kind WHEN 'direct' THEN impossible_direct(NEW, plan) ELSE impossible_day(NEW) END;
  paid record;
BEGIN
  IF impossible IS NULL AND NEW.kind = 'passive' THEN impossible := impossible_passive(NEW, plan); END IF;
  IF impossible IS NULL AND NEW.kind = 'binary' THEN impossible := impossible_binary(NEW, plan); END IF;
  IF impossible IS NOT NULL THEN
    RAISE EXCEPTION 'no plan pays the run %: %', NEW.id, impossible USING ERRCODE = 'check_violation', CONSTRAINT = impossible;
  END IF;
  SELECT sum(items) AS items, sum(amount) AS amount, max(most) AS most INTO paid FROM (
    SELECT coalesce(sum(n), 0) AS items, coalesce(sum(total), 0) AS amount, coalesce(max(total), 0) AS most
    FROM (SELECT count(*) AS n, sum(amount) AS total FROM payout_item WHERE run_id = NEW.id GROUP BY member_id) members
    UNION ALL SELECT coalesce(sum(item_count), 0), coalesce(sum(item_sum), 0), coalesce(max((SELECT max(amount) FROM unnest(amounts) AS amount)), 0)
    FROM payout_page WHERE run_id = NEW.id) kinds;
  NEW.items_hash := seal_payout_run(NEW.id);
  NEW.item_count := paid.items;
  NEW.item_sum := paid.amount;
  NEW.item_largest := paid.most;
  NEW.payable := paid.amount;
  NEW.not_paid := (SELECT coalesce(sum(amount), 0) FROM payout_missed WHERE run_id = NEW.id);
  NEW.comparable := CASE NEW.kind WHEN 'binary' THEN paid.amount END;
  IF NEW.kind = 'passive' AND split_part(NEW.rate, '/', 1) <> '0' THEN
    NEW.comparable := div(paid.amount * (plan->'passive'->>'percentPerPeriod')::numeric * split_part(NEW.rate, '/', 2)::numeric,
      100 * (plan->'passive'->>'periodDays')::numeric * split_part(NEW.rate, '/', 1)::numeric);
  END IF;
  NEW.objections := '[]';
  NEW.prorated := false;
  NEW.missing := 0;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.payouts_of_part(of_part bigint)
 RETURNS SETOF archived_payout
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT * FROM archived_payout WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072
  UNION ALL
  SELECT (member_id / 1024)::integer, journal_id, kind, at, array_agg((member_id % 1024)::smallint ORDER BY member_id, leg),
    CASE WHEN max(leg) > 0 THEN array_agg(leg ORDER BY member_id, leg) END, array_agg(amount ORDER BY member_id, leg)
  FROM posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind IN ('passive', 'direct', 'master', 'binary')
  GROUP BY journal_id, kind, member_id / 1024, at
$function$
;
CREATE OR REPLACE FUNCTION public.pool_of(r payout_run)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT amount FROM house_balance WHERE account = (CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account
$function$
;
CREATE OR REPLACE FUNCTION public.post_event(event_key text, event_kind text, owner bigint, event_at timestamp with time zone, kinds posting_kind[], amounts bigint[], OUT journal bigint, OUT replayed boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  hash text := encode(sha256(convert_to(concat_ws('|', event_kind, owner, (SELECT string_agg(kind || ':' || amount, '|' ORDER BY place)
    FROM unnest(kinds, amounts) WITH ORDINALITY AS m (kind, amount, place))), 'UTF8')), 'hex');
  known text;
  moved record;
BEGIN
  INSERT INTO journal (key, kind, at, input_hash) VALUES (event_key, event_kind, event_at, hash)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO journal;
  replayed := journal IS NULL;
  IF replayed THEN
    SELECT id, input_hash INTO journal, known FROM journal j WHERE j.key = event_key;
    IF known <> hash THEN
      RAISE EXCEPTION 'the idempotency key % was used for another event', event_key
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'journal_key_of_another_event';
    END IF;
    RETURN;
  END IF;

  WITH movement AS (
    SELECT m.kind, m.amount, c.source, c.destination, (row_number() OVER (ORDER BY m.place) - 1)::integer AS leg
    FROM unnest(kinds, amounts) WITH ORDINALITY AS m (kind, amount, place) JOIN posting_chart c ON c.kind = m.kind WHERE m.amount <> 0
  ), posted AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT owner, journal, leg, kind, source, destination, amount, event_at FROM movement
  )
  SELECT count(*) AS rows, bool_or('principal' IN (source, destination)) AS of_principal,
    bool_or('pending' IN (source, destination)) AS of_pending,
    bool_or('receivable' IN (source, destination) OR kind IN ('recover_profit', 'recover_commission')) AS of_receivable,
    sum(CASE 'principal'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS principal,
    sum(CASE 'balance'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS balance,
    sum(CASE 'held'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS held,
    sum(CASE 'pending'::ledger_account WHEN destination THEN amount WHEN source THEN -amount ELSE 0 END) AS pending,
    sum(CASE WHEN kind IN ('clawback_profit', 'owed_profit') THEN amount ELSE 0 END) AS profit_taken_back,
    sum(CASE WHEN kind IN ('clawback_commission', 'owed_commission') THEN amount ELSE 0 END) AS commission_taken_back
  INTO moved FROM movement;
  IF moved.rows = 0 THEN RETURN; END IF;

  IF moved.of_principal AND hold_period(event_at) > event_at THEN
    RAISE EXCEPTION 'principal cannot change inside a closed period' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_in_open_period';
  END IF;
  IF owner <> 0 THEN
    UPDATE member_balance SET principal = principal + moved.principal, balance = balance + moved.balance, held = held + moved.held,
      earned = earned - moved.profit_taken_back - moved.commission_taken_back, earned_passive = earned_passive - moved.profit_taken_back
    WHERE member_id = owner;
    IF NOT FOUND THEN RAISE EXCEPTION 'posting for a member without accounts' USING ERRCODE = 'foreign_key_violation'; END IF;
  END IF;
  IF moved.of_pending THEN
    INSERT INTO member_pending AS p (member_id, amount) VALUES (owner, 0) ON CONFLICT DO NOTHING;
    UPDATE member_pending SET amount = amount + moved.pending WHERE member_id = owner;
  END IF;
  IF moved.of_receivable THEN PERFORM move_receivables(owner, kinds, amounts); END IF;
  PERFORM move_house(kinds, amounts);
  IF owner <> 0 THEN PERFORM pg_notify('member_notices', 'money ' || owner); END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.post_items(r payout_run, b payout_batch, OUT sealed bigint, OUT members bigint, OUT credited bigint, OUT amount bigint, OUT first bigint, OUT last bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  WITH item AS MATERIALIZED (
    SELECT i.member_id, i.leg, i.kind, coalesce(s.amount, i.amount) AS amount
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = r.id AND i.member_id BETWEEN b.first_member_id AND b.last_member_id
  ), entry AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT i.member_id, r.journal_id, i.leg, i.kind, 'due:commission', 'balance', i.amount, r.at FROM item i WHERE i.amount > 0 ORDER BY i.member_id, i.leg
  ), delta AS MATERIALIZED (
    SELECT i.member_id, sum(i.amount) AS amount, coalesce(sum(i.amount) FILTER (WHERE i.kind = 'binary'), 0) AS matched
    FROM item i WHERE i.amount > 0 GROUP BY i.member_id
  ), balance AS (
    UPDATE member_balance m SET balance = m.balance + d.amount, earned = m.earned + d.amount, earned_binary = m.earned_binary + d.matched
    FROM delta d WHERE m.member_id = d.member_id AND m.member_id BETWEEN b.first_member_id AND b.last_member_id RETURNING 1
  )
  SELECT (SELECT count(*) FROM item), count(*), (SELECT count(*) FROM balance), coalesce(sum(d.amount), 0), min(d.member_id), max(d.member_id)
  INTO sealed, members, credited, amount, first, last FROM delta d;
END $function$
;
CREATE OR REPLACE FUNCTION public.post_pages(r payout_run, b payout_batch, OUT sealed bigint, OUT members bigint, OUT credited bigint, OUT amount bigint, OUT first bigint, OUT last bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
BEGIN
  WITH page AS MATERIALIZED (
    SELECT p.item_count, p.members, coalesce(s.amounts, p.amounts) AS amounts
    FROM payout_page p LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE p.run_id = r.id AND p.block BETWEEN b.first_member_id / 1024 AND b.last_member_id / 1024 ORDER BY p.block
  ), item AS MATERIALIZED (
    SELECT i.member_id, i.amount FROM page n, unnest(n.members, n.amounts) AS i (member_id, amount) WHERE i.amount > 0
  ), entry AS (
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT i.member_id, r.journal_id, 0, 'passive', 'due:profit', 'balance', i.amount, r.at FROM item i
  ), balance AS (
    UPDATE member_balance m SET balance = m.balance + i.amount, earned = m.earned + i.amount, earned_passive = m.earned_passive + i.amount,
      passive_days = m.passive_days + 1
    -- Bounded on both sides: a merge that begins at the first member of all would read the whole table once a batch.
    FROM item i WHERE m.member_id = i.member_id AND m.member_id BETWEEN b.first_member_id AND b.last_member_id RETURNING 1
  )
  SELECT (SELECT coalesce(sum(item_count), 0) FROM page), count(*), (SELECT count(*) FROM balance), coalesce(sum(i.amount), 0), min(i.member_id), max(i.member_id)
  INTO sealed, members, credited, amount, first, last FROM item i;
END $function$
;
CREATE OR REPLACE FUNCTION public.post_payout_batch(of_run bigint, now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
  b payout_batch;
  posted record;
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN RETURN false; END IF;
  SELECT * INTO r FROM payout_run WHERE id = of_run AND state IN ('released', 'posting');
  SELECT * INTO b FROM payout_batch WHERE run_id = r.id AND NOT payout_batch.posted ORDER BY number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF b.run_id IS NULL THEN RETURN false; END IF;
  IF r.kind = 'passive' THEN posted := post_pages(r, b); ELSE posted := post_items(r, b); END IF;
  IF posted.sealed <> b.item_count OR posted.credited <> posted.members THEN
    RAISE EXCEPTION 'the batch % of run % posts % items of %, to % members of %', b.number, r.id, posted.sealed, b.item_count, posted.credited, posted.members
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'payout_batch_is_whole';
  END IF;
  -- One notice a batch, with the range of its members (see 0019).
  IF posted.members > 0 THEN PERFORM pg_notify('member_notices', format('money %s-%s', posted.first, posted.last)); END IF;
  UPDATE house_balance SET amount = amount - posted.amount WHERE account = (CASE r.kind WHEN 'passive' THEN 'due:profit' ELSE 'due:commission' END)::ledger_account;
  UPDATE payout_batch SET posted = true WHERE run_id = r.id AND number = b.number;
  UPDATE payout_run SET posted_count = posted_count + b.item_count, state = CASE WHEN posted_count + b.item_count = item_count THEN 'done' ELSE 'posting' END,
    finished_at = CASE WHEN posted_count + b.item_count = item_count THEN now END,
    stage_since = CASE WHEN posted_count + b.item_count = item_count THEN clock_timestamp() ELSE stage_since END WHERE id = r.id;
  RETURN true;
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
CREATE OR REPLACE FUNCTION public.principal_before(instant timestamp with time zone)
 RETURNS TABLE(member_id bigint, principal bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH later AS MATERIALIZED (
    SELECT c.member_id, sum(c.amount) AS amount FROM (
      SELECT i.member_id, i.amount FROM investment i WHERE i.credited_at >= instant
      UNION ALL SELECT v.member_id, -v.amount FROM reversal v WHERE v.at >= instant
      UNION ALL SELECT m.member_id, m.amount FROM principal_movement m WHERE m.at >= instant) c GROUP BY c.member_id)
  SELECT b.member_id, (b.principal - coalesce(l.amount, 0))::bigint FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
$function$
;
CREATE OR REPLACE FUNCTION public.propose_decision(its_kind text, given jsonb, its_document text, operator bigint, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
  said jsonb;
  about text;
  why text;
  starts timestamptz;
  made bigint;
BEGIN
  IF NOT may_propose(operator, its_kind) THEN
    RAISE EXCEPTION 'operators decide' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_by_an_operator';
  END IF;
  IF jsonb_typeof(given) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(given) AS each (name, said)
      WHERE name !~ '^[a-z][a-z0-9_]{0,39}$' OR jsonb_typeof(each.said) <> 'string' OR length(each.said #>> '{}') > 1000) THEN
    RAISE EXCEPTION 'a statement has short texts by name' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_statement';
  END IF;
  IF its_kind IN ('run_release', 'run_prorate') THEN
    -- Or it is cancelled before anybody sees this decision, which then stays open.
    SELECT * INTO r FROM payout_run WHERE id = (given->>'run')::bigint FOR NO KEY UPDATE;
    why := run_refusal(r, its_kind, pool_of(r));
    IF why IS NOT NULL THEN
      RAISE EXCEPTION 'a run is decided about while it is held' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || why;
    END IF;
    said := statement_of_run(r, pool_of(r), coalesce(given->>'note', ''));
    about := 'run:' || r.id;
  ELSIF its_kind = 'plan' THEN
    starts := company_day_start((given->>'starts_on')::date);
    IF (starts > at AND jsonb_typeof(its_document::jsonb) = 'object') IS NOT TRUE THEN
      RAISE EXCEPTION 'a plan starts later' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_plan_start_passed';
    END IF;
    said := jsonb_build_object('starts_on', given->>'starts_on', 'starts_at', to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'sha256', encode(sha256(convert_to(its_document, 'UTF8')), 'hex'));
    about := 'plan:' || (given->>'starts_on');
  ELSE
    SELECT * INTO said, about FROM statement_of_act(its_kind, given);
    IF said IS NULL OR about IS NULL OR said ? 'refused' THEN
      RAISE EXCEPTION 'that cannot be proposed now' USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_' || coalesce(said->>'refused', 'kind');
    END IF;
  END IF;
  PERFORM hold_lock('decisions'); -- counted one at a time
  UPDATE decision SET state = 'refused', refusal = 'decision_expired', ended_at = at WHERE state = 'open' AND expires_at <= clock_timestamp();
  IF (SELECT count(*) >= 50 FROM decision WHERE state = 'open' AND kind <> 'member_key') THEN
    RAISE EXCEPTION 'too many decisions wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'decisions_waiting';
  END IF;
  INSERT INTO decision (kind, subject, statement, document, proposed_by, proposed_at)
    VALUES (its_kind, about, said, CASE WHEN its_kind = 'plan' THEN its_document END, operator, at) RETURNING id INTO made;
  RETURN made;
END $function$
;
CREATE OR REPLACE FUNCTION public.prorate_payout_run(of_run bigint, operator bigint, remark text, now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run := held_run(of_run, operator);
  available bigint := hold_pool((CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account);
BEGIN
  IF r.objections <> '[]' AND r.overruled_by IS NULL OR available NOT BETWEEN 1 AND r.payable - 1 THEN
    RAISE EXCEPTION 'a run is shared out for want of money alone' USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_short';
  END IF;
  WITH part AS (
    SELECT p.block, i.place, div(i.amount::numeric * available, r.item_sum) AS share, mod(i.amount::numeric * available, r.item_sum) AS remainder
    FROM payout_page p, unnest(p.amounts) WITH ORDINALITY AS i (amount, place) WHERE p.run_id = r.id
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY remainder DESC, block, place) AS rank, available - sum(share) OVER () AS over FROM part
  )
  INSERT INTO payout_page_share (run_id, block, amounts)
    SELECT r.id, block, array_agg((share + (rank <= over)::integer)::bigint ORDER BY place) FROM ranked GROUP BY block;
  WITH part AS (
    SELECT member_id, leg, div(i.amount::numeric * available, r.item_sum) AS share, mod(i.amount::numeric * available, r.item_sum) AS remainder
    FROM payout_item i WHERE run_id = r.id
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY remainder DESC, member_id, leg) AS rank, available - sum(share) OVER () AS over FROM part
  )
  INSERT INTO payout_share (run_id, member_id, leg, amount) SELECT r.id, member_id, leg, (share + (rank <= over)::integer)::bigint FROM ranked;
  UPDATE payout_run SET overruled_by = operator, overruled_at = now, note = coalesce(nullif(remark, ''), note), prorated = true, payable = available,
    missing = 0 WHERE id = r.id RETURNING * INTO r;
  IF (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'the run % is not to be released', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_released';
  END IF;
  PERFORM let_payout_run_go(r, now);
  RETURN available;
END $function$
;
CREATE OR REPLACE FUNCTION public.purge_closed_accounts(as_of timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  moment timestamptz := least(as_of, clock_timestamp());
  closed bigint;
  done integer := 0;
BEGIN
  FOR closed IN SELECT member_id FROM closed_account WHERE traces_erased_at IS NULL AND closed_at < moment - interval '90 days'
    ORDER BY closed_at LIMIT most LOOP
    PERFORM erase_audit_details(closed);
    DELETE FROM mail_message WHERE member_id = closed;
    DELETE FROM support_message WHERE member_id = closed;
    DELETE FROM support_thread WHERE member_id = closed;
    DELETE FROM refresh_token WHERE member_id = closed;
    DELETE FROM session WHERE member_id = closed;
    UPDATE closed_account SET traces_erased_at = moment WHERE member_id = closed;
    done := done + 1;
  END LOOP;
  FOR closed IN DELETE FROM closed_account WHERE member_id IN (
    SELECT member_id FROM closed_account WHERE keep_until < moment AND traces_erased_at IS NOT NULL ORDER BY keep_until LIMIT most)
    RETURNING member_id LOOP
    PERFORM record_audit(moment, NULL, 'account.purge', 'done', 'member:' || closed, '{}');
    done := done + 1;
  END LOOP;
  RETURN done;
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
CREATE OR REPLACE FUNCTION public.rate_of_day(r payout_run, plan jsonb, OUT percent numeric, OUT days numeric)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  days := 1;
  IF (plan->'passive'->>'weekdaysOnly')::boolean AND extract(isodow FROM day_of_period(r.period)) > 5 THEN
    percent := 0;
  ELSIF r.declared_id IS NOT NULL THEN
    percent := (SELECT percentage::numeric FROM declared_rate WHERE id = r.declared_id AND day = r.period);
  ELSE
    percent := (plan->'passive'->>'percentPerPeriod')::numeric;
    days := (plan->'passive'->>'periodDays')::numeric;
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_audit(its_at timestamp with time zone, its_actor bigint, its_action text, its_outcome text, its_subject text, its_details jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_current_xact_id();
  INSERT INTO audit_event (at, actor_id, action, outcome, subject, details, details_hash)
  VALUES (its_at, its_actor, its_action, its_outcome, its_subject, its_details, sha256(netstrings(its_details::text)));
END $function$
;
CREATE OR REPLACE FUNCTION public.record_audits(its_at timestamp with time zone, its_actor bigint, its_action text, its_outcome text, subjects text[], their_details jsonb[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_current_xact_id(); -- before a row's number is drawn, as in `record_audit`
  INSERT INTO audit_event (at, actor_id, action, outcome, subject, details, details_hash)
  SELECT its_at, its_actor, its_action, its_outcome, e.subject, e.details, sha256(netstrings(e.details::text))
  FROM unnest(subjects, their_details) WITH ORDINALITY AS e (subject, details, place) ORDER BY e.place;
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
  its_role text := 'deposit';
  its_verdict text := new_verdict;
BEGIN
  -- Locked, so that nobody claims it meanwhile. The company's wallets come first: no row makes one a member's.
  SELECT role, 0 INTO its_role, owner FROM custody_address WHERE address = new_to;
  IF NOT FOUND THEN
    SELECT 'deposit', member_id INTO STRICT its_role, owner FROM deposit_address WHERE address = new_to AND key_index IS NOT NULL FOR UPDATE;
  END IF;
  IF owner IS NULL THEN
    owner := 0;
    IF new_verdict = 'credit' THEN its_verdict := 'unclaimed'; END IF;
    UPDATE deposit_address SET passed_over = true WHERE address = new_to;
  END IF;
  INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value, role)
  VALUES (new_txid, new_position, owner, new_block, new_block_at, its_verdict, new_contract, new_from, new_to, new_value, its_role)
  ON CONFLICT (txid, position) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  IF its_verdict = 'credit' THEN
    PERFORM move_holding(new_to, its_role, owner, new_value::bigint, new_block);
    -- The hot wallet is refilled from the cold one by hand: no outgoing transfer of ours says that the cold one holds less now.
    IF its_role = 'hot' AND EXISTS (SELECT FROM custody_address WHERE address = new_from AND role = 'cold') THEN
      PERFORM move_holding(new_from, 'cold', 0, -new_value::bigint, new_block);
    END IF;
    -- The job has no queue of its own: it takes the member's lock, and credits in the chain's order.
    PERFORM enqueue_credit(new_txid, new_position);
  END IF;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_integrity_check(seen text[], seen_at timestamp with time zone, OUT recorded bigint, OUT outcome text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  stop payout_stop;
  last integrity_check;
BEGIN
  SELECT * INTO stop FROM payout_stop FOR UPDATE;
  SELECT * INTO last FROM integrity_check ORDER BY id DESC LIMIT 1;
  IF last.differences = seen THEN
    UPDATE integrity_check SET confirmed_at = greatest(at, seen_at) WHERE id = last.id RETURNING id INTO recorded;
  ELSE
    INSERT INTO integrity_check (at, confirmed_at, differences) VALUES (seen_at, seen_at, seen) RETURNING id INTO recorded;
  END IF;
  outcome := 'none';
  IF cardinality(seen) > 0 AND stop.integrity_check_id IS NULL THEN
    UPDATE payout_stop SET stopped = true, since = coalesce(since, seen_at), integrity_check_id = recorded;
    outcome := 'stopped';
  ELSIF cardinality(seen) > 0 AND last.differences IS DISTINCT FROM seen THEN
    outcome := 'other';
  ELSIF cardinality(seen) = 0 AND stop.integrity_check_id IS NOT NULL THEN
    UPDATE payout_stop SET integrity_check_id = NULL, stopped = reason IS NOT NULL, since = CASE WHEN reason IS NOT NULL THEN since END;
    outcome := 'lifted';
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_investment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM record_audit(clock_timestamp(), NEW.member_id, 'investment.make', 'done', 'investment:' || NEW.id, jsonb_build_object(
    'amount', round(NEW.amount / 1000000.0, 6)::text, 'from_balance', NEW.from_balance, 'by', session_user));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_joining()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM record_audit(clock_timestamp(), NEW.id, 'member.join', 'done', 'member:' || NEW.id, jsonb_build_object('by', session_user));
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_payout_audit(of_run bigint, its_hash text, its_count integer, its_sum bigint, its_differences jsonb, its_reason text, its_version text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
  said text;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  SELECT verdict INTO said FROM payout_audit WHERE run_id = r.id AND verdict <> 'unable';
  IF said IS NOT NULL THEN RETURN said; END IF;
  IF (r.state IN ('sealed', 'held')) IS NOT TRUE THEN RETURN 'late'; END IF;
  said := CASE WHEN its_hash IS NULL THEN 'unable'
    WHEN (its_hash, its_count, its_sum, its_differences) IS NOT DISTINCT FROM (r.items_hash, r.item_count, r.item_sum, '[]'::jsonb) THEN 'matches'
    ELSE 'differs' END;
  INSERT INTO payout_audit AS a (run_id, verdict, items_hash, item_count, item_sum, differences, reason, version)
    VALUES (r.id, said, its_hash, its_count, its_sum, its_differences, its_reason, its_version)
    ON CONFLICT (run_id) DO UPDATE SET verdict = excluded.verdict, items_hash = excluded.items_hash, item_count = excluded.item_count,
      item_sum = excluded.item_sum, differences = excluded.differences, reason = excluded.reason, version = excluded.version, at = excluded.at;
  IF said = 'differs' THEN
    UPDATE payout_run SET state = 'held', objections = objections || '[{"check": "computed_otherwise"}]',
      stage_since = CASE state WHEN 'held' THEN stage_since ELSE clock_timestamp() END WHERE id = r.id;
  ELSIF said = 'matches' THEN
    PERFORM enqueue_resumption();
  END IF;
  RETURN said;
END $function$
;
CREATE OR REPLACE FUNCTION public.record_security_event(of_member bigint, its_kind text, its_at timestamp with time zone, its_user_agent text, its_ip text, its_details jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE recorded bigint;
BEGIN
  PERFORM pg_current_xact_id();
  INSERT INTO security_event (member_id, kind, at, user_agent, ip, details, details_hash)
  VALUES (of_member, its_kind, its_at, its_user_agent, its_ip, its_details, sha256(netstrings(its_user_agent, its_ip, its_details::text)))
  ON CONFLICT DO NOTHING RETURNING id INTO recorded;
  RETURN recorded;
END $function$
;
CREATE OR REPLACE FUNCTION public.recover_receivable(owner bigint, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  available bigint := (SELECT balance FROM member_balance WHERE member_id = owner FOR NO KEY UPDATE);
  commission bigint := coalesce((SELECT amount FROM member_receivable WHERE member_id = owner AND pool = 'commission'), 0);
  profit bigint := coalesce((SELECT amount FROM member_receivable WHERE member_id = owner AND pool = 'profit'), 0);
  first bigint := least(available, commission);
  second bigint := least(available - first, profit);
BEGIN
  IF first + second = 0 THEN RETURN 0; END IF;
  -- What is owed falls with every recovery, and rises with every reversal only: the same key never comes again.
  PERFORM post_event(format('recover:%s:%s:%s:%s', owner, commission, profit, (SELECT count(*) FROM reversal_part WHERE member_id = owner)),
    'recover', owner, event_at, ARRAY['recover_commission', 'repay_commission', 'recover_profit', 'repay_profit']::posting_kind[],
    ARRAY[first, first, second, second]);
  RETURN first + second;
END $function$
;
CREATE OR REPLACE FUNCTION public.referral_above(of_member bigint, below bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  here bigint := below;
  above bigint;
  step integer := 0;
BEGIN
  LOOP
    above := (SELECT sponsor_id FROM sponsorship WHERE member_id = here);
    IF above = of_member THEN RETURN here; END IF;
    IF above IS NULL THEN RETURN NULL; END IF;
    step := step + 1;
    here := above;
    IF step % 64 = 0 THEN
      here := coalesce(downline_ancestor('unilevel', here, (SELECT depth + 1 FROM sponsorship WHERE member_id = of_member)), here);
    END IF;
  END LOOP;
END $function$
;
CREATE OR REPLACE FUNCTION public.refusal_passes(refused text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT refused IN ('decision_closed', 'stopped', 'pool_empty', 'company_funds_too_small', 'payments_unchecked', 'investment_unsettled', 'own_account')
$function$
;
CREATE OR REPLACE FUNCTION public.refuse_act_above(of_member bigint, operator bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF is_above(of_member, operator) THEN
    RAISE EXCEPTION 'an operator above' USING ERRCODE = 'check_violation', CONSTRAINT = 'act_on_nobody_above';
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_approval(of_approval bigint, code text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE approval SET state = 'refused', refusal = code, decided_at = clock_timestamp() WHERE id = of_approval AND state = 'submitted';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_audit(clock_timestamp(), operator_id, 'approval.verify', 'refused', 'approval:' || id, jsonb_build_object('code', code, 'rows', row_count))
    FROM approval WHERE id = of_approval;
  PERFORM pg_notify('approval_decided', of_approval::text);
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_but_erasing()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NEW.reason <> '–' OR to_jsonb(NEW) - 'reason' <> to_jsonb(OLD) - 'reason'
    OR EXISTS (SELECT FROM member WHERE id = OLD.member_id AND closed_at IS NULL) THEN
    RAISE EXCEPTION 'it stays as it was written while an account is open' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
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
CREATE OR REPLACE FUNCTION public.refuse_frozen(of_member bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM member WHERE id = of_member FOR NO KEY UPDATE;
  IF (SELECT frozen FROM member_freeze WHERE member_id = of_member ORDER BY id DESC LIMIT 1) THEN
    RAISE EXCEPTION 'the account is frozen' USING ERRCODE = 'check_violation', CONSTRAINT = 'account_is_not_frozen';
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_key_of_a_decision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = 'refused_by_operators', decided_at = clock_timestamp()
    WHERE member_id = (NEW.statement->>'member')::bigint AND version = (NEW.statement->>'version')::integer AND state = 'submitted';
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_member_key(owner bigint, its_version integer, code text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member_key SET state = 'refused', refusal = code, decided_at = clock_timestamp()
    WHERE member_id = owner AND version = its_version AND state = 'submitted';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_audit(clock_timestamp(), owner, 'member_key.verify', 'refused', 'member:' || owner, jsonb_build_object('version', its_version, 'code', code));
  RETURN true;
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
CREATE OR REPLACE FUNCTION public.refuse_owed(owner bigint, wanted bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE owed bigint := coalesce((SELECT sum(amount) FROM member_receivable WHERE member_id = owner), 0);
BEGIN
  IF owed > 0 AND wanted > 0 AND wanted > (SELECT balance FROM member_balance WHERE member_id = owner) - owed THEN
    RAISE EXCEPTION 'what is owed is paid first' USING ERRCODE = 'check_violation', CONSTRAINT = 'debt_is_paid_first';
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_ragged_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION 'an invoice asks for whole cents' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_asks_for_whole_cents';
END $function$
;
CREATE OR REPLACE FUNCTION public.refuse_unless_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM member WHERE id = OLD.member_id AND closed_at IS NULL) THEN
    RAISE EXCEPTION 'messages are kept while an account is open' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
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
CREATE OR REPLACE FUNCTION public.refuse_withdrawal(owner bigint, of_withdrawal bigint, because text, operator bigint, event_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF operator = owner OR NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators refuse' USING ERRCODE = 'check_violation', CONSTRAINT = 'refusal_by_an_operator';
  END IF;
  PERFORM close_unpaid(owner, of_withdrawal, 'refused', because, operator, event_at);
END $function$
;
CREATE OR REPLACE FUNCTION public.register_audit_key(new_key bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO audit_key (public_key) VALUES (new_key) ON CONFLICT DO NOTHING;
  RETURN (SELECT public_key = new_key FROM audit_key);
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
CREATE OR REPLACE FUNCTION public.release_gateway_lease(who text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ UPDATE public.gateway_lease SET until = '-infinity', backend = NULL WHERE holder = who $function$
;
CREATE OR REPLACE FUNCTION public.release_payout_run(of_run bigint, now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  r payout_run;
  lacks bigint;
BEGIN
  SELECT * INTO r FROM payout_run WHERE id = of_run FOR NO KEY UPDATE;
  IF r.state NOT IN ('sealed', 'held') OR (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'the run % is not to be released', of_run USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_run_is_released';
  END IF;
  IF NOT EXISTS (SELECT FROM payout_audit WHERE run_id = r.id AND verdict = 'matches') THEN
    RETURN CASE r.state WHEN 'held' THEN 'held' ELSE 'waiting' END;
  END IF;
  -- No other transaction takes from the pool until this one ends.
  lacks := greatest(r.payable - hold_pool((CASE r.kind WHEN 'passive' THEN 'pool:profit' ELSE 'pool:commission' END)::ledger_account), 0);
  IF r.state = 'sealed' THEN r.objections := objections_to(r); END IF;
  IF lacks > 0 OR (r.objections <> '[]' AND r.overruled_by IS NULL) THEN
    UPDATE payout_run SET state = 'held', missing = lacks, objections = r.objections,
      stage_since = CASE state WHEN 'held' THEN stage_since ELSE clock_timestamp() END
      WHERE id = r.id AND (state, missing) IS DISTINCT FROM ('held', lacks);
    RETURN 'held';
  END IF;
  RETURN let_payout_run_go(r, now);
END $function$
;
CREATE OR REPLACE FUNCTION public.remake_withdrawal(l lost_payment, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  number bigint := l.withdrawal_id;
  whole bigint := l.amount + l.fee;
  b member_balance;
BEGIN
  SELECT * INTO b FROM member_balance WHERE member_id = l.member_id FOR UPDATE;
  IF b.member_id IS NULL OR b.balance + b.principal < whole THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM withdrawal WHERE id = number) THEN number := nextval('withdrawal_id_seq'); END IF;
  INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, hold_journal_id,
      requested_at)
    OVERRIDING SYSTEM VALUE VALUES (l.member_id, number, whole, l.fee, least(b.balance, whole), whole - least(b.balance, whole), l.wallet, 0,
      (SELECT max(version) FROM plan_version WHERE starts_at <= event_at),
      move_hold('hold', l.member_id, number, least(b.balance, whole), whole - least(b.balance, whole), event_at), event_at);
  RETURN number;
END $function$
;
CREATE OR REPLACE FUNCTION public.remember_journal(end_sequence bigint, end_hash text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE signer_journal SET sequence = end_sequence, hash = end_hash, at = clock_timestamp() WHERE sequence < end_sequence
$function$
;
CREATE OR REPLACE FUNCTION public.report_signed(entries jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  lost integer;
  latest timestamptz;
  number bigint := (SELECT id FROM restoration WHERE ended_at IS NULL);
BEGIN
  SELECT count(*), max(to_timestamp((e ->> 'expires')::double precision / 1000)) INTO lost, latest FROM jsonb_array_elements(entries) e
    WHERE NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = e ->> 'txid');
  IF lost > 0 THEN number := begin_restoration(latest, true); END IF;
  INSERT INTO lost_payment (txid, member_id, withdrawal_id, amount, fee, wallet, restoration_id)
    SELECT e ->> 'txid', (e ->> 'member')::bigint, (e ->> 'withdrawal')::bigint, (e ->> 'amount')::bigint, (e ->> 'fee')::bigint, e ->> 'wallet', number
    FROM jsonb_array_elements(entries) e WHERE NOT EXISTS (SELECT FROM outgoing_transfer p WHERE p.txid = e ->> 'txid')
    ON CONFLICT DO NOTHING;
  UPDATE restoration SET reported_at = coalesce(reported_at, clock_timestamp()) WHERE id = number;
  RETURN lost;
END $function$
;
CREATE OR REPLACE FUNCTION public.request_withdrawal(owner bigint, asked bigint, its_fee bigint, of_balance bigint, of_principal bigint, to_wallet text, approvals smallint, under_plan integer, its_risks jsonb, its_device text, event_at timestamp with time zone, its_proof jsonb DEFAULT NULL::jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE number bigint := nextval('withdrawal_id_seq');
BEGIN
  IF (SELECT stopped FROM payout_stop) THEN
    RAISE EXCEPTION 'payouts are stopped' USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_stopped';
  END IF;
  -- A code of the mailbox proves it in the same transaction.
  IF (SELECT email_proven_at FROM member WHERE id = owner) IS NULL THEN
    RAISE EXCEPTION 'the e-mail is not proven' USING ERRCODE = 'check_violation', CONSTRAINT = 'email_is_proven';
  END IF;
  PERFORM refuse_owed(owner, of_balance);
  IF of_principal > (SELECT coalesce(sum(amount), 0) FROM investment_left WHERE member_id = owner AND unlocks_at <= least(event_at, latest_moment())) THEN
    RAISE EXCEPTION 'the term of this principal runs' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_is_unlocked';
  END IF;
  INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, risks, device,
      hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE VALUES (owner, number, asked, its_fee, of_balance, of_principal, to_wallet, approvals, under_plan, its_risks, its_device,
      move_hold('hold', owner, number, of_balance, of_principal, event_at), event_at);
  PERFORM keep_withdrawal_proof(owner, number, its_proof);
  RETURN number;
END $function$
;
CREATE OR REPLACE FUNCTION public.resume_payments(of_stop bigint, by_operator bigint, because text, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE payments_stop SET resumed_by = by_operator, resumed_at = at, resume_reason = because WHERE id = of_stop AND resumed_at IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'that stop is over' USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_stop_stands'; END IF;
  UPDATE payout_stop SET operator_stop_id = NULL, stopped = reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL,
    since = CASE WHEN reason IS NOT NULL OR integrity_check_id IS NOT NULL OR restoration_id IS NOT NULL THEN since END;
END $function$
;
CREATE OR REPLACE FUNCTION public.return_principal(owner bigint, movement bigint, of_withdrawal bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO principal_movement_part (member_id, movement_id, investment_id, amount)
    SELECT owner, movement, p.investment_id, -p.amount FROM principal_movement m
      JOIN principal_movement_part p ON p.member_id = m.member_id AND p.movement_id = m.id
    WHERE m.member_id = owner AND m.withdrawal_id = of_withdrawal AND m.amount < 0;
END $function$
;
CREATE OR REPLACE FUNCTION public.reversal_of_a_whole_investment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (SELECT amount FROM investment_left WHERE member_id = NEW.member_id AND investment_id = NEW.investment_id) IS DISTINCT FROM NEW.amount THEN
    RAISE EXCEPTION 'some of it was withdrawn' USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_of_a_whole_investment';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.reversal_refusal(taken investment)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE
    WHEN taken.id IS NULL THEN 'investment_not_found'
    WHEN EXISTS (SELECT FROM reversal v WHERE v.member_id = taken.member_id AND v.investment_id = taken.id) THEN 'investment_reversed'
    WHEN (SELECT sum(g.amount) FROM principal_movement_part g WHERE g.member_id = taken.member_id AND g.investment_id = taken.id) <> 0
      THEN 'investment_withdrawn'
    WHEN (commissions_of(taken.id)).state IS DISTINCT FROM 'done'
      -- One that has not written its items yet may be about to pay on it as well.
      OR EXISTS (SELECT FROM payout_run WHERE kind = 'passive' AND state NOT IN ('done', 'cancelled') AND cutoff_at > taken.credited_at)
      THEN 'investment_unsettled' END
$function$
;
CREATE OR REPLACE FUNCTION public.reverse_investment(of_investment bigint, because text, operator bigint, event_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  taken investment;
  posted record;
  part record;
  covered bigint;
  number bigint;
  open_at timestamptz;
  refused text;
  parts jsonb;
BEGIN
  PERFORM FROM member WHERE id IN (SELECT members_of('reverse_investment', jsonb_build_object('investment', of_investment)))
    OR id = (SELECT member_id FROM investment WHERE id = of_investment) ORDER BY id FOR NO KEY UPDATE;
  -- Members before the period. Held open, no day is opened meanwhile.
  open_at := hold_period(event_at);
  SELECT * INTO taken FROM investment WHERE id = of_investment;
  refused := coalesce(reversal_refusal(taken), CASE WHEN some_day_waits(taken.credited_at, open_at) THEN 'investment_unsettled' END);
  IF refused IS NOT NULL THEN RAISE EXCEPTION 'it cannot be reversed now' USING ERRCODE = 'check_violation', CONSTRAINT = refused; END IF;
  -- All parts are found before the first is posted: the reversal itself changes what days stood on.
  SELECT jsonb_agg(to_jsonb(p)) INTO parts FROM (SELECT f.*, row_number() OVER () - 1 AS leg FROM parts_of_reversal(taken) f) p;
  SELECT * INTO posted FROM post_event(format('reverse:%s', taken.id), 'reverse', taken.member_id, open_at, ARRAY['reverse_investment']::posting_kind[],
    ARRAY[taken.amount]);
  INSERT INTO reversal (member_id, investment_id, journal_id, amount, reason, reversed_by, at)
    VALUES (taken.member_id, taken.id, posted.journal, taken.amount, because, operator, open_at) RETURNING id INTO number;
  FOR part IN SELECT * FROM jsonb_to_recordset(parts) AS p (member bigint, pool text, amount bigint, run bigint, item_leg integer, leg integer)
    ORDER BY leg LOOP
    covered := least(part.amount, (SELECT balance FROM member_balance WHERE member_id = part.member));
    PERFORM post_event(format('reverse:%s:%s', taken.id, part.leg), 'clawback', part.member, open_at,
      ARRAY['clawback_' || part.pool, 'owed_' || part.pool]::posting_kind[], ARRAY[covered, part.amount - covered]);
    INSERT INTO reversal_part (member_id, reversal_id, leg, pool, amount, from_balance, run_id, item_leg, at)
      VALUES (part.member, number, part.leg, part.pool, part.amount, covered, part.run, part.item_leg, open_at);
  END LOOP;
  RETURN number;
END $function$
;
CREATE OR REPLACE FUNCTION public.run_refusal(r payout_run, its_kind text, available bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE
    WHEN r.state = 'held' AND NOT EXISTS (SELECT FROM payout_audit a WHERE a.run_id = r.id AND a.verdict = 'matches') THEN 'run_not_audited'
    WHEN r.state IS DISTINCT FROM 'held' OR (its_kind = 'run_release') <> (r.objections <> '[]' AND r.overruled_by IS NULL) THEN 'run_not_held'
    WHEN its_kind = 'run_release' THEN NULL
    WHEN available >= r.payable THEN 'run_not_short'
    WHEN available < 1 THEN 'pool_empty' END
$function$
;
CREATE OR REPLACE FUNCTION public.runs_before_seal(of_part bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT count(*) FROM payout_run WHERE state NOT IN ('done', 'cancelled')
    AND cutoff_at <= (SELECT max(cutoff_at) FROM payout_run WHERE kind <> 'direct' AND journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072)
$function$
;
CREATE OR REPLACE FUNCTION public.seal_audit(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  audit_now bigint;
  security_now bigint;
  own xid8;
  oldest xid8;
  cut audit_cut;
  made integer := 0;
BEGIN
  LOCK TABLE audit_seal IN SHARE ROW EXCLUSIVE MODE;
  SELECT (SELECT coalesce(max(id), 0) FROM audit_event), (SELECT coalesce(max(id), 0) FROM security_event) INTO audit_now, security_now;
  -- Drawn after those were read: who drew a lower row number has a lower number than this. A snapshot's end is no such bound, since it
  -- comes after the transactions that have ended, and not after those that have begun.
  own := pg_current_xact_id();
  oldest := pg_snapshot_xmin(pg_current_snapshot());
  SELECT * INTO cut FROM audit_cut;
  IF oldest >= own THEN
    cut.audit_last := audit_now;
    cut.security_last := security_now;
  -- Beyond the present: the database was restored into another cluster, and whoever was writing then is gone.
  ELSIF cut.beyond > oldest AND cut.beyond <= own THEN
    RETURN 0;
  END IF;
  WHILE seal_audit_batch(cut.audit_last, cut.security_last, most) LOOP made := made + 1; END LOOP;
  IF (cut.audit_last, cut.security_last) IS DISTINCT FROM (audit_now, security_now) THEN
    UPDATE audit_cut SET beyond = own, audit_last = audit_now, security_last = security_now;
  END IF;
  RETURN made;
END $function$
;
CREATE OR REPLACE FUNCTION public.seal_audit_batch(audit_until bigint, security_until bigint, most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  head audit_seal;
  next audit_seal;
BEGIN
  SELECT * INTO head FROM audit_seal ORDER BY id DESC LIMIT 1;
  SELECT coalesce(array_agg(id ORDER BY id), '{}'), coalesce(string_agg(hash, '' ORDER BY id), ''), max(id)
  INTO next.audit_ids, next.audit_hashes, next.audit_last FROM (
    SELECT id, sha256(netstrings(microseconds(at), actor_id::text, action, outcome, subject, encode(details_hash, 'hex'))) AS hash
    FROM audit_event WHERE id > coalesce(head.audit_last, 0) AND id <= audit_until ORDER BY id LIMIT most) batch;
  SELECT coalesce(array_agg(id ORDER BY id), '{}'), coalesce(string_agg(hash, '' ORDER BY id), ''), max(id)
  INTO next.security_ids, next.security_hashes, next.security_last FROM (
    SELECT id, sha256(netstrings(member_id::text, kind, microseconds(at), encode(details_hash, 'hex'))) AS hash
    FROM security_event WHERE id > coalesce(head.security_last, 0) AND id <= security_until ORDER BY id LIMIT most) batch;
  IF next.audit_last IS NULL AND next.security_last IS NULL THEN RETURN false; END IF;
  next.id := coalesce(head.id, 0) + 1;
  next.at := clock_timestamp();
  next.previous := coalesce(head.hash, '\x');
  next.audit_last := coalesce(next.audit_last, head.audit_last, 0);
  next.security_last := coalesce(next.security_last, head.security_last, 0);
  next.root := sha256(netstrings(array_to_string(next.audit_ids, ','), encode(next.audit_hashes, 'hex'),
    array_to_string(next.security_ids, ','), encode(next.security_hashes, 'hex')));
  next.hash := sha256(netstrings(next.id::text, microseconds(next.at), next.audit_last::text, next.security_last::text,
    encode(next.root, 'hex'), encode(next.previous, 'hex')));
  INSERT INTO audit_seal SELECT next.*;
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.seal_ledger_part(keep interval, now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  of_part bigint;
  latest timestamptz;
  sealed ledger_seal;
BEGIN
  LOCK TABLE ledger_seal IN SHARE ROW EXCLUSIVE MODE;
  of_part := (SELECT coalesce(max(part) + 1, 0) FROM ledger_seal);
  IF of_part >= ledger_part() OR EXISTS (SELECT FROM payout_run WHERE state IN ('released', 'posting'))
    OR runs_before_seal(of_part) > 0 THEN RETURN NULL; END IF;
  latest := (SELECT max(at) FROM journal WHERE id >= of_part * 131072 AND id < (of_part + 1) * 131072);
  IF latest > (SELECT max(at) FROM journal WHERE id > (SELECT max(id) FROM journal) - 1000) - keep THEN RETURN NULL; END IF;
  EXECUTE format('LOCK TABLE posting_%s IN SHARE ROW EXCLUSIVE MODE', of_part);
  INSERT INTO archived_posting SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM posting
    WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind NOT IN ('passive', 'direct', 'master', 'binary')
    ORDER BY journal_id, member_id, leg;
  IF copied_otherwise(of_part, false) <> 0 THEN
    RAISE EXCEPTION 'the archive of part % differs from it', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'archive_is_whole';
  END IF;
  INSERT INTO ledger_seal_sum (part, kind, postings, amount) SELECT of_part, kind, count(*), sum(amount) FROM posting
    WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY kind;
  PERFORM add_sealed_earnings(of_part);
  sealed := ROW(of_part, (of_part + 1) * 131072, now, archived_content_hash(of_part), sealed_earnings_hash(),
    coalesce((SELECT hash FROM ledger_seal WHERE part = of_part - 1), ''), '');
  sealed.hash := ledger_seal_hash(sealed);
  INSERT INTO ledger_seal SELECT sealed.*;
  -- The audit trail's head is signed: a chain of seals that somebody computed again does not agree with it.
  PERFORM record_audit(now, NULL, 'ledger.seal', 'done', 'ledger_part:' || of_part, jsonb_build_object('hash', sealed.hash));
  -- Not of the rows that are there, but of every one that comes.
  EXECUTE format('ALTER TABLE posting_%s ADD CONSTRAINT part_is_sealed CHECK (false) NOT VALID', of_part);
  RETURN of_part;
END $function$
;
CREATE OR REPLACE FUNCTION public.seal_member_key(owner bigint, its_version integer, usable timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member_key SET state = 'sealed', decided_at = clock_timestamp(), usable_from = usable
    WHERE member_id = owner AND version = its_version AND state = 'submitted';
  IF NOT FOUND THEN
    RETURN EXISTS (SELECT FROM member_key WHERE member_id = owner AND version = its_version AND state = 'sealed');
  END IF;
  PERFORM record_audit(clock_timestamp(), owner, 'member_key.seal', 'done', 'member:' || owner, jsonb_build_object('version', its_version, 'kind', kind, 'key', key_hash))
    FROM member_key WHERE member_id = owner AND version = its_version;
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
CREATE OR REPLACE FUNCTION public.sealed_earnings_hash()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT encode(sha256(convert_to(coalesce(string_agg(encode(sha256(netstrings(block::text, passive::text, passive_days::text, commission::text, matched::text,
    points::text)), 'hex'), ' ' ORDER BY block), ''), 'UTF8')), 'hex') FROM sealed_earning
$function$
;
CREATE OR REPLACE FUNCTION public.sealed_member_key(owner bigint)
 RETURNS member_key
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT k FROM member_key k WHERE k.member_id = owner AND k.state = 'sealed' ORDER BY k.version DESC LIMIT 1
$function$
;
CREATE OR REPLACE FUNCTION public.sealed_until()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT coalesce(max(until_journal), 0) FROM ledger_seal
$function$
;
CREATE OR REPLACE FUNCTION public.set_extra_percent(of_sponsor bigint, new_percent text, operator bigint, event_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE open_at timestamptz;
BEGIN
  PERFORM FROM member WHERE id = of_sponsor AND closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such member' USING ERRCODE = 'foreign_key_violation'; END IF;
  open_at := hold_period(event_at);
  INSERT INTO extra_percent (sponsor_id, percent, set_by, at) SELECT of_sponsor, new_percent, username, open_at FROM member WHERE id = operator;
END $function$
;
CREATE OR REPLACE FUNCTION public.set_fundator(of_member bigint, to_fundator boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE member SET is_fundator = to_fundator WHERE id = of_member AND closed_at IS NULL AND is_fundator <> to_fundator;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such change' USING ERRCODE = 'check_violation', CONSTRAINT = 'fundator_changes'; END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.settle_outgoing_transfer(settled_txid text, in_block bigint, in_block_at timestamp with time zone, is_success boolean, its_result text, has_arrived bigint, its_fee bigint)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT settled FROM settle_outgoing_transfers(ARRAY[settled_txid], ARRAY[in_block], ARRAY[in_block_at], ARRAY[is_success], ARRAY[its_result],
    ARRAY[has_arrived], ARRAY[its_fee])
$function$
;
CREATE OR REPLACE FUNCTION public.settle_outgoing_transfers(txids text[], blocks bigint[], blocks_at timestamp with time zone[], successes boolean[], results text[], arrivals bigint[], fees bigint[])
 RETURNS TABLE(txid text, settled boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
DECLARE
  closed text[];
  booked text[];
BEGIN
  -- An expired transfer that is on the chain all the same is explained by nothing: the gateway records an unexplained outflow.
  PERFORM FROM outgoing_transfer p WHERE p.txid = ANY (txids) AND p.state IN ('prepared', 'signed') ORDER BY p.txid FOR UPDATE;
  WITH said AS (
    SELECT DISTINCT ON (u.txid) u.* FROM unnest(txids, blocks, blocks_at, successes, results, arrivals, fees) WITH ORDINALITY
      AS u (txid, block, at, success, result, arrived, fee, place) ORDER BY u.txid, u.place
  ), ended AS (
    UPDATE outgoing_transfer p SET state = CASE WHEN s.success THEN 'settled' ELSE 'failed' END, block = s.block, block_at = s.at,
      result = s.result, arrived = s.arrived, fee_sun = s.fee, seen_block = NULL, closed_at = clock_timestamp()
    FROM said s WHERE p.txid = s.txid AND p.state IN ('prepared', 'signed')
    RETURNING p.txid, p.purpose, p.from_address, p.to_address, p.amount, p.block, p.arrived, s.success, s.place
  ), moved AS (
    UPDATE custody_holding h SET amount = h.amount + m.amount, moved_block = greatest(h.moved_block, m.block)
    FROM (SELECT change.address, sum(change.amount)::bigint AS amount, max(e.block) AS block FROM ended e
      CROSS JOIN LATERAL (VALUES (e.from_address, -e.amount),
        (CASE WHEN e.purpose IN ('sweep', 'surplus') THEN e.to_address END, e.arrived)) AS change (address, amount)
      WHERE e.success AND e.purpose <> 'trx_topup' AND change.address IS NOT NULL GROUP BY change.address) m
    WHERE h.address = m.address
  )
  SELECT array_agg(e.txid), array_agg(e.txid ORDER BY e.place) FILTER (WHERE e.purpose <> 'trx_topup') INTO closed, booked FROM ended e;
  PERFORM enqueue_settlements(booked);
  RETURN QUERY SELECT u.txid, u.txid = ANY (coalesce(closed, '{}')) AND u.place = min(u.place) OVER (PARTITION BY u.txid)
    FROM unnest(txids) WITH ORDINALITY AS u (txid, place) ORDER BY u.place;
END $function$
;
CREATE OR REPLACE FUNCTION public.share_lock(of_name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR SHARE;
END $function$
;
CREATE OR REPLACE FUNCTION public.sign_outgoing_transfer(signed_txid text, new_signature bytea, cap bigint)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT verdict FROM sign_outgoing_transfers(ARRAY[signed_txid], ARRAY[new_signature], cap)
$function$
;
CREATE OR REPLACE FUNCTION public.sign_outgoing_transfers(txids text[], signatures bytea[], cap bigint)
 RETURNS TABLE(txid text, verdict text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
DECLARE
  asked record;
  is_stopped boolean;
  counted bigint;
  allowed text[] := '{}';
  stored bytea[] := '{}';
BEGIN
  PERFORM FROM signer_journal FOR UPDATE; -- signatures are counted one at a time
  PERFORM FROM outgoing_transfer p WHERE p.txid = ANY (txids) AND p.state = 'prepared' ORDER BY p.txid FOR UPDATE;
  PERFORM FROM withdrawal w JOIN outgoing_transfer p ON p.member_id = w.member_id AND p.withdrawal_id = w.id
    WHERE p.txid = ANY (txids) AND p.purpose = 'withdrawal' AND p.state = 'prepared' ORDER BY w.member_id, w.id FOR UPDATE OF w;
  is_stopped := (SELECT stopped FROM payout_stop);
  -- Expired ones count too: that a transfer is expired is said by the gateway.
  counted := coalesce((SELECT sum(p.amount) FROM outgoing_transfer p
    WHERE p.purpose = 'withdrawal' AND p.signed_at > clock_timestamp() - interval '24 hours'), 0);
  FOR asked IN SELECT u.txid, u.signature, p.state, p.purpose, p.amount,
      (w.state = 'approved' AND w.wallet_address = p.to_address AND w.amount - w.fee = p.amount) IS TRUE AS is_approved,
      coalesce((SELECT f.frozen FROM member_freeze f WHERE f.member_id = w.member_id ORDER BY f.id DESC LIMIT 1), false) AS is_frozen
    FROM unnest(txids, signatures) WITH ORDINALITY AS u (txid, signature, place) LEFT JOIN outgoing_transfer p ON p.txid = u.txid
      LEFT JOIN withdrawal w ON p.purpose = 'withdrawal' AND w.member_id = p.member_id AND w.id = p.withdrawal_id
    ORDER BY u.place
  LOOP
    txid := asked.txid;
    verdict := CASE WHEN asked.state IS DISTINCT FROM 'prepared' OR asked.txid = ANY (allowed) THEN 'not_prepared'
      WHEN is_stopped THEN 'stopped'
      WHEN asked.purpose <> 'withdrawal' THEN 'signed'
      WHEN NOT asked.is_approved THEN 'not_approved'
      WHEN asked.is_frozen THEN 'frozen'
      WHEN asked.amount + counted > cap THEN 'cap_reached'
      ELSE 'signed' END;
    IF verdict = 'signed' THEN
      IF asked.purpose = 'withdrawal' THEN counted := counted + asked.amount; END IF;
      allowed := allowed || asked.txid;
      stored := stored || asked.signature;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE outgoing_transfer p SET state = 'signed', signature = u.signature, signed_at = clock_timestamp()
    FROM unnest(allowed, stored) AS u (txid, signature) WHERE p.txid = u.txid;
END $function$
;
CREATE OR REPLACE FUNCTION public.signer_refusal(d decision, operator bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  s payments_stop;
  latest reserve_check;
BEGIN
  IF d.kind IN ('set_extra_percent', 'set_fundator', 'reverse_investment') AND d.statement->>'member' = operator::text THEN RETURN 'own_account'; END IF;
  IF d.kind <> 'resume_payments' THEN RETURN NULL; END IF;
  SELECT * INTO s FROM payments_stop WHERE id = (d.statement->>'stop')::bigint;
  SELECT * INTO latest FROM reserve_check ORDER BY id DESC LIMIT 1;
  RETURN CASE WHEN s.stopped_by = operator AND (latest.verdict = 'matched' AND latest.at > s.stopped_at) IS NOT TRUE
    AND NOT EXISTS (SELECT FROM decision_approval WHERE decision_id = d.id AND operator_id <> operator) THEN 'payments_unchecked' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.some_day_waits(since timestamp with time zone, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM generate_series(
      coalesce((SELECT max(period)::date + 1 FROM payout_run WHERE kind = 'passive' AND state <> 'cancelled'), since::date - 1)::timestamp,
      (at + interval '1 day')::date::timestamp, interval '1 day') d
    WHERE company_day_start(d::date) > since AND company_day_start(d::date) <= at)
$function$
;
CREATE OR REPLACE FUNCTION public.statement_of_act(its_kind text, given jsonb, OUT said jsonb, OUT about text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  CASE its_kind
    WHEN 'fund_pool' THEN
      said := statement_of_funding(given);
      about := 'pool:' || (given->>'pool');
    WHEN 'explain_difference' THEN
      said := statement_of_explanation(given);
      about := 'address:' || (given->>'address');
    WHEN 'resume_payments' THEN
      said := statement_of_resumption(given);
      about := 'payments_stop:' || (given->>'stop');
    WHEN 'reverse_investment' THEN
      said := statement_of_reversal(given);
      about := 'investment:' || (given->>'investment');
    WHEN 'set_extra_percent' THEN
      said := statement_of_terms(its_kind, given);
      about := 'extra_percent:' || (given->>'member');
    WHEN 'set_fundator' THEN
      said := statement_of_terms(its_kind, given);
      about := 'fundator:' || (given->>'member');
    ELSE NULL;
  END CASE;
END $function$
;
CREATE OR REPLACE FUNCTION public.statement_of_explanation(given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  holding custody_holding;
  found bigint := (SELECT usdt FROM custody_reading WHERE address = given->>'address');
  capital bigint := (SELECT amount FROM house_balance WHERE account = 'company:capital');
BEGIN
  SELECT * INTO holding FROM custody_holding WHERE address = given->>'address';
  IF holding.address IS NULL OR found IS NULL OR found = holding.amount THEN RETURN '{"refused": "difference_none"}'; END IF;
  IF (found - holding.amount)::text IS DISTINCT FROM given->>'difference' THEN RETURN '{"refused": "difference_changed"}'; END IF;
  IF capital + found - holding.amount < 0 THEN RETURN '{"refused": "company_funds_too_small"}'; END IF;
  RETURN jsonb_build_object('address', holding.address, 'role', holding.role, 'expected', holding.amount::text, 'found', found::text,
    'difference', given->>'difference', 'capital', capital::text, 'capital_left', (capital + found - holding.amount)::text,
    'reason', left(given->>'reason', 300))
    || CASE WHEN holding.role = 'deposit' AND holding.member_id > 0 THEN named(holding.member_id) ELSE '{}' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.statement_of_funding(given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  amount bigint := (given->>'amount')::bigint;
  capital bigint := (SELECT h.amount FROM house_balance h WHERE account = 'company:capital');
  holds bigint := (SELECT h.amount FROM house_balance h WHERE account::text = 'pool:' || (given->>'pool'));
BEGIN
  IF holds IS NULL OR amount > 0 IS NOT TRUE THEN RETURN '{"refused": "statement"}'; END IF;
  IF amount > capital THEN RETURN '{"refused": "company_funds_too_small"}'; END IF;
  RETURN jsonb_build_object('pool', given->>'pool', 'amount', amount::text, 'holds', holds::text, 'results', (holds + amount)::text,
    'capital', capital::text, 'capital_left', (capital - amount)::text, 'reason', left(given->>'reason', 200));
END $function$
;
CREATE OR REPLACE FUNCTION public.statement_of_resumption(given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE s payments_stop;
BEGIN
  SELECT * INTO s FROM payments_stop WHERE id = (given->>'stop')::bigint AND resumed_at IS NULL;
  IF s.id IS NULL THEN RETURN '{"refused": "payments_stop_over"}'; END IF;
  RETURN jsonb_build_object('stop', s.id::text, 'stopped_by', coalesce((SELECT username FROM member WHERE id = s.stopped_by), ''),
    'stopped_at', to_char(s.stopped_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'because', s.reason, 'reason', left(given->>'reason', 300));
END $function$
;
CREATE OR REPLACE FUNCTION public.statement_of_reversal(given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  taken investment;
  refused text;
  parts jsonb;
BEGIN
  SELECT * INTO taken FROM investment WHERE id = (given->>'investment')::bigint;
  refused := reversal_refusal(taken);
  IF refused IS NOT NULL THEN RETURN jsonb_build_object('refused', refused); END IF;
  SELECT jsonb_build_object('members', count(DISTINCT p.member)::text, 'parts', count(*)::text, 'commission', coalesce(sum(p.amount)
    FILTER (WHERE p.pool = 'commission'), 0)::text, 'profit', coalesce(sum(p.amount) FILTER (WHERE p.pool = 'profit'), 0)::text,
    'largest', left(coalesce(string_agg(m.username || ' ' || in_usdt(p.amount::text), ', ' ORDER BY p.amount DESC, p.member)
      FILTER (WHERE p.rank <= 5), ''), 500),
    'hash', encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', p.member, p.pool, p.amount, p.run, p.item_leg), E'\n'
      ORDER BY p.rank), ''), 'UTF8')), 'hex')) INTO parts
  FROM (SELECT *, row_number() OVER (ORDER BY amount DESC, member, run, item_leg) AS rank FROM parts_of_reversal(taken)) p
    JOIN member m ON m.id = p.member;
  RETURN named(taken.member_id) || parts || jsonb_build_object('investment', taken.id::text, 'amount', taken.amount::text,
    'credited_at', to_char(taken.credited_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'reason', left(given->>'reason', 200));
END $function$
;
CREATE OR REPLACE FUNCTION public.statement_of_run(r payout_run, available bigint, note text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT jsonb_build_object('run', r.id::text, 'kind', r.kind, 'period', r.period, 'items', r.item_count::text, 'items_hash', coalesce(r.items_hash, ''),
    'sum', r.item_sum::text, 'payable', r.payable::text, 'pool', available::text, 'objections', left(r.objections::text, 1000), 'note', left(note, 200))
$function$
;
CREATE OR REPLACE FUNCTION public.statement_of_terms(its_kind text, given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  m member;
  is_points boolean := its_kind = 'set_extra_percent';
  now_is text;
BEGIN
  SELECT * INTO m FROM member WHERE id = (given->>'member')::bigint;
  IF m.id IS NULL OR m.closed_at IS NOT NULL THEN RETURN '{"refused": "member_closed"}'; END IF;
  now_is := CASE WHEN is_points THEN coalesce((SELECT percent FROM extra_percent WHERE sponsor_id = m.id ORDER BY id DESC LIMIT 1), '0')
    ELSE m.is_fundator::text END;
  IF given->>'from' IS DISTINCT FROM now_is THEN RETURN '{"refused": "terms_moved"}'; END IF;
  IF given->>'to' = now_is OR (CASE WHEN is_points THEN given->>'to' ~ '^(0|[1-9][0-9]?)(\.[0-9]?[1-9])?$' AND (given->>'to')::numeric <= 20
      ELSE given->>'to' IN ('true', 'false') END) IS NOT TRUE THEN
    RETURN '{"refused": "statement"}';
  END IF;
  RETURN named(m.id) || jsonb_build_object('from', now_is, 'to', given->>'to', 'reason', left(given->>'reason', 200));
END $function$
;
CREATE OR REPLACE FUNCTION public.stop_payments(by_operator bigint, because text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = by_operator AND operator_role IN ('treasurer', 'compliance', 'admin')) THEN
    RAISE EXCEPTION 'payments are stopped by an operator whose role allows it' USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_stop_by_an_operator';
  END IF;
  PERFORM FROM payout_stop FOR UPDATE;
  IF (SELECT operator_stop_id IS NOT NULL FROM payout_stop) THEN RETURN false; END IF;
  INSERT INTO payments_stop (stopped_by, stopped_at, reason) VALUES (by_operator, at, because) RETURNING id INTO number;
  UPDATE payout_stop SET operator_stop_id = number, since = coalesce(since, at);
  RETURN true;
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
    check_id = CASE WHEN stopped AND integrity_check_id IS NULL THEN check_id ELSE coalesce(check_id, c.id) END
  WHERE NOT stopped OR reason IS DISTINCT FROM because;
END $function$
;
CREATE OR REPLACE FUNCTION public.store_approval(operator bigint, its_purpose text, its_network text, its_nonce text, expires timestamp with time zone, its_root text, its_proof jsonb, rows integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  made bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM member WHERE id = operator AND is_operator) THEN
    RAISE EXCEPTION 'operators approve' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_by_an_operator';
  END IF;
  IF its_network IS DISTINCT FROM (SELECT network FROM installation) THEN
    RAISE EXCEPTION 'the approval is of another network' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_of_this_network';
  END IF;
  IF expires <= clock_timestamp() OR expires > clock_timestamp() + interval '1 day 30 seconds' THEN
    RAISE EXCEPTION 'an approval ends within a day' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_ends_soon';
  END IF;
  LOCK TABLE approval IN SHARE ROW EXCLUSIVE MODE; -- counted one at a time; no program's role can take this lock
  IF EXISTS (SELECT FROM approval WHERE state = 'submitted' AND expires_at > clock_timestamp()
      HAVING count(*) >= 200 OR count(*) FILTER (WHERE operator_id = operator) >= 20) THEN
    RAISE EXCEPTION 'too many approvals wait' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_waiting';
  END IF;
  INSERT INTO approval (operator_id, purpose, network, nonce, expires_at, root, row_count, proof)
  VALUES (operator, its_purpose, its_network, its_nonce, expires, its_root, rows, its_proof) RETURNING id INTO made;
  PERFORM pg_notify('approval_submitted', made::text);
  RETURN made;
END $function$
;
CREATE OR REPLACE FUNCTION public.store_audit_signature(of_seal bigint, of_hash bytea, signed_at timestamp with time zone, new_signature bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO audit_signature (seal_id, at, signature) SELECT id, signed_at, new_signature FROM audit_seal WHERE id = of_seal AND hash = of_hash;
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.store_deposit_addresses(first_index bigint, derived text[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE next_index bigint;
BEGIN
  PERFORM hold_lock('deposit addresses');
  next_index := (SELECT coalesce(max(key_index) + 1, 0) FROM deposit_address);
  IF first_index <> next_index OR derived = '{}' THEN RETURN next_index; END IF;
  IF NOT EXISTS (SELECT FROM installation) THEN
    RAISE EXCEPTION 'the installation is not set up' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT FROM unnest(derived) d (address) WHERE (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$') IS NOT TRUE) THEN
    RAISE EXCEPTION 'not an address' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_address_form';
  END IF;
  IF EXISTS (SELECT FROM custody_address WHERE address = ANY (derived)) THEN
    RAISE EXCEPTION 'a wallet of the company is no deposit address' USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_address_of_no_wallet';
  END IF;
  -- What was stored before keeps its member. Whose key is ours is ours, whatever number it was given.
  UPDATE deposit_address a SET key_index = first_index + d.place - 1
    FROM unnest(derived) WITH ORDINALITY AS d (address, place) WHERE a.address = d.address AND a.key_index IS NULL;
  -- One that exists with an index of its own is refused by the primary key.
  INSERT INTO deposit_address (address, key_index, member_id)
    SELECT d.address, first_index + d.place - 1, CASE WHEN first_index + d.place = 1 THEN 0 END
    FROM unnest(derived) WITH ORDINALITY AS d (address, place)
    WHERE NOT EXISTS (SELECT FROM deposit_address a WHERE a.key_index = first_index + d.place - 1 AND a.address = d.address)
    ORDER BY d.place;
  RETURN first_index + cardinality(derived);
END $function$
;
CREATE OR REPLACE FUNCTION public.store_first_plan(its_document jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO plan_version (version, starts_at, document) SELECT 1, timestamptz 'epoch', its_document
  WHERE NOT EXISTS (SELECT FROM plan_version) ON CONFLICT DO NOTHING
$function$
;
CREATE OR REPLACE FUNCTION public.submit_approval(operator bigint, its_purpose text, its_network text, its_nonce text, expires timestamp with time zone, its_root text, its_proof jsonb, withdrawals bigint[], members bigint[], amounts bigint[], fees bigint[], wallets text[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  made bigint;
  rows integer := coalesce(cardinality(withdrawals), 0);
BEGIN
  IF rows NOT BETWEEN 1 AND 10000 OR array_ndims(withdrawals) <> 1 OR (cardinality(members), cardinality(amounts), cardinality(fees), cardinality(wallets)) IS DISTINCT FROM (rows, rows, rows, rows) THEN
    RAISE EXCEPTION 'a list has 1 to 10000 rows' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_has_rows';
  END IF;
  IF its_purpose IS DISTINCT FROM 'withdrawals' THEN
    RAISE EXCEPTION 'a list of withdrawals has another purpose' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_purpose_check';
  END IF;
  made := store_approval(operator, its_purpose, its_network, its_nonce, expires, its_root, its_proof, rows);
  INSERT INTO approval_row (approval_id, position, withdrawal_id, member_id, amount, fee, wallet_address)
  SELECT made, u.place - 1, u.withdrawal, u.member, u.amount, u.fee, u.wallet
  FROM unnest(withdrawals, members, amounts, fees, wallets) WITH ORDINALITY AS u (withdrawal, member, amount, fee, wallet, place);
  RETURN made;
END $function$
;
CREATE OR REPLACE FUNCTION public.submit_decision_approval(operator bigint, its_network text, its_nonce text, expires timestamp with time zone, its_root text, its_proof jsonb, decisions bigint[], kinds text[], statements jsonb[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  made bigint;
  rows integer := coalesce(cardinality(decisions), 0);
BEGIN
  IF rows NOT BETWEEN 1 AND 50 OR array_ndims(decisions) <> 1 OR (cardinality(kinds), cardinality(statements)) IS DISTINCT FROM (rows, rows) THEN
    RAISE EXCEPTION 'a list has 1 to 50 decisions' USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_has_rows';
  END IF;
  made := store_approval(operator, 'decisions', its_network, its_nonce, expires, its_root, its_proof, rows);
  INSERT INTO approval_decision (approval_id, position, decision_id, kind, statement)
  SELECT made, u.place - 1, u.decision, u.kind, u.statement
  FROM unnest(decisions, kinds, statements) WITH ORDINALITY AS u (decision, kind, statement, place);
  RETURN made;
END $function$
;
CREATE OR REPLACE FUNCTION public.submit_member_key(owner bigint, its_version integer, its_kind text, its_credential text, its_algorithm integer, its_public_key text, its_hash text, its_proof jsonb, expires timestamp with time zone, its_nonce text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  k member_key := sealed_member_key(owner);
  is_on boolean := coalesce(k.kind, 'off') <> 'off';
BEGIN
  -- What waited for the signer for too long is refused by it; whether it sees it or not, it counts no more.
  UPDATE member_key SET state = 'refused', refusal = 'member_key_expired', decided_at = clock_timestamp()
    WHERE member_id = owner AND state = 'submitted' AND kind <> 'recovered' AND expires_at <= clock_timestamp();
  IF EXISTS (SELECT FROM member_key WHERE member_id = owner AND state = 'submitted') THEN
    RAISE EXCEPTION 'a change of the member''s key waits' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_waits';
  END IF;
  IF is_on = (its_kind = 'on') THEN
    RAISE EXCEPTION 'it is switched on or off already' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_follows';
  END IF;
  IF EXISTS (SELECT FROM withdrawal WHERE member_id = owner AND state IN ('requested', 'approved')) THEN
    RAISE EXCEPTION 'withdrawals are open' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_without_open_withdrawals';
  END IF;
  IF expires <= clock_timestamp() OR expires > clock_timestamp() + interval '10 minutes 30 seconds' THEN
    RAISE EXCEPTION 'what was signed is handed in within ten minutes' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_expires_soon';
  END IF;
  IF its_version <> 1 + coalesce((SELECT max(version) FROM member_key WHERE member_id = owner), 0) THEN
    RAISE EXCEPTION 'versions follow each other' USING ERRCODE = 'check_violation', CONSTRAINT = 'member_key_version_follows';
  END IF;
  PERFORM use_member_nonce(owner, its_nonce);
  INSERT INTO member_key (member_id, version, kind, credential_id, algorithm, public_key, key_hash, proof, expires_at, nonce)
    VALUES (owner, its_version, its_kind, its_credential, its_algorithm, its_public_key, its_hash, its_proof, expires, its_nonce);
  PERFORM pg_notify('member_key_submitted', owner::text);
  RETURN its_version;
END $function$
;
CREATE OR REPLACE FUNCTION public.take_offline_approval(of_approval bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM approval WHERE id = of_approval AND expires_at > submitted_at + interval '11 minutes') THEN
    RETURN 'not_for_offline';
  END IF;
  IF EXISTS (SELECT FROM approval WHERE id = of_approval AND expires_at <= clock_timestamp()) THEN RETURN 'approval_expired'; END IF;
  RETURN apply_approval(of_approval, NULL);
END $function$
;
CREATE OR REPLACE FUNCTION public.take_principal(owner bigint, movement bigint, wanted bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO principal_movement_part (member_id, movement_id, investment_id, amount)
    WITH had AS (
      SELECT i.id, i.unlocks_at, i.amount + coalesce((SELECT sum(p.amount) FROM principal_movement_part p
          WHERE p.member_id = owner AND p.investment_id = i.id AND p.movement_id < movement), 0) AS amount
      FROM investment i WHERE i.member_id = owner AND i.id < movement
        AND NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = owner AND r.investment_id = i.id AND r.id < movement)),
    queue AS (SELECT id, amount, sum(amount) OVER (ORDER BY unlocks_at, id) - amount AS before FROM had WHERE amount > 0)
    SELECT owner, movement, id, -least(amount, wanted - before) FROM queue WHERE before < wanted;
  IF (SELECT coalesce(-sum(amount), 0) FROM principal_movement_part WHERE member_id = owner AND movement_id = movement) <> wanted THEN
    RAISE EXCEPTION 'principal comes off investments' USING ERRCODE = 'check_violation', CONSTRAINT = 'principal_comes_off_investments';
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.take_referral_earned()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE referral_earned e SET amount = e.amount - NEW.amount FROM payout_item i
  WHERE i.member_id = NEW.member_id AND i.run_id = NEW.run_id AND i.leg = NEW.item_leg AND i.kind IN ('direct', 'master')
    AND e.member_id = i.member_id AND e.referral_id = referral_above(i.member_id, i.from_member_id);
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.tell_auditor()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_notify('payout_run_sealed', NEW.id::text);
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.terms_changed(d decision)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT CASE d.kind
    WHEN 'set_extra_percent' THEN jsonb_build_object('before', jsonb_build_object('percent', d.statement->>'from'),
      'after', jsonb_build_object('percent', d.statement->>'to'))
    WHEN 'set_fundator' THEN jsonb_build_object('before', jsonb_build_object('fundator', (d.statement->>'from')::boolean),
      'after', jsonb_build_object('fundator', (d.statement->>'to')::boolean))
    ELSE '{}' END
$function$
;
CREATE OR REPLACE FUNCTION public.traced(payload json, its_trace text DEFAULT current_traceparent())
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT CASE WHEN its_trace IS NULL THEN payload ELSE (payload::jsonb || jsonb_build_object('traceparent', its_trace))::json END $function$
;
CREATE OR REPLACE FUNCTION public.transfer_of_a_free_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (SELECT frozen FROM member_freeze WHERE member_id = NEW.member_id ORDER BY id DESC LIMIT 1) THEN RETURN NULL; END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.try_lock(of_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM product_lock WHERE name = of_name FOR UPDATE SKIP LOCKED;
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.turn_ledger_part(full_at bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  part bigint := ledger_part();
  postings bigint;
  next bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM posting_%s', part) INTO postings;
  IF postings < full_at THEN RETURN false; END IF;
  IF to_regclass(format('posting_%s', part + 1)) IS NULL THEN
    RAISE EXCEPTION 'the part after % of the ledger has not been made', part USING ERRCODE = 'check_violation', CONSTRAINT = 'parts_are_made_ahead';
  END IF;
  -- Turned before, and no journal since.
  next := nextval(pg_get_serial_sequence('journal', 'id'));
  IF next / 131072 > part THEN RETURN false; END IF;
  PERFORM setval(pg_get_serial_sequence('journal', 'id'), (part + 1) * 131072, false);
  RETURN true;
END $function$
;
CREATE OR REPLACE FUNCTION public.use_member_nonce(owner bigint, its_nonce text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO member_nonce (nonce, member_id) VALUES (its_nonce, owner)
$function$
;
CREATE OR REPLACE FUNCTION public.what_is_done(said jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT said - ARRAY['holds', 'results', 'capital', 'capital_left', 'username', 'stopped_by']
$function$
;
CREATE OR REPLACE FUNCTION public.withdraw_decision(of_decision bigint, operator bigint, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE decision SET state = 'withdrawn', ended_at = at WHERE id = of_decision AND state = 'open'
    AND EXISTS (SELECT FROM member WHERE id = operator AND is_operator);
  RETURN FOUND;
END $function$
;
CREATE OR REPLACE FUNCTION public.withdraw_operator_change(by_operator bigint, of_change bigint, as_of timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT is_admin(by_operator) THEN RETURN 'role_not_allowed'; END IF;
  UPDATE operator_change SET state = 'withdrawn', ended_at = least(as_of, clock_timestamp()) WHERE id = of_change AND state = 'open';
  RETURN CASE WHEN FOUND THEN 'withdrawn' ELSE 'invitation_ended' END;
END $function$
;
CREATE OR REPLACE FUNCTION public.withdrawal_approved_by_the_signer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT pg_has_role(current_user, 'aval_ledger', 'MEMBER') THEN
    RAISE EXCEPTION 'the signer accepts approvals' USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'withdrawal_approved_by_the_signer';
  END IF;
  RETURN NEW;
END $function$
;
CREATE OR REPLACE FUNCTION public.withdrawal_goes_forward()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
      WHERE a.member_id = NEW.member_id AND a.withdrawal_id = NEW.id AND a.operator_id <> NEW.member_id) < NEW.approvals_needed
    AND NOT EXISTS (SELECT FROM adopted_transfer a JOIN outgoing_transfer p ON p.txid = a.txid AND p.state = 'settled'
      WHERE p.purpose = 'withdrawal' AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'approvals are missing' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_has_its_approvals';
  END IF;
  IF NEW.state IN ('failed', 'refused', 'cancelled') AND EXISTS (SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal'
      AND p.member_id = NEW.member_id AND p.withdrawal_id = NEW.id AND (p.state IN ('prepared', 'signed', 'settled')
        -- What failed in the chain ends it as failed, once that is booked.
        OR (p.state = 'failed' AND NEW.state = 'refused'))) THEN
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
CREATE OR REPLACE FUNCTION public.withdrawal_of_a_free_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM refuse_frozen(NEW.member_id);
  RETURN NEW;
END $function$
;

CREATE TRIGGER adopted_transfer_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.adopted_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.approval FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER approval_is_kept BEFORE DELETE OR TRUNCATE ON public.approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_never_changes BEFORE UPDATE ON public.approval FOR EACH ROW WHEN (((old.state <> 'submitted'::text) OR ((((((((((new.id IS DISTINCT FROM old.id) OR (new.operator_id IS DISTINCT FROM old.operator_id)) OR (new.purpose IS DISTINCT FROM old.purpose)) OR (new.network IS DISTINCT FROM old.network)) OR (new.nonce IS DISTINCT FROM old.nonce)) OR (new.expires_at IS DISTINCT FROM old.expires_at)) OR (new.root IS DISTINCT FROM old.root)) OR (new.row_count IS DISTINCT FROM old.row_count)) OR (new.proof IS DISTINCT FROM old.proof)) OR (new.submitted_at IS DISTINCT FROM old.submitted_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_decision_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.approval_decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_row_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.approval_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_part_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.archived_part FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_payout_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.archived_payout FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_posting_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.archived_posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_is_append_only BEFORE DELETE OR TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_is_only_erased BEFORE UPDATE ON public.audit_event FOR EACH ROW WHEN (((old.erased_at IS NOT NULL) OR (new.erased_at IS NULL) OR (new.details <> '{}'::jsonb) OR (((((((old.id IS DISTINCT FROM new.id) OR (old.at IS DISTINCT FROM new.at)) OR (old.actor_id IS DISTINCT FROM new.actor_id)) OR (old.action IS DISTINCT FROM new.action)) OR (old.outcome IS DISTINCT FROM new.outcome)) OR (old.subject IS DISTINCT FROM new.subject)) OR (old.details_hash IS DISTINCT FROM new.details_hash)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_key_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_signature_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_signature FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER binary_carry_before_seal AFTER INSERT ON public.binary_carry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER binary_carry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.binary_carry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.chain_cursor FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER chain_cursor_tells AFTER UPDATE OF head_block ON public.chain_cursor FOR EACH ROW WHEN ((old.head_block <> new.head_block)) EXECUTE FUNCTION notify_of_confirmations();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.chain_genesis FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER closed_account_takes_its_notes AFTER UPDATE OF traces_erased_at ON public.closed_account FOR EACH ROW WHEN ((new.traces_erased_at IS NOT NULL)) EXECUTE FUNCTION delete_notes_of_closed();
CREATE TRIGGER closed_account_takes_reasons AFTER UPDATE OF traces_erased_at ON public.closed_account FOR EACH ROW WHEN ((new.traces_erased_at IS NOT NULL)) EXECUTE FUNCTION erase_reasons_of_closed();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.custody_address FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER custody_address_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.custody_address FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER custody_adjustment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.custody_adjustment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.custody_reading FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER decision_ends_its_key AFTER UPDATE OF state ON public.decision FOR EACH ROW WHEN (((new.kind = 'member_key'::text) AND (old.state = 'open'::text) AND (new.state = ANY (ARRAY['withdrawn'::text, 'refused'::text])))) EXECUTE FUNCTION refuse_key_of_a_decision();
CREATE TRIGGER decision_is_kept BEFORE DELETE OR TRUNCATE ON public.decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_never_changes BEFORE UPDATE ON public.decision FOR EACH ROW WHEN (((old.state <> 'open'::text) OR ((((((((new.id IS DISTINCT FROM old.id) OR (new.kind IS DISTINCT FROM old.kind)) OR (new.subject IS DISTINCT FROM old.subject)) OR (new.statement IS DISTINCT FROM old.statement)) OR (new.document IS DISTINCT FROM old.document)) OR (new.proposed_by IS DISTINCT FROM old.proposed_by)) OR (new.proposed_at IS DISTINCT FROM old.proposed_at)) OR (new.expires_at IS DISTINCT FROM old.expires_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_tells_operators AFTER INSERT OR UPDATE OF state ON public.decision FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER decision_approval_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.decision_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_approval_tells_operators AFTER INSERT ON public.decision_approval FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER declared_rate_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.declared_rate FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON public.declared_rate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('day', 'day');
CREATE TRIGGER extra_percent_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.extra_percent FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER factor_release_is_kept BEFORE DELETE OR TRUNCATE ON public.factor_release FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER factor_release_tells_operators AFTER INSERT OR UPDATE OF outcome ON public.factor_release FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR UPDATE ON public.factor_release DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE TRIGGER gateway_lease_goes_forward BEFORE UPDATE ON public.gateway_lease FOR EACH ROW EXECUTE FUNCTION keep_gateway_lease();
CREATE TRIGGER gateway_lease_is_kept BEFORE DELETE OR TRUNCATE ON public.gateway_lease FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.gateway_node FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.incoming_transfer FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER incoming_transfer_tells_operators AFTER INSERT ON public.incoming_transfer FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER integrity_check_is_append_only BEFORE DELETE OR TRUNCATE ON public.integrity_check FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER investment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.investment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER investment_keeps_its_term BEFORE INSERT ON public.investment FOR EACH ROW EXECUTE FUNCTION investment_keeps_its_term();
CREATE TRIGGER investment_of_the_balance BEFORE INSERT ON public.investment FOR EACH ROW WHEN (new.from_balance) EXECUTE FUNCTION investment_of_the_balance();
CREATE TRIGGER record_investment AFTER INSERT ON public.investment FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION record_investment();
CREATE TRIGGER invoice_asks_for_whole_cents BEFORE INSERT ON public.invoice FOR EACH ROW WHEN ((((new.amount + new.fee) % (10000)::bigint) <> 0)) EXECUTE FUNCTION refuse_ragged_invoice();
CREATE TRIGGER invoice_tells AFTER INSERT ON public.invoice REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();
CREATE TRIGGER invoice_tells_of_its_change AFTER UPDATE ON public.invoice REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();
CREATE TRIGGER journal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seal_sum_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_seal_sum FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER lost_payment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.lost_payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mail_message_once_sent BEFORE UPDATE ON public.mail_message FOR EACH ROW WHEN ((old.state = 'sent'::text)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER master_code_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.master_code FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON public.member DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND (((((((old.closed_at IS DISTINCT FROM new.closed_at) OR (old.is_operator IS DISTINCT FROM new.is_operator)) OR (old.operator_role IS DISTINCT FROM new.operator_role)) OR (old.is_fundator IS DISTINCT FROM new.is_fundator)) OR (old.password_hash IS DISTINCT FROM new.password_hash)) OR (old.email IS DISTINCT FROM new.email)) OR (old.usdt_wallet IS DISTINCT FROM new.usdt_wallet)))) EXECUTE FUNCTION leave_entry('member', 'id');
CREATE TRIGGER member_closed_goes_nowhere BEFORE UPDATE ON public.member FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION forget_time_zone();
CREATE TRIGGER member_closed_stays_closed BEFORE UPDATE ON public.member FOR EACH ROW WHEN (((old.closed_at IS NOT NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_of_a_free_account BEFORE UPDATE OF usdt_wallet, email ON public.member FOR EACH ROW WHEN ((((new.usdt_wallet IS DISTINCT FROM old.usdt_wallet) OR (new.email IS DISTINCT FROM old.email)) AND (old.closed_at IS NULL) AND (new.closed_at IS NULL))) EXECUTE FUNCTION member_of_a_free_account();
CREATE TRIGGER record_joining AFTER INSERT ON public.member FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION record_joining();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON public.member_freeze DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE TRIGGER member_freeze_is_append_only BEFORE UPDATE ON public.member_freeze FOR EACH ROW EXECUTE FUNCTION refuse_but_erasing();
CREATE TRIGGER member_freeze_is_kept BEFORE DELETE OR TRUNCATE ON public.member_freeze FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_freeze_tells_operators AFTER INSERT ON public.member_freeze FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER identifier_is_released_by_email_alone BEFORE DELETE ON public.member_identifier FOR EACH ROW WHEN ((old.kind <> 'email'::text)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER lost_key_ends_its_decision AFTER UPDATE OF state ON public.member_key FOR EACH ROW WHEN (((old.kind = 'recovered'::text) AND (old.state = 'submitted'::text) AND (new.state <> 'submitted'::text))) EXECUTE FUNCTION end_decision_of_a_key();
CREATE TRIGGER lost_key_is_asked_about AFTER INSERT ON public.member_key FOR EACH ROW WHEN (((new.kind = 'recovered'::text) AND (new.state = 'submitted'::text))) EXECUTE FUNCTION ask_about_lost_key();
CREATE TRIGGER member_key_is_kept BEFORE DELETE OR TRUNCATE ON public.member_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_key_never_changes BEFORE UPDATE ON public.member_key FOR EACH ROW WHEN (((old.state <> 'submitted'::text) OR (((((((((((new.member_id IS DISTINCT FROM old.member_id) OR (new.version IS DISTINCT FROM old.version)) OR (new.kind IS DISTINCT FROM old.kind)) OR (new.credential_id IS DISTINCT FROM old.credential_id)) OR (new.algorithm IS DISTINCT FROM old.algorithm)) OR (new.public_key IS DISTINCT FROM old.public_key)) OR (new.key_hash IS DISTINCT FROM old.key_hash)) OR (new.proof IS DISTINCT FROM old.proof)) OR (new.expires_at IS DISTINCT FROM old.expires_at)) OR (new.nonce IS DISTINCT FROM old.nonce)) OR (new.submitted_at IS DISTINCT FROM old.submitted_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_nonce_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.member_nonce FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_note_is_append_only BEFORE UPDATE OR TRUNCATE ON public.member_note FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_note_is_kept BEFORE DELETE ON public.member_note FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR UPDATE OF secret, confirmed_at ON public.member_totp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND (new.confirmed_at IS NOT NULL))) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry_of_its_end AFTER DELETE ON public.member_totp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND (old.confirmed_at IS NOT NULL))) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE TRIGGER member_totp_moves_forward BEFORE UPDATE ON public.member_totp FOR EACH ROW WHEN (((new.secret = old.secret) AND (new.last_step < old.last_step))) EXECUTE FUNCTION refuse_used_step();
CREATE TRIGGER operator_alert_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.operator_alert FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON public.operator_change DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE TRIGGER operator_change_is_kept BEFORE DELETE OR TRUNCATE ON public.operator_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_notification_tells_operators AFTER INSERT OR UPDATE OF over_at ON public.operator_notification FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.outgoing_transfer FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER outgoing_transfer_goes_forward BEFORE UPDATE ON public.outgoing_transfer FOR EACH ROW EXECUTE FUNCTION outgoing_transfer_goes_forward();
CREATE TRIGGER outgoing_transfer_is_kept BEFORE DELETE OR TRUNCATE ON public.outgoing_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outgoing_transfer_keeps_trace BEFORE INSERT ON public.outgoing_transfer FOR EACH ROW WHEN ((new.purpose = 'withdrawal'::text)) EXECUTE FUNCTION outgoing_transfer_keeps_trace();
CREATE TRIGGER outgoing_transfer_sent_is_told AFTER UPDATE ON public.outgoing_transfer REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION announce_sent();
CREATE TRIGGER outgoing_transfer_tells AFTER UPDATE ON public.outgoing_transfer REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_outgoing_transfers();
CREATE TRIGGER signature_of_a_free_account BEFORE UPDATE ON public.outgoing_transfer FOR EACH ROW WHEN (((new.purpose = 'withdrawal'::text) AND (old.state = 'prepared'::text) AND (new.state = 'signed'::text))) EXECUTE FUNCTION transfer_of_a_free_account();
CREATE TRIGGER transfer_of_a_free_account BEFORE INSERT ON public.outgoing_transfer FOR EACH ROW WHEN ((new.purpose = 'withdrawal'::text)) EXECUTE FUNCTION transfer_of_a_free_account();
CREATE TRIGGER outgoing_transfer_booking_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.outgoing_transfer_booking FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT OR DELETE ON public.passkey DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('member', 'member_id');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON public.payments_stop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('payments:all');
CREATE TRIGGER payments_stop_is_kept BEFORE DELETE OR TRUNCATE ON public.payments_stop FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_audit_is_kept BEFORE DELETE OR TRUNCATE ON public.payout_audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_audit_never_changes BEFORE UPDATE ON public.payout_audit FOR EACH ROW WHEN (((old.verdict <> 'unable'::text) OR (new.run_id <> old.run_id))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_adds_referral_earned AFTER UPDATE OF posted ON public.payout_batch FOR EACH ROW WHEN ((new.posted AND (NOT old.posted))) EXECUTE FUNCTION add_referral_earned();
CREATE TRIGGER payout_digest_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_digest FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_item_before_seal AFTER INSERT ON public.payout_item REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_item_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_missed_before_seal AFTER INSERT ON public.payout_missed REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_missed_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_missed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_before_seal AFTER INSERT ON public.payout_page REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('computing');
CREATE TRIGGER payout_page_counts_itself BEFORE INSERT ON public.payout_page FOR EACH ROW EXECUTE FUNCTION payout_page_counts_itself();
CREATE TRIGGER payout_page_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_share_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_page_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_page_share_while_held AFTER INSERT ON public.payout_page_share REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE TRIGGER payout_replay_is_kept BEFORE DELETE OR TRUNCATE ON public.payout_replay FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_replay_never_changes BEFORE UPDATE ON public.payout_replay FOR EACH ROW WHEN (((old.finished_at IS NOT NULL) OR ((((new.id IS DISTINCT FROM old.id) OR (new.run_id IS DISTINCT FROM old.run_id)) OR (new.asked_by IS DISTINCT FROM old.asked_by)) OR (new.asked_at IS DISTINCT FROM old.asked_at)))) EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON public.payout_run DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND (old.state <> new.state) AND (new.state = 'cancelled'::text))) EXECUTE FUNCTION leave_entry('run', 'id');
CREATE TRIGGER payout_run_asks_the_auditor AFTER UPDATE OF state ON public.payout_run FOR EACH ROW WHEN ((new.state = 'sealed'::text)) EXECUTE FUNCTION tell_auditor();
CREATE TRIGGER payout_run_begins BEFORE INSERT ON public.payout_run FOR EACH ROW WHEN (((new.state <> 'computing'::text) OR (new.journal_id IS NOT NULL) OR (new.overruled_by IS NOT NULL) OR (new.rate IS NOT NULL) OR (new.posted_count <> 0))) EXECUTE FUNCTION payout_run_begins();
CREATE TRIGGER payout_run_ends_its_decision AFTER UPDATE OF state ON public.payout_run FOR EACH ROW WHEN (((old.state = 'held'::text) AND (new.state <> 'held'::text))) EXECUTE FUNCTION end_decision_of_a_run();
CREATE TRIGGER payout_run_goes_forward BEFORE UPDATE ON public.payout_run FOR EACH ROW EXECUTE FUNCTION payout_run_goes_forward();
CREATE TRIGGER payout_run_is_kept BEFORE DELETE OR TRUNCATE ON public.payout_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_run_seals BEFORE UPDATE ON public.payout_run FOR EACH ROW WHEN (((old.state = 'computing'::text) AND (new.state = 'sealed'::text))) EXECUTE FUNCTION payout_run_seals();
CREATE TRIGGER payout_run_tells_operators AFTER INSERT OR UPDATE OF state ON public.payout_run FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER payout_share_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_share_while_held AFTER INSERT ON public.payout_share REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_outside_state('held');
CREATE CONSTRAINT TRIGGER leaves_entry AFTER UPDATE ON public.payout_stop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND ((old.check_id IS DISTINCT FROM new.check_id) OR (old.integrity_check_id IS DISTINCT FROM new.integrity_check_id)))) EXECUTE FUNCTION leave_entry('payments:all', '', 'payouts.stop', 'payouts.lift');
CREATE TRIGGER payout_stop_of_operators BEFORE UPDATE ON public.payout_stop FOR EACH ROW WHEN ((new.operator_stop_id IS NOT NULL)) EXECUTE FUNCTION keep_stop_of_restoration();
CREATE TRIGGER payout_stop_of_restoration BEFORE UPDATE ON public.payout_stop FOR EACH ROW WHEN ((new.restoration_id IS NOT NULL)) EXECUTE FUNCTION keep_stop_of_restoration();
CREATE TRIGGER payout_stop_tells_operators AFTER UPDATE ON public.payout_stop FOR EACH ROW WHEN ((old.stopped <> new.stopped)) EXECUTE FUNCTION notify_operators();
CREATE TRIGGER plan_preview_is_kept BEFORE DELETE OR TRUNCATE ON public.plan_preview FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_preview_never_changes BEFORE UPDATE ON public.plan_preview FOR EACH ROW WHEN (((old.finished_at IS NOT NULL) OR (((((new.id IS DISTINCT FROM old.id) OR (new.sha256 IS DISTINCT FROM old.sha256)) OR (new.document IS DISTINCT FROM old.document)) OR (new.asked_by IS DISTINCT FROM old.asked_by)) OR (new.asked_at IS DISTINCT FROM old.asked_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_version_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.plan_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER pool_funding_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.pool_funding FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_chart_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting_chart FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER principal_movement_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.principal_movement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER principal_movement_part_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.principal_movement_part FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_check_is_kept BEFORE DELETE ON public.reserve_check FOR EACH ROW WHEN ((old.at > (clock_timestamp() - '30 days'::interval))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_check_never_changes BEFORE UPDATE OR TRUNCATE ON public.reserve_check FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER restoration_passes_over_addresses AFTER INSERT ON public.restoration FOR EACH ROW EXECUTE FUNCTION pass_over_deposit_addresses();
CREATE TRIGGER reversal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_of_a_whole_investment BEFORE INSERT ON public.reversal FOR EACH ROW EXECUTE FUNCTION reversal_of_a_whole_investment();
CREATE TRIGGER reversal_part_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reversal_part FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reversal_part_takes_referral_earned AFTER INSERT ON public.reversal_part FOR EACH ROW WHEN ((new.run_id IS NOT NULL)) EXECUTE FUNCTION take_referral_earned();
CREATE TRIGGER sealed_earning_is_kept BEFORE DELETE OR TRUNCATE ON public.sealed_earning FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER security_event_is_append_only BEFORE DELETE OR TRUNCATE ON public.security_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER security_event_is_only_erased BEFORE UPDATE ON public.security_event FOR EACH ROW WHEN (((old.erased_at IS NOT NULL) OR (new.erased_at IS NULL) OR (new.details <> '{}'::jsonb) OR (new.user_agent <> ''::text) OR (new.ip <> ''::text) OR (((((old.member_id IS DISTINCT FROM new.member_id) OR (old.id IS DISTINCT FROM new.id)) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.at IS DISTINCT FROM new.at)) OR (old.details_hash IS DISTINCT FROM new.details_hash)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER session_tells AFTER UPDATE OF ended_at ON public.session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION notify_of_session();
CREATE TRIGGER signer_journal_is_kept BEFORE INSERT OR DELETE OR TRUNCATE ON public.signer_journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER support_message_is_append_only BEFORE UPDATE OR TRUNCATE ON public.support_message FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER support_message_is_kept BEFORE DELETE ON public.support_message FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed();
CREATE TRIGGER support_message_tells_operators AFTER INSERT ON public.support_message FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER support_template_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.support_template FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER support_thread_tells_operators AFTER UPDATE ON public.support_thread FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.assigned_to IS DISTINCT FROM new.assigned_to))) EXECUTE FUNCTION notify_operators();
CREATE TRIGGER transfer_review_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfer_review FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.unconfirmed_transfer FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER unconfirmed_transfer_tells AFTER INSERT ON public.unconfirmed_transfer REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();
CREATE TRIGGER unconfirmed_transfer_tells_of_its_end AFTER DELETE ON public.unconfirmed_transfer REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.unexplained_outflow FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER unexplained_outflow_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.unexplained_outflow FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER leaves_entry AFTER INSERT ON public.withdrawal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((SESSION_USER)::text ~ '_login$'::text)) EXECUTE FUNCTION leave_entry('withdrawal', 'id');
CREATE CONSTRAINT TRIGGER leaves_entry_of_its_end AFTER UPDATE ON public.withdrawal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((SESSION_USER)::text ~ '_login$'::text) AND (old.state <> new.state) AND (new.state = ANY (ARRAY['refused'::text, 'cancelled'::text])))) EXECUTE FUNCTION leave_entry('withdrawal', 'id');
CREATE TRIGGER withdrawal_approved_by_the_signer BEFORE UPDATE OF state ON public.withdrawal FOR EACH ROW WHEN (((new.state = 'approved'::text) AND (old.state <> 'approved'::text))) EXECUTE FUNCTION withdrawal_approved_by_the_signer();
CREATE TRIGGER withdrawal_approved_is_told AFTER UPDATE ON public.withdrawal REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION announce_approved();
CREATE TRIGGER withdrawal_goes_forward BEFORE UPDATE ON public.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_goes_forward();
CREATE TRIGGER withdrawal_is_kept BEFORE DELETE OR TRUNCATE ON public.withdrawal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawal_is_requested BEFORE INSERT ON public.withdrawal FOR EACH ROW WHEN (((new.state <> 'requested'::text) OR (new.approved_at IS NOT NULL))) EXECUTE FUNCTION withdrawal_is_requested();
CREATE TRIGGER withdrawal_of_a_free_account BEFORE INSERT ON public.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_of_a_free_account();
CREATE TRIGGER withdrawal_tells AFTER INSERT ON public.withdrawal REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_withdrawal();
CREATE TRIGGER withdrawal_tells_of_its_change AFTER UPDATE ON public.withdrawal REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_withdrawal();
CREATE TRIGGER approval_by_an_operator AFTER INSERT ON public.withdrawal_approval REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION approval_by_an_operator();
CREATE TRIGGER withdrawal_approval_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.withdrawal_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawal_approval_tells_operators AFTER INSERT ON public.withdrawal_approval FOR EACH ROW EXECUTE FUNCTION notify_operators();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR DELETE OR UPDATE ON public.withdrawal_delay FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER withdrawal_proof_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.withdrawal_proof FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT INSERT, SELECT ON adopted_transfer TO aval_ledger;
GRANT SELECT ON adopted_transfer TO aval_server;
GRANT SELECT ON approval TO aval_approvals;
GRANT INSERT, SELECT, UPDATE ON approval TO aval_ledger;
GRANT SELECT ON approval TO aval_signer;
GRANT SELECT ON approval_decision TO aval_approvals;
GRANT SELECT ON approval_decision TO aval_gateway;
GRANT INSERT, SELECT ON approval_decision TO aval_ledger;
GRANT SELECT ON approval_decision TO aval_signer;
GRANT SELECT ON approval_row TO aval_approvals;
GRANT SELECT ON approval_row TO aval_gateway;
GRANT INSERT, SELECT ON approval_row TO aval_ledger;
GRANT SELECT ON approval_row TO aval_signer;
GRANT SELECT ON archived_part TO aval_server;
GRANT SELECT ON archived_payout TO aval_server;
GRANT SELECT ON archived_posting TO aval_server;
GRANT SELECT, UPDATE ON audit_cut TO aval_ledger;
GRANT INSERT, SELECT ON audit_event TO aval_ledger;
GRANT SELECT ON audit_event TO aval_server;
GRANT INSERT, SELECT ON audit_key TO aval_ledger;
GRANT SELECT ON audit_key TO aval_signer;
GRANT SELECT ON audit_key TO aval_worker;
GRANT INSERT, SELECT, UPDATE ON audit_seal TO aval_ledger;
GRANT SELECT ON audit_seal TO aval_signer;
GRANT SELECT ON audit_seal TO aval_worker;
GRANT INSERT, SELECT ON audit_signature TO aval_ledger;
GRANT SELECT ON audit_signature TO aval_signer;
GRANT SELECT ON audit_signature TO aval_worker;
GRANT SELECT ON audit_verification TO aval_server;
GRANT UPDATE ON audit_verification TO aval_worker;
GRANT SELECT ON binary_carry TO aval_auditor;
GRANT SELECT ON binary_carry TO aval_ledger;
GRANT SELECT ON binary_carry TO aval_server;
GRANT INSERT ON binary_carry TO aval_worker;
GRANT DELETE, INSERT, SELECT, UPDATE ON call_count TO aval_api;
GRANT DELETE, SELECT ON call_count TO aval_worker;
GRANT SELECT ON chain_cursor TO aval_gateway;
GRANT SELECT, UPDATE ON chain_cursor TO aval_ledger;
GRANT SELECT ON chain_cursor TO aval_server;
GRANT INSERT, SELECT ON chain_genesis TO aval_gateway;
GRANT DELETE, INSERT, SELECT ON closed_account TO aval_ledger;
GRANT SELECT ON company_day TO aval_server;
GRANT DELETE, INSERT, UPDATE ON company_day TO aval_worker;
GRANT SELECT ON company_day_part TO aval_server;
GRANT DELETE, INSERT, UPDATE ON company_day_part TO aval_worker;
GRANT SELECT ON company_fee TO aval_server;
GRANT DELETE, INSERT, UPDATE ON company_fee TO aval_worker;
GRANT SELECT ON company_growth TO aval_server;
GRANT DELETE, INSERT, UPDATE ON company_growth TO aval_worker;
GRANT SELECT ON company_summary TO aval_server;
GRANT DELETE, INSERT, UPDATE ON company_summary TO aval_worker;
GRANT SELECT ON custody_address TO aval_gateway;
GRANT INSERT, SELECT ON custody_address TO aval_ledger;
GRANT SELECT ON custody_address TO aval_server;
GRANT SELECT ON custody_address TO aval_signer;
GRANT INSERT, SELECT ON custody_adjustment TO aval_ledger;
GRANT SELECT ON custody_adjustment TO aval_server;
GRANT SELECT, UPDATE ON custody_balance TO aval_ledger;
GRANT SELECT ON custody_balance TO aval_server;
GRANT SELECT ON custody_holding TO aval_gateway;
GRANT INSERT, SELECT, UPDATE ON custody_holding TO aval_ledger;
GRANT SELECT ON custody_holding TO aval_server;
GRANT INSERT, SELECT, UPDATE ON custody_reading TO aval_gateway;
GRANT SELECT ON custody_reading TO aval_ledger;
GRANT SELECT ON custody_reading TO aval_server;
GRANT SELECT ON decision TO aval_api;
GRANT SELECT ON decision TO aval_approvals;
GRANT INSERT, SELECT, UPDATE ON decision TO aval_ledger;
GRANT SELECT ON decision TO aval_signer;
GRANT SELECT ON decision TO aval_worker;
GRANT SELECT ON decision_approval TO aval_api;
GRANT SELECT ON decision_approval TO aval_approvals;
GRANT INSERT, SELECT ON decision_approval TO aval_ledger;
GRANT SELECT ON declared_rate TO aval_auditor;
GRANT INSERT, SELECT ON declared_rate TO aval_ledger;
GRANT SELECT ON declared_rate TO aval_server;
GRANT SELECT ON demo_clock TO aval_approvals;
GRANT SELECT ON demo_clock TO aval_ledger;
GRANT INSERT, SELECT, UPDATE ON demo_clock TO aval_server;
GRANT SELECT ON deposit_address TO aval_gateway;
GRANT INSERT, SELECT ON deposit_address TO aval_ledger;
GRANT SELECT ON deposit_address TO aval_server;
GRANT SELECT ON deposit_address TO aval_signer;
GRANT INSERT, SELECT ON deposit_credit TO aval_ledger;
GRANT SELECT ON deposit_credit TO aval_server;
GRANT SELECT ON downline TO aval_ledger;
GRANT DELETE, INSERT, SELECT ON downline TO aval_server;
GRANT SELECT ON downline_generation TO aval_ledger;
GRANT SELECT, UPDATE ON downline_generation TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON downline_recent TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON email_code TO aval_server;
GRANT SELECT ON extra_percent TO aval_auditor;
GRANT INSERT, SELECT ON extra_percent TO aval_ledger;
GRANT SELECT ON extra_percent TO aval_server;
GRANT INSERT, SELECT ON factor_release TO aval_ledger;
GRANT SELECT ON factor_release TO aval_server;
GRANT INSERT, SELECT, UPDATE ON failed_try TO aval_ledger;
GRANT SELECT ON failed_try TO aval_server;
GRANT DELETE ON failed_try TO aval_worker;
GRANT INSERT, SELECT, UPDATE ON former_operator TO aval_ledger;
GRANT SELECT ON former_operator TO aval_server;
GRANT SELECT ON gateway_lease TO aval_api;
GRANT SELECT ON gateway_lease TO aval_gateway;
GRANT SELECT, UPDATE ON gateway_lease TO aval_ledger;
GRANT DELETE, INSERT, SELECT, UPDATE ON gateway_node TO aval_gateway;
GRANT SELECT ON gateway_node TO aval_server;
GRANT INSERT, SELECT, UPDATE ON guess_level TO aval_api;
GRANT DELETE, SELECT ON guess_level TO aval_worker;
GRANT DELETE, INSERT, SELECT, UPDATE ON guesses_told TO aval_worker;
GRANT SELECT, UPDATE ON house_balance TO aval_ledger;
GRANT SELECT ON house_balance TO aval_server;
GRANT DELETE, SELECT ON idempotency_response TO aval_ledger;
GRANT INSERT, SELECT ON idempotency_response TO aval_server;
GRANT SELECT ON incoming_transfer TO aval_gateway;
GRANT INSERT, SELECT ON incoming_transfer TO aval_ledger;
GRANT SELECT ON incoming_transfer TO aval_server;
GRANT SELECT ON installation TO aval_approvals;
GRANT SELECT ON installation TO aval_gateway;
GRANT SELECT ON installation TO aval_ledger;
GRANT INSERT, SELECT ON installation TO aval_server;
GRANT SELECT ON installation TO aval_signer;
GRANT SELECT ON integrity_check TO aval_api;
GRANT INSERT, SELECT, UPDATE ON integrity_check TO aval_ledger;
GRANT SELECT ON integrity_check TO aval_worker;
GRANT SELECT ON investment TO aval_auditor;
GRANT INSERT, SELECT ON investment TO aval_ledger;
GRANT SELECT ON investment TO aval_server;
GRANT SELECT ON investment_left TO aval_ledger;
GRANT SELECT ON investment_left TO aval_server;
GRANT INSERT, SELECT, UPDATE ON invoice TO aval_ledger;
GRANT SELECT ON invoice TO aval_server;
GRANT INSERT, SELECT ON invoice_key TO aval_server;
GRANT INSERT, SELECT ON journal TO aval_ledger;
GRANT SELECT ON journal TO aval_server;
GRANT INSERT, UPDATE ON known_device TO aval_api;
GRANT DELETE, SELECT ON known_device TO aval_server;
GRANT SELECT ON ledger_seal TO aval_server;
GRANT SELECT ON ledger_seal_sum TO aval_server;
GRANT INSERT, SELECT ON lost_payment TO aval_ledger;
GRANT SELECT ON lost_payment TO aval_server;
GRANT DELETE, SELECT ON mail_message TO aval_ledger;
GRANT INSERT, SELECT ON mail_message TO aval_server;
GRANT SELECT ON master_code TO aval_auditor;
GRANT INSERT, SELECT ON master_code TO aval_ledger;
GRANT SELECT ON master_code TO aval_server;
GRANT SELECT ON member TO aval_ledger;
GRANT SELECT ON member TO aval_server;
GRANT DELETE, SELECT ON member_avatar TO aval_ledger;
GRANT INSERT, SELECT, UPDATE ON member_avatar TO aval_server;
GRANT INSERT, SELECT, UPDATE ON member_balance TO aval_ledger;
GRANT SELECT ON member_balance TO aval_server;
GRANT INSERT, SELECT ON member_freeze TO aval_ledger;
GRANT SELECT ON member_freeze TO aval_server;
GRANT DELETE, SELECT ON member_identifier TO aval_ledger;
GRANT DELETE, SELECT ON member_identifier TO aval_server;
GRANT SELECT ON member_key TO aval_api;
GRANT SELECT ON member_key TO aval_gateway;
GRANT INSERT, SELECT ON member_key TO aval_ledger;
GRANT SELECT ON member_key TO aval_signer;
GRANT INSERT, SELECT ON member_nonce TO aval_ledger;
GRANT DELETE, SELECT ON member_note TO aval_ledger;
GRANT INSERT, SELECT ON member_note TO aval_server;
GRANT INSERT, SELECT, UPDATE ON member_pending TO aval_ledger;
GRANT SELECT ON member_pending TO aval_server;
GRANT INSERT, SELECT, UPDATE ON member_receivable TO aval_ledger;
GRANT SELECT ON member_receivable TO aval_server;
GRANT SELECT ON member_totp TO aval_ledger;
GRANT DELETE, INSERT, SELECT, UPDATE ON member_totp TO aval_server;
GRANT DELETE, INSERT, SELECT ON member_view TO aval_server;
GRANT INSERT, SELECT ON operator_alert TO aval_server;
GRANT INSERT, SELECT ON operator_change TO aval_ledger;
GRANT SELECT ON operator_change TO aval_server;
GRANT INSERT ON operator_mail_choice TO aval_api;
GRANT SELECT ON operator_mail_choice TO aval_server;
GRANT SELECT ON operator_notification TO aval_server;
GRANT DELETE, INSERT ON operator_notification TO aval_worker;
GRANT INSERT ON operator_notification_read TO aval_api;
GRANT SELECT ON operator_notification_read TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON otp_challenge TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON otp_tries TO aval_server;
GRANT SELECT ON outgoing_transfer TO aval_gateway;
GRANT INSERT, SELECT ON outgoing_transfer TO aval_ledger;
GRANT SELECT ON outgoing_transfer TO aval_server;
GRANT SELECT ON outgoing_transfer TO aval_signer;
GRANT INSERT, SELECT ON outgoing_transfer_booking TO aval_ledger;
GRANT SELECT ON outgoing_transfer_booking TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON passkey TO aval_api;
GRANT INSERT ON passkey_challenge TO aval_api;
GRANT DELETE, SELECT ON passkey_challenge TO aval_server;
GRANT INSERT, SELECT ON passkey_owner TO aval_api;
GRANT DELETE, SELECT ON passkey_owner TO aval_ledger;
GRANT SELECT ON password_reset TO aval_server;
GRANT DELETE, INSERT ON password_reset TO aval_worker;
GRANT INSERT, SELECT, UPDATE ON payments_stop TO aval_ledger;
GRANT SELECT ON payments_stop TO aval_server;
GRANT SELECT ON payout_audit TO aval_auditor;
GRANT INSERT, SELECT, UPDATE ON payout_audit TO aval_ledger;
GRANT SELECT ON payout_audit TO aval_server;
GRANT INSERT, SELECT, UPDATE ON payout_batch TO aval_ledger;
GRANT SELECT ON payout_batch TO aval_server;
GRANT SELECT ON payout_digest TO aval_server;
GRANT INSERT ON payout_digest TO aval_worker;
GRANT SELECT ON payout_item TO aval_auditor;
GRANT SELECT ON payout_item TO aval_ledger;
GRANT SELECT ON payout_item TO aval_server;
GRANT INSERT ON payout_item TO aval_worker;
GRANT SELECT ON payout_missed TO aval_auditor;
GRANT SELECT ON payout_missed TO aval_ledger;
GRANT SELECT ON payout_missed TO aval_server;
GRANT INSERT ON payout_missed TO aval_worker;
GRANT SELECT ON payout_page TO aval_auditor;
GRANT SELECT ON payout_page TO aval_ledger;
GRANT SELECT ON payout_page TO aval_server;
GRANT INSERT ON payout_page TO aval_worker;
GRANT INSERT, SELECT ON payout_page_share TO aval_ledger;
GRANT SELECT ON payout_page_share TO aval_server;
GRANT SELECT ON payout_replay TO aval_server;
GRANT SELECT ON payout_run TO aval_auditor;
GRANT INSERT, SELECT, UPDATE ON payout_run TO aval_ledger;
GRANT SELECT ON payout_run TO aval_server;
GRANT INSERT, UPDATE ON payout_run TO aval_worker;
GRANT INSERT, SELECT ON payout_share TO aval_ledger;
GRANT SELECT ON payout_share TO aval_server;
GRANT SELECT ON payout_stop TO aval_approvals;
GRANT SELECT ON payout_stop TO aval_gateway;
GRANT SELECT, UPDATE ON payout_stop TO aval_ledger;
GRANT SELECT ON payout_stop TO aval_server;
GRANT SELECT ON payout_stop TO aval_signer;
GRANT SELECT, UPDATE ON period_close TO aval_ledger;
GRANT SELECT ON period_close TO aval_server;
GRANT SELECT ON placement TO aval_auditor;
GRANT INSERT, SELECT ON placement TO aval_server;
GRANT INSERT, SELECT ON placement_chain TO aval_server;
GRANT SELECT ON plan_preview TO aval_server;
GRANT SELECT ON plan_version TO aval_approvals;
GRANT SELECT ON plan_version TO aval_auditor;
GRANT INSERT, SELECT ON plan_version TO aval_ledger;
GRANT SELECT ON plan_version TO aval_server;
GRANT INSERT, SELECT ON pool_funding TO aval_ledger;
GRANT SELECT ON pool_funding TO aval_server;
GRANT INSERT, SELECT ON posting TO aval_ledger;
GRANT SELECT ON posting TO aval_server;
GRANT SELECT ON posting_chart TO aval_ledger;
GRANT SELECT ON posting_chart TO aval_server;
GRANT SELECT ON principal_movement TO aval_auditor;
GRANT INSERT, SELECT ON principal_movement TO aval_ledger;
GRANT SELECT ON principal_movement TO aval_server;
GRANT INSERT, SELECT ON principal_movement_part TO aval_ledger;
GRANT SELECT ON principal_movement_part TO aval_server;
GRANT SELECT ON principal_unlock TO aval_server;
GRANT DELETE, INSERT, UPDATE ON principal_unlock TO aval_worker;
GRANT SELECT, UPDATE ON product_lock TO aval_ledger;
GRANT DELETE, INSERT, SELECT ON recovery_code TO aval_server;
GRANT INSERT, SELECT, UPDATE ON referral_earned TO aval_ledger;
GRANT SELECT ON referral_earned TO aval_server;
GRANT DELETE, SELECT ON refresh_token TO aval_ledger;
GRANT DELETE, INSERT, SELECT, UPDATE ON refresh_token TO aval_server;
GRANT DELETE, SELECT ON reserve_check TO aval_ledger;
GRANT SELECT ON reserve_check TO aval_server;
GRANT INSERT ON reserve_check TO aval_worker;
GRANT INSERT, SELECT, UPDATE ON restoration TO aval_ledger;
GRANT SELECT ON restoration TO aval_server;
GRANT SELECT ON reversal TO aval_auditor;
GRANT INSERT, SELECT ON reversal TO aval_ledger;
GRANT SELECT ON reversal TO aval_server;
GRANT SELECT ON reversal_part TO aval_auditor;
GRANT INSERT, SELECT ON reversal_part TO aval_ledger;
GRANT SELECT ON reversal_part TO aval_server;
GRANT SELECT ON sealed_earning TO aval_server;
GRANT INSERT, SELECT ON security_event TO aval_ledger;
GRANT SELECT ON security_event TO aval_server;
GRANT DELETE, SELECT ON session TO aval_ledger;
GRANT DELETE, INSERT, SELECT, UPDATE ON session TO aval_server;
GRANT SELECT, UPDATE ON signer_journal TO aval_ledger;
GRANT SELECT ON signer_journal TO aval_signer;
GRANT DELETE, INSERT, SELECT ON spent_captcha TO aval_server;
GRANT SELECT ON sponsorship TO aval_auditor;
GRANT SELECT ON sponsorship TO aval_ledger;
GRANT INSERT, SELECT ON sponsorship TO aval_server;
GRANT DELETE, SELECT ON support_message TO aval_ledger;
GRANT INSERT, SELECT ON support_message TO aval_server;
GRANT INSERT, SELECT ON support_template TO aval_server;
GRANT DELETE, SELECT ON support_thread TO aval_ledger;
GRANT INSERT, SELECT ON support_thread TO aval_server;
GRANT INSERT ON transfer_review TO aval_api;
GRANT SELECT ON transfer_review TO aval_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON unconfirmed_transfer TO aval_gateway;
GRANT SELECT ON unconfirmed_transfer TO aval_ledger;
GRANT SELECT ON unconfirmed_transfer TO aval_server;
GRANT INSERT, SELECT ON unexplained_outflow TO aval_gateway;
GRANT SELECT ON unexplained_outflow TO aval_server;
GRANT SELECT ON withdrawal TO aval_approvals;
GRANT INSERT, SELECT ON withdrawal TO aval_ledger;
GRANT SELECT ON withdrawal TO aval_server;
GRANT SELECT ON withdrawal_approval TO aval_approvals;
GRANT INSERT, SELECT ON withdrawal_approval TO aval_ledger;
GRANT SELECT ON withdrawal_approval TO aval_server;
GRANT SELECT ON withdrawal_approval TO aval_signer;
GRANT SELECT ON withdrawal_delay TO aval_approvals;
GRANT DELETE, INSERT, SELECT, UPDATE ON withdrawal_delay TO aval_gateway;
GRANT SELECT ON withdrawal_delay TO aval_server;
GRANT SELECT ON withdrawal_proof TO aval_api;
GRANT SELECT ON withdrawal_proof TO aval_gateway;
GRANT INSERT, SELECT ON withdrawal_proof TO aval_ledger;
GRANT SELECT ON withdrawal_proof TO aval_signer;

GRANT SELECT (id, operator_id, purpose, network, nonce, expires_at, root, row_count, proof, submitted_at, state) ON approval TO aval_gateway;
GRANT UPDATE (details, erased_at) ON audit_event TO aval_ledger;
GRANT INSERT (asked_by, asked_at) ON audit_verification TO aval_server;
GRANT INSERT (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at) ON chain_cursor TO aval_gateway;
GRANT UPDATE (head_block, solid_block, seen_at) ON chain_cursor TO aval_gateway;
GRANT UPDATE (traces_erased_at) ON closed_account TO aval_ledger;
GRANT SELECT (id, kind, subject, statement, proposed_by, proposed_at, expires_at, state, ended_at) ON decision TO aval_worker;
GRANT SELECT (decision_id, operator_id, at) ON decision_approval TO aval_worker;
GRANT UPDATE (member_id, key_index, passed_over) ON deposit_address TO aval_ledger;
GRANT UPDATE (reason, identified, decided_by, decided_at, outcome) ON factor_release TO aval_ledger;
GRANT UPDATE (at) ON guess_level TO aval_worker;
GRANT SELECT (network) ON installation TO aval_auditor;
GRANT INSERT (member_id, txn_id, amount, fee, plan_version, created_at, expires_at) ON invoice TO aval_server;
GRANT UPDATE (params, state, attempts, next_try_at, claim, message_id, sent_at, last_error) ON mail_message TO aval_server;
GRANT SELECT (id, username, first_name, last_name, usdt_wallet, is_operator) ON member TO aval_approvals;
GRANT UPDATE (username, email, email_proven_at, password_hash, first_name, last_name, phone_number, usdt_wallet, is_fundator, is_operator, avatar, closed_at, operator_role) ON member TO aval_ledger;
GRANT INSERT (username, email, password_hash, ref_code, first_name, last_name, phone_number, usdt_wallet, locale, terms_accepted_at, joined_at, avatar, time_zone, region) ON member TO aval_server;
GRANT UPDATE (username, email, email_proven_at, password_hash, ref_code, first_name, last_name, phone_number, usdt_wallet, locale, avatar, time_zone, region) ON member TO aval_server;
GRANT SELECT (member_id, earned_passive) ON member_balance TO aval_auditor;
GRANT SELECT (member_id, id, frozen) ON member_freeze TO aval_approvals;
GRANT UPDATE (reason) ON member_freeze TO aval_ledger;
GRANT UPDATE (member_id) ON member_identifier TO aval_ledger;
GRANT INSERT (kind, value, member_id) ON member_identifier TO aval_server;
GRANT UPDATE (former_since) ON member_identifier TO aval_server;
GRANT SELECT (member_id, version, kind, credential_id, key_hash, expires_at, submitted_at, state) ON member_key TO aval_approvals;
GRANT UPDATE (state, refusal, decided_at, usable_from) ON member_key TO aval_ledger;
GRANT SELECT (member_id, version, kind, state, refusal, decided_at, usable_from) ON member_key TO aval_worker;
GRANT UPDATE (state, accepted_at, ended_at) ON operator_change TO aval_ledger;
GRANT UPDATE (link_hash) ON operator_change TO aval_worker;
GRANT UPDATE (mailed) ON operator_mail_choice TO aval_api;
GRANT UPDATE (words, over_at) ON operator_notification TO aval_worker;
GRANT UPDATE (broadcast_at, broadcasts, reply, seen_block) ON outgoing_transfer TO aval_gateway;
GRANT SELECT (txid, traceparent) ON outgoing_transfer TO aval_jobs;
GRANT UPDATE (state, signature, signed_at, seen_block, seen_at, block, block_at, result, arrived, fee_sun, closed_at) ON outgoing_transfer TO aval_ledger;
GRANT UPDATE (wrong_tries, used_at) ON password_reset TO aval_server;
GRANT INSERT (run_id, asked_by, asked_at) ON payout_replay TO aval_api;
GRANT UPDATE (state, done, total, result, finished_at) ON payout_replay TO aval_worker;
GRANT UPDATE (preference, left_referrals, right_referrals) ON placement TO aval_server;
GRANT UPDATE (tail_id) ON placement_chain TO aval_server;
GRANT INSERT (sha256, document, asked_by, asked_at) ON plan_preview TO aval_api;
GRANT UPDATE (state, done, total, version, result, finished_at) ON plan_preview TO aval_worker;
GRANT SELECT (member_id, journal_id, amount) ON posting TO aval_auditor;
GRANT UPDATE (used_at) ON recovery_code TO aval_server;
GRANT SELECT (ended_at) ON restoration TO aval_gateway;
GRANT SELECT (member_id, kind, at) ON security_event TO aval_approvals;
GRANT UPDATE (user_agent, ip, details, erased_at) ON security_event TO aval_ledger;
GRANT UPDATE (is_master) ON sponsorship TO aval_ledger;
GRANT UPDATE (state, waiting_since, topic, last_at, member_read_id, operator_read_id, assigned_to, assigned_at) ON support_thread TO aval_server;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approved_at, traceparent) ON withdrawal TO aval_gateway;
GRANT UPDATE (state, approved_at, closed_at, close_journal_id, reason, closed_by, txid) ON withdrawal TO aval_ledger;
GRANT SELECT (member_id, id, amount, fee, wallet_address, state, approvals_needed) ON withdrawal TO aval_signer;

ALTER FUNCTION accept_approval(bigint,smallint[]) OWNER TO aval_ledger;
ALTER FUNCTION accept_decision_approval(bigint,smallint[]) OWNER TO aval_ledger;
ALTER FUNCTION accept_operator_invitation(bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION activate_master(bigint,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION adopt_transfer(text,text,text,bigint,bigint,timestamp with time zone,bigint) OWNER TO aval_ledger;
ALTER FUNCTION announce_approved() OWNER TO aval_ledger;
ALTER FUNCTION announce_sent() OWNER TO aval_ledger;
ALTER FUNCTION apply_operator_change(bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION approval_by_an_operator() OWNER TO aval_ledger;
ALTER FUNCTION ask_about_lost_key() OWNER TO aval_ledger;
ALTER FUNCTION ask_operator_change(bigint,bigint,text,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION ask_release(bigint,text,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION begin_restoration(timestamp with time zone,boolean) OWNER TO aval_ledger;
ALTER FUNCTION book_opening(text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION book_outgoing_transfer(text,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION cancel_member_key(bigint) OWNER TO aval_ledger;
ALTER FUNCTION cancel_payout_run(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION cancel_withdrawal(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION claim_deposit_address(bigint) OWNER TO aval_ledger;
ALTER FUNCTION close_account(bigint,text,text,text,timestamp with time zone,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION close_period(timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION complete_invoice(bigint,bigint,bigint,integer,timestamp with time zone,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION count_failed_try(bigint,text,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION credit_transfer(text,integer,timestamp with time zone,text,bigint,bigint,integer) OWNER TO aval_ledger;
ALTER FUNCTION declare_rate(text,text,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION deposit_address_stock() OWNER TO aval_ledger;
ALTER FUNCTION dismiss_operator(bigint,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION draw_number() OWNER TO aval_ledger;
ALTER FUNCTION end_decision_of_a_key() OWNER TO aval_ledger;
ALTER FUNCTION end_decision_of_a_run() OWNER TO aval_ledger;
ALTER FUNCTION end_invoice(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION end_release(bigint,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION end_restoration() OWNER TO aval_ledger;
ALTER FUNCTION enqueue_announcing() OWNER TO aval_jobs;
ALTER FUNCTION enqueue_applied(text,bigint) OWNER TO aval_jobs;
ALTER FUNCTION enqueue_credit(text,integer) OWNER TO aval_jobs;
ALTER FUNCTION enqueue_opening(text) OWNER TO aval_jobs;
ALTER FUNCTION enqueue_resumption() OWNER TO aval_jobs;
ALTER FUNCTION enqueue_settlements(text[]) OWNER TO aval_jobs;
ALTER FUNCTION erase_audit_details(bigint) OWNER TO aval_ledger;
ALTER FUNCTION expire_outgoing_transfer(text,text) OWNER TO aval_ledger;
ALTER FUNCTION explain_difference(text,bigint,text,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION fence_gateway() OWNER TO aval_ledger;
ALTER FUNCTION freeze_member(bigint,boolean,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION fund_pool(text,bigint,text,timestamp with time zone,bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION hold_gateway_lease(text,integer) OWNER TO aval_ledger;
ALTER FUNCTION hold_lock(text) OWNER TO aval_ledger;
ALTER FUNCTION hold_period(timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION hold_pool(ledger_account) OWNER TO aval_ledger;
ALTER FUNCTION import_signature(text,bytea) OWNER TO aval_ledger;
ALTER FUNCTION invest_balance(bigint,text,bigint,integer,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION investment_of_the_balance() OWNER TO aval_ledger;
ALTER FUNCTION is_above(bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION is_frozen(bigint) OWNER TO aval_ledger;
ALTER FUNCTION leave_entry() OWNER TO aval_ledger;
ALTER FUNCTION lift_payout_stop(bigint) OWNER TO aval_ledger;
ALTER FUNCTION member_of_a_free_account() OWNER TO aval_ledger;
ALTER FUNCTION move_chain_cursor(text,bigint[],text[],text[],timestamp with time zone[]) OWNER TO aval_ledger;
ALTER FUNCTION open_member_accounts(bigint) OWNER TO aval_ledger;
ALTER FUNCTION overrule_payout_run(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION parts_of_reversal(investment) OWNER TO aval_ledger;
ALTER FUNCTION payout_run_seals() OWNER TO aval_ledger;
ALTER FUNCTION post_payout_batch(bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION prepare_outgoing_transfer(text,text,bigint,bigint,text,text,bigint,bytea,timestamp with time zone,boolean) OWNER TO aval_ledger;
ALTER FUNCTION propose_decision(text,jsonb,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION prorate_payout_run(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION purge_closed_accounts(timestamp with time zone,integer) OWNER TO aval_ledger;
ALTER FUNCTION purge_idempotency_responses(timestamp with time zone,integer) OWNER TO aval_ledger;
ALTER FUNCTION purge_mail(timestamp with time zone,integer) OWNER TO aval_ledger;
ALTER FUNCTION purge_reserve_checks() OWNER TO aval_ledger;
ALTER FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) OWNER TO aval_ledger;
ALTER FUNCTION record_audits(timestamp with time zone,bigint,text,text,text[],jsonb[]) OWNER TO aval_ledger;
ALTER FUNCTION record_incoming_transfer(text,integer,bigint,timestamp with time zone,text,text,text,text,numeric) OWNER TO aval_ledger;
ALTER FUNCTION record_integrity_check(text[],timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION record_investment() OWNER TO aval_ledger;
ALTER FUNCTION record_joining() OWNER TO aval_ledger;
ALTER FUNCTION record_payout_audit(bigint,text,integer,bigint,jsonb,text,text) OWNER TO aval_ledger;
ALTER FUNCTION record_security_event(bigint,text,timestamp with time zone,text,text,jsonb) OWNER TO aval_ledger;
ALTER FUNCTION recover_receivable(bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION refuse_act_above(bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION refuse_approval(bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION refuse_frozen(bigint) OWNER TO aval_ledger;
ALTER FUNCTION refuse_key_of_a_decision() OWNER TO aval_ledger;
ALTER FUNCTION refuse_member_key(bigint,integer,text) OWNER TO aval_ledger;
ALTER FUNCTION refuse_withdrawal(bigint,bigint,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION register_audit_key(bytea) OWNER TO aval_ledger;
ALTER FUNCTION register_custody(text,text,bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION release_gateway_lease(text) OWNER TO aval_ledger;
ALTER FUNCTION release_payout_run(bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION remember_journal(bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION report_signed(jsonb) OWNER TO aval_ledger;
ALTER FUNCTION request_withdrawal(bigint,bigint,bigint,bigint,bigint,text,smallint,integer,jsonb,text,timestamp with time zone,jsonb) OWNER TO aval_ledger;
ALTER FUNCTION resume_payments(bigint,bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION reversal_refusal(investment) OWNER TO aval_ledger;
ALTER FUNCTION reverse_investment(bigint,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION seal_audit(integer) OWNER TO aval_ledger;
ALTER FUNCTION seal_member_key(bigint,integer,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION set_extra_percent(bigint,text,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION set_fundator(bigint,boolean) OWNER TO aval_ledger;
ALTER FUNCTION settle_outgoing_transfer(text,bigint,timestamp with time zone,boolean,text,bigint,bigint) OWNER TO aval_ledger;
ALTER FUNCTION settle_outgoing_transfers(text[],bigint[],timestamp with time zone[],boolean[],text[],bigint[],bigint[]) OWNER TO aval_ledger;
ALTER FUNCTION share_lock(text) OWNER TO aval_ledger;
ALTER FUNCTION sign_outgoing_transfer(text,bytea,bigint) OWNER TO aval_ledger;
ALTER FUNCTION sign_outgoing_transfers(text[],bytea[],bigint) OWNER TO aval_ledger;
ALTER FUNCTION stop_payments(bigint,text,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION stop_payouts(bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION store_audit_signature(bigint,bytea,timestamp with time zone,bytea) OWNER TO aval_ledger;
ALTER FUNCTION store_deposit_addresses(bigint,text[]) OWNER TO aval_ledger;
ALTER FUNCTION store_first_plan(jsonb) OWNER TO aval_ledger;
ALTER FUNCTION submit_approval(bigint,text,text,text,timestamp with time zone,text,jsonb,bigint[],bigint[],bigint[],bigint[],text[]) OWNER TO aval_ledger;
ALTER FUNCTION submit_decision_approval(bigint,text,text,timestamp with time zone,text,jsonb,bigint[],text[],jsonb[]) OWNER TO aval_ledger;
ALTER FUNCTION submit_member_key(bigint,integer,text,text,integer,text,text,jsonb,timestamp with time zone,text) OWNER TO aval_ledger;
ALTER FUNCTION take_offline_approval(bigint) OWNER TO aval_ledger;
ALTER FUNCTION transfer_of_a_free_account() OWNER TO aval_ledger;
ALTER FUNCTION try_lock(text) OWNER TO aval_ledger;
ALTER FUNCTION use_member_nonce(bigint,text) OWNER TO aval_ledger;
ALTER FUNCTION withdraw_decision(bigint,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION withdraw_operator_change(bigint,bigint,timestamp with time zone) OWNER TO aval_ledger;
ALTER FUNCTION withdrawal_goes_forward() OWNER TO aval_ledger;
ALTER FUNCTION withdrawal_of_a_free_account() OWNER TO aval_ledger;

GRANT EXECUTE ON FUNCTION accept_approval(bigint,smallint[]) TO aval_signer;
GRANT EXECUTE ON FUNCTION accept_decision_approval(bigint,smallint[]) TO aval_signer;
GRANT EXECUTE ON FUNCTION accept_operator_invitation(bigint,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION activate_master(bigint,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION adopt_transfer(text,text,text,bigint,bigint,timestamp with time zone,bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION apply_operator_change(bigint,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION archived_content_hash(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION archived_until() TO aval_server;
GRANT EXECUTE ON FUNCTION ask_operator_change(bigint,bigint,text,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION ask_release(bigint,text,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION book_opening(text,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION book_outgoing_transfer(text,text,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION cancel_member_key(bigint) TO aval_api;
GRANT EXECUTE ON FUNCTION cancel_payout_run(bigint,bigint,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION cancel_withdrawal(bigint,bigint,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION claim_deposit_address(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION close_account(bigint,text,text,text,timestamp with time zone,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION close_period(timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION complete_invoice(bigint,bigint,bigint,integer,timestamp with time zone,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION copied_otherwise(bigint,boolean) TO aval_server;
GRANT EXECUTE ON FUNCTION count_failed_try(bigint,text,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION credit_transfer(text,integer,timestamp with time zone,text,bigint,bigint,integer) TO aval_worker;
GRANT EXECUTE ON FUNCTION current_traceparent() TO aval_gateway;
GRANT EXECUTE ON FUNCTION current_traceparent() TO aval_jobs;
GRANT EXECUTE ON FUNCTION current_traceparent() TO aval_ledger;
GRANT EXECUTE ON FUNCTION current_traceparent() TO aval_server;
GRANT EXECUTE ON FUNCTION declare_rate(text,text,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION deposit_address_stock() TO aval_gateway;
GRANT EXECUTE ON FUNCTION deposit_address_stock() TO aval_server;
GRANT EXECUTE ON FUNCTION deposit_address_stock() TO aval_signer;
GRANT EXECUTE ON FUNCTION dismiss_operator(bigint,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION downline_ancestor(text,bigint,integer) TO aval_ledger;
GRANT EXECUTE ON FUNCTION downline_ancestor(text,bigint,integer) TO aval_server;
GRANT EXECUTE ON FUNCTION draw_number() TO aval_worker;
GRANT EXECUTE ON FUNCTION end_invoice(bigint,bigint,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION end_invoice(bigint,bigint,text,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION end_release(bigint,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION end_restoration() TO aval_worker;
GRANT EXECUTE ON FUNCTION enqueue_announcing() TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_applied(text,bigint) TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_credit(text,integer) TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_opening(text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_resumption() TO aval_ledger;
GRANT EXECUTE ON FUNCTION enqueue_settlements(text[]) TO aval_ledger;
GRANT EXECUTE ON FUNCTION expire_outgoing_transfer(text,text) TO aval_gateway;
GRANT EXECUTE ON FUNCTION folded_later_words(text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION folded_later_words(text) TO aval_server;
GRANT EXECUTE ON FUNCTION folded_name(text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION folded_name(text) TO aval_server;
GRANT EXECUTE ON FUNCTION folded_word(text,integer) TO aval_ledger;
GRANT EXECUTE ON FUNCTION folded_word(text,integer) TO aval_server;
GRANT EXECUTE ON FUNCTION freeze_member(bigint,boolean,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION hold_gateway_lease(text,integer) TO aval_gateway;
GRANT EXECUTE ON FUNCTION hold_lock(text) TO aval_server;
GRANT EXECUTE ON FUNCTION hold_period(timestamp with time zone) TO aval_server;
GRANT EXECUTE ON FUNCTION import_signature(text,bytea) TO aval_gateway;
GRANT EXECUTE ON FUNCTION invest_balance(bigint,text,bigint,integer,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION is_above(bigint,bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION is_frozen(bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION is_frozen(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION is_frozen(bigint) TO aval_signer;
GRANT EXECUTE ON FUNCTION ledger_part() TO aval_server;
GRANT EXECUTE ON FUNCTION ledger_seal_hash(ledger_seal) TO aval_server;
GRANT EXECUTE ON FUNCTION left_in_account(bigint) TO aval_api;
GRANT EXECUTE ON FUNCTION left_in_account(bigint) TO aval_ledger;
GRANT EXECUTE ON FUNCTION lift_payout_stop(bigint) TO aval_worker;
GRANT EXECUTE ON FUNCTION microseconds(timestamp with time zone) TO aval_ledger;
GRANT EXECUTE ON FUNCTION microseconds(timestamp with time zone) TO aval_signer;
GRANT EXECUTE ON FUNCTION microseconds(timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION move_chain_cursor(text,bigint[],text[],text[],timestamp with time zone[]) TO aval_gateway;
GRANT EXECUTE ON FUNCTION netstrings(text[]) TO aval_ledger;
GRANT EXECUTE ON FUNCTION netstrings(text[]) TO aval_signer;
GRANT EXECUTE ON FUNCTION netstrings(text[]) TO aval_worker;
GRANT EXECUTE ON FUNCTION notify_members(text,bigint[]) TO aval_gateway;
GRANT EXECUTE ON FUNCTION notify_members(text,bigint[]) TO aval_ledger;
GRANT EXECUTE ON FUNCTION notify_members(text,bigint[]) TO aval_server;
GRANT EXECUTE ON FUNCTION open_member_accounts(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION partitions_short() TO aval_server;
GRANT EXECUTE ON FUNCTION parts_of_reversal(investment) TO aval_server;
GRANT EXECUTE ON FUNCTION payouts_of_part(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION post_payout_batch(bigint,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION prepare_outgoing_transfer(text,text,bigint,bigint,text,text,bigint,bytea,timestamp with time zone,boolean) TO aval_gateway;
GRANT EXECUTE ON FUNCTION propose_decision(text,jsonb,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION purge_closed_accounts(timestamp with time zone,integer) TO aval_worker;
GRANT EXECUTE ON FUNCTION purge_idempotency_responses(timestamp with time zone,integer) TO aval_server;
GRANT EXECUTE ON FUNCTION purge_mail(timestamp with time zone,integer) TO aval_server;
GRANT EXECUTE ON FUNCTION purge_reserve_checks() TO aval_worker;
GRANT EXECUTE ON FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) TO aval_api;
GRANT EXECUTE ON FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) TO aval_approvals;
GRANT EXECUTE ON FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) TO aval_gateway;
GRANT EXECUTE ON FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) TO aval_signer;
GRANT EXECUTE ON FUNCTION record_audit(timestamp with time zone,bigint,text,text,text,jsonb) TO aval_worker;
GRANT EXECUTE ON FUNCTION record_audits(timestamp with time zone,bigint,text,text,text[],jsonb[]) TO aval_worker;
GRANT EXECUTE ON FUNCTION record_incoming_transfer(text,integer,bigint,timestamp with time zone,text,text,text,text,numeric) TO aval_gateway;
GRANT EXECUTE ON FUNCTION record_integrity_check(text[],timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION record_payout_audit(bigint,text,integer,bigint,jsonb,text,text) TO aval_auditor;
GRANT EXECUTE ON FUNCTION record_security_event(bigint,text,timestamp with time zone,text,text,jsonb) TO aval_api;
GRANT EXECUTE ON FUNCTION record_security_event(bigint,text,timestamp with time zone,text,text,jsonb) TO aval_worker;
GRANT EXECUTE ON FUNCTION recover_receivable(bigint,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION referral_above(bigint,bigint) TO aval_ledger;
GRANT EXECUTE ON FUNCTION refuse_approval(bigint,text) TO aval_signer;
GRANT EXECUTE ON FUNCTION refuse_member_key(bigint,integer,text) TO aval_signer;
GRANT EXECUTE ON FUNCTION refuse_withdrawal(bigint,bigint,text,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION register_audit_key(bytea) TO aval_signer;
GRANT EXECUTE ON FUNCTION register_custody(text,text,bigint,bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION release_gateway_lease(text) TO aval_gateway;
GRANT EXECUTE ON FUNCTION release_payout_run(bigint,timestamp with time zone) TO aval_worker;
GRANT EXECUTE ON FUNCTION remember_journal(bigint,text) TO aval_signer;
GRANT EXECUTE ON FUNCTION report_signed(jsonb) TO aval_signer;
GRANT EXECUTE ON FUNCTION request_withdrawal(bigint,bigint,bigint,bigint,bigint,text,smallint,integer,jsonb,text,timestamp with time zone,jsonb) TO aval_api;
GRANT EXECUTE ON FUNCTION reversal_refusal(investment) TO aval_server;
GRANT EXECUTE ON FUNCTION seal_audit(integer) TO aval_worker;
GRANT EXECUTE ON FUNCTION seal_member_key(bigint,integer,timestamp with time zone) TO aval_signer;
GRANT EXECUTE ON FUNCTION seal_payout_run(bigint) TO aval_ledger;
GRANT EXECUTE ON FUNCTION seal_payout_run(bigint) TO aval_server;
GRANT EXECUTE ON FUNCTION sealed_earnings_hash() TO aval_server;
GRANT EXECUTE ON FUNCTION sealed_until() TO aval_server;
GRANT EXECUTE ON FUNCTION settle_outgoing_transfer(text,bigint,timestamp with time zone,boolean,text,bigint,bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION settle_outgoing_transfers(text[],bigint[],timestamp with time zone[],boolean[],text[],bigint[],bigint[]) TO aval_gateway;
GRANT EXECUTE ON FUNCTION share_lock(text) TO aval_server;
GRANT EXECUTE ON FUNCTION sign_outgoing_transfer(text,bytea,bigint) TO aval_signer;
GRANT EXECUTE ON FUNCTION sign_outgoing_transfers(text[],bytea[],bigint) TO aval_signer;
GRANT EXECUTE ON FUNCTION stop_payments(bigint,text,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION stop_payouts(bigint,text) TO aval_worker;
GRANT EXECUTE ON FUNCTION store_audit_signature(bigint,bytea,timestamp with time zone,bytea) TO aval_signer;
GRANT EXECUTE ON FUNCTION store_deposit_addresses(bigint,text[]) TO aval_signer;
GRANT EXECUTE ON FUNCTION store_first_plan(jsonb) TO aval_server;
GRANT EXECUTE ON FUNCTION submit_approval(bigint,text,text,text,timestamp with time zone,text,jsonb,bigint[],bigint[],bigint[],bigint[],text[]) TO aval_approvals;
GRANT EXECUTE ON FUNCTION submit_decision_approval(bigint,text,text,timestamp with time zone,text,jsonb,bigint[],text[],jsonb[]) TO aval_approvals;
GRANT EXECUTE ON FUNCTION submit_member_key(bigint,integer,text,text,integer,text,text,jsonb,timestamp with time zone,text) TO aval_api;
GRANT EXECUTE ON FUNCTION take_offline_approval(bigint) TO aval_gateway;
GRANT EXECUTE ON FUNCTION traced(json,text) TO aval_gateway;
GRANT EXECUTE ON FUNCTION traced(json,text) TO aval_jobs;
GRANT EXECUTE ON FUNCTION traced(json,text) TO aval_ledger;
GRANT EXECUTE ON FUNCTION traced(json,text) TO aval_server;
GRANT EXECUTE ON FUNCTION try_lock(text) TO aval_server;
GRANT EXECUTE ON FUNCTION use_member_nonce(bigint,text) TO aval_api;
GRANT EXECUTE ON FUNCTION withdraw_decision(bigint,bigint,timestamp with time zone) TO aval_api;
GRANT EXECUTE ON FUNCTION withdraw_operator_change(bigint,bigint,timestamp with time zone) TO aval_api;
