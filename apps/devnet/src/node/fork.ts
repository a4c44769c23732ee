/**
 * Another history: from some block on the same numbers have other blocks, each on top of the other one before it.
 * It is made out of the true chain and grows with it: the same fork is the same on every node that has it.
 */
import { encodeSigned } from '@aval/tron'
import { hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { type BlockHead, makeBlock } from '../chain/block.rules.ts'
import type { StoredTransaction } from '../chain/ledger.ts'
import type { Sight } from '../chain/sight.ts'

/** Where a fork leaves the true chain, and what became of the transactions from there on. */
export class Fork {
  /** The first block that is another. */
  readonly from: number
  private readonly moved: boolean
  private readonly blocks = new Map<number, BlockHead>()

  constructor(from: number, transactions: 'missing' | 'moved') {
    // The first block is the same everywhere: what has another is another network.
    this.from = Math.max(1, from)
    this.moved = transactions === 'moved'
  }

  block(base: Sight, number: number): BlockHead | null {
    const known = this.blocks.get(number)
    const original = base.block(number)
    if (original === null || number < this.from) return original
    if (known !== undefined) return known
    let at = number
    while (at > this.from && !this.blocks.has(at - 1)) at -= 1
    let block = this.blocks.get(at - 1) ?? base.block(at - 1)
    for (; at <= number; at += 1) {
      const replaced = base.block(at)
      if (block === null || replaced === null) return null
      block = makeBlock(block, replaced.timestamp + 1, this.carried(base, at).map(signedBytes))
      this.blocks.set(at, block)
    }
    return block
  }

  /** A block's transactions, as they are stored for the block that they are truly in. */
  carried(base: Sight, number: number): readonly StoredTransaction[] {
    if (number < this.from) return base.transactionsOf(number)
    return this.moved && number > this.from ? base.transactionsOf(number - 1) : []
  }

  /** The block of this history that has what is truly in block `number`; null when none has. */
  placeOf(number: number): number | null {
    if (number < this.from) return number
    return this.moved ? number + 1 : null
  }

  /** The true block whose state this history has after its block `number`. */
  stateOf(number: number): number {
    if (number < this.from) return number
    return this.moved ? number - 1 : this.from - 1
  }
}

/** What a node on a fork sees. */
export function forkedSight(base: Sight, fork: Fork): Sight {
  const block = (number: number) => fork.block(base, number)
  return {
    // The chain may have been begun again below the fork.
    head: block(base.head.number) ?? base.head,
    solid: block(base.solid.number) ?? base.solid,
    block,
    transactionsOf(number) {
      const own = block(number)
      return own === null ? [] : fork.carried(base, number).map((each) => relocate(each, own))
    },
    transaction(txid) {
      const original = base.transaction(txid)
      const place = original === null ? null : fork.placeOf(original.block)
      const own = place === null ? null : block(place)
      return original === null || own === null ? null : relocate(original, own)
    },
    stateAfter: (number) => base.stateAfter(fork.stateOf(number)),
  }
}

/** The same transaction in another block, with that block in its receipt. */
function relocate(transaction: StoredTransaction, block: BlockHead): StoredTransaction {
  if (transaction.block === block.number) return transaction
  const info = z.looseObject({}).parse(JSON.parse(transaction.info))
  const moved = { ...info, blockNumber: block.number, blockTimeStamp: block.timestamp }
  return { ...transaction, block: block.number, info: JSON.stringify(moved) }
}

function signedBytes(transaction: StoredTransaction): Uint8Array {
  const { signature } = z
    .object({ signature: z.array(z.string()).default([]) })
    .parse(JSON.parse(transaction.json))
  return encodeSigned({ raw: transaction.raw, signatures: signature.map((each) => hexToBytes(each)) })
}
