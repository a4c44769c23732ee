/** A node that is behind: what is above its head is not there, its state is that of then. */
import type { BlockHead } from '../chain/block.rules.ts'
import type { StoredTransaction } from '../chain/ledger.ts'
import type { Sight } from '../chain/sight.ts'
import type { ReadKey } from '../chain/state.ts'

export class LaggingSight implements Sight {
  readonly head: BlockHead
  readonly solid: BlockHead
  private readonly base: Sight

  constructor(base: Sight, blocks: number, solidBlocks: number) {
    this.base = base
    this.head = before(base, base.head, blocks)
    const solid = before(base, base.solid, solidBlocks)
    this.solid = solid.number <= this.head.number ? solid : this.head
  }

  block(number: number): BlockHead | null {
    return number <= this.head.number ? this.base.block(number) : null
  }

  transactionsOf(number: number): readonly StoredTransaction[] {
    return number <= this.head.number ? this.base.transactionsOf(number) : []
  }

  transaction(txid: string): StoredTransaction | null {
    const transaction = this.base.transaction(txid)
    return transaction !== null && transaction.block <= this.head.number ? transaction : null
  }

  stateAfter(number: number): ReadKey {
    return this.base.stateAfter(number)
  }
}

function before(base: Sight, block: BlockHead, count: number): BlockHead {
  const earlier = base.block(Math.max(0, block.number - count))
  if (earlier === null) throw new Error(`no block ${count} before ${block.number}`)
  return earlier
}
