/** Whether operators decided that a key takes the place of a lost one: counted by the signer's own journal and the key file. */
import type { DecisionRow } from '@aval/approvals'
import type { Database } from '@aval/db/connect'
import { findApprovalDecisions } from '../approvals/approvals.sql.ts'
import { isDecisionList } from '../approvals/decision.rules.ts'
import type { Journal } from '../journal/journal.ts'
import { approverWith, type Policy } from '../policy.rules.ts'
import type { StoredMemberKey } from './member-keys.rules.ts'
import { findKeyApprovals } from './member-keys.sql.ts'

interface Context {
  readonly db: Database
  readonly policy: () => Policy
  readonly journal: Journal
}

type Key = Pick<StoredMemberKey, 'memberId' | 'version' | 'keyHash'>

/** Enough different operators, none of them the member, approved exactly this key by passkeys that are still pinned. */
export async function isDecided({ db, policy, journal }: Context, key: Key): Promise<boolean> {
  const operators = new Set<string>()
  for (const { id, nonce } of await findKeyApprovals(db, key.memberId)) {
    const accepted = journal.memory.accepted(nonce)
    if (accepted?.kind !== 'decided' || accepted.key === 'code') continue
    const operator = BigInt(accepted.operator)
    if (operator === key.memberId || approverWith(policy(), operator, accepted.key) === null) continue
    const rows = await findApprovalDecisions(db, id)
    if (isDecisionList(rows, accepted) && rows.some((row) => isAbout(row, key)))
      operators.add(accepted.operator)
  }
  return operators.size >= policy().decisions.memberKey
}

const isAbout = ({ kind, statement }: DecisionRow, { memberId, version, keyHash }: Key): boolean =>
  kind === 'member_key' &&
  statement['member'] === String(memberId) &&
  statement['version'] === String(version) &&
  statement['key_hash'] === keyHash
