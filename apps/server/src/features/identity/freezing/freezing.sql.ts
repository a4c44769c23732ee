import type { Db, Tx } from '@aval/db'
import { queryFirst, queryValue } from '../../../core/query.sql.ts'

export interface Freeze {
  readonly reason: string
  readonly at: Date
  /** Username of the operator. */
  readonly by: string
}

/** Undefined where the account is free. */
export async function selectFreeze(db: Db, memberId: bigint): Promise<Freeze | undefined> {
  const last = await queryFirst<Freeze & { readonly frozen: boolean }>(db)`
    SELECT f.frozen, f.reason, f.at, o.username AS by FROM member_freeze f JOIN member o ON o.id = f.operator_id
    WHERE f.member_id = ${memberId} ORDER BY f.id DESC LIMIT 1`
  return last?.frozen === true ? last : undefined
}

/** False where it was so before. */
export function updateFrozen(
  tx: Tx,
  change: {
    readonly memberId: bigint
    readonly frozen: boolean
    readonly reason: string
    readonly operatorId: bigint
  },
  at: Date,
): Promise<boolean> {
  const { memberId, frozen, reason, operatorId } = change
  return queryValue<boolean>(
    tx,
  )`SELECT freeze_member(${memberId}, ${frozen}, ${reason}, ${operatorId}, ${at})`
}
