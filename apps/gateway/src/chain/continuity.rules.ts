/** That the blocks we read are one chain. */

export interface BlockRef {
  readonly number: number
  readonly id: string
}

export interface LinkedBlock extends BlockRef {
  readonly parentId: string
}

/** Why `block` does not follow `previous`; null when it does. */
export function breakBetween(previous: BlockRef, block: LinkedBlock): string | null {
  if (block.number !== previous.number + 1) {
    return `block ${block.number} came where ${previous.number + 1} belongs`
  }
  if (block.parentId !== previous.id) {
    return `block ${block.number} names ${block.parentId} as its parent, we had read ${previous.id}`
  }
  return null
}
