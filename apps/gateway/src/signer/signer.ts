/**
 * Signs what the database has prepared, after checking all of it. A signature leaves this process only when it is stored,
 * so a crash in between leaves none outside.
 */
import type { Database } from '@aval/db/connect'
import { recordDecision } from '../core/audit.sql.ts'
import { describeError, type Log } from '../core/log.ts'
import { findApprovers } from './approvals/approvers.ts'
import { createLists, type Lists } from './approvals/lists.ts'
import type { Entry } from './journal/entries.rules.ts'
import { FAULT_SENTENCES } from './journal/faults.rules.ts'
import type { Journal } from './journal/journal.ts'
import type { Earlier, Memory } from './journal/memory.rules.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { checkLimits } from './limits.rules.ts'
import { checkMember, type MemberRows, readMemberRows } from './member-keys/withdrawal-proof.ts'
import { operatorsNeeded, type Policy } from './policy.rules.ts'
import type { Sight } from './sight/sight.ts'
import { findTransfers, type StoredTransfer, storeSignatures } from './signer.sql.ts'
import {
  checkTransfer,
  expirationOf,
  type Limits,
  no,
  type Owner,
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
  readonly sight: Pick<Sight, 'refusalOf'>
  readonly limits: Limits
  readonly log: Log
  readonly now: () => Date
}

const NOT_FOUND = no('not_found', 'no transfer with this txid is prepared')
const CLOSED = no('closed', 'it is no longer prepared')
const STOPPED = no('stopped', 'money out is stopped')

/** What `sign_outgoing_transfers` says when it stores nothing. */
const STORE_REFUSALS: Readonly<Record<string, Refused>> = {
  not_prepared: CLOSED,
  stopped: STOPPED,
  not_approved: no('not_approved', 'its withdrawal is not approved'),
  frozen: no('frozen', 'its member’s account is frozen'),
  cap_reached: no('cap_reached', 'the day’s limit for withdrawals is reached'),
}

/** Transfers that are handled together. As many as the socket takes of one connection. */
const TOGETHER = 64

/**
 * A signer in this process. Its `sign` never throws.
 *
 * What is asked for while others are under way is handled together: each is checked alone, and they share the questions to the database, the
 * write to the disk, and the transaction that stores the signatures.
 */
export function createSigner(context: SignerContext): SignerPort {
  const lists = createLists(context.db)
  const answer = createAnswers(context)
  const asked = new Map<string, PromiseWithResolvers<SignerReply>>()
  let waiting: string[] = []
  let isBusy = false

  const handle = async (txids: readonly string[]): Promise<void> => {
    const outcomes = await signTogether(context, lists, txids).catch((error: unknown) => failed(txids, error))
    for (const txid of txids) {
      const reply = await answer(txid, outcomes.get(txid) ?? NOT_FOUND)
      asked.get(txid)?.resolve(reply)
      asked.delete(txid)
    }
  }
  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    // Requests of the same moment come in one part: they are all here then.
    await Promise.resolve()
    while (waiting.length > 0) {
      const next = waiting.slice(0, TOGETHER)
      waiting = waiting.slice(TOGETHER)
      await handle(next)
    }
    isBusy = false
  }
  return {
    sign(txid) {
      const known = asked.get(txid)
      if (known !== undefined) return known.promise
      const made = Promise.withResolvers<SignerReply>()
      asked.set(txid, made)
      waiting.push(txid)
      void work()
      return made.promise
    },
  }
}

const failed = (txids: readonly string[], error: unknown): ReadonlyMap<string, Outcome> =>
  new Map(txids.map((txid) => [txid, no('signer_failed', describeError(error))]))

/** What is answered, after it is logged. Never throws. */
function createAnswers(context: SignerContext) {
  const { log } = context
  const recordRefused = createRefusalLog(context)
  return async (txid: string, outcome: Outcome): Promise<SignerReply> => {
    if ('code' in outcome) {
      await recordRefused(txid, outcome)
      return { signed: false, ...outcome }
    }
    if (outcome.isNew) log.info('sign.signed', { txid, purpose: outcome.purpose, amount: outcome.amount })
    return { signed: true, signature: outcome.signature }
  }
}

interface Signed {
  readonly signature: Uint8Array
  readonly isNew: boolean
  readonly purpose: string
  readonly amount: bigint
}
type Outcome = Signed | Refused

