/** How a search goes about it, by how many stand below the member and how many words there are. */

export interface Search {
  readonly ids: bigint[]
  /** Others may be called so, too. */
  readonly more: boolean
}

/** Downlines up to this are looked at member by member. */
export const SHORT = 1_500
/**
 * Downlines up to this are held against everybody who is called so, as far as an index goes. In a longer one, candidates who
 * stand in it come close enough after one another; who has two names comes more seldom.
 */
export const MEDIUM = 40_000
export const MEDIUM_FOR_TWO = 60_000

/** How many of each index are looked at, for how many times as many finds as are wanted. */
export interface Round {
  readonly most: number
  readonly times: number
  /** The other words are compared with each member, or taken from the index as well. */
  readonly others: 'looked at' | 'from the index'
}

const round = (most: number, times: number, others: Round['others'] = 'looked at'): Round => ({
  most,
  times,
  others,
})
/** A member can be found in all five indexes: so many times as many finds are as many members as are wanted. */
const ALL_FIVE = 5
const CALLED = 50_000

/** First a few candidates, then as many as a search may look at. */
export const CANDIDATES = [round(1_000, 1), round(10_000, ALL_FIVE)]
/** Of those who have both names of two few stand at the beginning of either index. */
export const CANDIDATES_FOR_TWO = [round(1_000, 1), round(CALLED, ALL_FIVE, 'from the index')]
export const BESIDE = [round(CALLED, 1), round(CALLED, ALL_FIVE)]

/**
 * Looks ever further, until as many members as are wanted are found or nobody else is called so.
 * @param select finds for a round, at most `wanted`; a member can be among them more than once
 * @param hasMore whether any index goes on after its first `most`
 */
export async function inRounds(
  rounds: readonly Round[],
  limit: number,
  select: (round: Round, wanted: number) => Promise<bigint[]>,
  hasMore: (most: number) => Promise<boolean>,
): Promise<Search> {
  let ids: bigint[] = []
  for (const now of rounds) {
    const wanted = limit * now.times + 1
    const found = await select(now, wanted)
    ids = [...new Set(found)]
    if (ids.length > limit) return { ids, more: true }
    if (found.length === wanted) continue
    const more = await hasMore(now.most)
    if (!more || rounds.every(({ most }) => most <= now.most)) return { ids, more }
  }
  return { ids, more: true }
}
