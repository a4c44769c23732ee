/**
 * Old blocks, packed. An empty block follows from its parent and its time, so of those the times alone are kept: a chain that idles at
 * a block a second writes 0.1 MB a day instead of 31, and every block can still be asked for, by a gateway that was away for months too.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { type BlockHead, makeBlock } from './block.rules.ts'
import type { Store } from './store.ts'

/** Blocks that are packed together; to read one of them takes all of their hashes, some milliseconds. */
const SPAN_BLOCKS = 1_000
/** The newest blocks stay as they are. */
const UNPACKED_BLOCKS = 10_000

const spanRow = z.object({
  first: z.number(),
  parentId: z.string(),
  times: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array)
    .transform((packed) => z.array(z.number()).parse(JSON.parse(inflateRawSync(packed).toString()))),
})
const newestRow = z.object({ first: z.number().nullable() })

/** The first of its span: spans begin behind the first block of all. */
const firstOf = (number: number): number => number - ((number - 1) % SPAN_BLOCKS)

export class Spans {
  private readonly store: Store
  private readonly stored: (first: number, last: number) => BlockHead[]
  private unpacked: { readonly first: number; readonly blocks: readonly BlockHead[] } | null = null

  /** @param stored gives the blocks that are there as they are */
  constructor(store: Store, stored: (first: number, last: number) => BlockHead[]) {
    this.store = store
    this.stored = stored
  }

  /** Packs what is due below this block, a span at most. Call it atomically. */
  packNext(head: number, parentOf: (first: number) => BlockHead | null): void {
    const newest = this.store.one(newestRow, 'select max(first) as first from spans')?.first ?? null
    const first = newest === null ? 1 : newest + SPAN_BLOCKS
    const last = first + SPAN_BLOCKS - 1
    const parent = last > head - UNPACKED_BLOCKS ? null : parentOf(first)
    if (parent === null) return
    const blocks = this.stored(first, last)
    const times = blocks.map((block, index) => block.timestamp - (blocks[index - 1] ?? parent).timestamp)
    this.store.insert('insert into spans values (:first, :parentId, :times)', {
      first,
      parentId: parent.id,
      times: deflateRawSync(JSON.stringify([parent.timestamp, ...times])),
    })
    for (const [index, block] of blocks.entries())
      if (makeBlock(blocks[index - 1] ?? parent, block.timestamp, []).id === block.id)
        this.store.run('delete from blocks where number = ?', block.number)
  }

  block(number: number): BlockHead | null {
    const first = firstOf(number)
    if (this.unpacked?.first !== first) this.unpacked = this.unpack(first)
    return this.unpacked?.blocks[number - first] ?? null
  }

  clear(): void {
    this.unpacked = null
    this.store.run('delete from spans')
  }

  private unpack(first: number) {
    const sql = 'select first, parent_id as parentId, times from spans where first = ?'
    const span = this.store.one(spanRow, sql, first)
    if (span === null) return null
    const kept = new Map(this.stored(first, first + SPAN_BLOCKS - 1).map((block) => [block.number, block]))
    let [timestamp = 0] = span.times
    let parent = { number: first - 1, id: span.parentId }
    const blocks = span.times.slice(1).map((step) => {
      timestamp += step
      const block = kept.get(parent.number + 1) ?? makeBlock(parent, timestamp, [])
      parent = block
      return block
    })
    return { first, blocks }
  }
}
