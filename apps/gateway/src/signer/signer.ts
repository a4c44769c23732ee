/**
 * Signs what the database has prepared, after checking all of it. A signature leaves this process only when it is stored,
 * so a crash in between leaves none outside.
 */
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../core/log.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { SignerPort, SignerReply } from './protocol.ts'
import { createRecentSignatures, type RecentSignatures } from './recent-signatures.ts'
import { createRefusalLog } from './refusal-log.ts'
import { findTransfer, storeSignature } from './signer.sql.ts'
import {
  checkTransfer,
  type Limits,
  type PreparedTransfer,
  type Refused,
  type SignerRefusal,
} from './signing.rules.ts'

export interface SignerContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly keys: KeyRing
  readonly limits: Limits
  readonly log: Log
  /** The system's time. */
  readonly now: () => Date
}

/** What `sign_outgoing_transfer` says when it stores nothing. */
const STORE_REFUSALS: Readonly<Record<string, Refused>> = {
  not_prepared: { code: 'closed', message: 'it is no longer prepared' },
  stopped: { code: 'stopped', message: 'money out is stopped' },
  not_approved: { code: 'not_approved', message: 'its withdrawal is not approved' },
  cap_reached: { code: 'cap_reached', message: 'the day’s limit for withdrawals is reached' },
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

function no(code: SignerRefusal, message: string): Refused {
  return { code, message }
}
