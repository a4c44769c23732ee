/** Decides about members' keys that were submitted: verifies each by itself, writes it into the journal, and seals it. */
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../../core/log.ts'
import { assertionOf } from '../approvals/proof.ts'
import type { AssertionRefusal } from '../approvals/webauthn.rules.ts'
import { verifyAssertion } from '../approvals/webauthn.ts'
import type { JournalFault } from '../journal/faults.rules.ts'
import type { Journal } from '../journal/journal.ts'
import { HOUR_MS } from '../journal/memory.rules.ts'
import type { Policy } from '../policy.rules.ts'
import {
  checkChange,
  type MemberKeyRefusal,
  type StoredMemberKey,
  type ToVerify,
} from './member-keys.rules.ts'
import { findMemberKey, findSubmittedKeys, refuseMemberKey, sealMemberKey } from './member-keys.sql.ts'
import { isDecided } from './operators.ts'

export interface MemberKeysContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly network: string
  readonly policy: () => Policy
  readonly journal: Journal
  readonly log: Log
  readonly now: () => Date
}

export type MemberKeyVerdict = MemberKeyRefusal | JournalFault | 'sealed' | 'submitted'

export type MemberKeys = ReturnType<typeof createMemberKeys>

const AT_ONCE = 50

export function createMemberKeys(context: MemberKeysContext) {
  const { db, log } = context

  const decide = async (row: StoredMemberKey): Promise<MemberKeyVerdict> => {
    const { memberId, version, kind } = row
    const verdict = await decideAlone(context, row)
    if (verdict === 'sealed') log.info('member_key.sealed', { member: memberId, version, kind })
    else if (verdict !== 'submitted') {
      await refuseMemberKey(db, memberId, version, verdict)
      log.warn('member_key.refused', { member: memberId, version, kind, code: verdict })
    }
    return verdict
  }
  return {
    /** All that wait. What fails is tried again the next time. */
    async decideAll(): Promise<void> {
      for (const row of await findSubmittedKeys(db, AT_ONCE)) {
        try {
          await decide(row)
        } catch (error) {
          log.error('member_key.undecided', { member: row.memberId, error: describeError(error) })
        }
      }
    },
  }
}

/** One that operators decide about stays as it is while it is right, until enough of them have. */
async function decideAlone(context: MemberKeysContext, row: StoredMemberKey): Promise<MemberKeyVerdict> {
  const fault = context.journal.fault()
  if (fault !== null) return fault
  if (row.kind !== 'recovered') return seal(context, row, 'member')
  // Written before the process ended, and not applied.
  if (isJournalled(context, row)) return seal(context, row, 'operators')
  const refused = await faultOf(context, row)
  if (refused !== null) return refused
  return (await isDecided(context, row)) ? seal(context, row, 'operators') : 'submitted'
}

function isJournalled(
  { journal }: MemberKeysContext,
  { memberId, version, keyHash }: StoredMemberKey,
): boolean {
  const known = journal.memory.memberKey(memberId)
  return known?.version === version && known.key === keyHash
}

/** Into the journal first: what is sealed in the database and not there counts for nothing. */
async function seal(
  context: MemberKeysContext,
  row: StoredMemberKey,
  by: 'member' | 'operators',
): Promise<MemberKeyVerdict> {
  const { db, journal, policy, now } = context
  const { memberId, version } = row
  if (!isJournalled(context, row)) {
    const fault = await faultOf(context, row)
    if (fault !== null) return fault
    const at = now().getTime()
    const usable = by === 'member' ? at : at + policy().memberKeyCoolingHours * HOUR_MS
    await journal.append({
      kind: 'member_key',
      at,
      member: String(memberId),
      version,
      key: row.keyHash,
      by,
      usable,
    })
  }
  const usable = journal.memory.memberKey(memberId)?.usable ?? now().getTime()
  await sealMemberKey(db, memberId, version, new Date(usable), journal.head())
  return 'sealed'
}

/** Why a change is refused; null: the member signed it. */
async function faultOf(
  { db, network, policy, journal, now }: MemberKeysContext,
  row: StoredMemberKey,
): Promise<MemberKeyRefusal | null> {
  const known = journal.memory.memberKey(row.memberId)
  const inForce = known === null ? null : await findMemberKey(db, row.memberId, known.version)
  // Read again: the journal may have gone on in between.
  const before = journal.memory.memberKey(row.memberId)
  if (before !== known) return 'member_key_not_newer'
  const checked = checkChange(row, before, inForce, network, now().getTime())
  return typeof checked === 'string' ? checked : verifyMember(checked, policy())
}

/** Null where the key signed exactly this, in the members' app. */
export function verifyMember(
  { proof, challenge, key }: ToVerify,
  { membersOrigin: origin, membersRpId: rpId }: Policy,
): AssertionRefusal | 'members_origin_missing' | null {
  if (origin === '') return 'members_origin_missing'
  // Each signature is good once by its nonce or version: counters, which many passkeys do not have, are not needed.
  const expected = { challenge: Buffer.from(challenge).toString('base64url'), origin, rpId, counter: 0 }
  const verified = verifyAssertion(assertionOf(proof), key, expected)
  return typeof verified === 'string' ? verified : null
}
