import { z } from 'zod'
import { currentPassword, instant, LOCALES, nameText, otpField, typedMark, typedText } from './common.ts'
import { REGIONS } from './regions.ts'
import { plainPhone, typedTogether } from './typed.ts'

/** Of one alphabet: the Latin one, with accents. */
const USERNAME = /^[\p{Script=Latin}0-9_.-]{3,30}$/u
/** No 30 characters take more, however they are composed. */
const MOST_USERNAME_UNITS = 300
const PHONE = /^(\+?[0-9]{6,20})?$/
/** Empty for none. */
export const phoneInput = z.string('phone_invalid').overwrite(plainPhone).regex(PHONE, 'phone_invalid')
const personName = nameText(60)

const LEAST_CHARACTERS = 8
const MOST_CHARACTERS = 128
/** Texts above this are refused before anything is done with them. No 128 characters take more, however they are composed. */
const MOST_UNITS = 1024

/** What people count as a character: composed, and as code points. Texts that are too long in any case are not read. */
function charactersIn(password: string): number {
  return password.length > MOST_UNITS ? password.length : [...password.normalize('NFC')].length
}

/** Of any characters. That it is none of the common ones, nor the own name, is judged by the server alone. */
export const newPassword = z
  .string()
  .refine((password) => charactersIn(password) >= LEAST_CHARACTERS, 'password_too_short')
  .refine((password) => charactersIn(password) <= MOST_CHARACTERS, 'password_too_long')
  .meta({ description: `${LEAST_CHARACTERS} to ${MOST_CHARACTERS} characters.` })
const repeated = z.string().max(MOST_UNITS, 'passwords_differ')
const bothSame = (body: { password: string; password2: string }) => body.password === body.password2
const DIFFER = { path: ['password2'], error: 'passwords_differ' }

/** What may stand before the @: no mail server hands anything to a longer name (RFC 5321). */
const LONGEST_MAILBOX_CHARACTERS = 64

/** Composed (NFC), so that é is one letter however it was typed. Reserved ones and look-alikes are judged by the server alone. */
export const usernameInput = typedText()
  .max(MOST_USERNAME_UNITS, { error: 'username_invalid', abort: true })
  .normalize('NFC')
  .regex(USERNAME, 'username_invalid')
export const emailInput = typedText()
  .max(254, 'email_invalid')
  .refine((email) => email.lastIndexOf('@') <= LONGEST_MAILBOX_CHARACTERS, 'email_mailbox_too_long')
  .pipe(z.email('email_invalid'))

const ZONES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

/** The present name of a time zone, which may be asked for by a former one; null for what is none. */
function zoneOf(text: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    return ZONES.has(timeZone) ? timeZone : null
  } catch {
    return null
  }
}

/** A time zone by its IANA name: `America/Bogota`, `UTC`. */
const timeZoneInput = z
  .string('time_zone_unknown')
  .max(64, 'time_zone_unknown')
  .transform((text, context) => {
    const zone = zoneOf(text.trim())
    if (zone !== null) return zone
    context.addIssue({ code: 'custom', message: 'time_zone_unknown' })
    return z.NEVER
  })
  .meta({ description: 'A time zone by its IANA name, as America/Bogota.' })

/** How figures are written: a region of the list, as es-MX. */
const regionInput = z.enum(REGIONS, 'region_unknown')

/** POST auth/register/{ref_code}/ */
export const registerBody = z
  .object({
    username: usernameInput,
    email: emailInput,
    password: newPassword,
    password2: repeated,
    captcha: z.string('captcha_required').min(1, 'captcha_required').max(4000, 'captcha_required'),
    first_name: personName.optional(),
    last_name: personName.optional(),
    phone_number: phoneInput.optional(),
    /** The browser's. One that nobody knows keeps nobody out: then the company's counts. */
    time_zone: timeZoneInput.optional().catch(undefined),
    /** As its languages say, in the same way. */
    region: regionInput.optional().catch(undefined),
  })
  .refine(bothSame, DIFFER)
export type RegisterBody = z.output<typeof registerBody>

/** POST auth/availability/: a username that somebody is about to register with. */
export const availabilityBody = z.object({
  username: typedText().max(300).optional(),
  /** Taken from older clients, and not looked at: whether an e-mail is registered is nobody's business. */
  email: typedText().max(300).optional(),
})
/** `taken`: by a member, or by one whose username looks like it. Null where none was asked about. Only registering itself decides. */
export const availability = z.object({
  username: z.enum(['free', 'taken', 'reserved', 'invalid']).nullable(),
  email: z.null(),
})
export type Availability = z.infer<typeof availability>

