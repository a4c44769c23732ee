/** What needs a person, in the console and by mail (decision 076). */
import { z } from 'zod'
import type { Ability } from './abilities.ts'
import { instant } from './common.ts'

interface Kind {
  /** Who sees it. */
  readonly sees: Ability
  /** Who gets it by mail, where an operator chose nothing; null: every operator does, always, by an alert of its own. */
  readonly mailed: Ability | null
}

export const NOTIFICATION_KINDS = {
  /** A payout run waits for money or for a decision. */
  run_held: { sees: 'runs.read', mailed: 'runs.decide' },
  /** The second computation of a run came to something else: it is released by nobody. */
  run_differs: { sees: 'runs.read', mailed: 'runs.decide' },
  /** A run has waited for its second computation for five minutes. */
  run_unaudited: { sees: 'runs.read', mailed: 'runs.decide' },
  /** Requests that nobody has decided for a day. */
  withdrawal_waits: { sees: 'withdrawals.read', mailed: 'withdrawals.refuse' },
  /** A withdrawal is due within hours, or is late: each of them. */
  withdrawal_soon: { sees: 'withdrawals.read', mailed: 'withdrawals.refuse' },
  withdrawal_late: { sees: 'withdrawals.read', mailed: 'withdrawals.refuse' },
  payments_stopped: { sees: 'console.use', mailed: null },
  /** One operator asked to release a member's second factor: another one has to agree. */
  release_waits: { sees: 'members.release', mailed: 'members.release' },
  /** What was proposed takes effect once enough operators approved it. */
  decision_waits: { sees: 'decisions.read', mailed: 'decisions.withdraw' },
  /** A member's message that nobody has answered for two hours. */
  chat_waits: { sees: 'support.read', mailed: 'support.answer' },
  /** What is in a pool does not cover another run like the last one. */
  pool_low: { sees: 'treasury.read', mailed: 'treasury.fund' },
  /** The gateway sees no new blocks, or what leaves waits for the chain. */
  chain_failing: { sees: 'withdrawals.read', mailed: 'payments.resume' },
  /** Deposit addresses run out, or those of an older version wait for the signer to derive them. */
  addresses_low: { sees: 'treasury.read', mailed: 'payments.resume' },
  /** What leaves waits for the signer. */
  signer_failing: { sees: 'withdrawals.read', mailed: 'payments.resume' },
  /** An invitation was accepted: somebody else works here now. */
  operator_joined: { sees: 'operators.read', mailed: null },
} as const satisfies Readonly<Record<string, Kind>>

export type NotificationKind = keyof typeof NOTIFICATION_KINDS
export const NOTIFICATION_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]

export const operatorNotification = z.object({
  id: z.int(),
  kind: z.enum(NOTIFICATION_NAMES),
  /** `noun:id`; empty where there is one of its kind at most. */
  subject: z.string(),
  /** What its sentence mentions; amounts and instants as text. */
  words: z.record(z.string(), z.string()),
  at: instant,
  /** When it was seen to; null while it needs somebody. */
  over_at: instant.nullable(),
  read: z.boolean(),
})
export type OperatorNotification = z.infer<typeof operatorNotification>

/** GET operator/notifications/: what needs somebody first, then what was lately, fifty at most. */
export const notificationsPage = z.object({ unread: z.int(), results: z.array(operatorNotification) })
export type NotificationsPage = z.infer<typeof notificationsPage>

/** POST operator/notifications/read/: those, or all that there are. */
export const readNotificationsBody = z.object({ ids: z.array(z.int().positive()).max(100).optional() })

/** GET operator/notifications/settings/ */
export const notificationSettings = z.object({
  kinds: z.array(
    z.object({
      kind: z.enum(NOTIFICATION_NAMES),
      mailed: z.boolean(),
      /** It comes whatever one chooses. */
      always: z.boolean(),
    }),
  ),
})
export type NotificationSettings = z.infer<typeof notificationSettings>
/** POST operator/notifications/settings/ */
export const notificationChoiceBody = z.object({ kind: z.enum(NOTIFICATION_NAMES), mailed: z.boolean() })
