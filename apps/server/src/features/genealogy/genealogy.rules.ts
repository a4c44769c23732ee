/** How the sponsor tree is told: a flat list, parents before their children. */
import { NODE_NAME_LENGTH } from '@aval/contract'

export interface TreeMember {
  readonly id: bigint
  readonly sponsor_id: bigint | null
}

/** How many referrals a fundator makes masters at most. */
export const MOST_MASTERS = 100

/** How a member is called in trees. */
export const nodeId = (id: bigint) => `O-${id}`

/** The node above; empty for the top of what is shown, whoever stands above it. */
export function parentNodeId(member: TreeMember, topId: bigint): string {
  return member.id === topId || member.sponsor_id === null ? '' : nodeId(member.sponsor_id)
}

/** At most 22 characters, as a reader counts them. */
export function nodeName(firstName: string): string {
  const characters = [...new Intl.Segmenter('es').segment(firstName)].map(({ segment }) => segment)
  return characters.length <= NODE_NAME_LENGTH
    ? firstName
    : `${characters.slice(0, NODE_NAME_LENGTH - 1).join('')}…`
}

/** Breadth first; members of one level in the order in which they joined. */
export function inLevels<Link extends { readonly member_id: bigint; readonly depth: number }>(
  links: readonly Link[],
): Link[] {
  return links.toSorted((left, right) =>
    left.depth !== right.depth ? left.depth - right.depth : left.member_id < right.member_id ? -1 : 1,
  )
}
