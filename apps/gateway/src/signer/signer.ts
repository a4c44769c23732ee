/**
 * Signs what the database has prepared, after checking all of it. A signature leaves this process only when it is stored,
 * so a crash in between leaves none outside.
 */
import type { Database } from '@aval/db/connect'
import { recordDecision } from '../core/audit.sql.ts'
import { describeError, type Log } from '../core/log.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { findTransfer, storeSignature } from './signer.sql.ts'
import { checkTransfer, type Limits, no, type PreparedTransfer, type Refused } from './signing.rules.ts'
import type { SignerPort, SignerReply } from './socket.ts'

export interface SignerContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly keys: KeyRing
  readonly limits: Limits
  readonly log: Log
  readonly now: () => Date
}

const CAP_REACHED = no('cap_reached', 'the day’s limit for withdrawals is reached')

/** What `sign_outgoing_transfer` says when it stores nothing. */
const STORE_REFUSALS: Readonly<Record<string, Refused>> = {
  not_prepared: no('closed', 'it is no longer prepared'),
  stopped: no('stopped', 'money out is stopped'),
  not_approved: no('not_approved', 'its withdrawal is not approved'),
  cap_reached: CAP_REACHED,
}

/** A signer in this process. Its `sign` never throws. */
export function createSigner(context: SignerContext): SignerPort {
  const { log } = context
  const recent = createRecentSignatures(context.limits.dailyCap)
  const recordRefused = createRefusalLog(context)
  const inFlight = new Map<string, Promise<SignerReply>>()

  const decide = async (txid: string): Promise<SignerReply> => {
    try {
      const outcome = await signOnce(context, recent, txid)
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

async function signOnce(
  context: SignerContext,
  recent: RecentSignatures,
  txid: string,
): Promise<Signed | Refused> {
  const found = await findTransfer(context.db, txid)
  if (found === null) return no('not_found', 'no transfer with this txid is prepared')
  const { transfer, state, stored } = found
  if (state === 'signed' && stored !== null) return { ...transfer, signature: stored, isNew: false }
  if (state !== 'prepared') return no('closed', 'it is no longer prepared')
  const now = context.now().getTime()
  const verdict = checkTransfer(transfer, context.keys, context.limits, now)
  if (!verdict.allowed) return verdict.refused
  const refused = reserve(recent, transfer, verdict, now)
  if (refused !== null) return refused
  const signature = context.keys.sign(transfer.raw, verdict.owner, transfer.memberId)
  return store(context, recent, transfer, signature)
}

function reserve(
  recent: RecentSignatures,
  transfer: PreparedTransfer,
  { moment, expiration }: { moment: number; expiration: number },
  now: number,
): Refused | null {
  const { txid, withdrawal, amount } = transfer
  if (withdrawal === null) return null
  const key = `${withdrawal.memberId}/${withdrawal.id}`
  return recent.reserve({ txid, withdrawal: key, amount, expiration }, moment, now)
}

/** After an error the signature stays counted, because it may be stored all the same. */
async function store(
  context: SignerContext,
  recent: RecentSignatures,
  transfer: PreparedTransfer,
  signature: Uint8Array,
): Promise<Signed | Refused> {
  const { txid } = transfer
  const verdict = await storeSignature(context.db, txid, signature, context.limits.dailyCap)
  if (verdict === 'signed') return { ...transfer, signature, isNew: true }
  // It may have been stored by an earlier try whose answer was lost.
  const after = verdict === 'not_prepared' ? await findTransfer(context.db, txid) : null
  if (after?.state === 'signed' && after.stored !== null)
    return { ...transfer, signature: after.stored, isNew: false }
  recent.release(txid)
  return STORE_REFUSALS[verdict] ?? no('closed', `the database answered ${verdict}`)
}

const DAY_MS = 86_400_000

interface Signature {
  readonly txid: string
  /** `member/number` of the withdrawal it is for. */
  readonly withdrawal: string
  /** Micro-USDT. */
  readonly amount: bigint
  /** By the chain's clock, in milliseconds. */
  readonly expiration: number
}

type RecentSignatures = ReturnType<typeof createRecentSignatures>

/**
 * What this process signed in the last day. The database counts too; but an attacker who can write there could delete
 * rows, and cannot reach this memory.
 * @param cap the most micro-USDT in 24 hours
 */
function createRecentSignatures(cap: bigint) {
  // Ordered by time, because a Map keeps the order of insertion.
  const kept = new Map<string, Signature & { readonly at: number }>()
  const byWithdrawal = new Map<string, Set<string>>()
  let sum = 0n

  /** The signature was not made after all. */
  const release = (txid: string): void => {
    const entry = kept.get(txid)
    if (entry === undefined) return
    kept.delete(txid)
    sum -= entry.amount
    const others = byWithdrawal.get(entry.withdrawal)
    others?.delete(txid)
    if (others?.size === 0) byWithdrawal.delete(entry.withdrawal)
  }
  const removeOld = (now: number): void => {
    for (const entry of kept.values()) {
      if (entry.at > now - DAY_MS) return
      release(entry.txid)
    }
  }
  const mayStillArrive = ({ txid, withdrawal }: Signature, moment: number): boolean =>
    [...(byWithdrawal.get(withdrawal) ?? [])].some(
      (other) => other !== txid && (kept.get(other)?.expiration ?? 0) >= moment,
    )
  return {
    release,
    /**
     * Counts a signature that is about to be made; or why it may not be.
     * @param moment the chain's time, `now` ours, in milliseconds
     */
    reserve(signature: Signature, moment: number, now: number): Refused | null {
      removeOld(now)
      if (kept.has(signature.txid)) return null
      if (mayStillArrive(signature, moment)) {
        return no('earlier_transfer_valid', 'this signer signed another transfer of it that is still valid')
      }
      if (sum + signature.amount > cap) return CAP_REACHED
      kept.set(signature.txid, { ...signature, at: now })
      byWithdrawal.set(
        signature.withdrawal,
        new Set(byWithdrawal.get(signature.withdrawal)).add(signature.txid),
      )
      sum += signature.amount
      return null
    },
  }
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
