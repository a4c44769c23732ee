/** Finding members of a downline by what they are called. */
import type { Tx } from '@aval/db'
import { fold } from '../accounts/accounts.rules.ts'
import { findBelow } from './downline.commands.ts'
import type { Standing } from './downline.sql.ts'
import { MOST_RECENT } from './numbering.rules.ts'
import type { Tree } from './numbering.sql.ts'
import {
  type Interval,
  selectByEmail,
  selectByWalking,
  selectCandidates,
  selectFolded,
  selectHasMore,
  selectInBoth,
  selectInInterval,
  selectReferralsByEmail,
} from './search.sql.ts'

/** Downlines up to this are looked at member by member. */
const SHORT = 1_500
/** Downlines up to this are held against everybody who is called so, as far as an index goes. */
const MEDIUM = 60_000
const CALLED = 50_000
/**
 * Candidates of each index in a longer one, where they stand close: first a few, then as many as a search may look at. A member
 * can be a candidate of all five, so the last round wants as many times more.
 */
const FIRST = { most: 1_000, times: 1, others: 'looked at' } as const
const LAST = { most: 10_000, times: 5, others: 'looked at' } as const
/** Of those who have both names of two few stand at the beginning of either index. */
const LAST_OF_TWO = { most: CALLED, times: 5, others: 'from the index' } as const

/** The newest referrals whose addresses are compared. */
const REFERRALS = 2_000

export interface Search {
  readonly ids: bigint[]
  /** Others may be called so, too. */
  readonly more: boolean
}

/** The longest word has the fewest candidates. */
const rarestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')

async function amongCandidates(
  tx: Tx,
  tree: Tree,
  interval: Interval,
  words: readonly string[],
  limit: number,
): Promise<Search> {
  const key = rarestOf(words)
  let ids: bigint[] = []
  for (const { most, times, others } of [FIRST, words.length > 1 ? LAST_OF_TWO : LAST]) {
    const wanted = limit * times + 1
    const found = await selectCandidates(tx, tree, interval, { words, key, most, limit: wanted }, others)
    ids = [...new Set(found)]
    if (ids.length > limit) return { ids, more: true }
    if (found.length < wanted && !(await selectHasMore(tx, key, most))) return { ids, more: false }
  }
  return { ids, more: true }
}

async function amongCalled(
  tx: Tx,
  tree: Tree,
  interval: Interval,
  words: readonly string[],
  limit: number,
): Promise<Search> {
  const key = rarestOf(words)
  const ids = await selectInBoth(tx, tree, interval, { words, key, most: CALLED, limit: limit + 1 })
  return { ids, more: ids.length > limit || (await selectHasMore(tx, key, CALLED)) }
}

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
  if (size > MEDIUM) return amongCandidates(tx, tree, interval, words, limit)
  if (size > SHORT) return amongCalled(tx, tree, interval, words, limit)
  const ids = await selectInInterval(tx, tree, interval, words, limit + 1)
  return { ids, more: ids.length > limit }
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