/** What a refused sign-in asks for, and POST auth/token/ takes: see `proofRequest` in errors.ts. */
export const proofOfWork = z.object({
  challenge: z.string().min(1).max(300),
  /** A number for each part, in their order. */
  solution: z.array(z.int().min(0)).min(1).max(16),
})
export type ProofOfWork = z.infer<typeof proofOfWork>

/** POST auth/token/: `email` takes an e-mail or a username. `proof` lets a client through while the name is being guessed at. */
export const signInBody = z.object({
  email: typedText().min(1).max(254),
  password: currentPassword,
  proof: proofOfWork.optional(),
})
export const refreshBody = z.object({ refresh: z.string().max(4000).nullish() })
export const tokenPair = z.object({ access: z.string(), refresh: z.string() })
export type TokenPair = z.infer<typeof tokenPair>

/** What POST auth/token/ answers: tokens, or where two-factor is on a token that stands for the password until the code. */
export const signInAnswer = z.union([
  tokenPair,
  z.object({
    otp_required: z.literal(true),
    otp_token: z.string(),
    /** Says that a passkey will do instead of a code; absent for who has none. */
    passkey: z.literal(true).optional(),
  }),
])
export type SignInAnswer = z.infer<typeof signInAnswer>

/** A code as people type it: six digits, or a recovery code where one is taken; spaces and dashes do not count. */
const typedCode = typedMark().min(1).max(32)

/** POST auth/otp/: the second step of a sign-in. */
export const otpBody = z.object({ otp_token: z.string().max(200), code: typedCode })

/** GET auth/two-factor/ */
export const twoFactor = z.object({
  on: z.boolean(),
  since: instant.nullable(),
  recovery_codes_left: z.int(),
  /** Operators cannot turn it off. */
  obligatory: z.boolean(),
})
export type TwoFactor = z.infer<typeof twoFactor>

/** POST auth/two-factor/setup/: a session alone does not do. */
export const twoFactorSetupBody = z.object({ current_password: currentPassword })
/** What it answers: for the authenticator app. Nothing is asked for until a code of it was seen. */
export const twoFactorSetup = z.object({ secret: z.string(), uri: z.string() })
/** POST auth/two-factor/confirm/ and disable/ */
export const twoFactorCodeBody = z.object({ code: typedCode })
/** What POST auth/two-factor/confirm/ answers: shown this once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** GET auth/user/ */
export const currentUser = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** A code that was sent to it has been used. Until then no money leaves. */
  email_proven: z.boolean(),
  avatar: z.string(),
  ref_code: z.string(),
  phone_number: z.string(),
  usdt_wallet: z.string(),
  is_fundator: z.boolean(),
  balance: z.number(),
  is_operator: z.boolean(),
  two_factor: z.boolean(),
  /** Only the member's passkey moves money. */
  passkey_only: z.boolean(),
  locale: z.enum(LOCALES),
  /** In which the member reads times; null where none was said yet, and the company's counts. */
  time_zone: z.string().nullable(),
  /** As where figures are written for the member; null where none was said, and the language's usual one counts. */
  region: z.enum(REGIONS).nullable(),
})
export type CurrentUser = z.infer<typeof currentUser>

/** What a form sends for "none": a client without a value writes an empty text, or null in JSON. */
const orNone = <Field extends z.ZodType>(field: Field) =>
  z
    .union([z.null(), z.literal(''), field])
    .transform((value) => (value === null || value === '' ? undefined : value))
    .optional()

/** What may be left out, or null. */
const orAbsent = <Field extends z.ZodType>(field: Field) =>
  field.nullish().transform((value) => value ?? undefined)

/** A code by e-mail: seven digits, as typed or pasted. */
const secretCode = z
  .union([typedMark().max(32), z.int().nonnegative()], 'code_malformed')
  .transform((value) => String(value).replaceAll('-', ''))
  .refine((digits) => /^\d{1,7}$/.test(digits), 'code_malformed')

/**
 * PATCH auth/user/, as a form or as JSON: what is absent stays. A new `email` or `usdt_wallet` takes `secret_code`, and
 * `otp` with it where two-factor is on.
 * `avatar` is a file (PNG, JPEG, WebP, 5 MB at most); as a text, which is what clients send back, it says nothing.
 */
