/** What an operator says of notifications: that they were read, and which come by mail. */
import type { NotificationKind, OperatorRole } from '@aval/contract'
import type { Tx } from '@aval/db'
import { seenBy } from './notifications.rules.ts'
import { insertReads, putChoice } from './notifications.sql.ts'

/** @param ids null: all that the role sees */
export const markRead = (
  tx: Tx,
  { memberId, role }: { readonly memberId: bigint; readonly role: OperatorRole },
  ids: readonly bigint[] | null,
): Promise<void> => insertReads(tx, memberId, seenBy(role), ids)

export const chooseMail = (
  tx: Tx,
  operatorId: bigint,
  { kind, mailed }: { readonly kind: NotificationKind; readonly mailed: boolean },
): Promise<void> => putChoice(tx, operatorId, kind, mailed)
