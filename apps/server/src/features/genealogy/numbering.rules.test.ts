import { describe, expect, it } from 'vitest'
import { anchorsOf, type NumberingFacts, numberingIsDue } from './numbering.rules.ts'

const DAY_MS = 86_400_000
const quiet: NumberingFacts = { generation: 1, members: 1_000_000, recent: 0, moved: 0, ageMs: 60_000 }

describe('a numbering is due', () => {
  it.each([
    ['where there is none and somebody is there', { generation: 0, members: 1 }, true],
    ['not where nobody is there', { generation: 0, members: 0 }, false],
    ['not while nothing happens', { ageMs: 100 * DAY_MS }, false],
    ['not for a few newcomers', { recent: 4_999 }, false],
    ['for many newcomers', { recent: 5_000 }, true],
    ['not for a few newcomers of a small network', { members: 500, recent: 99 }, false],
    ['when a small network has grown', { members: 500, recent: 100 }, true],
    ['when a network of ten thousand has grown by a hundredth', { members: 30_000, recent: 300 }, true],
    ['when much money moved', { moved: 2_000 }, true],
    ['once a day for whatever happened', { moved: 1, ageMs: DAY_MS }, true],
    ['not the same day', { moved: 1, recent: 1, ageMs: DAY_MS - 1 }, false],
  ])('%s', (_name, facts, due) => {
    expect(numberingIsDue({ ...quiet, ...facts })).toBe(due)
  })
})

describe('who joined while the trees were numbered', () => {
  const numbered = new Map([[1n, { position: 7, depth: 3 }]])

  it('hangs from the nearest numbered member above, in any order of newcomers', () => {
    const above = new Map([
      [12n, 11n],
      [11n, 10n],
      [10n, 1n],
      [13n, 1n],
      [14n, 12n],
    ])
    expect(anchorsOf(above, numbered)).toEqual(
      new Map([
        [10n, { position: 7, depth: 4 }],
        [11n, { position: 7, depth: 5 }],
        [12n, { position: 7, depth: 6 }],
        [13n, { position: 7, depth: 4 }],
        [14n, { position: 7, depth: 7 }],
      ]),
    )
  })

  it('under nobody who is known is no guess', () => {
    expect(() => anchorsOf(new Map([[10n, 9n]]), numbered)).toThrow('9 stands under nobody')
    const circle = new Map([
      [10n, 11n],
      [11n, 10n],
    ])
    expect(() => anchorsOf(circle, numbered)).toThrow('nobody who is known')
  })
})
