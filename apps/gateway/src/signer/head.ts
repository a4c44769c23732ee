/**
 * Signs the head of the audit trail. What was signed last is kept in memory: a head that does not follow from it, seal by seal, is
 * refused, whatever the database says now.
 */
import { headMessage, isHeadSigned, type Seal, sealFault } from '@aval/db/audit-chain'
import { selectHeadId, selectSeals, selectSignatures } from '@aval/db/audit-seals'
import type { Database } from '@aval/db/connect'
import { recordAudit } from '../core/audit.sql.ts'
import { describeError, type Log } from '../core/log.ts'
import { pause } from '../core/polling.ts'
import { registerAuditKey, storeHeadSignature } from './head.sql.ts'

/** Of the opened keys, what signs heads. */
interface HeadKeys {
  readonly network: string
  readonly audit: { readonly publicKey: Buffer; sign(message: Buffer): Buffer }
}

export interface HeadSignerContext {
  readonly db: Database
  readonly keys: HeadKeys
  readonly log: Log
  readonly now: () => Date
}

/** By stable names; `none` while nothing is sealed. */
export type HeadOutcome =
  | 'signed'
  | 'none'
  | 'audit_key_other'
  | 'head_missing'
  | 'head_altered'
  | 'chain_broken'

type Head = Pick<Seal, 'id' | 'hash'>

const SEALS_A_READ = 20
const EVERY_MS = 10 * 60_000
const AGAIN_MS = 60_000

export interface HeadSigner {
  /** Signs the present head, or says why not. */
  sign(): Promise<HeadOutcome>
}

export function createHeadSigner(context: HeadSignerContext): HeadSigner {
  const { db, keys, log, now } = context
  let signed: Head | null = null
  const refuse = createRefusals(context)

  /** What a signer with these keys signed last, as far as the database still has it. */
  const lastSigned = async (): Promise<Head | null> => {
    const [newest] = await selectSignatures(db, 0n, 1)
    if (newest?.hash == null) return null
    const head = { id: newest.sealId, hash: newest.hash }
    const message = headMessage(keys.network, head, newest.at.getTime())
    return isHeadSigned(keys.audit.publicKey, message, newest.signature) ? head : null
  }

  const sign = async (): Promise<HeadOutcome> => {
    if (!(await registerAuditKey(db, keys.audit.publicKey))) return refuse('audit_key_other', 0n)
    signed ??= await lastSigned()
    const found = await followHead(db, signed)
    if ('fault' in found) return refuse(found.fault, found.at)
    if (found.head === null) return 'none'
    const at = now()
    const signature = keys.audit.sign(headMessage(keys.network, found.head, at.getTime()))
    if (!(await storeHeadSignature(db, found.head, at, signature)))
      return refuse('head_altered', found.head.id)
    signed = found.head
    log.info('audit.signed', { seal: String(signed.id) })
    return 'signed'
  }
  return { sign }
}

type Followed =
  | { readonly head: Head | null }
  | { readonly fault: Exclude<HeadOutcome, 'signed' | 'none'>; readonly at: bigint }

/** Reads the chain from what was signed last to its head. */
async function followHead(db: Database, signed: Head | null): Promise<Followed> {
  let last: Head | null = null
  const start = (signed?.id ?? (await selectHeadId(db))) - 1n
  for (let after = start; ; after = last?.id ?? after) {
    const seals = await selectSeals(db, after, SEALS_A_READ)
    if (seals.length === 0) break
    for (const seal of seals) {
      if (last === null && signed !== null && seal.id === signed.id && !seal.hash.equals(signed.hash))
        return { fault: 'head_altered', at: seal.id }
      const before: Head = last ?? { id: seal.id - 1n, hash: seal.previous }
      if (sealFault(seal, before) !== null || (last === null && signed !== null && seal.id !== signed.id))
        return { fault: 'chain_broken', at: seal.id }
      last = seal
    }
  }
  if (last === null && signed !== null) return { fault: 'head_missing', at: signed.id }
  return { head: last }
}

/** Each is said once, in the log and in the trail, until it is another. */
function createRefusals({ db, log, now }: HeadSignerContext) {
  let said: string | null = null
  return async <Code extends HeadOutcome>(code: Code, seal: bigint): Promise<Code> => {
    if (said === `${code} ${seal}`) return code
    said = `${code} ${seal}`
    log.error('audit.refused', { code, seal: String(seal) })
    const subject = `audit_seal:${seal}`
    await recordAudit(db, { at: now(), action: 'audit.sign', outcome: 'refused', subject, details: { code } })
    return code
  }
}

/** Signs at once and then regularly, until it is stopped. */
export async function signHeads({ sign }: HeadSigner, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const outcome = await sign().catch((error: unknown) => {
      log.warn('audit.unsigned', { error: describeError(error) })
      return null
    })
    await pause(outcome === 'signed' ? EVERY_MS : AGAIN_MS, signal)
  }
}
