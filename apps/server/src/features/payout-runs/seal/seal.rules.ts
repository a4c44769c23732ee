/**
 * What a run computes and seals, and its seal: one hash over everything that it writes, in the text that PostgreSQL's
 * `seal_payout_run` makes of the same rows. The hash function is a parameter, because a rule imports no library for it.
 */
import type { Micro } from '@aval/money'
import { BLOCK } from '../runs/runs.rules.ts'

/** A commission as it is sealed. `leg` numbers a member's items within the run. */
export interface Item {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'direct' | 'master' | 'binary'
  readonly amount: Micro
  /** What the percentage was taken of: the amount invested, or the points matched. */
  readonly basis: Micro
  readonly percentage: string
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
  readonly leftPoints: bigint | null
  readonly rightPoints: bigint | null
  readonly flushed: Micro
}

export type MissedReason =
  | 'inactive'
  | 'skipped'
  | 'flushed'
  | 'no_active_left'
  | 'no_active_right'
  | 'no_active_referrals'
  | 'capped'

/** What was not paid. `leg` numbers a member's rows within the run. */
export interface Missed {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly reason: MissedReason
  readonly amount: Micro
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
}

/** A block of passive profit, by columns, in the order of members; only those who get something. */
export interface PassiveBlock {
  readonly members: bigint[]
  readonly bases: bigint[]
  readonly amounts: bigint[]
  readonly earned: bigint[] | null
  readonly sum: bigint
  readonly largest: bigint
  readonly missed: Missed[]
}

/** A hash under way. */
export interface Digest {
  update(text: string, encoding: 'utf8' | 'hex'): unknown
  digest(encoding: 'hex'): string
}

export interface Page {
  readonly members: readonly bigint[]
  readonly bases: readonly bigint[]
  readonly amounts: readonly bigint[]
  readonly earned: readonly bigint[] | null
}

/** What each leg carries, by member id, with room for the last block whole. */
export interface Carried {
  readonly left: BigInt64Array
  readonly right: BigInt64Array
  readonly events: Int32Array
}

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

/** A block of the carry as its row has it. */
export function carryBlock({ left, right, events }: Carried, block: number) {
  const [start, end] = [block * BLOCK, (block + 1) * BLOCK]
  return {
    lefts: array(left.subarray(start, end)),
    rights: array(right.subarray(start, end)),
    events: array(events.subarray(start, end)),
  }
}

/** Seals what a run writes, a row at a time, each kind of row in the order in which it is kept. */
export interface Sealing {
  /** Answers the page's own hash. */
  page(page: Page): string
  item(item: Item): void
  missed(missed: Missed): void
  carry(carried: Carried, block: number): void
  /** Of what passive items were computed from. */
  principals(): string
  seal(): string
}

export function sealing(newDigest: () => Digest): Sealing {
  const [all, items, missed, carry, principals] = Array.from({ length: 5 }, newDigest) as [
    Digest,
    Digest,
    Digest,
    Digest,
    Digest,
  ]
  const hashOf = (text: string): string => {
    const digest = newDigest()
    digest.update(text, 'utf8')
    return digest.digest('hex')
  }
  return {
    page({ members, bases, amounts, earned }) {
      const [who, before] = [array(members) + array(bases), earned === null ? '' : array(earned)]
      principals.update(hashOf(who + before), 'hex')
      const hash = hashOf(who + array(amounts) + before)
      all.update(`${hash}\n`, 'utf8')
      return hash
    },
    item: (item) => void items.update(itemLine(item), 'utf8'),
    missed: (row) => void missed.update(missedLine(row), 'utf8'),
    carry(carried, block) {
      const { lefts, rights, events } = carryBlock(carried, block)
      carry.update(`${block}${lefts}${rights}${events}\n`, 'utf8')
    },
    principals: () => principals.digest('hex'),
    seal() {
      for (const digest of [items, missed, carry]) all.update(digest.digest('hex'), 'utf8')
      return all.digest('hex')
    },
  }
}