async function signTogether(
  context: SignerContext,
  lists: Lists,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { db, journal } = context
  const fault = journal.fault()
  if (fault !== null) return new Map(txids.map((txid) => [txid, no(fault, FAULT_SENTENCES[fault])]))
  const outcomes = new Map<string, Outcome>()
  const open: PreparedTransfer[] = []
  const found = await findTransfers(db, txids)
  for (const txid of txids) {
    const stored = found.get(txid)
    const outcome = stored === undefined ? NOT_FOUND : outcomeBefore(stored)
    if (outcome !== null) outcomes.set(txid, outcome)
    else if (stored !== undefined) open.push(stored.transfer)
  }
  const counted: Counted[] = []
  for (const each of countEach(context, await readMore(context, lists, open))) {
    if ('refused' in each) outcomes.set(each.txid, each.refused)
    else counted.push(each)
  }
  for (const [txid, outcome] of await signCounted(context, counted)) outcomes.set(txid, outcome)
  return outcomes
}

/** What needs no further look; null where it is to be checked. */
function outcomeBefore({ state, stored, isStopped, transfer }: StoredTransfer): Outcome | null {
  if (state === 'signed' && stored !== null) return { ...transfer, signature: stored, isNew: false }
  if (state !== 'prepared') return CLOSED
  return isStopped ? STOPPED : null
}

/** With who approved it, and what the database has of a member's key. */
interface Candidate {
  readonly transfer: PreparedTransfer
  readonly member: MemberRows | null
}

async function readMore(
  context: SignerContext,
  lists: Lists,
  transfers: readonly PreparedTransfer[],
): Promise<Candidate[]> {
  const withdrawals = transfers.flatMap(({ purpose, withdrawal }) =>
    purpose === 'withdrawal' && withdrawal !== null ? [withdrawal] : [],
  )
  const given = await findApprovers(context, lists, withdrawals)
  const candidates: Candidate[] = []
  for (const transfer of transfers) {
    const { withdrawal } = transfer
    const approvals = withdrawal === null ? undefined : given.get(withdrawal.id)
    candidates.push({
      transfer:
        withdrawal === null || approvals === undefined
          ? transfer
          : { ...transfer, withdrawal: { ...withdrawal, approvals } },
      member: withdrawal === null ? null : await readMemberRows(context, withdrawal),
    })
  }
  return candidates
}

/** One that may be signed once its entry is on the disk. */
interface Counted {
  readonly transfer: PreparedTransfer
  readonly owner: Owner
  readonly written: Promise<unknown>
}

/**
 * Checks them one after the other, each with those before it counted. It waits for nothing: between the checks of one and its entry in
 * the journal nothing else can happen.
 */
function countEach(
  context: SignerContext,
  candidates: readonly Candidate[],
): (Counted | { readonly txid: string; readonly refused: Refused })[] {
  const { keys, limits } = context
  const now = context.now().getTime()
  return candidates.map(({ transfer: read, member }) => {
    const transfer = withOperatorsNeeded(context, read, now)
    const { txid } = transfer
    const verdict = checkTransfer(transfer, keys, limits, now)
    if (!verdict.allowed) return { txid, refused: verdict.refused }
    const entry = entryOf(context, transfer, verdict, member, now)
    if (entry !== null && 'code' in entry) return { txid, refused: entry }
    const written = entry === null ? Promise.resolve() : context.journal.append(entry)
    // Awaited with the others.
    written.catch(() => undefined)
    return { transfer, owner: verdict.owner, written }
  })
}

