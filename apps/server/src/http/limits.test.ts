import { describe, expect, it } from 'vitest'
import { countHere } from './counts.ts'
import { clientOf } from './limits.ts'

describe('whom an address stands for', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (address, client) => {
    expect(clientOf(address)).toBe(client)
  })
})

describe('a limit of one process', () => {
  it('refuses with the seconds to wait, key by key, until it forgives', async () => {
    const limit = countHere({ points: 2, seconds: 60 })
    await limit.take('a')
    await limit.take('a')
    await expect(limit.take('a')).rejects.toMatchObject({
      code: 'too_many_requests',
      params: { seconds: 60 },
    })
    await limit.take('b')
    await limit.forgive('a')
    await limit.take('a')
  })
})
