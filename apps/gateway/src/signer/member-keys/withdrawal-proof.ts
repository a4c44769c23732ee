/** Whether a member whose passkey alone moves money signed a withdrawal. Members without such a key cost one look into a map. */
import type { Database } from '@aval/db/connect'
import type { Journal } from '../journal/journal.ts'
import type { Policy } from '../policy.rules.ts'
import { no, type Refused, type Withdrawal } from '../signing.rules.ts'
import {
  checkWithdrawalProof,
  invalid,
  type StoredMemberKey,
  type StoredWithdrawalProof,
} from './member-keys.rules.ts'
import { findMemberKey, findWithdrawalProof } from './member-keys.sql.ts'
import { verifyMember } from './seal.ts'

interface Context {
  readonly db: Database
  readonly journal: Journal
  readonly policy: () => Policy
  readonly keys: { readonly network: string }
}

/** What the database has of a member's key and signature. */
export interface MemberRows {
  readonly key: StoredMemberKey | null
  readonly proof: StoredWithdrawalProof | null
}

/** Null where the journal knows of no key: nothing is asked of the database then. */
export async function readMemberRows(
  { db, journal }: Context,
  { id, memberId }: Withdrawal,
): Promise<MemberRows | null> {
  const remembered = journal.memory.memberKey(memberId)
  if (remembered === null || remembered.key === '') return null
  return {
    key: await findMemberKey(db, memberId, remembered.version),
    proof: await findWithdrawalProof(db, memberId, id),
  }
}

/**
 * Why it is not paid, or the nonce to remember; null where the member has no such key. It waits for nothing, so that between this and the
 * journal's entry nothing else can happen.
 */
export function checkMember(
  { journal, policy, keys }: Context,
  withdrawal: Withdrawal,
  rows: MemberRows | null,
  now: number,
): Refused | { readonly nonce: string } | null {
  const { memory } = journal
  const remembered = memory.memberKey(withdrawal.memberId)
  if (remembered === null) {
    return withdrawal.claimsKey
      ? no('member_key_unknown', 'the journal knows nothing of the member’s key that the database has')
      : null
  }
  if (remembered.key === '') return null
  const stored = rows?.proof ?? null
  const usedFor = stored === null ? null : memory.nonceUsedFor(stored.nonce)
  const checked = checkWithdrawalProof(
    withdrawal,
    remembered,
    rows?.key ?? null,
    stored,
    usedFor,
    keys.network,
    now,
  )
  if ('code' in checked) return checked
  const fault = verifyMember(checked, policy())
  if (fault === 'members_origin_missing')
    return no(fault, 'the key file does not say where the members’ app is')
  if (fault !== null || stored === null) return invalid(fault ?? 'proof_invalid')
  return { nonce: stored.nonce }
}
