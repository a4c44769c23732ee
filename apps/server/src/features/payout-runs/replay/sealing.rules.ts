/**
 * The seal of a run, computed from rows in memory: one hash over everything that it wrote, in the text that PostgreSQL's
 * `seal_payout_run` makes of the same rows. The hash function is a parameter, because a rule imports no library for it.
 */
import { BLOCK, type Carried, type Item, type Missed, type PassiveBlock } from '../runs/runs.rules.ts'

/** A hash under way. */
export interface Digest {
  update(text: string, encoding: 'utf8' | 'hex'): unknown
  digest(encoding: 'hex'): string
}

export type Page = Pick<PassiveBlock, 'members' | 'bases' | 'amounts' | 'earned'>

const array = (values: readonly bigint[] | BigInt64Array | Int32Array): string => `{${values.join()}}`

const line = (...parts: readonly (bigint | number | string | null)[]): string =>
  `${parts.map((part) => part ?? 0).join('|')}\n`

const itemLine = (i: Item): string =>
  line(
    i.memberId,
    i.leg,
    i.kind,
    i.amount,
    i.basis,
    i.percentage,
    i.level,
    i.investmentId,
    i.fromMemberId,
    i.leftPoints,
    i.rightPoints,
    i.flushed,
  )

const missedLine = (m: Missed): string =>
  line(m.memberId, m.leg, m.kind, m.reason, m.amount, m.level, m.investmentId, m.fromMemberId)

/** Seals what a run writes, a row at a time, each kind of row in the order in which it is kept. */
export function sealing(newDigest: () => Digest) {
  const [all, items, missed] = [newDigest(), newDigest(), newDigest()]
  const [carry, principals] = [newDigest(), newDigest()]
  const hashOf = (text: string): string => {
    const digest = newDigest()
    digest.update(text, 'utf8')
    return digest.digest('hex')
  }
  return {
    /** Answers the page's own hash. */
    page({ members, bases, amounts, earned }: Page): string {
      const [who, before] = [array(members) + array(bases), earned === null ? '' : array(earned)]
      principals.update(hashOf(who + before), 'hex')
      const hash = hashOf(who + array(amounts) + before)
      all.update(`${hash}\n`, 'utf8')
      return hash
    },
    item: (item: Item) => void items.update(itemLine(item), 'utf8'),
    missed: (row: Missed) => void missed.update(missedLine(row), 'utf8'),
    carry({ left, right, events }: Carried, block: number) {
      const columns = [left, right, events].map((legs) =>
        array(legs.subarray(block * BLOCK, (block + 1) * BLOCK)),
      )
      carry.update(`${block}${columns.join('')}\n`, 'utf8')
    },
    /** Of what passive items were computed from. */
    principals: () => principals.digest('hex'),
    seal(): string {
      for (const digest of [items, missed, carry]) all.update(digest.digest('hex'), 'utf8')
      return all.digest('hex')
    },
  }
}
