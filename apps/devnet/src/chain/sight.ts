/** A view of the chain: a head, a solid block, and everything at or below the head. Nodes with a fault put others over it. */
import type { BlockHead } from './block.rules.ts'
import type { ReadKey, StoredTransaction } from './ledger.ts'

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

/** What can be read of a chain, whatever its head. */
type Source = Omit<Sight, 'head' | 'solid'>

/** A chain up to a head: what is above is not there. */
export function sightUpTo(source: Source, head: BlockHead, solid: BlockHead): Sight {
  return {
    head,
    solid,
    block: (number) => (number <= head.number ? source.block(number) : null),
    transactionsOf: (number) => (number <= head.number ? source.transactionsOf(number) : []),
    transaction(txid) {
      const transaction = source.transaction(txid)
      return transaction !== null && transaction.block <= head.number ? transaction : null
    },
    stateAfter: (number) => source.stateAfter(number),
  }
}
