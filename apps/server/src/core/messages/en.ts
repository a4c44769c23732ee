import type { MessageKey } from '../messages.ts'
import { accounts } from './accounts.en.ts'
import { support } from './support.en.ts'

/** Short and plain. The keys are those of the Spanish list. */
export const en: Readonly<Record<MessageKey, string>> = {
  ...accounts,
  ...support,

  // Refusals
  input_invalid: 'What was sent is not valid.',
  field_required: 'Please fill in: {field}.',
  amount_invalid: 'The amount is not valid.',
  page_invalid: 'The page number is not valid.',
  page_size_invalid: 'The page size goes from 1 to 100.',
  json_invalid: 'What was sent is not valid JSON.',
  username_invalid: 'A username takes 3 to 30 letters, digits, dots, hyphens or underscores.',
  email_invalid: 'The e-mail is not valid.',
  phone_invalid: 'A phone number takes only digits, 6 to 20.',
  name_invalid: 'The name is longer than 60 characters or has characters that are not allowed.',
  password_too_short: 'The password needs at least 8 characters.',
  password_too_long: 'The password can have at most 20 characters.',
  passwords_differ: 'The passwords do not match.',
  captcha_required: 'Please confirm that you are not a robot.',
  captcha_invalid: 'The verification is not valid or has expired. Please try again.',
  idempotency_key_invalid: 'The idempotency key is not valid.',
  not_signed_in: 'Sign in to continue.',
  credentials_wrong: 'The username or password is not correct.',
  refresh_invalid: 'Your session has ended. Please sign in again.',
  otp_wrong: 'The code is wrong or was used before. Each code works once.',
  otp_token_invalid: 'This sign-in is no longer valid. Start again with your password.',
  not_allowed: 'You are not allowed to do this.',
  otp_required: 'Confirm it with the six-digit code of your authenticator app.',
  otp_invalid:
    'The code is wrong or was used before. Each code works once: wait for the next one if you must.',
  two_factor_required: 'Operators sign in with two-factor: turn it on, or sign in again with your code.',
  two_factor_obligatory: 'An operator cannot turn two-factor off.',
  not_found: 'We could not find it.',
  page_not_found: 'That page does not exist.',
  invoice_not_found: 'We could not find that payment.',
  username_taken: 'That username is already taken.',
  email_taken: 'That e-mail is already registered.',
  idempotency_key_reused: 'This idempotency key was already used with other data.',
  two_factor_on: 'Two-factor is on already. To use another phone, turn it off first.',
  two_factor_off: 'Two-factor is not on: begin by setting it up.',
  body_too_large: 'What was sent is too large.',
  media_type_unsupported: 'The format sent is not accepted; use JSON.',
  ref_code_unknown: 'The registration link is not valid. Ask whoever invited you for a new one.',
  first_investment_too_small: 'The first investment is at least {limit}.',
  top_up_too_small: 'Every increase is at least {limit}.',
  amount_too_large: 'The amount is above the maximum of {limit}.',
  balance_too_small: 'Your balance is not enough: {available} available.',
  too_many_open_invoices: 'You have too many open payments. Complete one or wait until it expires.',
  payment_not_seen: 'We do not see your payment on the network yet. It usually takes a few minutes.',
  payment_confirming: 'We see your payment: {confirmations} of {needed} confirmations.',
  payment_short: 'We received {received} of {due}: {missing} missing. What arrived is in your balance.',
  invoice_expired: 'This payment has expired. Create a new one; money already sent will reach your balance.',
  demo_only: 'This exists only in the local demo.',
  demo_busy: 'The demo is already advancing; one moment.',
  pool_unknown: 'That pool does not exist.',
  company_funds_too_small: 'The company capital is not enough: {available} available.',
  payouts_stopped: 'Payments are stopped until the reserves match the books again.',
  difference_none: 'This address holds what it must hold: there is nothing to explain.',
  difference_changed: 'The difference is another by now: {difference}. Look at it again.',
  year_invalid: 'The year is not valid.',
  dates_invalid: 'The dates are not valid.',
  rate_invalid: 'The percentage is not valid: write it as 0.25 for a quarter of one percent.',
  payment_not_found: 'We could not find that payment.',
  run_not_found: 'There is no such payout run.',
  run_not_held: 'This run does not wait for this decision any more.',
  run_past_cancelling: 'This run cannot be cancelled any more: it was released, or a later day stands on it.',
  run_not_short: 'The pool covers this run: there is nothing to pay pro rata.',
  pool_empty: 'The pool is empty.',
  rate_too_high: 'A day can pay at most what the plan says: {limit}%.',
  rate_day_paid: 'That day has been paid already.',
  plan_refused: 'The plan cannot be applied. {reason}',
  plan_starts_too_soon: 'A new plan starts tomorrow at the earliest.',
  investment_not_found: 'We could not find that investment.',
  investment_reversed: 'This investment was reversed already.',
  investment_unsettled: 'What this investment pays is not settled yet: release or cancel its runs first.',
  investment_withdrawn: 'The principal of this investment was withdrawn: it cannot be reversed.',
  withdrawals_paused:
    'Withdrawals are paused while we check the reserves. Your money stays in your account; try again later.',
  wallet_required: 'Wallet address USDT TRC20 is required.',
  wallet_missing: 'Register your USDT wallet in your profile first.',
  wallet_unregistered: 'Money leaves to the wallet registered in your profile only. Check it and try again.',
  withdrawal_too_small: 'Each withdrawal is at least {limit}.',
  withdrawal_daily_limit: 'You can withdraw up to {limit} a day; {left} are left today.',
  withdrawal_not_found: 'We could not find that withdrawal.',
  withdrawal_past_cancelling: 'This withdrawal can no longer be cancelled.',
  withdrawal_decided: 'Withdrawal {number} is decided already.',
  withdrawal_own: 'You cannot decide your own withdrawals.',
  withdrawal_approved_before: 'You approved withdrawal {number} already: another operator is needed.',
  withdrawal_in_transit: 'Withdrawal {number} has a transfer under way that may still arrive.',
  not_fundator: 'Only fundators can convert a referral to master.',
  too_many_masters: 'You already have {limit} masters, the most there can be.',
  referral_not_found: 'We could not find that referral among yours.',
  master_already: 'This referral is a master already.',
  too_many_requests: 'Too many attempts. Wait {seconds} seconds and try again.',
  unexpected: 'Something went wrong on our side. We have logged it; please try again in a moment.',
  unavailable: 'The service is not available right now. Please try again in a moment.',

  // How the fields of requests are called in "field_required"
  field_username: 'username',
  field_email: 'e-mail',
  field_password: 'password',
  field_password2: 'repeat password',
  field_amount: 'amount',
  field_txn_id: 'payment number',
  field_reason: 'reason',
  field_day: 'day',
  field_percentage: 'percentage',
  field_document: 'plan',
  field_wallet_address: 'wallet',
  field_used_code: 'secret code',
  field_starts_on: 'start date',
  field_code: 'code',

  // Two-factor
  two_factor_turned_off: 'Two-factor is off now.',

  // Investments
  reinvested: 'Transaction successfully, investment increased!',
  payment_confirmed: 'Payment confirmed: {amount} is now part of your investment.',
  payment_late: 'We received {received} after the deadline; all of it is in your balance.',

  // Why a payment is what it is
  why_passive:
    '{percentage}% of the {basis} you had invested when {day} began, under plan version {version}.',
  why_direct:
    '{percentage}% of {basis} invested by {name} on {day}, level {level}, under plan version {version}.',
  why_master:
    '{percentage}% of {basis} invested by {name} on {day}, by master code at level {level}, under plan version {version}.',
  why_binary:
    '{percentage}% of {matched} points matched on both legs on {day}, under plan version {version}.',
  why_binary_capped:
    '{percentage}% of {matched} points matched on both legs on {day} came to {earned}; the limit of the day is {amount}, under plan version {version}.',
  why_passive_capped:
    '{percentage}% of the {basis} you had invested when {day} began, cut to what was left under the limit of {multiple} times the investment, under plan version {version}.',
  why_prorated: 'The company paid this run pro rata: {paid} of {amount}.',

  // The rule behind a payment
  rule_passive:
    'Passive profit: {percent}% of the investment every {days} days, a part each day. An estimate for days to come.',
  rule_passive_declared: 'Passive profit: the company declared {rate}% for this day.',
  rule_direct: 'Direct commission: a percentage of what your network invests, by level: {levels}.',
  rule_master:
    'Master code: {percent}% of what is invested below a link marked as master, beyond level {levels}.',
  rule_binary:
    'Binary: the points of the weaker leg are matched against the stronger, one to one; {percent}% of them is paid, at most {cap} a day and never more than your investment.',

  // What went in, labelled
  input_principal: 'Invested when the day began',
  input_rate: 'Percentage of the day',
  input_earned_before: 'Passive profit before this day',
  input_limit: 'Limit of passive profit',
  input_investor: 'Who invested',
  input_invested: 'Invested amount',
  input_invested_on: 'Invested on',
  input_level: 'Level',
  input_percentage: 'Percentage',
  input_left: 'Points on the left',
  input_right: 'Points on the right',
  input_matched: 'Matched points',
  input_cap: 'Limit of the day',
  input_flushed: 'Above the limit, not paid',
  input_carry_left: 'Carried on, left',
  input_carry_right: 'Carried on, right',
  input_computed: 'Computed',
  input_paid: 'Paid pro rata',

  // What was not paid, and why
  missed_inactive:
    'You had nothing invested when {name} invested {basis}: level {level} would have paid {amount}. It stayed in the pool.',
  missed_skipped:
    'You had nothing invested when {name} invested {basis}: level {level} passed on to the next active sponsor.',
  missed_flushed:
    'Your match of {day} came to {amount} more than the limit of the day. Those points are used up and not paid.',
  missed_binary_inactive:
    'Your legs matched for {amount} on {day}, but you had nothing invested. The points carry on.',
  missed_no_active_left:
    'Your legs matched for {amount} on {day}, but no direct referral on your left was active. The points carry on.',
  missed_no_active_right:
    'Your legs matched for {amount} on {day}, but no direct referral on your right was active. The points carry on.',
  missed_no_active_referrals:
    'Your legs matched for {amount} on {day}, but no direct referral on either side was active. The points carry on.',
  missed_capped: 'Your passive profit reached its limit on {day}: {amount} of that day was not paid.',
  missed_pro_rata:
    'The pool could not cover the run of {day}; the company paid it pro rata, {amount} less for you.',

  // The statement
  statement_date: 'Date',
  statement_what: 'Movement',
  statement_detail: 'Detail',
  statement_amount: 'Balance change (USD)',
  statement_change: 'Investment change (USD)',
  statement_balance: 'Balance (USD)',
  statement_principal: 'Investment (USD)',
  statement_opening: 'Opening standing',
  posting_deposit_to_principal: 'Investment paid in USDT',
  posting_deposit_to_balance: 'Payment received into the balance',
  posting_deposit_fee: 'Company fee',
  posting_reinvest: 'Investment paid with the balance',
  posting_passive: 'Passive payment',
  posting_direct: 'Direct payment',
  posting_master: 'Master code payment',
  posting_binary: 'Binary payment',
  posting_reverse_investment: 'Investment reversed',
  posting_clawback: 'Payment taken back',
  posting_owed: 'Payment taken back, owed',
  posting_recover: 'Debt paid from the balance',
  posting_hold: 'Withdrawal requested',
  posting_release: 'Withdrawal returned',
  posting_withdraw: 'Withdrawal sent',
  posting_withdraw_fee: 'Withdrawal fee',
  posting_settle: 'Debt settled',
  level_of: 'level {level}, {name}',

  // Why a run waits
  objection_rate_above_plan: 'The rate of {rate}% is above what the plan pays.',
  objection_change_too_large: 'It comes to {now}; the run before came to {before}.',
  objection_member_above_cap: 'One member would get {largest}, more than {limit}.',
  objection_run_above_cap: 'It pays {sum}, more than a run may: {limit}.',
  objection_pool_short: 'The pool lacks {missing}.',

  // Why a plan cannot be applied
  plan_levels_above_hundred: 'The levels pay out more than 100% of what is invested.',
  plan_promises_above_invested:
    'Levels, master code and binary together promise more than what is invested: no pool could back it.',
  plan_minimum_above_maximum: 'A minimum is above the maximum.',
  plan_minimum_of_nothing: 'A minimum cannot be zero.',
  plan_passive_above_principal: 'A period pays more than the whole principal: no pool could back it.',
  plan_passive_above_daily:
    'It pays more than 5% of principal a day: no pool could back it. Check the period.',
  plan_cap_of_nothing: 'A cap of zero: leave it out, or pay no passive profit.',
  plan_binary_cap_above_member:
    'The daily cap of the binary is above what a run may pay a member: every capped match would be held.',
  plan_binary_cap_below_smallest:
    'The daily cap of the binary is below what the smallest investment matched against its like pays.',
  plan_member_below_first_level:
    'A run may pay a member less than the first level of the smallest investment.',
  plan_run_below_member: 'A run may pay less in all than to one member.',
  plan_withdrawal_fee_above_minimum: 'The fee takes all of the smallest withdrawal.',
  plan_withdrawal_minimum_above_daily:
    'The smallest withdrawal is above the daily limit: nobody could withdraw.',
  plan_withdrawal_approvals_unordered:
    'The amounts from which approvals count begin at 0, and each is above the one before.',
  plan_field_invalid: 'The field {field} is not valid.',

  // Withdrawals
  withdrawal_code_sent: 'We sent a secret code to {to}. Check your inbox.',
  withdrawal_reason_transfer_refused:
    'The USDT contract did not take the transfer to your wallet. The whole amount is back in your account.',
  withdrawal_reason_transfer_failed:
    'The network did not complete the transfer. The whole amount is back in your account.',
  withdrawal_reason_not_me: 'It was cancelled because you told us it was not you.',

  // Reserves
  reserves_alert_subject: 'The reserves do not match: payments are stopped',
  reserves_stop_outflow:
    'Money left an address of ours by a transfer that we did not make. Somebody else may have its key.',
  reserves_stop_missing: 'An address of ours holds less than it must.',
  reserves_stop_surplus: 'An address of ours holds more than it must.',
  reserves_stop_books: 'What our addresses hold and what the books say do not match.',
  reserves_alert_address:
    '{address}: must hold {expected}, the chain says {found}. Difference: {difference}.',
  reserves_alert_books: '{wallet}: the addresses and the books differ by {amount}.',
  reserves_alert_what:
    'Withdrawals, runs and transfers are stopped until it is explained; deposits are credited as ever. Look at Operator › Reserves.',
  reserves_wallet_hot: 'Hot wallet',
  reserves_wallet_cold: 'Cold wallet',
  reserves_wallet_deposits: 'Deposit addresses',

  // Operators
  difference_explained: 'The difference of {difference} is booked against the company capital.',
  withdrawals_approved: 'Withdrawals approved: {count}.',
  withdrawals_refused: 'Withdrawals refused: {count}.',
  pool_funded: 'The pool received {amount}.',
  run_released: 'The run goes on.',
  run_prorated: 'The run is paid pro rata: {amount}.',
  run_cancelled: 'The run was discarded and is computed again.',
  rate_declared: 'The percentage of {day} is now {rate}%.',
  plan_stored: 'Plan version {version} starts on {day}.',
  investment_reverse_preview: 'Reversing returns {amount} to the balance of {name} and takes back {taken}.',
  investment_was_reversed:
    'The investment was reversed: {amount} returned to the balance of {name}, {taken} taken back.',
  master_activated: 'Master code activated!',
}
