import { z } from 'zod'
import { instant } from './common.ts'

export const DECISION_KINDS = [
  'run_release',
  'run_prorate',
  'plan',
  'member_key',
  'fund_pool',
  'explain_difference',
  'resume_payments',
  'reverse_investment',
  'set_extra_percent',
  'set_fundator',
] as const
export type DecisionKind = (typeof DECISION_KINDS)[number]
/** `open` waits for approvals on the approvals page; `refused` ended without being applied. */
export const DECISION_STATES = ['open', 'accepted', 'withdrawn', 'refused'] as const

/** A row of GET operator/decisions/: what operators approve on a page of its own. */
export const decision = z.object({
  id: z.int(),
  kind: z.enum(DECISION_KINDS),
  /** "run:7", "plan:2026-05-20", "pool:profit", "address:T…", "payments_stop:3", "investment:7" */
  subject: z.string(),
  /** What operators sign: short texts by name. */
  statement: z.record(z.string(), z.string()),
  state: z.enum(DECISION_STATES),
  /** Why it was refused: a stable name. */
  refusal: z.string().nullable(),
  /** Usernames. */
  proposed_by: z.string(),
  approvals: z.array(z.string()),
  proposed_at: instant,
  ended_at: instant.nullable(),
})
export type Decision = z.infer<typeof decision>

/** What waits for approval about something that is shown elsewhere. */
export const openDecision = decision.pick({ id: true, kind: true, proposed_by: true, proposed_at: true })
export type OpenDecision = z.infer<typeof openDecision>
