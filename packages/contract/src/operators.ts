/** Who works for the company, as the console shows and changes it (decision 075). */
import { z } from 'zod'
import { ABILITY_NAMES, OPERATOR_ROLES } from './abilities.ts'
import { currentPassword, instant, otpField, typedMark } from './common.ts'

const role = z.enum(OPERATOR_ROLES)
const reason = z.string().trim().min(3, 'field_required').max(200)

/** A session of an operator that is open. */
export const operatorSession = z.object({
  /** Kinds of browser and system; null where it did not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Whether it is a telephone or a tablet. */
  mobile: z.boolean(),
  /** `192.0.2.0/24`. */
  network: z.string(),
  started_at: instant,
  last_used_at: instant,
})

/** What an operator approves with, as the signer last wrote down: see the key file on its machine. */
export const APPROVER_STATES = ['pinned', 'not_pinned', 'unknown'] as const

export const operatorAccount = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  /** Since when; null where the trail does not say. */
  since: instant.nullable(),
  last_seen_at: instant.nullable(),
  approver: z.enum(APPROVER_STATES),
  self: z.boolean(),
  /** The only admin: neither dismissed nor given another role in the console. */
  last_admin: z.boolean(),
  /** Another role that was asked for, and is about to be theirs. */
  next_role: role.nullable(),
  sessions: z.array(operatorSession),
})
export type OperatorAccount = z.infer<typeof operatorAccount>

/** An invitation that its member has not answered. */
export const operatorInvitation = z.object({
  id: z.int(),
  member: z.object({ id: z.int(), username: z.string() }),
  role,
  invited_by: z.string(),
  invited_at: instant,
  expires_at: instant,
  /** Accepted, and about to be in force. */
  accepted: z.boolean(),
})
export type OperatorInvitation = z.infer<typeof operatorInvitation>

/** GET operator/operators/ */
export const operatorsPage = z.object({
  operators: z.array(operatorAccount),
  invitations: z.array(operatorInvitation),
  /** When the signer last wrote down its key file, and which version; null where it never did. */
  key_file: z.object({ version: z.string(), noted_at: instant }).nullable(),
})
export type OperatorsPage = z.infer<typeof operatorsPage>

/** GET operator/abilities/: what each role may do. */
export const abilityTable = z.object({
  roles: z.array(role),
  abilities: z.array(z.object({ name: z.enum(ABILITY_NAMES), roles: z.array(role) })),
})
export type AbilityTable = z.infer<typeof abilityTable>

/** What stands in the way of inviting a member. */
export const NOT_INVITED = ['self', 'operator', 'former', 'invited'] as const

/** GET operator/operators/candidate/?name=: whom a username or an e-mail means. */
export const operatorCandidate = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  joined_at: instant,
  two_factor: z.boolean(),
  against: z.enum(NOT_INVITED).nullable(),
})
export type OperatorCandidate = z.infer<typeof operatorCandidate>

/** POST operator/operators/{member}/invite/ */
export const inviteOperatorBody = z.object({ role, reason, otp: otpField })
/** POST operator/operators/{member}/role/; `from` is the role that was shown. */
export const operatorRoleBody = z.object({ from: role, role, reason, otp: otpField })
/** POST operator/operators/{member}/dismiss/, operator/invitations/{id}/withdraw/ */
export const operatorReasonBody = z.object({ reason, otp: otpField })

const token = typedMark().min(20).max(100)
/** POST auth/operator-invitation/: what a link of an invitation offers the member who is signed in. */
export const operatorInvitationBody = z.object({ token })
export const offeredRole = z.object({
  role,
  invited_by: z.string(),
  expires_at: instant,
  /** It is not accepted without. */
  two_factor: z.boolean(),
  abilities: z.array(z.enum(ABILITY_NAMES)),
})
export type OfferedRole = z.infer<typeof offeredRole>
/** POST auth/operator-invitation/accept/ */
export const acceptInvitationBody = z.object({ token, current_password: currentPassword, otp: otpField })
