/** Sessions and what happened to an account: what a member sees of who is in, and was. */
import { z } from 'zod'
import { instant } from './common.ts'

/** A program and a system by name, where the user agent tells them. */
const device = z.object({ browser: z.string().nullable(), system: z.string().nullable() })

/** GET auth/sessions/ */
export const sessionItem = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  device,
  ip: z.string(),
  started_at: instant,
  /** To a few minutes: when its tokens were renewed last. */
  last_used_at: instant,
  /** Whether it began with a code, too. */
  two_factor: z.boolean(),
})
export type SessionItem = z.infer<typeof sessionItem>

export const SECURITY_EVENT_KINDS = [
  'wallet_changed',
  'email_changed',
  'password_changed',
  'password_reset',
  'two_factor_on',
  'two_factor_off',
  'recovery_code_used',
  'recovery_codes_renewed',
  'signed_in_new',
  'sessions_ended',
  'not_me',
] as const

/** GET auth/security-events/ */
export const securityEventItem = z.object({
  id: z.int(),
  kind: z.enum(SECURITY_EVENT_KINDS),
  date: instant,
  device,
  ip: z.string(),
  /** E-mail or wallet before and after a change of it; null where there was none, or it is about something else. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  /** It took an earlier change back. */
  takes_back: z.boolean(),
  by_operator: z.boolean(),
  /** How many sessions ended. */
  count: z.int().nullable(),
})
export type SecurityEventItem = z.infer<typeof securityEventItem>
