/** What members get under two plans, beside each other. */
export interface Compared {
  readonly present: bigint
  readonly proposed: bigint
}

const sizeOf = ({ present, proposed }: Compared): bigint =>
  proposed > present ? proposed - present : present - proposed

const MOST_BIGGEST = 10

/** The difference between two plans by one rule, as members are added: sums, who gains, who loses, and the biggest changes. */
export class Comparison {
  readonly present = { sum: 0n, members: 0 }
  readonly proposed = { sum: 0n, members: 0 }
  gain = 0
  lose = 0
  /** The biggest first; of two alike the smaller number. */
  readonly biggest: (Compared & { readonly memberId: bigint })[] = []

  /** Each member once. */
  add(memberId: bigint, compared: Compared): void {
    for (const side of ['present', 'proposed'] as const) {
      this[side].sum += compared[side]
      if (compared[side] > 0n) this[side].members += 1
    }
    if (compared.proposed === compared.present) return
    if (compared.proposed > compared.present) this.gain += 1
    else this.lose += 1
    const size = sizeOf(compared)
    const last = this.biggest[MOST_BIGGEST - 1]
    if (last !== undefined && sizeOf(last) >= size) return
    const at = this.biggest.findIndex((each) => sizeOf(each) < size)
    this.biggest.splice(at === -1 ? this.biggest.length : at, 0, { memberId, ...compared })
    this.biggest.length = Math.min(this.biggest.length, MOST_BIGGEST)
  }

  /** Adds what two computations paid, each a member as often as it likes; members in the order of their numbers. */
  addAll(
    present: readonly { readonly memberId: bigint; readonly amount: bigint }[],
    proposed: readonly { readonly memberId: bigint; readonly amount: bigint }[],
  ): void {
    const sums = new Map<bigint, { present: bigint; proposed: bigint }>()
    const put = (side: 'present' | 'proposed', rows: typeof present) => {
      for (const { memberId, amount } of rows) {
        const sum = sums.get(memberId) ?? { present: 0n, proposed: 0n }
        sum[side] += amount
        sums.set(memberId, sum)
      }
    }
    put('present', present)
    put('proposed', proposed)
    for (const [memberId, sum] of [...sums].sort(([left], [right]) => (left < right ? -1 : 1)))
      this.add(memberId, sum)
  }
}
