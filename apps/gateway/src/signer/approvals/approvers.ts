/** Who approved a withdrawal, by the signer's own journal: the database only says where to look. */
import type { ApprovalRow } from '@aval/approvals'
import type { Journal } from '../journal/journal.ts'
import type { Accepted } from '../journal/memory.rules.ts'
import { approverWith, type Policy } from '../policy.rules.ts'
import { type ApprovalsGiven, no, type Refused, type Withdrawal } from '../signing.rules.ts'
import { sameRow } from './approval.rules.ts'
import { findApprovalsOf } from './approvals.sql.ts'
import type { Lists } from './lists.ts'

interface Context {
  readonly db: Parameters<typeof findApprovalsOf>[0]
  readonly journal: Journal
  readonly policy: () => Policy
}

/** Of each withdrawal, by its number, the operators whose accepted lists have exactly this withdrawal, and by keys that still count. */
export async function findApprovers(
  context: Context,
  lists: Lists,
  withdrawals: readonly Withdrawal[],
): Promise<ReadonlyMap<bigint, ApprovalsGiven>> {
  const listed = Map.groupBy(await findApprovalsOf(context.db, withdrawals), ({ withdrawal }) => withdrawal)
  const given = new Map<bigint, ApprovalsGiven>()
  for (const withdrawal of withdrawals)
    given.set(withdrawal.id, await approversOf(context, lists, withdrawal, listed.get(withdrawal.id) ?? []))
  return given
}

async function approversOf(
  { journal, policy }: Context,
  lists: Lists,
  { id: withdrawalId, memberId, amount, fee, wallet }: Withdrawal,
  listed: readonly { readonly id: bigint; readonly nonce: string }[],
): Promise<ApprovalsGiven> {
  const row = { withdrawalId, memberId, amount, fee, wallet }
  const operators: bigint[] = []
  let because: Refused | null = null
  for (const { id, nonce } of listed) {
    const accepted = journal.memory.accepted(nonce)
    const refused = await refusalOf(lists, policy(), id, accepted, row)
    if (refused === null && accepted !== null) operators.push(BigInt(accepted.operator))
    because ??= refused
  }
  return { operators, because }
}

async function refusalOf(
  lists: Lists,
  policy: Policy,
  id: bigint,
  accepted: Accepted | null,
  row: ApprovalRow,
): Promise<Refused | null> {
  if (accepted?.kind !== 'approved')
    return no('approval_unknown', 'the journal knows nothing of an approval that the database has')
  const rows = await lists.of(id, accepted)
  if (rows === null) return no('list_differs', 'the list in the database is not the one that was approved')
  const approved = rows.get(row.withdrawalId)
  if (approved === undefined || !sameRow(approved, row))
    return no('row_differs', 'what was approved is another amount, fee, member or wallet')
  return approverWith(policy, BigInt(accepted.operator), accepted.key) === null
    ? no('approver_unknown', 'who approved it, or the key, is no longer in the key file')
    : null
}
