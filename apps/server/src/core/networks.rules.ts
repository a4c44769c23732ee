/** Networks of addresses: what one person, or one firm, can have many addresses in. */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}$/

/** The address as IPv4 where it is one in the form of IPv6. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/** The eight groups of an IPv6 address, without leading zeros; null when it is none. */
export function groupsOf(address: string): string[] | null {
  const [bare = ''] = address.split('%')
  if (!/^[\da-f:]{2,39}$/i.test(bare) || !bare.includes(':')) return null
  const [before = '', after] = bare.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}

const ipv6Network = (groups: readonly string[], bits: 48 | 64) =>
  `${groups.slice(0, bits / 16).join(':')}::/${bits}`

/** The network as members and operators read it: `203.0.113.0/24`, or `2001:db8:1::/48`; the text itself where it is no address. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  const [, a, b, c] = IPV4.exec(plain) ?? []
  if (a !== undefined) return `${a}.${b}.${c}.0/24`
  const groups = groupsOf(plain)
  return groups === null ? plain.slice(0, 64) : ipv6Network(groups, 48)
}

/**
 * The networks whose wrong passwords are counted together. IPv4: the /24. IPv6: the /64, which is one line's, and the /48, which is
 * one customer's.
 */
export function countedNetworks(address: string): readonly string[] {
  const wide = networkOf(address)
  const groups = groupsOf(plainAddress(address))
  return groups === null ? [wide] : [ipv6Network(groups, 64), wide]
}
