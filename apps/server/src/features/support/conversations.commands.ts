/** What operators do around a conversation: take it, hand it over, write notes for each other. */
import { ABILITIES, LOCALES } from '@aval/contract'
import type { Tx } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { type Handling, missing, record } from './support.commands.ts'
import * as store from './support.sql.ts'

interface Assigning extends Omit<Handling, 'seen'> {
  /** Who gets it; null for nobody. */
  readonly to: string | null
  /** Who had it, as the operator saw it. */
  readonly from: string | null
}

async function operatorNamed(tx: Tx, username: string) {
  const operators = await store.selectOperators(tx, ABILITIES['support.answer'], LOCALES[0])
  const found = operators.find((each) => each.username === username)
  if (found === undefined) throw new Refusal('support_operator_unknown', { operator: username })
  return found
}

/**
 * Gives a conversation to an operator, or to nobody. Asked again, nothing more happens.
 *
 * @throws Refusal `support_thread_not_found`, `support_conversation_closed`, `support_operator_unknown`; `support_taken` where meanwhile
 * another operator got it
 */
export async function assignThread(tx: Tx, assigning: Assigning): Promise<void> {
  const { memberId, to, from, now } = assigning
  const thread = memberId === null ? undefined : await store.lockThread(tx, memberId)
  if (memberId === null || thread === undefined) throw missing()
  if (thread.state === 'closed') throw new Refusal('support_conversation_closed')
  const has = await store.selectAssigned(tx, memberId)
  if ((has?.username ?? null) === to) return
  if ((has?.username ?? null) !== from) {
    // Who let go of it left nothing to refuse for.
    if (has !== undefined)
      throw new Refusal('support_taken', { operator: has.username, since: has.assigned_at ?? now })
  }
  const next = to === null ? null : (await operatorNamed(tx, to)).id
  await store.updateAssigned(tx, memberId, next, now)
  await record(tx, assigning, memberId, 'assign', { before: has?.username ?? null, after: to })
}
