/** Support as operators do it: the queue, one conversation with what surrounds it, notes, templates, times to a first answer. */
import { z } from 'zod'
import { amountText, instant, LOCALES, pageOf, pageQuery } from './common.ts'
import { PAYMENT_KINDS } from './earnings.ts'
import { messageId, SUPPORT_STATES, SUPPORT_TOPICS, supportMessage, supportText } from './support.ts'

/** Parts of the queue. `open`: waits for an answer; `mine`: the caller has it; `unassigned`: waits, and nobody has it. */
export const SUPPORT_QUEUES = ['open', 'mine', 'unassigned', 'answered', 'closed'] as const
export type SupportQueue = (typeof SUPPORT_QUEUES)[number]

/** Rows of a queue that are counted, at most; what comes after them is in no page. */
export const MOST_COUNTED = 10_000

/** GET operator/support/?state= ; without it all, those who wait first, longest first. */
export const supportFilter = z.object({ state: z.enum(SUPPORT_QUEUES).optional() })
export const supportQuery = pageQuery.extend(supportFilter.shape)

/** A row of GET operator/support/ */
export const supportThread = z.object({
  member_id: z.int(),
  username: z.string(),
  email: z.string(),
  state: z.enum(SUPPORT_STATES),
  topic: z.enum(SUPPORT_TOPICS).nullable(),
  /** Null unless the member waits. */
  waiting_since: instant.nullable(),
  /** Seconds for which they have waited, by the server's clock. */
  waited_seconds: z.int().nullable(),
  date: instant,
  /** The beginning of the newest message. */
  excerpt: z.string(),
  /** The member's messages that no operator has seen. */
  unread: z.int(),
  /** Which operator has it, and since when; null for nobody. */
  assigned: z.object({ operator: z.string(), since: instant }).nullable(),
})
export type SupportThread = z.infer<typeof supportThread>

/** A message as operators see it. */
export const operatorSupportMessage = supportMessage.extend({
  /** Who answered. */
  operator: z.string().nullable(),
})
export type OperatorSupportMessage = z.infer<typeof operatorSupportMessage>

/** GET operator/support/{member}/: the conversation, newest message first. */
export const supportConversation = pageOf(operatorSupportMessage).extend({ thread: supportThread })
export type SupportConversation = z.infer<typeof supportConversation>

/**
 * POST operator/support/{member}/answer/. `seen` is the newest message that the operator saw: what came after it still
 * waits for an answer. Without it, the answer is to everything.
 */
export const supportAnswerBody = z.object({ text: supportText, seen: messageId.optional() })

/** POST operator/support/{member}/close/: refused where something came after what the operator saw. */
export const supportCloseBody = z.object({ seen: messageId.optional() }).nullish()

/**
 * POST operator/support/{member}/assign/. `operator` gets it; null lets go of it. `from` is who had it as the caller saw it, so that of two
 * at once the second hears who was first.
 */
export const supportAssignBody = z.object({ operator: z.string().nullable(), from: z.string().nullable() })

/** GET operator/support/assignees/: who answers members, and how many conversations each has. */
export const supportAssignees = z.object({
  results: z.array(z.object({ operator: z.string(), conversations: z.int() })),
})

/** GET operator/support/{member}/about/: the member beside the conversation. */
export const supportAbout = z.object({
  member_id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  email_proven: z.boolean(),
  phone: z.string(),
  locale: z.enum(LOCALES),
  time_zone: z.string().nullable(),
  joined_at: instant,
  closed_at: instant.nullable(),
  sponsor: z.object({ member_id: z.int(), username: z.string() }).nullable(),
  two_factor: z.boolean(),
  /** Money cannot leave before; null when it can. */
  cools_until: instant.nullable(),
  principal: amountText,
  balance: amountText,
  held: amountText,
  pending: amountText,
  owed: amountText,
  /** Not closed, newest first; at most 5, as the two after it. */
  withdrawals: z.array(
    z.object({ id: z.int(), amount: amountText, state: z.enum(['requested', 'approved']), date: instant }),
  ),
  payments: z.array(z.object({ kind: z.enum(PAYMENT_KINDS), amount: amountText, date: instant })),
  /** Pending investments. */
  invoices: z.array(
    z.object({ txn_id: z.string(), amount: amountText, received: amountText, expires_at: instant }),
  ),
})
export type SupportAbout = z.infer<typeof supportAbout>

/** What a template may leave open, as `{first_name}`. */
export const SUPPORT_PLACEHOLDERS = ['first_name', 'username'] as const
export type SupportPlaceholder = (typeof SUPPORT_PLACEHOLDERS)[number]

/** The most templates there can be. */
export const MOST_SUPPORT_TEMPLATES = 200

export const supportTemplate = z.object({
  id: z.int(),
  /** Counts its changes, from 1. */
  version: z.int(),
  name: z.string(),
  text_es: z.string(),
  text_en: z.string(),
  removed: z.boolean(),
  /** Who changed it last, and when. */
  operator: z.string(),
  date: instant,
})
export type SupportTemplate = z.infer<typeof supportTemplate>

/** GET operator/support/templates/, by name; and GET operator/support/templates/{template}/: its versions, newest first. */
export const supportTemplates = z.object({ results: z.array(supportTemplate) })

/** POST operator/support/templates/ */
export const supportTemplateBody = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field_required')
    .max(80)
    .transform((text) => text.toWellFormed()),
  text_es: supportText,
  text_en: supportText,
})
const version = z.int().positive()
/** POST operator/support/templates/{template}/. `version` is the one that was changed: of two at once the second hears who was first. */
export const supportTemplateEdit = supportTemplateBody.extend({ version })
/** POST operator/support/templates/{template}/remove/ */
export const supportTemplateRemoval = z.object({ version })

/** GET operator/support/{member}/templates/: as they would be sent to that member. */
export const supportFilledTemplates = z.object({
  locale: z.enum(LOCALES),
  results: z.array(z.object({ id: z.int(), name: z.string(), text: z.string() })),
})

/** In seconds; null where nothing was answered. */
const waits = z.object({ count: z.int(), median: z.int().nullable(), p90: z.int().nullable() })

/** GET operator/support/times/: how long members waited for a first answer. */
export const supportTimes = z.object({
  week: waits,
  month: waits,
  operators: z.array(z.object({ operator: z.string(), week: waits, month: waits })),
  /** Only so many of the newest answers are counted, because there are more. Null where all are. */
  newest: z.int().nullable(),
})
export type SupportTimes = z.infer<typeof supportTimes>
