/**
 * The chain: takes transactions, makes blocks, answers about the state.
 *
 * Everything that uses the EVM takes its turn in one queue; every change reaches the disk in one piece at the
 * end of its turn, and only then is it visible.
 */
import {
  decodeRaw,
  encodeSigned,
  FormatError,
  type RawTransaction,
  recoverSigner,
  type SignedBytes,
  transactionId,
} from '@aval/tron'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type BlockHead, makeBlock, nextTimestamp } from './block.rules.ts'
import { type Conditions, energyTerms, readConditions, writeConditions } from './conditions.ts'
import { bandwidthSize, produce, validate } from './execute.ts'
import { type EnergyTerms, withPenalty } from './fees.rules.ts'
import { firstState, genesisBlock, renewToken } from './genesis.ts'
import { Ledger, type Pending } from './ledger.ts'
import { type Call, type CallOutcome, Machine } from './machine.ts'
import { type Sight, sightUpTo, type View, viewed } from './sight.ts'
import { LayeredState } from './state.ts'
import type { Store } from './store.ts'
import {
  badSignature,
  checkTimes,
  DUPLICATE,
  invalidContract,
  MAX_TRANSACTION_BYTES,
  type Refusal,
  TOO_BIG,
} from './submit.rules.ts'

export interface ChainOptions {
  /** The real clock, milliseconds since 1970. */
  readonly now: () => number
  /** How many blocks the solid chain is behind the head. */
  readonly solidLag: number
  /** Offset of the chain's clock when the chain begins, in milliseconds. */
  readonly genesisOffsetMs: number
}

export interface SubmitOptions {
  /** Stored together with the transaction, or not at all. */
  readonly also?: () => void
  /** Signed in this process a moment ago: the signature, half of the work, is not checked. */
  readonly isOurs?: boolean
}

/** What a trial run gave; `energyUsed` includes what an energy factor adds. */
export interface TrialOutcome extends CallOutcome {
  readonly energyPenalty: bigint
}

/** So many empty blocks reach the disk at once: 10,000 of them take about a second. */
const BATCH = 1_000

/** The most transactions a block takes, so that many of them delay other calls by a second or two at most. */
const MAX_PER_BLOCK = 500

/** How far below the solid block the state can be read, however far the head has moved on. */
const READABLE_BELOW_SOLID = 1_000

export class Chain {
  readonly ledger: Ledger
  /** Who shows other histories: the state before the first block of each is kept for them. */
  readonly kept = new Set<{ readonly forkedFrom: number }>()
  private readonly machine: Machine
  private readonly options: ChainOptions
  private offset = 0
  private ailing: Conditions
  private turn: Promise<unknown> = Promise.resolve()

  private constructor(ledger: Ledger, machine: Machine, options: ChainOptions) {
    this.ledger = ledger
    this.machine = machine
    this.options = options
    this.ailing = readConditions(ledger.store)
  }

  /** Opens the chain in this store, or begins it: the first block and one empty block after it. */
  static async open(store: Store, options: ChainOptions): Promise<Chain> {
    const chain = new Chain(new Ledger(store), await Machine.create(new LayeredState()), options)
    chain.offset = Number(store.meta('clock_offset_ms') ?? options.genesisOffsetMs)
    if (chain.ledger.head() === null) await chain.begin()
    else await renewToken(chain.ledger)
    return chain
  }

  head(): BlockHead {
    const head = this.ledger.head()
    if (head === null) throw new Error('the chain has no first block')
    return head
  }

  solid(): BlockHead {
    return this.solidBelow(this.head())
  }

  sight(): Sight {
    const head = this.head()
    return sightUpTo(this.ledger, head, this.solidBelow(head))
  }

  get solidLag(): number {
    return this.options.solidLag
  }

  get offsetMs(): number {
    return this.offset
  }

  get conditions(): Conditions {
    return this.ailing
  }

