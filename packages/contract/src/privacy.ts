import { z } from 'zod'
import { amountText, currentPassword, instant, otpField, typedText } from './common.ts'

/** What keeps an account open. */
export const LEFT_IN_ACCOUNT = [
  'principal',
  'balance',
  'payouts',
  'arriving',
  'invoices',
  'withdrawals',
  'owed',
] as const
export type LeftInAccount = (typeof LEFT_IN_ACCOUNT)[number]

/** GET privacy/closing/ */
export const accountClosing = z.object({
  /** Empty where the account can be closed now. */
  left: z.array(
    z.object({
      what: z.enum(LEFT_IN_ACCOUNT),
      amount: amountText,
      /** How many, of invoices and withdrawals; else 0. */
      count: z.int(),
      /** Of principal: until when it is locked; null where it is not. */
      until: instant.nullable(),
      /** The same for a person: what it is, and what to do about it. */
      sentence: z.string(),
    }),
  ),
  /** Why it cannot be closed by its member at all. */
  refused: z.enum(['account_of_operator', 'account_of_company']).nullable(),
  /** For how long it is kept to whom money was paid. */
  years_kept: z.int(),
})
export type AccountClosing = z.infer<typeof accountClosing>

/** POST privacy/closing/: the username is typed once more. */
export const closeAccountBody = z.object({
  username: typedText().min(1).max(100),
  current_password: currentPassword,
  otp: otpField,
})

/** POST privacy/data/json/ and privacy/data/csv/ */
export const downloadBody = z.object({ current_password: currentPassword, otp: otpField })

/** GET privacy/terms/: how long things are kept, in days where it does not say years. */
export const privacyTerms = z.object({
  /** Device and address of a sign-in; the latest one as long as the account is open. */
  sessions: z.int(),
  /** A browser that was not used again. */
  known_devices: z.int(),
  failed_tries: z.int(),
  /** Codes and links that were e-mailed, after they expired. */
  codes: z.int(),
  /** After they were sent. */
  mails: z.int(),
  /** Answers that a repeated call gets again. */
  answers: z.int(),
  /** After closing: sessions, e-mails, messages, and the details of the security log. */
  closed_traces: z.int(),
  /** After closing: to whom money was paid. */
  closed_years: z.int(),
})
export type PrivacyTerms = z.infer<typeof privacyTerms>
