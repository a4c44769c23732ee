/**
 * The chain: takes transactions, makes blocks, answers about the state.
 *
 * Everything that uses the EVM takes its turn in one queue; every change reaches the disk in one piece at the
 * end of its turn, and only then is it visible.
 */
import { setImmediate } from 'node:timers/promises'
import {
  type ContractCall,
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
import { bandwidthSize, execute, validate } from './execute.ts'
import { genesisBlock, seedState } from './genesis.ts'
import { writeJson } from './json.ts'
import { type Included, Ledger, type Pending } from './ledger.ts'
import { type Call, type CallOutcome, Machine } from './machine.ts'
import { infoJson, transactionFields } from './shapes.ts'
import { LayeredState } from './state.ts'
import type { Store } from './store.ts'
import {
  badSignature,
  checkExpiration,
  checkReference,
  DUPLICATE,
  invalidContract,
  MAX_TRANSACTION_BYTES,
  type Refusal,
  referredNumber,
  TOO_BIG,
} from './submit.rules.ts'

export type View = 'head' | 'solid'

export interface ChainOptions {
  /** The real clock, milliseconds since 1970. */
  readonly now: () => number
  /** How many blocks the solid chain is behind the head. */
  readonly solidLag: number
  /** Offset of the chain's clock when the chain begins, in milliseconds. */
  readonly genesisOffsetMs: number
}

/** So many empty blocks reach the disk at once: 10,000 of them take about a second. */
const BATCH = 1_000

/** The most transactions a block takes, so that a flood of them delays nobody for more than a second or two. */
const MAX_PER_BLOCK = 500
const YIELD_EVERY = 20

export class Chain {
  readonly ledger: Ledger
  private readonly machine: Machine
  private readonly options: ChainOptions
  private offset = 0
  private turn: Promise<unknown> = Promise.resolve()

  private constructor(ledger: Ledger, machine: Machine, options: ChainOptions) {
    this.ledger = ledger
    this.machine = machine
    this.options = options
  }

  /** Opens the chain in this store, or begins it: the first block and one empty block after it. */
  static async open(store: Store, options: ChainOptions): Promise<Chain> {
    const chain = new Chain(new Ledger(store), await Machine.create(new LayeredState()), options)
    chain.offset = Number(store.meta('clock_offset_ms') ?? options.genesisOffsetMs)
    if (chain.ledger.head() === null) await chain.begin()
    return chain
  }

  head(): BlockHead {
    const head = this.ledger.head()
    if (head === null) throw new Error('the chain has no first block')
    return head
  }

  solid(): BlockHead {
    const number = Math.max(0, this.head().number - this.options.solidLag)
    const block = this.ledger.block(number)
    if (block === null) throw new Error(`block ${number} is missing`)
    return block
  }

  viewed(view: View): BlockHead {
    return view === 'head' ? this.head() : this.solid()
  }

  get solidLag(): number {
    return this.options.solidLag
  }

  get offsetMs(): number {
    return this.offset
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
   * Forgets all blocks but the first and begins again at the clock's time; false, and nothing is done, when a
   * transaction was ever included or is waiting.
   */
  async rewind(): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.ledger.transactionCount() > 0 || this.ledger.pendingCount() > 0) return false
      this.ledger.store.atomically(() => {
        this.ledger.truncate(0)
        const first = genesisBlock()
        this.ledger.append(makeBlock(first, nextTimestamp(this.now(), first.timestamp), []), [], new Map())
      })
      return true
    })
  }

  /** Takes a signed transaction into the waiting list, or says why not. `also` is stored together with it. */
  async submit(signed: SignedBytes, also: () => void = () => {}): Promise<Refusal | null> {
    const txid = transactionId(signed.raw)
    const pending: Pending = { txid, raw: signed.raw, signatures: signed.signatures.map(bytesToHex) }
    if (encodeSigned(signed).length > MAX_TRANSACTION_BYTES) return TOO_BIG
    const transaction = readRaw(signed.raw)
    if (transaction === null) return invalidContract('not a kind of transaction this chain runs')
    if (this.isKnown(txid)) return DUPLICATE
    const refusal = checkSigner(pending, transaction) ?? this.checkTimes(transaction, this.head())
    if (refusal !== null) return refusal
    return this.inTurn(async () => {
      // Asked again because others had their turn in between.
      if (this.isKnown(txid)) return DUPLICATE
      this.machine.state.reset((key) => this.ledger.read(key))
      const invalid = await validate(this.machine, transaction, bandwidthSize(pending), this.now())
      if (invalid !== null) return invalid
      this.ledger.store.atomically(() => {
        this.ledger.addPending(pending)
        also()
      })
      return null
    })
  }

  /** Makes blocks: as many as needed take what waits, 500 transactions each; the others are empty. */
  async mine(count = 1): Promise<BlockHead> {
    let left = count
    while (left > 0) {
      if (this.ledger.pendingCount() > 0) {
        await this.inTurn(() => this.mineWaiting())
        left -= 1
      } else {
        const batch = Math.min(left, BATCH)
        await this.inTurn(async () => this.mineEmpty(batch))
        left -= batch
      }
    }
    return this.head()
  }

  /** Runs a call on a view's state and forgets what it did. */
  async call(view: View, call: Call): Promise<CallOutcome> {
    return this.inTurn(async () => {
      const block = this.viewed(view)
      this.machine.state.reset((key) => this.read(key, view))
      return this.machine.run({ number: block.number, timestamp: block.timestamp }, call)
    })
  }

  /** A key of a view's state. */
  read(key: string, view: View): string | null {
    return view === 'head' ? this.ledger.read(key) : this.ledger.read(key, this.solid().number)
  }

  /** Waits for whoever is at it. */
  async idle(): Promise<void> {
    await this.inTurn(async () => {})
  }

  private isKnown(txid: string): boolean {
    return this.ledger.isPending(txid) || this.ledger.hasTransaction(txid)
  }

  private checkTimes(transaction: RawTransaction, head: BlockHead): Refusal | null {
    const number = referredNumber(transaction, head)
    const referred = number === null ? null : this.ledger.block(number)
    return checkReference(transaction, referred) ?? checkExpiration(transaction, head)
  }

  private async begin(): Promise<void> {
    this.machine.state.reset(() => null)
    await seedState(this.machine)
    const changes = this.machine.state.changes()
    const first = genesisBlock()
    this.ledger.store.atomically(() => {
      this.ledger.append(first, [], changes)
      this.ledger.append(makeBlock(first, nextTimestamp(this.now(), first.timestamp), []), [], new Map())
      this.ledger.store.setMeta('clock_offset_ms', String(this.offset))
    })
  }

  private async mineWaiting(): Promise<void> {
    const parent = this.head()
    const timestamp = nextTimestamp(this.now(), parent.timestamp)
    const waiting = this.ledger.pending(MAX_PER_BLOCK)
    this.machine.state.reset((key) => this.ledger.read(key))
    const ran = []
    for (const [index, pending] of waiting.entries()) {
      const executed = await this.runPending(pending, parent, timestamp)
      if (executed !== null) ran.push(executed)
      // Without this the EVM's promises would keep everybody else waiting until the block is done.
      if (index % YIELD_EVERY === YIELD_EVERY - 1) await setImmediate()
    }
    const block = makeBlock(
      parent,
      timestamp,
      ran.map((each) => each.bytes),
    )
    const included = ran.map((each, position) => each.include(block, position))
    this.ledger.store.atomically(() => {
      this.ledger.append(block, included, this.machine.state.changes())
      // What was not included is dropped: the chain has moved on from under it.
      for (const pending of waiting) this.ledger.removePending(pending.txid)
    })
  }

  private async runPending(pending: Pending, parent: BlockHead, timestamp: number) {
    const transaction = decodeRaw(pending.raw)
    const size = bandwidthSize(pending)
    if (this.checkTimes(transaction, parent) !== null) return null
    if ((await validate(this.machine, transaction, size, timestamp)) !== null) return null
    const place = { number: parent.number + 1, timestamp }
    const execution = await execute(this.machine, pending.txid, transaction, size, place)
    const signatures = pending.signatures.map((signature) => hexToBytes(signature))
    return {
      bytes: encodeSigned({ raw: pending.raw, signatures }),
      include: (block: BlockHead, position: number): Included => ({
        txid: pending.txid,
        position,
        owner: transaction.contract.owner,
        type: transaction.contract.type satisfies ContractCall['type'],
        raw: pending.raw,
        result: execution.result,
        json: writeJson({
          ret: [{ contractRet: execution.result }],
          ...transactionFields(pending.raw, transaction, pending.signatures, false),
        }),
        info: infoJson(pending.txid, execution, block),
        logs: execution.logs,
      }),
    }
  }

  private mineEmpty(count: number): void {
    this.ledger.store.atomically(() => {
      let parent = this.head()
      for (let made = 0; made < count; made += 1) {
        parent = makeBlock(parent, nextTimestamp(this.now(), parent.timestamp), [])
        this.ledger.append(parent, [], new Map())
      }
    })
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work)
    this.turn = result.catch(() => {})
    return result
  }
}

function readRaw(raw: Uint8Array): RawTransaction | null {
  try {
    return decodeRaw(raw)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

function checkSigner(pending: Pending, transaction: RawTransaction): Refusal | null {
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
