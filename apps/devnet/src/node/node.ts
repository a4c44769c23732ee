/**
 * A node: one face of the chain. All nodes have the same chain and the same waiting list; each has faults of its own
 * (`faults.ts`), and shows the chain through them.
 */
import { decodeRaw, devnetAddress, type SignedBytes } from '@aval/tron'
import type { BlockHead } from '../chain/block.rules.ts'
import type { Chain } from '../chain/chain.ts'
import type { FaultAnswer } from '../chain/faults.ts'
import { type Sight, sightUpTo } from '../chain/sight.ts'
import { checkTimes, DUPLICATE, type Refusal } from '../chain/submit.rules.ts'
import { makePhantom, type Phantom } from './falsify.ts'
import { type FaultKind, FaultList, type FaultOf, nodeFault, type Silence } from './faults.ts'
import { Fork, forkedSight } from './fork.ts'
import { type ActiveLie, lyingSight } from './lies.ts'

/** What a node says to a broadcast: accepted (null), refused, or nothing. */
export type BroadcastOutcome = Refusal | { readonly silence: Silence } | null

/** The chain as one request sees it. `done` is called when it is answered, because a fault may apply to so many answers. */
export interface NodeView {
  readonly sight: Sight
  done(): void
}

export class ChainNode {
  readonly chain: Chain
  readonly faults = new FaultList()
  private phantomsMade = 0

  constructor(chain: Chain) {
    this.chain = chain
    chain.kept.add(this)
  }

  /** The first block of another history that this node shows; no number when it shows none. */
  get forkedFrom(): number {
    return Math.min(...this.faults.on('fork').map(({ fork }) => fork?.from ?? Number.POSITIVE_INFINITY))
  }

  /**
   * Switches a fault on and gives what it made. A lag or a fork takes the place of the one before it; others are
   * added to what is on, and of several about broadcasts the oldest comes first.
   * @throws ZodError for one that does not exist or lacks something
   */
  fault(input: unknown): FaultAnswer {
    const fault = nodeFault.parse(input)
    if (fault.kind === 'lag' || fault.kind === 'fork') this.clear(fault.kind)
    if (fault.kind === 'fork') {
      const fork = new Fork(this.chain.solid().number - fault.depth, fault.transactions)
      this.faults.add(fault, { fork })
      return { from: fork.from }
    }
    if (fault.kind === 'lie' && fault.about === 'phantom') {
      const phantom = this.invent(fault)
      this.faults.add(fault, { phantom })
      return { txid: phantom.txid, block: phantom.block }
    }
    this.faults.add(fault, {})
    return {}
  }

  /** Ends all faults of a kind, or all: the node is well again at once. */
  clear(kind?: FaultKind): void {
    this.faults.end(kind)
  }

  /** The chain through the faults that are on now. */
  view(): NodeView {
    const truth = this.chain.sight()
    const [forks, lags, lies] = [this.faults.on('fork'), this.faults.on('lag'), this.faults.on('lie')]
    if (forks.length + lags.length + lies.length === 0) return { sight: truth, done: () => {} }
    let sight = truth
    for (const { fork } of forks) if (fork !== null) sight = forkedSight(sight, fork)
    for (const { fault } of lags) {
      sight = lagging(sight, fault.blocks, fault.solid_blocks ?? fault.blocks)
    }
    const used = new Set<ActiveLie>()
    const lying = lyingSight(sight, lies, used)
    return { sight: lying, done: () => this.faults.spend([...forks, ...lags, ...used]) }
  }

  /** Takes a broadcast, in the way of the oldest fault that concerns broadcasts. */
  async broadcast(signed: SignedBytes): Promise<BroadcastOutcome> {
    const [active] = this.faults.on('drop', 'duplicate', 'timeout_after_acceptance', 'refuse')
    if (active === undefined) return this.accept(signed)
    this.faults.spend([active])
    const { fault } = active
    switch (fault.kind) {
      case 'drop':
        return this.chain.judge(signed)
      case 'duplicate':
        return DUPLICATE
      case 'refuse':
        return { code: fault.code, message: fault.message }
      case 'timeout_after_acceptance':
        return (await this.accept(signed)) ?? { silence: fault.as }
      default:
        return fault satisfies never
    }
  }

  /** The oldest fault that spoils the answer to this path, with one of its answers used up; null when none does. */
  spoil(path: string): FaultOf<'error'> | null {
    const active = this.faults
      .on('error')
      .find(({ fault }) => fault.paths?.some((named) => isNamed(path, named)) ?? true)
    if (active === undefined) return null
    this.faults.spend([active])
    return active.fault
  }

  /** No fault of it counts any more. */
  close(): void {
    this.chain.kept.delete(this)
  }

  /**
   * A node judges by the blocks it has. One that is behind, or on a fork, may accept what the chain will never take:
   * it does not know better.
   */
  private async accept(signed: SignedBytes): Promise<Refusal | null> {
    if (this.faults.on('fork', 'lag').length === 0) return this.chain.submit(signed)
    const view = this.view()
    const refusal = await this.chain.judge(signed)
    if (refusal !== null && !ISSUES_OF_TIME.includes(refusal.code)) return refusal
    const own = checkTimes(decodeRaw(signed.raw), view.sight.head, (number) => view.sight.block(number))
    view.done()
    return own ?? (refusal === null ? this.chain.submit(signed) : null)
  }

  private invent(fault: Extract<FaultOf<'lie'>, { about: 'phantom' }>): Phantom {
    const { chain } = this
    const block = fault.block ?? chain.solid().number + 1
    const base = chain.ledger.block(block - 1) ?? chain.head()
    const from = fault.from ?? devnetAddress('demoWallet')
    this.phantomsMade += 1
    // Two of the same millisecond must not be one.
    return makePhantom(base, block, chain.now() + this.phantomsMade, { ...fault, from })
  }
}

const ISSUES_OF_TIME: readonly string[] = ['TAPOS_ERROR', 'TRANSACTION_EXPIRATION_ERROR']

/** What a node sees that is so many blocks behind. */
function lagging(sight: Sight, blocks: number, solidBlocks: number): Sight {
  const before = (block: BlockHead, count: number): BlockHead => {
    const earlier = sight.block(Math.max(0, block.number - count))
    if (earlier === null) throw new Error(`no block ${count} before ${block.number}`)
    return earlier
  }
  const [head, solid] = [before(sight.head, blocks), before(sight.solid, solidBlocks)]
  return sightUpTo(sight, head, solid.number <= head.number ? solid : head)
}

/** A path is named whole, or by its last part. */
function isNamed(path: string, name: string): boolean {
  return name.startsWith('/') ? path === name : path.endsWith(`/${name}`)
}
