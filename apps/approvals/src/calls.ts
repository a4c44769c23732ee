/** What the page sends, parsed once: everything that is not exactly this is refused. */
import { MAX_DECISIONS, MAX_ROWS } from '@aval/approvals'
import { z } from 'zod'

const bigintText = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^(0|[1-9]\\d{0,${digits - 1}})$`))
    .transform(BigInt)
const number = bigintText(18)
const base64url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/)
const hex = z.string().regex(/^[0-9a-f]{64}$/)

const proof = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('passkey'),
    credential_id: base64url(1_400),
    client_data: base64url(1_400),
    authenticator_data: base64url(700),
    signature: base64url(700),
  }),
  z.strictObject({ kind: z.literal('code'), code: z.string().regex(/^\d{6}$/) }),
])

const row = z.strictObject({
  id: number,
  member: number,
  amount: number,
  fee: number,
  wallet: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{1,64}$/),
})

const proven = {
  operator: number,
  // Before the year 2100: what lies far beyond is no date.
  expires_at: z.int().positive().max(4_000_000_000_000),
  nonce: hex,
  root: hex,
  proof,
}

/** POST api/approvals/ */
export const submission = z.strictObject({
  ...proven,
  rows: z
    .array(row)
    .min(1)
    .max(MAX_ROWS)
    .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
})

const decision = z.strictObject({
  id: number,
  kind: z.string().regex(/^[a-z_]{1,20}$/),
  statement: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), z.string().max(1_000)),
})

/** POST api/decisions/ */
export const decisionSubmission = z.strictObject({
  ...proven,
  rows: z
    .array(decision)
    .min(1)
    .max(MAX_DECISIONS)
    .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
})

/** GET api/approvals/{id}/ */
export const approvalNumber = z.string().regex(/^[1-9]\d{0,17}$/)
