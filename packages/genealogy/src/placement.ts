/**
 * Where a new member stands in the binary tree.
 *
 * Terms. Every member has one place: a *parent* and a *leg*, left or right. A *chain* is a longest run of children on one
 * side; each member lies on exactly one left chain and one right chain, and a chain is named by its topmost member, its
 * *head*. The *tail* is its outer end. A referral is placed on the side that its sponsor chose, at the outer end of that
 * side (spillover): under the tail of the chain on which the sponsor lies, which is found without walking. Places never
 * move.
 */

export type Side = 'L' | 'R'
export type Preference = 'left' | 'right' | 'weaker'

export interface Chains {
  /** Head of the left chain on which the member lies. */
  readonly left: bigint
  readonly right: bigint
}

export interface Sponsor {
  readonly chains: Chains
  readonly preference: Preference
  /** Own referrals placed on each side so far, which decide which side is the weaker. */
  readonly leftReferrals: number
  readonly rightReferrals: number
}

export interface Place {
  readonly parent: { readonly id: bigint; readonly leg: Side } | null
  readonly chains: Chains
  /** Chains that begin with this member; each has the member as its tail as well. */
  readonly headOf: readonly Side[]
}

export const otherSide = (side: Side): Side => (side === 'L' ? 'R' : 'L')

/** The side on which the sponsor's next referral goes. On a tie the weaker side is the left one. */
export function chooseSide(sponsor: Omit<Sponsor, 'chains'>): Side {
  switch (sponsor.preference) {
    case 'left':
      return 'L'
    case 'right':
      return 'R'
    case 'weaker':
      return sponsor.rightReferrals < sponsor.leftReferrals ? 'R' : 'L'
    default:
      return sponsor.preference satisfies never
  }
}

/** The head of the chain that ends where this member's next referral on `side` goes. */
export function chainOn(chains: Chains, side: Side): bigint {
  return side === 'L' ? chains.left : chains.right
}

/** The first member's place: the top of everything, head of both its chains. */
export function placeRoot(id: bigint): Place {
  return { parent: null, chains: { left: id, right: id }, headOf: ['L', 'R'] }
}

/**
 * The place at the outer end of a chain. The new member joins that chain, as its new tail, and begins one of its own on
 * the other side.
 */
export function placeAtTail(id: bigint, side: Side, chain: { headId: bigint; tailId: bigint }): Place {
  const chains = side === 'L' ? { left: chain.headId, right: id } : { left: id, right: chain.headId }
  return { parent: { id: chain.tailId, leg: side }, chains, headOf: [otherSide(side)] }
}
