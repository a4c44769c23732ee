/** How members are named in trees. */
import { NODE_NAME_LENGTH, shortened } from '@aval/contract'

/** How many referrals a fundator makes masters at most. */
export const MOST_MASTERS = 100

/** How a member is called in trees. */
export const nodeId = (id: bigint) => `O-${id}`

/** Trees are arrays of 32 bits, so nobody has a higher number. */
const HIGHEST = 2_000_000_000n

/** The member behind a node's name; null for what nobody is called. */
export function readNodeId(text: string): bigint | null {
  if (!/^O-[1-9]\d{0,17}$/.test(text)) return null
  const id = BigInt(text.slice(2))
  return id > HIGHEST ? null : id
}

/** How a node is called: the first name. */
export const nodeName = (firstName: string): string => shortened(firstName, NODE_NAME_LENGTH)

const MOST_NAME = 60

/** The name of a member who was found or opened. */
export function fullName(member: { readonly first_name: string; readonly last_name: string }): string {
  return shortened(`${member.first_name} ${member.last_name}`.trim(), MOST_NAME)
}
