/**
 * What keeps a member's money in after the account changed.
 *
 * Terms. *Cooling* is the time after a change of wallet, e-mail, password, second factor or passkeys in which no money leaves, so
 * that the member reads the e-mail about it first. *Not me* is the member's statement that another person is in the
 * account: no money leaves until the password is reset, which takes access to the mailbox, and then cooling follows.
 */
import type { SecurityEventKind } from '@aval/contract'

const HOUR = 3_600_000

const COOLS: Readonly<Record<SecurityEventKind, boolean>> = {
  wallet_changed: true,
  email_changed: true,
  password_changed: true,
  password_reset: true,
  two_factor_on: true,
  two_factor_off: true,
  recovery_code_used: false,
  recovery_codes_renewed: false,
  signed_in_new: false,
  sessions_ended: false,
  not_me: false,
  passkey_only_on: false,
  passkey_only_off: true,
  passkey_only_replaced: true,
  passkey_only_lost: false,
  fundator_on: false,
  fundator_off: false,
  passkey_added: true,
  passkey_removed: true,
  passkey_refused: false,
  data_downloaded: false,
  account_closed: false,
  account_reopened: true,
  account_frozen: false,
  account_unfrozen: false,
  extra_points_set: false,
  phone_corrected: false,
  release_asked: false,
}

/** Later than any date: the lock ends only when the member resets the password. */
export const UNTIL_RESET = new Date('9999-12-31T00:00:00Z')

export interface MoneyLock {
  readonly because: 'cooling' | 'not_me'
  /** `UNTIL_RESET` when the password has to be reset first. */
  readonly until: Date
}

/** When each kind happened last, by system time. */
export type LastEvents = readonly { readonly kind: string; readonly at: Date }[]

/** What keeps a member's money in; null when nothing does. @param hours of cooling; 0 for none */
export function lockOf(events: LastEvents, hours: number, now: Date): MoneyLock | null {
  const last = (kind: string) => events.find((event) => event.kind === kind)?.at.getTime() ?? -1
  const notMe = last('not_me')
  if (notMe >= 0 && notMe >= last('password_reset')) return { because: 'not_me', until: UNTIL_RESET }
  const latest = Math.max(...Object.entries(COOLS).map(([kind, cools]) => (cools ? last(kind) : -1)))
  const until = latest + hours * HOUR
  return latest >= 0 && until > now.getTime() ? { because: 'cooling', until: new Date(until) } : null
}

/** Whether money cools after this kind of event. */
export const isCooling = (kind: SecurityEventKind): boolean => COOLS[kind]

/** Changes of e-mail and wallet, oldest first. */
export type Changes = readonly { readonly kind: string; readonly details: unknown }[]

/** E-mail and wallet before the first of these changes; null where none of them changed it. */
export function formerOf(changes: Changes): {
  readonly email: string | null
  readonly wallet: string | null
} {
  const before = (kind: SecurityEventKind) => {
    const details = changes.find((change) => change.kind === kind)?.details
    const previous: unknown =
      typeof details === 'object' && details !== null && 'previous' in details ? details.previous : null
    return typeof previous === 'string' ? previous : null
  }
  return { email: before('email_changed'), wallet: before('wallet_changed') }
}

/** What all operators hear of when it happens to one of them: keys that come and go, and a theft that was noticed. */
const ALERTS_OPERATORS = {
  two_factor_on: true,
  two_factor_off: true,
  recovery_code_used: true,
  recovery_codes_renewed: true,
  passkey_added: true,
  passkey_removed: true,
  not_me: true,
} satisfies Partial<Record<SecurityEventKind, true>>

export type AlertingKind = keyof typeof ALERTS_OPERATORS

export const isAlerting = (kind: SecurityEventKind): kind is AlertingKind =>
  Object.hasOwn(ALERTS_OPERATORS, kind)
