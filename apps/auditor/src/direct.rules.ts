/**
 * The commissions of a batch of investments. Who stands how many levels above whom is a difference of two counts up to the root, and the
 * next master link above a member is found once.
 */
import { asDecimal, percentOf } from './exact.rules.ts'
import type { Plan } from './plan.rules.ts'
import type { Item, Missed } from './seal.rules.ts'

export interface Invested {
  readonly id: bigint
  readonly member: number
  readonly amount: bigint
}

/** Everybody on the way from the investors up, by member id, as of the number of history at which the run was opened. */
export interface Upline {
  /** 0: none. */
  readonly sponsor: Int32Array
  /** 1 where the link up to the sponsor is a master link. */
  readonly master: Uint8Array
  /** 1 where the member has principal. */
  readonly active: Uint8Array
  /** Extra points by sponsor, in millionths. */
  readonly extra: ReadonlyMap<number, bigint>
}

const UNKNOWN = -1

class Heights {
  /** Members above up to the root: all, or under compression the active ones. */
  readonly #above: Int32Array
  /** The nearest member, itself included, whose link up is a master link; 0: none. */
  readonly #promoted: Int32Array
  readonly #upline: Upline
  readonly #compression: boolean

  constructor(upline: Upline, compression: boolean) {
    this.#upline = upline
    this.#compression = compression
    this.#above = new Int32Array(upline.sponsor.length).fill(UNKNOWN)
    this.#promoted = new Int32Array(upline.sponsor.length)
  }

  #counts(member: number): number {
    return !this.#compression || this.#upline.active[member] === 1 ? 1 : 0
  }

  /** Works out a member and everybody above. */
  learn(member: number): void {
    const { sponsor, master } = this.#upline
    const unknown: number[] = []
    for (let at = member; at !== 0 && this.#above[at] === UNKNOWN; at = sponsor[at] ?? 0) {
      if (unknown.length > sponsor.length) throw new Error(`the sponsors above ${member} go in circles`)
      unknown.push(at)
    }
    for (const at of unknown.reverse()) {
      const up = sponsor[at] ?? 0
      this.#above[at] = up === 0 ? 0 : (this.#above[up] ?? 0) + this.#counts(up)
      this.#promoted[at] = master[at] === 1 ? at : (this.#promoted[up] ?? 0)
    }
  }

  level(from: number, payee: number): number {
    return (this.#above[from] ?? 0) - (this.#above[payee] ?? 0) - this.#counts(payee) + 1
  }

  promoted(member: number): number {
    return this.#promoted[member] ?? 0
  }
}

/** Numbers a member's rows, in the order in which they were found. */
function inOrderOfMembers<Row extends { readonly member: number }>(
  rows: readonly Row[],
): (Row & { leg: number })[] {
  const legs = new Map<number, number>()
  return rows
    .toSorted((first, second) => first.member - second.member)
    .map((row) => {
      const leg = legs.get(row.member) ?? 0
      legs.set(row.member, leg + 1)
      return { ...row, leg }
    })
}

export function commissionsOf(
  { direct }: Plan,
  batch: readonly Invested[],
  upline: Upline,
): { items: Item[]; missed: Missed[] } {
  const { levels, masterPercent, compression } = direct
  const heights = new Heights(upline, compression)
  const items: Omit<Item, 'leg'>[] = []
  const missed: Omit<Missed, 'leg'>[] = []
  const pay = ({ id, member: from, amount: basis }: Invested, kind: 'direct' | 'master', member: number) => {
    const level = heights.level(from, member)
    const flat = kind === 'master' ? masterPercent : (levels[level - 1] ?? 0n)
    const percent = kind === 'direct' && level === 1 ? flat + (upline.extra.get(member) ?? 0n) : flat
    const amount = percentOf(basis, percent)
    if (amount === 0n) return
    const row = { member, kind, amount, level, investment: id, from }
    const points = { leftPoints: null, rightPoints: null, flushed: 0n }
    if (upline.active[member] === 1) items.push({ ...row, basis, percentage: asDecimal(percent), ...points })
    else missed.push({ ...row, reason: compression ? 'skipped' : 'inactive' })
  }
  for (const invested of batch) {
    heights.learn(invested.member)
    let below = invested.member
    for (;;) {
      const up = upline.sponsor[below] ?? 0
      if (up === 0 || heights.level(invested.member, up) > levels.length) break
      pay(invested, 'direct', up)
      below = up
    }
    for (let at = heights.promoted(below); at !== 0; ) {
      const up = upline.sponsor[at] ?? 0
      pay(invested, 'master', up)
      at = heights.promoted(up)
    }
  }
  return { items: inOrderOfMembers(items), missed: inOrderOfMembers(missed) }
}
