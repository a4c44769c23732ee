import { z } from 'zod'
import { LOCALES } from './common.ts'

const USERNAME = /^[\p{L}\p{N}_.-]{3,30}$/u
const PHONE = /^\+?[0-9]{6,20}$/
/** Control characters, invisible direction marks and line breaks have no place in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

const personName = z
  .string()
  .trim()
  .max(60, 'name_invalid')
  .refine((text) => !UNPRINTABLE.test(text), 'name_invalid')

export const newPassword = z.string().min(8, 'password_too_short').max(20, 'password_too_long')

/** POST auth/register/{ref_code}/ */
export const registerBody = z
  .object({
    username: z.string().trim().regex(USERNAME, 'username_invalid'),
    email: z.string().trim().max(254, 'email_invalid').pipe(z.email('email_invalid')),
    password: newPassword,
    password2: z.string().max(100, 'passwords_differ'),
    captcha: z.string('captcha_required').min(1, 'captcha_required').max(4000, 'captcha_required'),
    first_name: personName.optional(),
    last_name: personName.optional(),
    phone_number: z.union([z.literal(''), z.string().trim().regex(PHONE, 'phone_invalid')]).optional(),
  })
  .refine((body) => body.password === body.password2, { path: ['password2'], error: 'passwords_differ' })
export type RegisterBody = z.output<typeof registerBody>

/** POST auth/token/: `email` takes an e-mail or a username. */
export const signInBody = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(100),
})
export const refreshBody = z.object({ refresh: z.string().max(4000).nullish() })
export const tokenPair = z.object({ access: z.string(), refresh: z.string() })
export type TokenPair = z.infer<typeof tokenPair>

/** GET auth/user/ */
export const currentUser = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  avatar: z.string(),
  ref_code: z.string(),
  phone_number: z.string(),
  usdt_wallet: z.string(),
  is_fundator: z.boolean(),
  balance: z.number(),
  is_operator: z.boolean(),
  two_factor: z.boolean(),
  locale: z.enum(LOCALES),
})
export type CurrentUser = z.infer<typeof currentUser>

/** GET auth/inviter/{ref_code}/: who stands behind a registration link. */
export const inviter = z.object({ name: z.string(), ref_code: z.string() })

/** GET auth/captcha/: an Altcha challenge; its solution, base64 JSON, is the `captcha` of the registration. */
export const captchaChallenge = z.record(z.string(), z.unknown())