export const profileBody = z.object({
  email: orAbsent(emailInput),
  usdt_wallet: orAbsent(typedMark().max(100, 'wallet_invalid')),
  first_name: orAbsent(personName),
  last_name: orAbsent(personName),
  phone_number: orAbsent(phoneInput),
  locale: orNone(z.enum(LOCALES)),
  time_zone: orNone(timeZoneInput),
  region: orNone(regionInput),
  secret_code: orNone(secretCode),
  otp: orNone(otpField.unwrap()),
  avatar: z.unknown().optional().meta({ description: 'A picture, in a form.' }),
})
export type ProfileBody = z.output<typeof profileBody>

/** POST auth/user/confirm-email/: without a code, one is sent to the present e-mail; with it, that is proven. */
export const confirmEmailBody = z.object({ secret_code: orNone(secretCode) })

/** POST auth/user/change-password/, as a form or as JSON; `otp` where two-factor is on: a code, or a recovery code. */
export const changePasswordBody = z
  .object({
    current_password: currentPassword,
    password: newPassword,
    password2: repeated,
    otp: otpField,
  })
  .refine(bothSame, DIFFER)

/** POST auth/reset-password/send/ */
export const resetSendBody = z.object({ email: emailInput })

/** POST auth/reset-password/: `otp` is the code from the e-mail. */
export const resetPasswordBody = z
  .object({ email: emailInput, otp: secretCode, password: newPassword, password2: repeated })
  .refine(bothSame, DIFFER)

/** What stands at the end of a link in an e-mail, and what a mail program or a person put behind it. */
const linkToken = (refusal: string, most: number) =>
  z.string(refusal).overwrite(typedTogether).min(1, refusal).max(most, refusal)

/** POST auth/reset-password/link/: `token` is what stands behind the # of the link in the e-mail. */
export const resetByLinkBody = z
  .object({
    token: linkToken('reset_link_invalid', 200),
    password: newPassword,
    password2: repeated,
  })
  .refine(bothSame, DIFFER)

/** POST auth/not-me/: what stands at the end of the link in an e-mail. */
export const notMeBody = z.object({
  token: linkToken('link_invalid', 1000),
})

/** GET auth/security/: what keeps money in. `locked` until the password is reset; otherwise until `cools_until`. */
export const accountSecurity = z.object({
  locked: z.boolean(),
  cools_until: instant.nullable(),
  cooling_hours: z.int(),
})
export type AccountSecurity = z.infer<typeof accountSecurity>

/** GET auth/inviter/{ref_code}/: who stands behind a registration link. */
export const inviter = z.object({ name: z.string(), ref_code: z.string() })

/** GET auth/captcha/: an Altcha challenge; its solution, base64 JSON, is the `captcha` of the registration. */
export const captchaChallenge = z.record(z.string(), z.unknown())

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
  /** Whether it has an operator's rights. */
  operator: z.boolean(),
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
  'fundator_on',
  'fundator_off',
  'passkey_added',
  'passkey_removed',
  'passkey_refused',
  'passkey_only_on',
  'passkey_only_off',
  'passkey_only_replaced',
  'passkey_only_lost',
  'data_downloaded',
  'account_closed',
  'account_reopened',
  'account_frozen',
  'account_unfrozen',
  'extra_points_set',
  'phone_corrected',
  'release_asked',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number]

/** What did not work: an entry an hour and network, with a count. */
export const FAILED_TRY_KINDS = ['sign_in_failed', 'second_factor_failed', 'reset_failed'] as const
export type FailedTryKind = (typeof FAILED_TRY_KINDS)[number]

/** GET auth/security-events/ */
export const securityEventItem = z.object({
  id: z.int(),
  kind: z.enum([...SECURITY_EVENT_KINDS, ...FAILED_TRY_KINDS]),
  date: instant,
  device,
  /** Of tries that failed: a network, as `203.0.113.0/24`; empty for many of them. */
  ip: z.string(),
  /** E-mail or wallet before and after a change of it; null where there was none, or it is about something else. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  /** It took an earlier change back. */
  takes_back: z.boolean(),
  by_operator: z.boolean(),
  /** How many sessions ended, or tries failed. */
  count: z.int().nullable(),
})
export type SecurityEventItem = z.infer<typeof securityEventItem>
