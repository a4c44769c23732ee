/**
 * What keeps money in after an account has changed hands, or may have.
 *
 * Terms. *Cooling* is the time after a change of wallet, e-mail, password or two-factor in which no money leaves, so that
 * the member reads the e-mail about it first. *Not me* is the member's word that somebody else is in the account: money
 * stays in until the password is reset, which takes the e-mail, and then cools.
 */
export type SecurityKind =
  | 'wallet_changed'
  | 'email_changed'
  | 'password_changed'
  | 'password_reset'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'signed_in_new'
  | 'sessions_ended'
  | 'not_me'

const HOUR = 3_600_000

const COOLED: Readonly<Record<SecurityKind, boolean>> = {
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
}

/** Later than anything: what only the member's own doing ends. */
export const UNTIL_RESET = new Date('9999-12-31T00:00:00Z')

export interface MoneyLock {
  readonly because: 'cooling' | 'not_me'
  /** `UNTIL_RESET` when the password has to be reset first. */
  readonly until: Date
}

/** When each kind happened last, by the system's time. */
export type LastEvents = readonly { readonly kind: string; readonly at: Date }[]

/** What keeps a member's money in, null when nothing does. @param hours of cooling; 0 for none */
export function lockOf(events: LastEvents, hours: number, now: Date): MoneyLock | null {
  const last = (kind: SecurityKind) => events.find((event) => event.kind === kind)?.at.getTime() ?? -1
  const notMe = last('not_me')
  if (notMe >= 0 && notMe >= last('password_reset')) return { because: 'not_me', until: UNTIL_RESET }
  const changes = Object.entries(COOLED).flatMap(([kind, cools]) =>
    cools ? [last(kind as SecurityKind)] : [],
  )
  const latest = Math.max(...changes)
  const until = latest + hours * HOUR
  return latest >= 0 && until > now.getTime() ? { because: 'cooling', until: new Date(until) } : null
}

/** An e-mail address as it is told to whoever asks for a code: `a…@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}…${email.slice(at)}`
}

/** The language in which a member is written to. */
export function languageOf(stored: string): 'es' | 'en' {
  return stored === 'en' ? 'en' : 'es'
}

/** Changes of e-mail and wallet, in the order in which they were made. */
export type Changes = readonly { readonly kind: string; readonly details: unknown }[]

/** What e-mail and wallet were before the first of these changes; null where none of them touched it. */
export function formerOf(changes: Changes): {
  readonly email: string | null
  readonly wallet: string | null
} {
  const before = (kind: SecurityKind) => {
    const details = changes.find((change) => change.kind === kind)?.details
    const previous: unknown =
      typeof details === 'object' && details !== null && 'previous' in details ? details.previous : null
    return typeof previous === 'string' ? previous : null
  }
  return { email: before('email_changed'), wallet: before('wallet_changed') }
}
