/** The audit trail as operators read it. */
import { z } from 'zod'
import { instant, typedText } from './common.ts'

export const AUDIT_OUTCOMES = ['done', 'refused'] as const

const text = (most: number) => typedText().min(1).max(most).optional()

/** What a list of the trail is asked for; the same for an export. Both days are in it, in the reader's time zone. */
export const auditFilter = z.object({
  /** A username, or the number of a member; `-` for what the product did by itself. */
  who: text(60),
  /** An action, `withdrawal.decide`, or the noun of several, `withdrawal`. */
  action: z
    .string()
    .regex(/^[a-z_]+(\.[a-z_]+)?$/)
    .max(100)
    .optional(),
  /** A thing, `withdrawal:17`. */
  subject: text(200),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  from: z.iso.date('dates_invalid').optional(),
  to: z.iso.date('dates_invalid').optional(),
})
export type AuditFilter = z.output<typeof auditFilter>

/** `before`: the `next` of the page before. */
export const auditQuery = auditFilter.extend({
  before: z
    .string()
    .regex(/^\d{1,16}\.\d{1,18}$/)
    .optional(),
})

export const auditEntry = z.object({
  id: z.int(),
  at: instant,
  /** Null: the product itself, or a stranger. */
  actor: z.object({ id: z.int(), username: z.string() }).nullable(),
  action: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  subject: z.object({
    noun: z.string(),
    id: z.string(),
    /** Where it is a member. */
    username: z.string().nullable(),
  }),
  details: z.record(z.string(), z.unknown()),
  /** Why it was refused, in the reader's language; null where it was done. */
  refusal: z.string().nullable(),
  /** Its details were erased, as those of members who left are. */
  erased: z.boolean(),
  /** From where the actor had signed in last before it. */
  from: z
    .object({
      browser: z.string().nullable(),
      system: z.string().nullable(),
      network: z.string().nullable(),
      at: instant,
    })
    .nullable(),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** GET operator/audit/: newest first. */
export const auditPage = z.object({
  results: z.array(auditEntry),
  /** What `before` is for the page after this one; null on the last. */
  next: z.string().nullable(),
})
export type AuditPage = z.infer<typeof auditPage>

/** GET operator/audit/actions/: every action that the trail has. */
export const auditActions = z.object({ actions: z.array(z.string()) })

/** The last verification of the trail, or the one under way. */
export const auditVerification = z.object({
  asked_by: z.string(),
  asked_at: instant,
  finished_at: instant.nullable(),
  seals: z.object({ done: z.int(), in_all: z.int() }),
  rows: z.int(),
  erased: z.int(),
  /** Recorded since the last seal. */
  unsealed: z.int(),
  /** `audit_event 17: altered`; none where nothing was changed. */
  faults: z.array(z.string()),
  /** The signer's, hexadecimal; null where none ever signed. */
  public_key: z.string().nullable(),
  /** The head that the signer signed last. */
  head: z.object({ seal: z.int(), signed_at: instant }).nullable(),
})
export type AuditVerification = z.infer<typeof auditVerification>
/** GET operator/audit/verification/; null before the first. */
export const auditVerificationAnswer = z.object({ verification: auditVerification.nullable() })
