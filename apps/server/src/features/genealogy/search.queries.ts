/** Finding members of a downline by what they are called. */
import type { Tx } from '@aval/db'
import { fold } from '../../core/fold.rules.ts'
import { findBelow } from './downline.queries.ts'
import type { Standing } from './downline.sql.ts'
import { MOST_RECENT } from './numbering.rules.ts'
import type { Tree } from './numbering.sql.ts'
import {
  selectByEmail,
  selectByWalking,
  selectCandidates,
  selectFolded,
  selectHasMore,
  selectInBoth,
  selectInInterval,
  selectReferralsByEmail,
} from './search.sql.ts'
import {
  BESIDE,
  CANDIDATES,
  CANDIDATES_FOR_TWO,
  inRounds,
  MEDIUM,
  MEDIUM_FOR_TWO,
  type Round,
  type Search,
  SHORT,
} from './search-rounds.ts'

/** The newest referrals whose addresses are compared. */
const REFERRALS = 2_000

/** The longest word has the fewest candidates. */
const rarestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/**
 * By the beginnings of words: the member's own interval decides who belongs to it, so that only as many are looked at as the
 * smaller of two crowds has: who is called so, or who stands below.
 */
async function byName(
  tx: Tx,
  tree: Tree,
  caller: Standing,
  words: readonly string[],
  limit: number,
): Promise<Search> {
  const { generation, at, size } = caller
  if (generation === 0 || at === null || size === null) {
    const ids = await selectByWalking(tx, tree, caller.id, words, MOST_RECENT, limit + 1)
    return { ids, more: ids.length > limit }
  }
  const interval = { generation, from: at, to: at + size - 1 }
  if (size <= SHORT) {
    const ids = await selectInInterval(tx, tree, interval, words, limit + 1)
    return { ids, more: ids.length > limit }
  }
  const asked = { words, key: rarestOf(words), topId: caller.id }
  const hasMore = (most: number) => selectHasMore(tx, asked, most)
  const isOne = words.length === 1
  if (size <= (isOne ? MEDIUM : MEDIUM_FOR_TWO)) {
    const beside = ({ most }: Round, wanted: number) =>
      selectInBoth(tx, tree, interval, { ...asked, most, limit: wanted })
    return inRounds(BESIDE, limit, beside, hasMore)
  }
  const candidates = ({ most, others }: Round, wanted: number) =>
    selectCandidates(tx, tree, interval, { ...asked, most, limit: wanted }, others)
  return inRounds(isOne ? CANDIDATES : CANDIDATES_FOR_TWO, limit, candidates, hasMore)
}

/**
 * Addresses are nobody's to guess at: the whole one finds its owner, the beginning of one only referrals of the caller's own,
 * whose addresses they see in their list.
 */
async function byEmail(tx: Tx, tree: Tree, caller: Standing, text: string, limit: number): Promise<bigint[]> {
  if (/\s/.test(text)) return []
  const email = fold(text)
  const owner = email.includes('@') ? await selectByEmail(tx, email) : null
  const found = owner === null ? null : await findBelow(tx, tree, caller, owner)
  const referrals = await selectReferralsByEmail(tx, caller.id, email, REFERRALS, limit)
  return found === null ? referrals : [found.id, ...referrals]
}

/** At most `limit` members of the caller's downline, who is one of them. */
export async function searchBelow(
  tx: Tx,
  tree: Tree,
  caller: Standing,
  text: string,
  limit: number,
): Promise<Search> {
  const words = (await selectFolded(tx, text)).split(' ').filter((word) => word !== '')
  const named = words.length === 0 ? { ids: [], more: false } : await byName(tx, tree, caller, words, limit)
  const mailed = await byEmail(tx, tree, caller, text, limit)
  const ids = [...new Set([...mailed, ...named.ids])]
  return { ids: ids.slice(0, limit), more: named.more || ids.length > limit }
}
