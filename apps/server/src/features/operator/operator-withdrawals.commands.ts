import type { Db } from '@aval/db'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/refusal.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import {
  type MemberFacts,
  type QueuedRow,
  type QueueState,
  selectMemberFacts,
  selectQueue,
  selectQueued,
  selectSecurityEvents,
  selectTransfersOf,
} from './operator-withdrawals.sql.ts'

export type { QueuedRow, QueueState } from './operator-withdrawals.sql.ts'

/** A page of the queue, and how long it is. */
export function listQueue(
  db: Db,
  state: QueueState,
  limit: number,
  offset: number,
): Promise<{ rows: QueuedRow[]; count: number }> {
  return selectQueue(db, state, limit, offset)
}

export interface Dossier {
  readonly row: QueuedRow
  readonly member: MemberFacts & { readonly twoFactor: boolean; readonly coolsUntil: Date | null }
  readonly events: Awaited<ReturnType<typeof selectSecurityEvents>>
  readonly transfers: Awaited<ReturnType<typeof selectTransfersOf>>
}

/** One withdrawal with its member's history. @throws Refusal `withdrawal_not_found` */
export async function readDossier({ db, config }: Context, id: bigint | null): Promise<Dossier> {
  const row = id === null ? undefined : await selectQueued(db, id)
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  const memberId = row.member_id
  const [facts, twoFactor, cooling, events, transfers] = await Promise.all([
    selectMemberFacts(db, memberId),
    hasSecondFactor(db, memberId),
    findCoolingEnd(db, memberId, config, new Date()),
    selectSecurityEvents(db, memberId),
    selectTransfersOf(db, memberId, row.id),
  ])
  return { row, member: { ...facts, twoFactor, coolsUntil: cooling }, events, transfers }
}
