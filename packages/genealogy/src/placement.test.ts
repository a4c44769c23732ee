import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chainOn,
  chooseSide,
  type Place,
  type Preference,
  placeAtTail,
  placeRoot,
  type Side,
} from './index.ts'

/** The tree as the database keeps it: places, and the tail of every chain. */
class Stored {
  readonly places = new Map<bigint, Place>()
  readonly tails = new Map<string, bigint>()
  readonly counts = new Map<bigint, { leftReferrals: number; rightReferrals: number }>()

  constructor() {
    this.store(1n, placeRoot(1n))
  }

  private store(id: bigint, place: Place): void {
    this.places.set(id, place)
    this.counts.set(id, { leftReferrals: 0, rightReferrals: 0 })
    for (const side of place.headOf) this.tails.set(`${id}${side}`, id)
  }

  add(id: bigint, sponsorId: bigint, preference: Preference): Side {
    const sponsor = this.places.get(sponsorId)
    const counts = this.counts.get(sponsorId)
    if (sponsor === undefined || counts === undefined) throw new Error('no such sponsor')
    const side = chooseSide({ preference, ...counts })
    const headId = chainOn(sponsor.chains, side)
    const tailId = this.tails.get(`${headId}${side}`)
    if (tailId === undefined) throw new Error('a chain without a tail')
    this.store(id, placeAtTail(id, side, { headId, tailId }))
    this.tails.set(`${headId}${side}`, id)
    counts[side === 'L' ? 'leftReferrals' : 'rightReferrals'] += 1
    return side
  }
}

/** The rule as it reads: go down the chosen side until there is nobody. */
class Walked {
  readonly children = new Map<string, bigint>()

  add(id: bigint, sponsorId: bigint, side: Side): { id: bigint; leg: Side } {
    const below = (member: bigint) => this.children.get(`${member}${side}`)
    let at = sponsorId
    for (let next = below(at); next !== undefined; next = below(at)) at = next
    this.children.set(`${at}${side}`, id)
    return { id: at, leg: side }
  }
}

const preference = fc.constantFrom<Preference>('left', 'right', 'weaker')
const joins = fc.array(fc.tuple(fc.nat(), preference), { minLength: 1, maxLength: 120 })

describe('a place in the binary tree', () => {
  it('found by chains is the one found by walking', () => {
    fc.assert(
      fc.property(joins, (list) => {
        const stored = new Stored()
        const walked = new Walked()
        for (const [index, [draw, wanted]] of list.entries()) {
          const id = BigInt(index + 2)
          const sponsorId = BigInt((draw % (index + 1)) + 1)
          const side = stored.add(id, sponsorId, wanted)
          expect(stored.places.get(id)?.parent).toEqual(walked.add(id, sponsorId, side))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('lies on one left and one right chain, named by their topmost member', () => {
    fc.assert(
      fc.property(joins, (list) => {
        const stored = new Stored()
        for (const [index, [draw, wanted]] of list.entries())
          stored.add(BigInt(index + 2), BigInt((draw % (index + 1)) + 1), wanted)
        for (const [id, place] of stored.places) {
          for (const side of ['L', 'R'] as const) {
            let top = id
            for (let at = stored.places.get(top); at?.parent?.leg === side; at = stored.places.get(top))
              top = at.parent.id
            expect(chainOn(place.chains, side)).toBe(top)
          }
        }
      }),
    )
  })
})

describe('the side of a referral', () => {
  it.each([
    ['left', 5, 0, 'L'],
    ['right', 0, 5, 'R'],
    ['weaker', 0, 0, 'L'],
    ['weaker', 1, 0, 'R'],
    ['weaker', 1, 1, 'L'],
    ['weaker', 1, 2, 'L'],
  ] as const)(
    'with preference %s and %i left, %i right is %s',
    (wanted, leftReferrals, rightReferrals, side) => {
      expect(chooseSide({ preference: wanted, leftReferrals, rightReferrals })).toBe(side)
    },
  )
})
