/**
 * What a run writes, and its seal: the text that the database makes of the same rows, hashed. The hash function is a parameter, because a
 * rule imports no library for it.
 */

/** Member ids a page of passive items, or a row of carried points, is for. */
export const BLOCK = 1024

export interface Item {
  readonly member: number
  readonly leg: number
  readonly kind: 'direct' | 'master' | 'binary'
  readonly amount: bigint
  readonly basis: bigint
  readonly percentage: string
  readonly level: number | null
  readonly investment: bigint | null
  readonly from: number | null
  readonly leftPoints: bigint | null
  readonly rightPoints: bigint | null
  readonly flushed: bigint
}

export interface Missed {
  readonly member: number
  readonly leg: number
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly reason: string
  readonly amount: bigint
  readonly level: number | null
  readonly investment: bigint | null
  readonly from: number | null
}

/** A block of a day's profit, by columns, in the order of members. */
export interface Page {
  readonly block: number
  readonly members: readonly number[]
  readonly bases: readonly bigint[]
  readonly amounts: readonly bigint[]
  /** Profit of earlier days; null where the plan has no cap. */
  readonly earned: readonly bigint[] | null
}

/** What legs carry out of a day, of one block. */
export interface Carry {
  readonly block: number
  readonly lefts: BigInt64Array
  readonly rights: BigInt64Array
  readonly events: Int32Array
}

export interface Digest {
  update(text: string): unknown
  digest(encoding: 'hex'): string
}

const braced = (values: { join(): string }): string => `{${values.join()}}`
const line = (...fields: readonly (string | number | bigint | null)[]): string =>
  `${fields.map((field) => field ?? 0).join('|')}\n`

export class Sealing {
  readonly #newDigest: () => Digest
  readonly #pages: Digest
  readonly #parts: readonly [Digest, Digest, Digest]
  count = 0
  sum = 0n

  constructor(newDigest: () => Digest) {
    this.#newDigest = newDigest
    this.#pages = newDigest()
    this.#parts = [newDigest(), newDigest(), newDigest()]
  }

  page({ members, bases, amounts, earned }: Page): void {
    const own = this.#newDigest()
    own.update(braced(members) + braced(bases) + braced(amounts) + (earned === null ? '' : braced(earned)))
    this.#pages.update(`${own.digest('hex')}\n`)
    this.count += members.length
    for (const amount of amounts) this.sum += amount
  }

  item(i: Item): void {
    const paid = [i.member, i.leg, i.kind, i.amount, i.basis, i.percentage, i.level, i.investment, i.from]
    this.#parts[0].update(line(...paid, i.leftPoints, i.rightPoints, i.flushed))
    this.count += 1
    this.sum += i.amount
  }

  missed(m: Missed): void {
    this.#parts[1].update(line(m.member, m.leg, m.kind, m.reason, m.amount, m.level, m.investment, m.from))
  }

  carry({ block, lefts, rights, events }: Carry): void {
    this.#parts[2].update(`${block}${braced(lefts)}${braced(rights)}${braced(events)}\n`)
  }

  /** Of everything; nothing can be added after it. */
  hash(): string {
    for (const part of this.#parts) this.#pages.update(part.digest('hex'))
    return this.#pages.digest('hex')
  }
}
