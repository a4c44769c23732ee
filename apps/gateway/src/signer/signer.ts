/**
 * Signs what the database has prepared, after checking all of it. A signature leaves this process only when it is stored,
 * so a crash in between leaves none outside.
 */
import type { Database } from '@aval/db/connect'
import { recordDecision } from '../core/audit.sql.ts'
import { describeError, type Log } from '../core/log.ts'
import { findApprovers } from './approvals/approvers.ts'
import { createLists, type Lists } from './approvals/lists.ts'
import { FAULT_SENTENCES } from './journal/faults.rules.ts'
import type { Journal } from './journal/journal.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { checkLimits } from './limits.rules.ts'
import { checkMember, type MemberRows, readMemberRows } from './member-keys/withdrawal-proof.ts'
import { operatorsNeeded, type Policy } from './policy.rules.ts'
import { findTransfer, storeSignature } from './signer.sql.ts'
import {
  checkTransfer,
  type Limits,
  no,
  type PreparedTransfer,
  type Refused,
  type Withdrawal,
} from './signing.rules.ts'
import type { SignerPort, SignerReply } from './socket.ts'

export interface SignerContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly keys: KeyRing
  /** The key file's, as it is now. */
  readonly policy: () => Policy
  readonly journal: Journal
  readonly limits: Limits
  readonly log: Log
  readonly now: () => Date
}

const STOPPED = no('stopped', 'money out is stopped')

/** What `sign_outgoing_transfer` says when it stores nothing. */
const STORE_REFUSALS: Readonly<Record<string, Refused>> = {
  not_prepared: no('closed', 'it is no longer prepared'),
  stopped: STOPPED,
  not_approved: no('not_approved', 'its withdrawal is not approved'),
  cap_reached: no('cap_reached', 'the day’s limit for withdrawals is reached'),
}

/** A signer in this process. Its `sign` never throws. */
export function createSigner(context: SignerContext): SignerPort {
  const { log } = context
  const lists = createLists(context.db)
  const recordRefused = createRefusalLog(context)
  const inFlight = new Map<string, Promise<SignerReply>>()

  const decide = async (txid: string): Promise<SignerReply> => {
    try {
      const outcome = await signOnce(context, lists, txid)
      if (!('code' in outcome)) {
        if (outcome.isNew) log.info('sign.signed', { txid, purpose: outcome.purpose, amount: outcome.amount })
        return { signed: true, signature: outcome.signature }
      }
      await recordRefused(txid, outcome)
      return { signed: false, ...outcome }
    } catch (error) {
      const refused = no('signer_failed', describeError(error))
      await recordRefused(txid, refused)
      return { signed: false, ...refused }
    }
  }
  return {
    sign(txid) {
      const known = inFlight.get(txid)
      if (known !== undefined) return known
      const asked = decide(txid).finally(() => inFlight.delete(txid))
      inFlight.set(txid, asked)
      return asked
    },
  }
}

interface Signed {
  readonly signature: Uint8Array
  readonly isNew: boolean
  readonly purpose: string
  readonly amount: bigint
}

async function signOnce(context: SignerContext, lists: Lists, txid: string): Promise<Signed | Refused> {
  const { db, keys, journal, limits } = context
  const fault = journal.fault()
  if (fault !== null) return no(fault, FAULT_SENTENCES[fault])
  const found = await findTransfer(db, txid)
  if (found === null) return no('not_found', 'no transfer with this txid is prepared')
  const { state, stored } = found
  if (state === 'signed' && stored !== null) return { ...found.transfer, signature: stored, isNew: false }
  if (state !== 'prepared') return no('closed', 'it is no longer prepared')
  if (found.isStopped) return STOPPED
  const now = context.now().getTime()
  const transfer = await withApprovals(context, lists, found.transfer, now)
  const verdict = checkTransfer(transfer, keys, limits, now)
  if (!verdict.allowed) return verdict.refused
  const { withdrawal } = transfer
  const member = withdrawal === null ? null : await readMemberRows(context, withdrawal)
  const refused = await remember(context, transfer, verdict, member, now)
  if (refused !== null) return refused
  const signature = keys.sign(transfer.raw, verdict.owner, transfer.memberId)
  return store(context, transfer, signature)
}

