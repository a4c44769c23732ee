/**
 * A view of the chain: a head, a solid block, and everything at or below the head. The true sight is
 * here; nodes with a fault put others over it.
 */
import type { BlockHead } from './block.rules.ts'
import type { Ledger, StoredTransaction } from './ledger.ts'
import type { ReadKey } from './state.ts'

/** Which of its two chains a node is asked about. */
export type View = 'head' | 'solid'

/** Consistent in itself: nothing above the head is in it, and it does not move while a question is answered. */
export interface Sight {
  readonly head: BlockHead
  readonly solid: BlockHead
  block(number: number): BlockHead | null
  transactionsOf(number: number): readonly StoredTransaction[]
  transaction(txid: string): StoredTransaction | null
  /** Reads the state after a block. */
  stateAfter(number: number): ReadKey
}

/** The newest block of a view. */
export function viewed(sight: Sight, view: View): BlockHead {
  return view === 'head' ? sight.head : sight.solid
}

/** The block with this id: an id begins with its block's number. */
export function blockById(sight: Sight, id: string): BlockHead | null {
  const block = sight.block(Number.parseInt(id.slice(0, 16), 16))
  return block?.id === id ? block : null
}

/** The chain as it is. */
export class TrueSight implements Sight {
  readonly head: BlockHead
  readonly solid: BlockHead
  private readonly ledger: Ledger

  constructor(ledger: Ledger, head: BlockHead, solid: BlockHead) {
    this.ledger = ledger
    this.head = head
    this.solid = solid
  }

  block(number: number): BlockHead | null {
    return number <= this.head.number ? this.ledger.block(number) : null
  }

  transactionsOf(number: number): readonly StoredTransaction[] {
    return number <= this.head.number ? this.ledger.transactionsOf(number) : []
  }

  transaction(txid: string): StoredTransaction | null {
    const transaction = this.ledger.transaction(txid)
    return transaction !== null && transaction.block <= this.head.number ? transaction : null
  }

  stateAfter(number: number): ReadKey {
    // The newest state is stored as it is; one before it is put together, which takes one more look-up a key.
    const isNewest = this.ledger.head()?.number === number
    return isNewest ? (key) => this.ledger.read(key) : (key) => this.ledger.read(key, number)
  }
}