  /** What energy costs in the next block. */
  get energy(): EnergyTerms {
    return energyTerms(this.ailing)
  }

  /** Changes what ails the chain; it stays so until it is changed again. */
  setConditions(changes: Partial<Conditions>): void {
    this.ailing = { ...this.ailing, ...changes }
    writeConditions(this.ledger.store, this.ailing)
  }

  /** The chain's clock, milliseconds since 1970. */
  now(): number {
    return this.options.now() + this.offset
  }

  /** Sets the chain's clock, as an offset from the real one. */
  setOffset(offsetMs: number): void {
    this.offset = offsetMs
    this.ledger.store.setMeta('clock_offset_ms', String(offsetMs))
  }

  /**
   * Drops all blocks but the first and starts again at the clock's time; false, and nothing is done, when a
   * transaction was ever included or is waiting.
   */
  async rewind(): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.ledger.isUsed()) return false
      this.ledger.store.atomically(() => {
        this.ledger.truncate(0)
        const first = genesisBlock()
        this.ledger.append(makeBlock(first, nextTimestamp(this.now(), first.timestamp), []), [], new Map())
      })
      return true
    })
  }

  /** Takes a signed transaction into the waiting list, or says why not. */
  async submit(signed: SignedBytes, options: SubmitOptions = {}): Promise<Refusal | null> {
    return this.consider(signed, options.isOurs === true, (pending) =>
      this.ledger.store.atomically(() => {
        this.ledger.addPending(pending)
        options.also?.()
      }),
    )
  }

  /** What {@link submit} would say; nothing is kept. */
  async judge(signed: SignedBytes): Promise<Refusal | null> {
    return this.consider(signed, false, () => {})
  }

  /** Makes blocks: as many as needed take what waits, 500 transactions each; the others are empty. */
  async mine(count = 1): Promise<BlockHead> {
    let left = count
    while (left > 0 && !this.ailing.stall) {
      if (this.ledger.pendingCount() > 0 && !this.ailing.emptyBlocks) {
        await this.inTurn(() => this.mineWaiting())
        left -= 1
      } else {
        const batch = Math.min(left, BATCH)
        await this.inTurn(async () => this.mineEmpty(batch))
        left -= batch
      }
      await this.inTurn(async () => this.ledger.pack())
    }
    return this.head()
  }

  /** Drops everything that waits for a block; gives how much it was. */
  async dropPending(): Promise<number> {
    return this.inTurn(async () => {
      const count = this.ledger.pendingCount()
      this.ledger.store.atomically(() => this.ledger.clearPending())
      return count
    })
  }

  /** Runs a call on a view's state (the true one by default) and discards its changes. */
  async call(view: View, call: Call, seen?: Sight): Promise<TrialOutcome> {
    return this.inTurn(async () => {
      const sight = seen ?? this.sight()
      const block = viewed(sight, view)
      this.machine.state.reset(sight.stateAfter(block.number))
      const outcome = await this.machine.run({ number: block.number, timestamp: block.timestamp }, call)
      const energyUsed = withPenalty(outcome.energyUsed, this.energy)
      return { ...outcome, energyUsed, energyPenalty: energyUsed - outcome.energyUsed }
    })
  }

  /** A key of the newest state. */
  read(key: string): string | null {
    return this.ledger.read(key)
  }

  /** Waits for work in progress. */
  async idle(): Promise<void> {
    await this.inTurn(async () => {})
  }

  private solidBelow(head: BlockHead): BlockHead {
    const number = Math.max(0, head.number - this.options.solidLag)
    const block = this.ledger.block(Math.min(number, this.ailing.solidStall ?? number))
    if (block === null) throw new Error(`block ${number} is missing`)
    return block
  }

  private async consider(
    signed: SignedBytes,
    isOurs: boolean,
    take: (pending: Pending) => void,
  ): Promise<Refusal | null> {
    const submission = readSubmission(signed)
    if ('code' in submission) return submission
    const { pending, transaction } = submission
    if (this.isKnown(pending.txid)) return DUPLICATE
    const refusal =
      (isOurs ? null : checkSigner(submission)) ??
      checkTimes(transaction, this.head(), (number) => this.ledger.block(number))
    if (refusal !== null) return refusal
    return this.inTurn(async () => {
      // Asked again because others had their turn in between.
      if (this.isKnown(pending.txid)) return DUPLICATE
      this.machine.state.reset((key) => this.ledger.read(key))
      const invalid = await validate(this.machine, transaction, bandwidthSize(pending), this.now())
      if (invalid === null) take(pending)
      return invalid
    })
  }

  private isKnown(txid: string): boolean {
    return this.ledger.isPending(txid) || this.ledger.hasTransaction(txid)
  }

  private async begin(): Promise<void> {
    const state = await firstState()
    const first = genesisBlock()
    this.ledger.store.atomically(() => {
      this.ledger.append(first, [], state)
      this.ledger.append(makeBlock(first, nextTimestamp(this.now(), first.timestamp), []), [], new Map())
      this.ledger.store.setMeta('clock_offset_ms', String(this.offset))
    })
  }

  private async mineWaiting(): Promise<void> {
    const parent = this.head()
    const timestamp = nextTimestamp(this.now(), parent.timestamp)
    const waiting = this.ledger.pending(MAX_PER_BLOCK)
    this.machine.state.reset((key) => this.ledger.read(key))
    const { block, included } = await produce(
      this.machine,
      this.ledger,
      parent,
      timestamp,
      waiting,
      this.energy,
    )
    this.ledger.store.atomically(() => {
      this.ledger.append(block, included, this.machine.state.changes(), this.keepFrom(parent))
      // What was not included is dropped: the chain has moved on from under it.
      for (const pending of waiting) this.ledger.removePending(pending.txid)
    })
  }

  private mineEmpty(count: number): void {
    this.ledger.store.atomically(() => {
      let parent = this.head()
      const keepFrom = this.keepFrom(parent)
      for (let made = 0; made < count; made += 1) {
        parent = makeBlock(parent, nextTimestamp(this.now(), parent.timestamp), [])
        this.ledger.append(parent, [], new Map(), keepFrom)
      }
      if (this.ailing.emptyBlocks) this.ledger.removeExpired(parent.timestamp)
    })
  }

  private keepFrom(head: BlockHead): number {
    const solid = this.solidBelow(head).number - READABLE_BELOW_SOLID
    return Math.min(solid, ...[...this.kept].map(({ forkedFrom }) => forkedFrom - 1))
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work)
    this.turn = result.catch(() => {})
    return result
  }
}

