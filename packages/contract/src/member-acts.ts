/** What operators do to a member's account. */
import { z } from 'zod'
import { amountText, instant, otpField, typedMark, typedText } from './common.ts'
import { emailInput, phoneInput } from './identity.ts'
import { accountClosing } from './privacy.ts'

/** Why an operator does it: it stands in the audit trail, and of a freeze the member reads it. */
const reason = z.string().trim().min(3, 'field_required').max(200)

/** Who did something to the account, when and why. */
const doneBy = z.object({ at: instant, by: z.string(), reason: z.string() })

/** GET operator/members/{member}/acts/: what can be done, and what each act would mean. */
export const memberActs = z.object({
  username: z.string(),
  /** The account of the operator who asks: nobody does these things to the own one. */
  own: z.boolean(),
  operator: z.boolean(),
  /** The account of an operator above the one who asks, who may do none of these things. */
  above: z.boolean(),
  email: z.string(),
  phone: z.string(),
  closed: z.boolean(),
  frozen: doneBy.nullable(),
  /** What a freeze stops: withdrawals that are asked for or approved and not signed, and those that it cannot stop any more. */
  stoppable: z.object({ count: z.int(), amount: amountText }),
  on_their_way: z.int(),
  fundator: z.boolean(),
  /** Referrals that the member has converted to master. */
  masters: z.int(),
  /** Percentage points on top of the plan's first level, decimal text. */
  extra_percent: z.string(),
  sessions: z.int(),
  second_factor: z.boolean(),
  /** A second factor that one operator asked to release; another one agrees before `ends_at`. */
  release: doneBy.extend({ identified: z.string(), ends_at: instant, own: z.boolean() }).nullable(),
  /** What keeps the account open, and why it cannot be closed at all. */
  closing: accountClosing.omit({ years_kept: true }),
})
export type MemberActs = z.infer<typeof memberActs>

/** POST operator/members/{member}/freeze/ and unfreeze/ */
export const freezeBody = z.object({ reason, otp: otpField })

/** POST operator/members/{member}/fundator/ */
export const fundatorBody = z.object({ fundator: z.boolean(), reason, otp: otpField })

/** Percentage points: 0 to 20, two decimals at most. Judged by the plan. */
const percentInput = z.union([typedMark().max(8), z.number()]).transform(String)

/** POST operator/members/{member}/extra-points/ */
/** `was`: the points that the operator saw. Where they are others by now, nothing is set. */
export const extraPointsBody = z.object({ percent: percentInput, was: percentInput, reason, otp: otpField })

/** GET operator/members/{member}/extra-points/?percent= */
export const extraPointsQuery = z.object({ percent: percentInput })

/** What these points would have cost in the last 30 days. */
export const extraPointsCost = z.object({
  percent: z.string(),
  days: z.int(),
  /** First-level commissions of this time, and what they were computed on. */
  commissions: z.int(),
  basis: amountText,
  /** With the points as they were, and as they would have been. */
  paid: amountText,
  would_have_paid: amountText,
  /** Above zero where it costs more. */
  difference: amountText,
})
export type ExtraPointsCost = z.infer<typeof extraPointsCost>

/** POST operator/members/{member}/view/ */
export const viewBody = z.object({ reason })

/** The token opens the member's own pages, for reading alone, until then. */
export const memberView = z.object({ access: z.string(), username: z.string(), until: instant })
export type MemberView = z.infer<typeof memberView>

/** POST operator/members/{member}/release/: asks for it, and says how the person was identified. */
export const releaseBody = z.object({
  reason,
  identified: z.string().trim().min(10, 'field_required').max(500),
  otp: otpField,
})

/** POST operator/members/{member}/release/agree/ and refuse/ */
export const agreeBody = z.object({ otp: otpField })

/** POST operator/members/{member}/close/: the username is typed, so that nobody closes another account than meant. */
export const closeMemberBody = z.object({
  username: typedText().min(1).max(100),
  reason,
  otp: otpField,
})

/** POST operator/members/{member}/email/: a code goes there, and nothing changes. */
export const askForEmailBody = z.object({ email: emailInput, reason, otp: otpField })

/** POST operator/members/{member}/email/confirm/: the code that the member read there. */
export const correctEmailBody = z.object({
  email: emailInput,
  code: typedMark().min(1, 'field_required').max(32),
  otp: otpField,
})

/** POST operator/members/{member}/phone/. `was`: the number that the operator saw. */
export const correctPhoneBody = z.object({
  phone: phoneInput,
  was: z.string().max(40),
  reason,
  otp: otpField,
})
