/** When the trees are numbered again. */

export interface NumberingFacts {
  /** 0: never numbered. */
  readonly generation: number
  /** Who has a number. */
  readonly members: number
  /** Who joined since, and has none. */
  readonly recent: number
  /** Changes of principal since volumes were summed. */
  readonly moved: number
  readonly ageMs: number
}

/** Who is new is counted one by one: this many are counted in about a millisecond. */
export const MOST_RECENT = 5_000
/** A small network is numbered in no time; one that grew by a hundredth is due. */
const FEWEST_RECENT = 100
const HUNDREDTH = 100
/** Each change of principal is looked up when a volume is asked for. */
export const MOST_MOVED = 2_000
const DAY_MS = 86_400_000

/** Numbering costs some seconds a million members, in the background; what waits for it costs every reader a little. */
export function numberingIsDue({ generation, members, recent, moved, ageMs }: NumberingFacts): boolean {
  if (generation === 0) return recent + members > 0
  const most = Math.min(MOST_RECENT, Math.max(FEWEST_RECENT, Math.floor(members / HUNDREDTH)))
  return recent >= most || moved >= MOST_MOVED || (ageMs >= DAY_MS && recent + moved > 0)
}

/** Who joined since the trees were read, with whom they stand under. */
export interface Newcomer {
  readonly id: bigint
  readonly sponsorId: bigint | null
  readonly parentId: bigint | null
}

export interface Anchor {
  readonly position: number
  readonly depth: number
}

/**
 * The nearest numbered position above each newcomer, and how deep the newcomer stands.
 *
 * @param above whom a newcomer stands under, newcomer or not
 * @param numbered positions and depths of those above who have a number
 * @throws Error where a member above is neither new nor numbered: nothing of ours leaves such a gap
 */
export function anchorsOf(
  above: ReadonlyMap<bigint, bigint | null>,
  numbered: ReadonlyMap<bigint, Anchor>,
): Map<bigint, Anchor> {
  const found = new Map<bigint, Anchor>()
  for (const id of above.keys()) {
    const pending: bigint[] = []
    let here = id
    let anchor: Anchor | undefined
    while (anchor === undefined) {
      anchor = found.get(here)
      if (anchor !== undefined) break
      const up = above.get(here)
      if (up === undefined || up === null || pending.length > above.size)
        throw new Error(`${here} stands under nobody who is known`)
      pending.push(here)
      anchor = numbered.get(up)
      here = up
    }
    for (const [index, each] of pending.reverse().entries())
      found.set(each, { position: anchor.position, depth: anchor.depth + 1 + index })
  }
  return found
}
