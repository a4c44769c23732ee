import { chainOn, chooseSide, type Place, placeAtTail, placeRoot, type Side } from '@aval/genealogy'
import { describe, expect, it } from 'vitest'
import { AMOUNTS, generateNetwork, LEG, type Network, SHAPES } from './network.ts'

/** The product's rule, given the sponsors that the generator drew. */
function placedByTheProduct(network: Network) {
  const places = new Map<number, Place>([[1, placeRoot(1n)]])
  const tails = new Map<string, bigint>([
    ['1L', 1n],
    ['1R', 1n],
  ])
  const referrals = new Map<number, { leftReferrals: number; rightReferrals: number }>()
  for (let id = 1; id <= network.members; id += 1) {
    referrals.set(id, { leftReferrals: 0, rightReferrals: 0 })
    if (id === 1) continue
    const sponsorId = network.sponsor[id] ?? 0
    const counts = referrals.get(sponsorId)
    const sponsor = places.get(sponsorId)
    if (counts === undefined || sponsor === undefined) throw new Error(`${sponsorId} is nobody`)
    const side = chooseSide({ preference: 'weaker', ...counts })
    const headId = chainOn(sponsor.chains, side)
    const place = placeAtTail(BigInt(id), side, { headId, tailId: tails.get(`${headId}${side}`) ?? 0n })
    places.set(id, place)
    tails.set(`${headId}${side}`, BigInt(id))
    for (const head of place.headOf) tails.set(`${id}${head}`, BigInt(id))
    counts[side === 'L' ? 'leftReferrals' : 'rightReferrals'] += 1
  }
  return { places, tails, referrals }
}

const LEGS: Readonly<Record<Side, number>> = { L: LEG.left, R: LEG.right }

describe.each(SHAPES)('a generated network of the shape %s', (shape) => {
  const network = generateNetwork(2_000, shape, 7)

  it('stands as the product would have placed it', () => {
    const { places, tails, referrals } = placedByTheProduct(network)
    for (const [id, { parent, chains }] of places) {
      expect({
        parent: BigInt(network.parent[id] ?? 0),
        leg: network.leg[id],
        left: BigInt(network.leftChain[id] ?? 0),
        right: BigInt(network.rightChain[id] ?? 0),
        leftTail: BigInt(network.leftTail[id] ?? 0),
        rightTail: BigInt(network.rightTail[id] ?? 0),
        leftReferrals: network.leftReferrals[id],
        rightReferrals: network.rightReferrals[id],
      }).toEqual({
        parent: parent?.id ?? 0n,
        leg: parent === null ? LEG.none : LEGS[parent.leg],
        ...chains,
        leftTail: tails.get(`${id}L`) ?? 0n,
        rightTail: tails.get(`${id}R`) ?? 0n,
        ...referrals.get(id),
      })
    }
  })

  it('is the same for the same seed, and another for another', () => {
    expect(generateNetwork(2_000, shape, 7)).toEqual(network)
    expect(generateNetwork(2_000, shape, 8)).not.toEqual(network)
  })

  it('leaves about a sixth without an investment, and lets about a hundredth invest today', () => {
    const idle = network.principal.subarray(1).filter((index) => index === 0).length
    expect(idle / network.members).toBeCloseTo(1 / 6, 1)
    expect(network.todays.length).toBeGreaterThan(5)
    expect(network.todays.length).toBeLessThan(50)
    for (const index of network.todaysAmount) expect(AMOUNTS[index]).toBeGreaterThan(0n)
  })
})

describe('the sponsors', () => {
  it('of a power network: most have no referral, a few have very many', () => {
    const { sponsor, members } = generateNetwork(20_000, 'power', 1)
    const counts = new Int32Array(members + 1)
    for (const id of sponsor.subarray(2)) counts[id] = (counts[id] ?? 0) + 1
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(members / 2)
    expect(Math.max(...counts)).toBeGreaterThan(100)
  })

  it('of a chain and of a star are as deep and as wide as can be', () => {
    expect(generateNetwork(500, 'chain', 1).depth[500]).toBe(499)
    expect(generateNetwork(500, 'star', 1).depth[500]).toBe(1)
  })
})
