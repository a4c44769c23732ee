import { describe, expect, it } from 'vitest'
import { beginsWithZeros, countedOf, proofBits, secondsUntilFree } from './guesses.rules.ts'

const limits = {
  guessesAtName: { points: 10, seconds: 900 },
  guessesFromNetwork: { points: 300, seconds: 900 },
}

describe('a guess', () => {
  it('is counted at its name and from its networks', () => {
    const subjects = (ip: string) => countedOf('x', ip, limits).map(({ subject }) => subject)
    expect(subjects('203.0.113.7')).toEqual(['name x', 'network 203.0.113.0/24'])
    expect(subjects('2001:db8:1:2::3')).toEqual([
      'name x',
      'network 2001:db8:1:2::/64',
      'network 2001:db8:1::/48',
    ])
  })

  it.each([
    [1, 1],
    [2, 900],
    [4, 1800],
    [8, 2700],
  ])('at %d times the limit waits %d seconds', (fullness, seconds) => {
    expect(secondsUntilFree(fullness, 900)).toBe(seconds)
  })

  it.each([
    [0, 11],
    [1, 11],
    [1.1, 12],
    [4, 13],
    [8, 14],
    [1000, 14],
  ])('at %d times the limit takes %d bits a part, and no more than a phone can do', (fullness, bits) => {
    expect(proofBits(fullness)).toBe(bits)
  })

  it.each([
    [[0, 0x1f, 0xff], 11, true],
    [[0, 0x20, 0], 11, false],
    [[1, 0, 0], 11, false],
    [[0, 0, 0], 16, true],
    [[0, 1, 0], 16, false],
    [[], 1, false],
  ])('whose hash is %j and wants %d zero bits: %s', (bytes, bits, is) => {
    expect(beginsWithZeros(Uint8Array.from(bytes), bits)).toBe(is)
  })
})