/** How many operators a withdrawal needs by the key file: the database can only ask for more. */
function withOperatorsNeeded(
  context: SignerContext,
  transfer: PreparedTransfer,
  now: number,
): PreparedTransfer {
  const { withdrawal } = transfer
  if (transfer.purpose !== 'withdrawal' || withdrawal === null) return transfer
  const approvalsNeeded = Math.max(withdrawal.approvalsNeeded, neededNow(context, withdrawal, now))
  return { ...transfer, withdrawal: { ...withdrawal, approvalsNeeded } }
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

/** What the journal remembers before a signature is made; null where it does already, or the money stays ours. Or why there may be none. */
function entryOf(
  context: SignerContext,
  transfer: PreparedTransfer,
  { moment, expiration }: { moment: number; expiration: number },
  rows: MemberRows | null,
  now: number,
): Entry | Refused | null {
  const { journal, policy } = context
  const { txid, withdrawal, amount } = transfer
  const { memory } = journal
  if (withdrawal === null || memory.isSigned(txid)) return null
  if (memory.signedFor(withdrawal.id).some((other) => other.txid !== txid && other.expires >= moment)) {
    return no('earlier_transfer_valid', 'this signer signed another transfer of it that is still valid')
  }
  const unseen = context.sight.refusalOf(earlierOf(memory, withdrawal, txid))
  if (unseen !== null) return unseen
  const signed = checkMember(context, withdrawal, rows, now)
  if (signed !== null && 'code' in signed) return signed
  const { wallet, memberId, fee } = withdrawal
  const sums = { ...memory.signedSums(now, memberId), newWallet: memory.paidToNewWallet(wallet, now) }
  const refused = checkLimits(amount, sums, policy().limits)
  if (refused !== null) return refused
  return {
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
  }
}

/** Every other transfer by which this money may have left: the journal's, and what may be signed by the database. */
function earlierOf(memory: Memory, { id, others, unpaid }: Withdrawal, txid: string): Earlier[] {
  const claimed = [...others.filter(({ mayBeSigned }) => mayBeSigned), ...unpaid]
  const all = [
    ...claimed.map((other) => ({ txid: other.txid, expires: expirationOf(other) })),
    ...memory.signedFor(id),
  ]
  return all.filter((other) => other.txid !== txid)
}

/** Signs those whose entries are on the disk, and stores the signatures. They stay counted whatever the database answers. */
async function signCounted(
  context: SignerContext,
  counted: readonly Counted[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const made: Made[] = []
  const written = await Promise.allSettled(counted.map((each) => each.written))
  for (const [place, { transfer, owner }] of counted.entries()) {
    const entry = written[place]
    if (entry?.status === 'fulfilled') {
      made.push({ transfer, signature: context.keys.sign(transfer.raw, owner, transfer.keyIndex ?? 0n) })
    } else outcomes.set(transfer.txid, no('signer_failed', describeError(entry?.reason)))
  }
  for (const [txid, outcome] of await storeTogether(context, made)) outcomes.set(txid, outcome)
  return outcomes
}

/** A signature that is only here. */
interface Made {
  readonly transfer: PreparedTransfer
  readonly signature: Uint8Array
}

/** Where they cannot be stored together, each is stored alone: what one waits for keeps no other. */
async function storeTogether(
  context: SignerContext,
  made: readonly Made[],
): Promise<ReadonlyMap<string, Outcome>> {
  if (made.length === 0) return new Map()
  try {
    return await store(context, made)
  } catch (error) {
    if (made.length === 1) throw error
    const each = await Promise.all(
      made.map((one) => store(context, [one]).catch((cause) => failed([one.transfer.txid], cause))),
    )
    return new Map(each.flatMap((outcomes) => [...outcomes]))
  }
}

async function store(
  { db, journal, policy }: SignerContext,
  made: readonly Made[],
): Promise<ReadonlyMap<string, Outcome>> {
  const signatures = made.map(({ transfer: { txid }, signature }) => ({ txid, signature }))
  const verdicts = await storeSignatures(db, signatures, policy().limits.perDay, journal.head())
  const verdictOf = (txid: string) => verdicts.get(txid) ?? 'not_prepared'
  // It may have been stored by an earlier try whose answer was lost.
  const lost = signatures.filter(({ txid }) => verdictOf(txid) === 'not_prepared').map(({ txid }) => txid)
  const after = lost.length === 0 ? new Map<string, StoredTransfer>() : await findTransfers(db, lost)
  const outcomeOf = ({ transfer, signature }: Made): Outcome => {
    const verdict = verdictOf(transfer.txid)
    if (verdict === 'signed') return { ...transfer, signature, isNew: true }
    const found = after.get(transfer.txid)
    if (found?.state === 'signed' && found.stored !== null)
      return { ...transfer, signature: found.stored, isNew: false }
    return STORE_REFUSALS[verdict] ?? no('closed', `the database answered ${verdict}`)
  }
  return new Map(made.map((each) => [each.transfer.txid, outcomeOf(each)]))
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
    // It is asked for again in a moment.
    if (code === 'earlier_transfer_unread') return
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
