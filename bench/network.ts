/**
 * A network of any size, made from a seed: who sponsored whom, where everybody stands, who invested how much.
 *
 * Everything is a typed array indexed by member id; member 1 is the root, slot 0 is nobody, and one who is named as a
 * sponsor or parent has a smaller id. Ten million members take 380 MB this way; as objects they would take 1.5 GB.
 * Places follow the product's rule (decision 004): the outer end of the sponsor's weaker leg, the left one on a tie.
 */
import { type Chance, chanceFrom } from './random.ts'

export const SHAPES = ['power', 'chain', 'star'] as const
/**
 * power: who has many referrals gets more (preferential attachment), as grown networks are. chain: everybody has one
 * referral, the deepest there is. star: the root sponsors everybody, the widest there is.
 */
export type Shape = (typeof SHAPES)[number]

export const LEG = { none: 0, left: 1, right: 2 } as const

/** What members invest, in micro-USDT. Members keep an index into this list: one byte each. */
export const AMOUNTS: readonly bigint[] = [0n, 500n, 1_000n, 2_000n, 5_000n, 10_000n].map(
  (usdt) => usdt * 1_000_000n,
)
const LARGEST = AMOUNTS.length - 1

/** One in six has registered and never invested: such members sit in every upline and are skipped by every payment. */
const IDLE_SHARE = 1 / 6
/** Members with an investment on the day that is paid. */
const TODAYS_SHARE = 0.01

export interface Network {
  readonly members: number
  readonly shape: Shape
  readonly sponsor: Int32Array
  readonly parent: Int32Array
  /** A `LEG` of the parent. */
  readonly leg: Uint8Array
  /** In the sponsor tree; the root's is 0. */
  readonly depth: Int32Array
  /** Head of the left chain on which the member lies. */
  readonly leftChain: Int32Array
  readonly rightChain: Int32Array
  /** Outer end of the left chain that begins with this member; 0 where none does. */
  readonly leftTail: Int32Array
  readonly rightTail: Int32Array
  readonly leftReferrals: Int32Array
  readonly rightReferrals: Int32Array
  /** Index into `AMOUNTS` of what was invested before today. */
  readonly principal: Uint8Array
  /** Ids, ascending, of those who invest today, and how much. */
  readonly todays: Int32Array
  readonly todaysAmount: Uint8Array
}

type Growing = Omit<Network, 'todays' | 'todaysAmount'>

function emptyNetwork(members: number, shape: Shape): Growing {
  const ids = () => new Int32Array(members + 1)
  return {
    members,
    shape,
    sponsor: ids(),
    parent: ids(),
    leg: new Uint8Array(members + 1),
    depth: ids(),
    leftChain: ids(),
    rightChain: ids(),
    leftTail: ids(),
    rightTail: ids(),
    leftReferrals: ids(),
    rightReferrals: ids(),
    principal: new Uint8Array(members + 1),
  }
}

const at = (array: Int32Array | Uint8Array, index: number): number => array[index] ?? 0

/**
 * The sponsor of the member `id`. In the power shape everybody's chance is their referrals plus one: among the `id` - 1
 * members and the `id` - 2 sponsor's ends of links, each thing is as likely as the other, and none has to be searched.
 */
function drawSponsor(network: Growing, id: number, chance: Chance): number {
  if (network.shape === 'chain') return id - 1
  if (network.shape === 'star') return 1
  const earlier = id - 1
  const drawn = chance.below(2 * earlier - 1)
  return drawn < earlier ? drawn + 1 : at(network.sponsor, drawn - earlier + 2)
}

function placeRoot({ leftChain, rightChain, leftTail, rightTail }: Growing): void {
  for (const array of [leftChain, rightChain, leftTail, rightTail]) array[1] = 1
}

/** Puts a member at the outer end of the sponsor's weaker leg, in constant time: chains know their tails. */
function place(network: Growing, id: number, sponsorId: number): void {
  const { leftChain, rightChain, leftTail, rightTail, leftReferrals, rightReferrals } = network
  const left = { leg: LEG.left, chain: leftChain, tail: leftTail, referrals: leftReferrals }
  const right = { leg: LEG.right, chain: rightChain, tail: rightTail, referrals: rightReferrals }
  const isRight = at(rightReferrals, sponsorId) < at(leftReferrals, sponsorId)
  const [weaker, stronger] = isRight ? [right, left] : [left, right]
  const head = at(weaker.chain, sponsorId)
  network.parent[id] = at(weaker.tail, head)
  network.leg[id] = weaker.leg
  weaker.chain[id] = head
  stronger.chain[id] = id
  stronger.tail[id] = id
  weaker.tail[head] = id
  weaker.referrals[sponsorId] = at(weaker.referrals, sponsorId) + 1
}

/** Who invested before today. The root always has: in the star it is everybody's sponsor, and has to be paid. */
function invest(network: Growing, chance: Chance): void {
  network.principal[1] = LARGEST
  for (let id = 2; id <= network.members; id += 1)
    network.principal[id] = chance.happens(IDLE_SHARE) ? 0 : 1 + chance.below(LARGEST)
}

function drawTodays(members: number, chance: Chance): Pick<Network, 'todays' | 'todaysAmount'> {
  const ids: number[] = []
  for (let id = 1; id <= members; id += 1) if (chance.happens(TODAYS_SHARE)) ids.push(id)
  return {
    todays: Int32Array.from(ids),
    todaysAmount: Uint8Array.from(ids, () => 1 + chance.below(LARGEST)),
  }
}

/** The same arguments give the same network. Links, amounts and today's investors have a chance of their own each. */
export function generateNetwork(members: number, shape: Shape, seed: number): Network {
  const network = emptyNetwork(members, shape)
  const links = chanceFrom(seed)
  placeRoot(network)
  for (let id = 2; id <= members; id += 1) {
    const sponsorId = drawSponsor(network, id, links)
    network.sponsor[id] = sponsorId
    network.depth[id] = at(network.depth, sponsorId) + 1
    place(network, id, sponsorId)
  }
  invest(network, chanceFrom(seed + 1))
  return { ...network, ...drawTodays(members, chanceFrom(seed + 2)) }
}
