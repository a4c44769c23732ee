import { expect, it } from 'vitest'
import { type ChainView, hasLeapt, unsoundness } from './standing.rules.ts'

const NOW = 1_000_000
const view: ChainView = {
  head: 120,
  headId: 'head',
  headAt: NOW - 3_000,
  solid: 100,
  solidId: 'solid',
  scanned: 100,
  advancedAt: NOW - 3_000,
  failed: false,
}
const limits = { unread: 5, unsolid: 50, stillMs: 60_000, skewMs: 300_000 }

it.each<[string, Partial<ChainView>, RegExp | null]>([
  ['read to its solid end, with a new head', {}, null],
  ['a few blocks not read yet', { scanned: 95 }, null],
  ['many blocks not read yet', { scanned: 94 }, /6 solid blocks are not read/],
  ['a node behind what was read', { scanned: 101 }, /behind/],
  ['a last look that failed', { failed: true }, /failed/],
  ['nothing made solid for long', { head: 151 }, /51 blocks are not solid/],
  ['no new block for a minute', { advancedAt: NOW - 61_000 }, /no block for 61 s/],
  ['blocks of another time', { headAt: NOW - 400_000 }, /400 s away/],
])('whether money is sent on a chain with %s', (_name, changes, expected) => {
  const found = unsoundness({ ...view, ...changes }, limits, NOW)
  if (expected === null) expect(found).toBeNull()
  else expect(found).toMatch(expected)
})

it('a chain that nobody has looked at is not one to send money on', () => {
  expect(unsoundness(null, limits, NOW)).toMatch(/not read/)
})

it('a chain with a clock of its own may be days away', () => {
  expect(unsoundness({ ...view, headAt: 0 }, { ...limits, skewMs: null }, NOW)).toBeNull()
})

it('a chain whose clock has just leapt ahead is left to come to rest', () => {
  const calm = { ...limits, calmMs: 5_000 }
  expect(unsoundness({ ...view, leaptAt: NOW - 4_000 }, calm, NOW)).toMatch(/leapt/)
  expect(unsoundness({ ...view, leaptAt: NOW - 5_000 }, calm, NOW)).toBeNull()
  expect(unsoundness({ ...view, leaptAt: NOW }, limits, NOW)).toBeNull()
})

it.each([
  ['a block', 3_000, 400, false],
  ['ten minutes in ten minutes without a look', 600_000, 600_000, false],
  ['a day at once', 86_400_000, 400, true],
])('whether %s is a leap', (_name, advance, passed, expected) => {
  expect(hasLeapt({ headAt: 0 }, advance, passed)).toBe(expected)
})
