/** Finding members of a downline by what they are called. */
import type { Tx } from '@aval/db'
import { fold } from '../../core/fold.rules.ts'
import { findBelow } from './downline.queries.ts'
import type { Standing } from './downline.sql.ts'
import { MOST_RECENT } from './numbering.rules.ts'
import type { Tree } from './numbering.sql.ts'
import * as store from './search.sql.ts'

interface Search {
  readonly ids: bigint[]
  /** Others may be called so, too. */
  readonly more: boolean
}

/** Downlines up to this are looked at member by member. */
const SHORT = 1_500
/**
 * Downlines up to this are held against everybody who is called so, as far as an index goes. In a longer one, candidates who
 * stand in it come close enough after one another; who has two names comes more seldom.
 */
const MEDIUM = 40_000
const MEDIUM_FOR_TWO = 60_000

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
/** A member can be found in all six indexes: so many times as many finds are as many members as are wanted. */
const ALL_SIX = 6
const MOST_LOOKED_AT = 50_000

/** First a few candidates, then as many as a search may look at. */
const CANDIDATES = [round(1_000, 1), round(10_000, ALL_SIX)]
/** Of those who have both names of two few stand at the beginning of either index. */
const CANDIDATES_FOR_TWO = [round(1_000, 1), round(MOST_LOOKED_AT, ALL_SIX, 'from the index')]
const IN_BOTH_INDEXES = [round(MOST_LOOKED_AT, 1), round(MOST_LOOKED_AT, ALL_SIX)]

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

/** The newest referrals whose addresses are compared. */
const REFERRALS = 2_000

/** The longest word has the fewest candidates. */
const rarestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/**
 * By the beginnings of words: the member's own interval decides who belongs to it, so that only as many are looked at as the
 * smaller of two crowds has: who is called so, or who stands below.
 */
async function byName(tx: Tx, tree: Tree, caller: Standing, words: readonly string[], limit: number) {
  const { generation, at, size } = caller
  if (generation === 0 || at === null || size === null) {
    const ids = await store.selectByWalking(tx, tree, caller.id, words, MOST_RECENT, limit + 1)
    return { ids, more: ids.length > limit }
  }
  const interval = { generation, from: at, to: at + size - 1 }
  if (size <= SHORT) {
    const ids = await store.selectInInterval(tx, tree, interval, words, limit + 1)
    return { ids, more: ids.length > limit }
  }
  const asked = { words, key: rarestOf(words), topId: caller.id }
  const hasMore = (most: number) => store.selectHasMore(tx, asked, most)
  const isOne = words.length === 1
  if (size <= (isOne ? MEDIUM : MEDIUM_FOR_TWO)) {
    const beside = ({ most }: Round, wanted: number) =>
      store.selectInBoth(tx, tree, interval, { ...asked, most, limit: wanted })
    return inRounds(IN_BOTH_INDEXES, limit, beside, hasMore)
  }
  const candidates = ({ most, others }: Round, wanted: number) =>
    store.selectCandidates(tx, tree, interval, { ...asked, most, limit: wanted }, others)
  return inRounds(isOne ? CANDIDATES : CANDIDATES_FOR_TWO, limit, candidates, hasMore)
}

/**
 * Addresses are nobody's to guess at: the whole one finds its owner, the beginning of one only referrals of the caller's own,
 * whose addresses they see in their list.
 */
async function byEmail(tx: Tx, tree: Tree, caller: Standing, text: string, limit: number): Promise<bigint[]> {
  if (/\s/.test(text)) return []
  const email = fold(text)
  const owner = email.includes('@') ? await store.selectByEmail(tx, email) : null
  const found = owner === null ? null : await findBelow(tx, tree, caller, owner)
  const referrals = await store.selectReferralsByEmail(tx, caller.id, email, REFERRALS, limit)
  return found === null ? referrals : [found.id, ...referrals]
}

/** At most `limit` members of the caller's downline, who is one of them. */
export async function searchBelow(tx: Tx, tree: Tree, caller: Standing, text: string, limit: number) {
  const words = (await store.selectFolded(tx, text)).split(' ').filter((word) => word !== '')
  const named = words.length === 0 ? { ids: [], more: false } : await byName(tx, tree, caller, words, limit)
  const mailed = await byEmail(tx, tree, caller, text, limit)
  const ids = [...new Set([...mailed, ...named.ids])]
  return { ids: ids.slice(0, limit), more: named.more || ids.length > limit }
}
