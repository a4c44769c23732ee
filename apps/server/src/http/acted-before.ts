/** Two operators at one thing: where the second is refused, the answer says what the first one did. */
import { REFUSALS } from '@aval/contract'
import type { Db } from '@aval/db'
import { storableSubject } from '../core/audit.sql.ts'
import type { MessageKey } from '../core/messages.ts'
import { queryFirst } from '../core/query.sql.ts'
import { Refusal } from '../core/refusal.ts'

/** Sentences of what was done, by its name in the audit trail. */
const DONE: Readonly<Record<string, MessageKey>> = {
  'member.freeze': 'before_freeze',
  'member.unfreeze': 'before_unfreeze',
  'member.fundator': 'before_fundator',
  'member.extra_percent': 'before_extra_percent',
  'member.correct_email': 'before_contact',
  'member.correct_phone': 'before_contact',
  'account.close': 'before_close',
  'two_factor.ask_release': 'before_ask_release',
  'two_factor.release': 'before_release',
  'two_factor.refuse_release': 'before_refuse_release',
  'investment.reverse': 'before_reverse',
  'run.cancel': 'before_cancel_run',
  'decision.withdraw': 'before_withdraw_decision',
  'operator.invite': 'before_invite',
  'operator.change_role': 'before_role',
  'operator.dismiss': 'before_dismiss',
  'operator.withdraw_invitation': 'before_withdraw_invitation',
  'payments.resume': 'before_resume',
  'pool.fund': 'before_fund',
  'rate.declare': 'before_rate',
}
/** Who names somebody already. */
const NAMES = ['by', 'name', 'operator'] as const
/** What was done longer ago is no surprise to anybody. */
const LATELY = 24 * 3_600_000

interface Act {
  readonly callerId: bigint
  readonly subject: string
  /** System time. */
  readonly now: Date
}

const isUnnamed = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  (REFUSALS[error.code] === 409 || REFUSALS[error.code] === 404) &&
  error.reasons.every(({ key }) => key === error.code) &&
  !NAMES.some((name) => name in error.params)

/** What another operator did last to the same thing. Index: audit_event_by_subject. */
const lastAct = (db: Db, { callerId, subject, now }: Act) =>
  queryFirst<{ username: string; action: string; at: Date }>(db)`
    SELECT m.username, e.action, e.at FROM audit_event e JOIN member m ON m.id = e.actor_id
    WHERE e.subject = ${storableSubject(subject)} AND e.at > ${new Date(now.getTime() - LATELY)} AND e.outcome = 'done' AND e.actor_id <> ${callerId}
      AND e.action = ANY(${Object.keys(DONE)}::text[]) ORDER BY e.at DESC, e.id DESC LIMIT 1`

/** The refusal of a decision, with who was faster where somebody was; every other error as it is. */
async function withWhoWasFirst(db: Db, act: Act, error: unknown): Promise<unknown> {
  if (!isUnnamed(error)) return error
  const last = await lastAct(db, act)
  const key = last === undefined ? undefined : DONE[last.action]
  if (last === undefined || key === undefined) return error
  const params = { by: last.username, at: last.at }
  return new Refusal(error.code, error.params, [...error.reasons, { path: '', key, params }])
}

/** What a decision comes to; a refusal says who was faster, where somebody was. */
export const sayingWhoWasFirst = <Answer>(db: Db, act: Act, decided: Promise<Answer>): Promise<Answer> =>
  decided.catch(async (error: unknown) => {
    throw await withWhoWasFirst(db, act, error)
  })