/** The withdrawal with who approved it, and how many it needs by the key file: the database can only ask for more. */
async function withApprovals(
  context: SignerContext,
  lists: Lists,
  transfer: PreparedTransfer,
  now: number,
): Promise<PreparedTransfer> {
  const { withdrawal } = transfer
  if (transfer.purpose !== 'withdrawal' || withdrawal === null) return transfer
  const approvals = await findApprovers(context, lists, withdrawal)
  const approvalsNeeded = Math.max(withdrawal.approvalsNeeded, neededNow(context, withdrawal, now))
  return { ...transfer, withdrawal: { ...withdrawal, approvals, approvalsNeeded } }
}

function neededNow(
  { journal, policy }: SignerContext,
  { id, memberId, amount }: Withdrawal,
  now: number,
): number {
  const counted = new Map(journal.memory.signedOf(memberId, now)).set(String(id), amount)
  return operatorsNeeded(
    policy(),
    [...counted.values()].reduce((sum, each) => sum + each, 0n),
  )
}

/**
 * Counts a signature that is about to be made, on the disk before it is; or why it may not be. Between the limits and the entry
 * nothing else can happen.
 */
async function remember(
  context: SignerContext,
  transfer: PreparedTransfer,
  { moment, expiration }: { moment: number; expiration: number },
  rows: MemberRows | null,
  now: number,
): Promise<Refused | null> {
  const { journal, policy } = context
  const { txid, withdrawal, amount } = transfer
  const { memory } = journal
  if (withdrawal === null || memory.isSigned(txid)) return null
  const known = new Set(withdrawal.others.map((other) => other.txid))
  if (memory.signedFor(withdrawal.id).some((other) => other.txid !== txid && !known.has(other.txid))) {
    return no(
      'earlier_transfer_unknown',
      'this signer signed another transfer of it that the database does not know',
    )
  }
  if (memory.signedFor(withdrawal.id).some((other) => other.txid !== txid && other.expires >= moment)) {
    return no('earlier_transfer_valid', 'this signer signed another transfer of it that is still valid')
  }
  const signed = checkMember(context, withdrawal, rows, now)
  if (signed !== null && 'code' in signed) return signed
  const { wallet, memberId, fee } = withdrawal
  const sums = { ...memory.signedSums(now, memberId), newWallet: memory.paidToNewWallet(wallet, now) }
  const refused = checkLimits(amount, sums, policy().limits)
  if (refused !== null) return refused
  await journal.append({
    kind: 'signed',
    at: now,
    txid,
    withdrawal: String(withdrawal.id),
    member: String(memberId),
    amount: String(amount),
    fee: String(fee),
    wallet,
    expires: expiration,
    ...(signed !== null && { nonce: signed.nonce }),
  })
  return null
}

/** The signature stays counted whatever the database answers: it is no longer only here. */
async function store(
  { db, journal, policy }: SignerContext,
  transfer: PreparedTransfer,
  signature: Uint8Array,
): Promise<Signed | Refused> {
  const { txid } = transfer
  const verdict = await storeSignature(db, txid, signature, policy().limits.perDay, journal.head())
  if (verdict === 'signed') return { ...transfer, signature, isNew: true }
  // It may have been stored by an earlier try whose answer was lost.
  const after = verdict === 'not_prepared' ? await findTransfer(db, txid) : null
  if (after?.state === 'signed' && after.stored !== null)
    return { ...transfer, signature: after.stored, isNew: false }
  return STORE_REFUSALS[verdict] ?? no('closed', `the database answered ${verdict}`)
}

const REMEMBERED = 1_000
/** Requests for made-up transfers cannot fill the log or the trail. */
const PER_MINUTE = 60

/** Records each refusal once, in the log and in the audit trail, however often the same is asked again. */
function createRefusalLog({ db, log, now }: SignerContext) {
  const known = new Set<string>()
  let minute = 0
  let count = 0

  const isNew = (key: string, at: Date): boolean => {
    if (known.has(key)) return false
    const present = Math.floor(at.getTime() / 60_000)
    count = present === minute ? count + 1 : 1
    minute = present
    if (count === PER_MINUTE + 1) log.error('sign.refusals_suppressed', { per_minute: PER_MINUTE })
    if (count > PER_MINUTE) return false
    const [oldest] = known
    if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest)
    known.add(key)
    return true
  }
  return async (txid: string, { code, message }: Refused): Promise<void> => {
    const at = now()
    if (!isNew(`${txid} ${code}`, at)) return
    log.warn('sign.refused', { txid, code, message })
    if (code === 'signer_failed') return
    try {
      await recordDecision(db, { at, action: 'sign', txid, outcome: 'refused', details: { code, message } })
    } catch (error) {
      log.error('sign.refusal_unrecorded', { txid, code, error: describeError(error) })
    }
  }
}
