import { describe, expect, it } from 'vitest'
import { groupsOfFour, shortHash } from './groups.ts'

describe('groupsOfFour', () => {
  it('splits a whole address and loses nothing', () => {
    const address = 'TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ'
    const groups = groupsOfFour(address)
    expect(groups).toHaveLength(9)
    expect(groups.at(-1)).toEqual({ text: 'WJ', at: 32 })
    expect(groups.map(({ text }) => text).join('')).toBe(address)
  })

  it('has no groups for nothing', () => {
    expect(groupsOfFour('')).toEqual([])
  })
})

describe('shortHash', () => {
  it('keeps both ends of a long hash and the whole of a short one', () => {
    expect(shortHash('0123456789abcdef0123')).toBe('012345…ef0123')
    expect(shortHash('abc')).toBe('abc')
  })
})
