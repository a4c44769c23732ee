import { z } from 'zod'
import { currentPassword, instant, otpField, typedMark } from './common.ts'
import { passkeyAssertion } from './passkeys.ts'

export const MEMBER_KEY_KINDS = ['on', 'replaced', 'off', 'recovered'] as const
export type MemberKeyKind = (typeof MEMBER_KEY_KINDS)[number]
const kind = z.enum(MEMBER_KEY_KINDS)
const credentialId = z
  .string()
  .max(1400)
  .regex(/^[A-Za-z0-9_-]+$/)
const nonce = z.string().regex(/^[0-9a-f]{64}$/)

/** What a member's passkey signed: the answer to a challenge that the app computed from what it showed (`packages/approvals`). */
export const memberProof = z.object({ credential: passkeyAssertion, nonce, expires_at: instant })
export type MemberProof = z.output<typeof memberProof>

/** GET auth/member-key/: whether only one passkey moves this member's money. */
export const memberKeyState = z.object({
  on: z.boolean(),
  /** The passkey that does; null where it is off. */
  credential_id: z.string().nullable(),
  /** A key in the place of a lost one moves nothing before. */
  usable_from: instant.nullable(),
  /** What waits for the signer; `recovered` for operators. */
  waiting: z.object({ kind, submitted_at: instant }).nullable(),
  /** Why the last change was refused, where nothing came after it; a stable name. */
  refused: z.string().nullable(),
})
export type MemberKeyState = z.infer<typeof memberKeyState>

/** POST auth/member-key/challenge/: what the app needs to compute a challenge. */
export const memberKeyParts = z.object({
  network: z.string(),
  member_id: z.int(),
  /** Of the next change. */
  version: z.int(),
  nonce,
  expires_at: instant,
  rp_id: z.string(),
  /** The passkey that moves the money; null where it is off. */
  credential_id: z.string().nullable(),
  /** The member's passkeys, with what their hash is made of. */
  passkeys: z.array(
    z.object({ credential_id: z.string(), name: z.string(), public_key: z.string(), algorithm: z.int() }),
  ),
})
export type MemberKeyParts = z.infer<typeof memberKeyParts>

/** POST auth/member-key/: the passkey that counts from now on; none for `off`. `recovered` takes password and code. */
export const memberKeyBody = z.object({
  kind,
  version: z.int().positive(),
  credential_id: credentialId.optional(),
  passkey: memberProof,
  current_password: currentPassword.optional(),
  otp: otpField,
})
export type MemberKeyBody = z.output<typeof memberKeyBody>

/** POST auth/user/wallet/: the wallet, by the passkey that moves the money. */
export const memberWalletBody = z.object({
  usdt_wallet: typedMark().max(100, 'wallet_invalid'),
  passkey: memberProof,
})
