import type { accounts as spanish } from './accounts.es.ts'

/** What the server says of profile, codes and passwords. The keys are those of the Spanish list. */
export const accounts: Readonly<Record<keyof typeof spanish, string>> = {
  // Refusals
  code_malformed: 'The code has seven digits.',
  wallet_invalid:
    'This is no TRC20 address that can be paid. Check it: it begins with T and has 34 characters.',
  image_invalid: 'We could not read the picture. Send a PNG, JPEG or WebP of up to 5 MB and 50 megapixels.',
  wallet_ours: 'That address belongs to Aval, not to a wallet of yours. Use the address of your own wallet.',
  code_expired: 'That code is no longer good: it was used, expired, or tried too often. Ask for a new one.',
  code_wrong: 'The code is not right. Tries left: {left}.',
  code_for_other: 'That code was made for other data. Ask for a new one for these.',
  code_elsewhere: 'That code was asked for in another session or on another device. Ask for a new one here.',
  current_password_wrong: 'The current password is not correct.',
  reset_refused: 'The code is not right or no longer good. Check your e-mail or ask for a new one.',
  session_not_found: 'That session is no longer open.',
  link_invalid: 'This link is not valid or has expired.',
  cooling: 'Your account changed a short while ago. To be safe, no money leaves before {until}.',
  account_locked:
    'You told us that somebody else was in your account, so no money leaves it. Reset your password to use it again.',

  // Answers
  profile_saved: 'Your changes are saved.',
  profile_code_sent_email:
    'We sent a code to {to}. Enter it to change your e-mail; nothing changes until then.',
  profile_code_sent_wallet:
    'We sent a code to {to}. Enter it to change your wallet; nothing changes until then.',
  profile_code_sent_both:
    'We sent a code to {to}. Enter it to change your e-mail and your wallet; nothing changes until then.',
  password_saved: 'Your password has changed. All other sessions have ended.',
  session_ended: 'The session has ended.',
  sessions_ended: 'Other sessions ended: {count}.',
  sessions_none_ended: 'No other session was open.',
  reset_sent: 'If that e-mail is registered, we have sent it a code to choose another password.',
  password_was_reset: 'Your password has changed. Sign in with the new one.',
  not_me_done: 'We ended all sessions and stopped money from leaving. Now reset your password.',

  // How fields are called
  field_current_password: 'current password',
  field_otp: 'code',
}
