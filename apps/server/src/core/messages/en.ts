import type { MessageKey } from '../messages.ts'

/** Short and plain. The keys are those of the Spanish list. */
export const en: Readonly<Record<MessageKey, string>> = {
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
  not_allowed: 'You are not allowed to do this.',
  not_found: 'We could not find it.',
  page_not_found: 'That page does not exist.',
  invoice_not_found: 'We could not find that payment.',
  username_taken: 'That username is already taken.',
  email_taken: 'That e-mail is already registered.',
  idempotency_key_reused: 'This idempotency key was already used with other data.',
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

  // Operators
  pool_funded: 'The pool received {amount}.',
}
