import { describe, expect, it } from 'vitest'
import { countedNetworks, networkOf } from './networks.rules.ts'

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0db8:0001::9', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['somewhere', 'somewhere'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is counted with the line it belongs to where a customer has many', () => {
    expect(countedNetworks('2001:db8:1:2::5')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48'])
    expect(countedNetworks('203.0.113.7')).toEqual(['203.0.113.0/24'])
  })
})
