import { z } from 'zod'
import { currentPassword, instant, nameText, otpField } from './common.ts'

/** Bytes as they travel: base64url without padding. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/)

const credentialId = bytes(1400)
const publicKeyType = z.literal('public-key')
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const transport = z.enum(TRANSPORTS)
const descriptor = z.object({
  id: z.string(),
  type: publicKeyType,
  transports: z.array(transport).optional(),
})

export const LONGEST_PASSKEY_NAME = 60
const passkeyName = nameText(LONGEST_PASSKEY_NAME)

export const passkeyItem = z.object({
  id: z.string(),
  name: z.string(),
  made_at: instant,
  /** Null until it was used for the first time. */
  used_at: instant.nullable(),
})
export type PasskeyItem = z.infer<typeof passkeyItem>

/** GET auth/passkeys/ */
export const passkeys = z.object({
  results: z.array(passkeyItem),
  /** How many a member may have. */
  most: z.int(),
  /** The address at which they work. */
  origin: z.string(),
  /** False where that address is a number: browsers keep passkeys for names. */
  available: z.boolean(),
})
export type Passkeys = z.infer<typeof passkeys>

/** POST auth/passkeys/begin/: `otp` where two-factor is on. */
export const passkeyBeginBody = z.object({ current_password: currentPassword, otp: otpField })

/** What `navigator.credentials.create` takes, in WebAuthn's JSON. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

/** What a new passkey answers, in WebAuthn's JSON. */
export const passkeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(12_000),
    /** Others than those we know say nothing. */
    transports: z
      .array(z.string().max(40))
      .max(20)
      .transform((all) => TRANSPORTS.filter((known) => all.includes(known)))
      .optional(),
  }),
})
export type PasskeyRegistration = z.output<typeof passkeyRegistration>

/** POST auth/passkeys/: without a name it is called after the device. */
export const passkeyBody = z.object({ credential: passkeyRegistration, name: passkeyName.optional() })
/** POST auth/passkeys/rename/ */
export const passkeyRenameBody = z.object({
  id: credentialId,
  name: passkeyName.pipe(z.string().min(1, 'field_required')),
})
/** POST auth/passkeys/remove/: `otp` where two-factor is on. */
export const passkeyRemoveBody = z.object({
  id: credentialId,
  current_password: currentPassword,
  otp: otpField,
})

/** What `navigator.credentials.get` takes, in WebAuthn's JSON. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  /** Empty: any passkey of this address. */
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.infer<typeof passkeyRequest>

/** What a passkey answers, in WebAuthn's JSON. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(2000),
    userHandle: bytes(200).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** POST auth/passkey/ */
export const passkeySignInBody = z.object({ credential: passkeyAssertion })
/** POST auth/otp/passkey/begin/ */
export const otpPasskeyBeginBody = z.object({ otp_token: z.string().max(200) })
/** POST auth/otp/passkey/ */
export const otpPasskeyBody = z.object({ otp_token: z.string().max(200), credential: passkeyAssertion })