/** A transaction to be put into a block. */
interface Submission {
  readonly pending: Pending
  readonly transaction: RawTransaction
}

/** Reads what was handed in; a refusal when it is no transaction of this chain. */
function readSubmission(signed: SignedBytes): Submission | Refusal {
  if (encodeSigned(signed).length > MAX_TRANSACTION_BYTES) return TOO_BIG
  const signatures = signed.signatures.map(bytesToHex)
  const pending = { txid: transactionId(signed.raw), raw: signed.raw, signatures }
  try {
    return { pending, transaction: decodeRaw(signed.raw) }
  } catch (error) {
    if (error instanceof FormatError) return invalidContract('not a kind of transaction this chain runs')
    throw error
  }
}

/** An account has one key, and the owner's must have signed. */
function checkSigner({ pending, transaction }: Submission): Refusal | null {
  const { owner } = transaction.contract
  const [signature] = pending.signatures
  if (signature === undefined) return badSignature('miss sig or contract')
  if (pending.signatures.length > 1) return badSignature(`too many signatures, [${owner}] has one key`)
  const signer = recoverSigner(pending.txid, hexToBytes(signature))
  if (signer === owner) return null
  return badSignature(
    `${signature} is signed by ${signer ?? 'nobody'} but it is not contained of permission.`,
  )
}
