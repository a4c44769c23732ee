/**
 * Signs what the database has prepared, after looking at everything itself. A signature leaves this file only when it is
 * stored: whoever is killed in between leaves none outside.
 */
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../core/log.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { createMemory, type Memory } from './memory.ts'
import { judgePayment, type Limits, type Payment, type Refused, type SignerRefusal } from './payment.rules.ts'
import { findPayment, storeSignature } from './payments.sql.ts'
import type { SignerPort, SignerReply } from './protocol.ts'
import { createRefusalTrail } from './refusals.ts'

export interface SignerParts {
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
  not_prepared: { code: 'closed', message: 'it is prepared no more' },
  stopped: { code: 'stopped', message: 'money out is stopped' },
  not_approved: { code: 'not_approved', message: 'its withdrawal is not approved' },
  cap_reached: { code: 'cap_reached', message: 'the day’s limit for withdrawals is reached' },
}

/** A signer in this process. Its `sign` never throws. */
export function createSigner(parts: SignerParts): SignerPort {
  const { log } = parts
  const memory = createMemory(parts.limits.dailyCap)
  const refusals = createRefusalTrail(parts)
  const underWay = new Map<string, Promise<SignerReply>>()

  const decide = async (txid: string): Promise<SignerReply> => {
    try {
      const outcome = await signOnce(parts, memory, txid)
      if (!('code' in outcome)) {
        if (outcome.isNew) log.info('sign.signed', { txid, purpose: outcome.purpose, amount: outcome.amount })
        return { signed: true, signature: outcome.signature }
      }
      await refusals.tell(txid, outcome)
      return { signed: false, ...outcome }
    } catch (error) {
      const refused = no('signer_failed', describeError(error))
      await refusals.tell(txid, refused)
      return { signed: false, ...refused }
    }
  }
  return {
    sign(txid) {
      const known = underWay.get(txid)
      if (known !== undefined) return known
      const asked = decide(txid).finally(() => underWay.delete(txid))
      underWay.set(txid, asked)
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

async function signOnce(parts: SignerParts, memory: Memory, txid: string): Promise<Signed | Refused> {
  const found = await findPayment(parts.db, txid)
  if (found === null) return no('not_found', 'no transfer of this number is prepared')
  const { payment, state, stored } = found
  if (state === 'signed' && stored !== null) return { ...payment, signature: stored, isNew: false }
  if (state !== 'prepared') return no('closed', 'it is prepared no more')
  const now = parts.now().getTime()
  const verdict = judgePayment(payment, parts.keys, parts.limits, now)
  if (!verdict.may) return verdict.refused
  const held = hold(memory, payment, verdict, now)
  if (held !== null) return held
  const signature = parts.keys.sign(payment.raw, verdict.owner, payment.memberId)
  return store(parts, memory, payment, signature)
}

function hold(
  memory: Memory,
  payment: Payment,
  { moment, expiration }: { moment: number; expiration: number },
  now: number,
): Refused | null {
  const { txid, withdrawal, amount } = payment
  if (withdrawal === null) return null
  const its = `${withdrawal.memberId}/${withdrawal.id}`
  return memory.reserve({ txid, withdrawal: its, amount, expiration }, moment, now)
}

/** An error leaves the place in memory held, because the signature may be stored all the same. */
async function store(
  parts: SignerParts,
  memory: Memory,
  payment: Payment,
  signature: Uint8Array,
): Promise<Signed | Refused> {
  const { txid } = payment
  const verdict = await storeSignature(parts.db, txid, signature, parts.limits.dailyCap)
  if (verdict === 'signed') return { ...payment, signature, isNew: true }
  // Stored by an earlier try whose answer was lost?
  const after = verdict === 'not_prepared' ? await findPayment(parts.db, txid) : null
  if (after?.state === 'signed' && after.stored !== null)
    return { ...payment, signature: after.stored, isNew: false }
  memory.release(txid)
  return STORE_REFUSALS[verdict] ?? no('closed', `the database answered ${verdict}`)
}

function no(code: SignerRefusal, message: string): Refused {
  return { code, message }
}
