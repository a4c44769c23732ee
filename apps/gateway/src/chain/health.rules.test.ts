import { expect, it } from 'vitest'
import { type ChainStatus, clockJumped, createChainMonitor, unhealthyReason } from './health.rules.ts'

const NOW = 1_000_000
const status: ChainStatus = {
  head: 120,
  headId: 'head',
  headAt: NOW - 3_000,
  solid: 100,
  solidId: 'solid',
  scanned: 100,
  advancedAt: NOW - 3_000,
  failed: false,
}
const limits = { maxUnread: 5, maxUnsolid: 50, maxHeadAgeMs: 60_000, maxSkewMs: 300_000 }

it.each<[string, Partial<ChainStatus>, RegExp | null]>([
  ['read to its solid end, with a new head', {}, null],
  ['a few blocks not read yet', { scanned: 95 }, null],
  ['many blocks not read yet', { scanned: 94 }, /6 solid blocks are not read/],
  ['a node behind what was read', { scanned: 101 }, /behind/],
  ['a last poll that failed', { failed: true }, /failed/],
  ['nothing made solid for long', { head: 151 }, /51 blocks are not solid/],
  ['no new block for a minute', { advancedAt: NOW - 61_000 }, /no block for 61 s/],
  ['no new block for less than a minute', { advancedAt: NOW - 60_000 }, null],
  ['as many blocks not solid as there may be', { head: 150 }, null],
  ['blocks of another time', { headAt: NOW - 400_000 }, /400 s away/],
  ['blocks as old as they may be', { headAt: NOW - 300_000 }, null],
])('sending on a chain with %s', (_name, changes, expected) => {
  const found = unhealthyReason({ ...status, ...changes }, limits, NOW)
  if (expected === null) expect(found).toBeNull()
  else expect(found).toMatch(expected)
})

it('nothing is sent before the chain was read', () => {
  expect(unhealthyReason(null, limits, NOW)).toMatch(/not read/)
})

it('a chain with its own clock may be days away', () => {
  expect(unhealthyReason({ ...status, headAt: 0 }, { ...limits, maxSkewMs: null }, NOW)).toBeNull()
})

it('nothing is sent shortly after the chain’s clock has jumped ahead', () => {
  const waiting = { ...limits, afterJumpMs: 5_000 }
  expect(unhealthyReason({ ...status, clockJumpedAt: NOW - 4_000 }, waiting, NOW)).toMatch(/jumped/)
  expect(unhealthyReason({ ...status, clockJumpedAt: NOW - 5_000 }, waiting, NOW)).toBeNull()
  expect(unhealthyReason({ ...status, clockJumpedAt: NOW }, limits, NOW)).toBeNull()
})

it.each([
  ['a block', 3_000, 400, false],
  ['ten minutes in ten minutes without a poll', 600_000, 600_000, false],
  ['half a minute at once', 30_400, 400, false],
  ['a day at once', 86_400_000, 400, true],
])('whether %s is a jump of the clock', (_name, advance, passed, expected) => {
  expect(clockJumped({ headAt: NOW }, NOW + advance, passed)).toBe(expected)
})

it('the status keeps when the head advanced, whether the last poll failed, and when the clock jumped', () => {
  const { update, status: current } = createChainMonitor()
  const { advancedAt: _at, failed: _failed, ...reading } = status
  const poll = (at: number, changes: { headId?: string; headAt?: number } = {}) => {
    update({ ...reading, ...changes, headAt: new Date(changes.headAt ?? reading.headAt) }, new Date(at))
    return current()
  }
  update(null, new Date(NOW))
  expect(current()).toBeNull()
  expect(poll(NOW)).toEqual({ ...status, advancedAt: NOW })
  expect(poll(NOW + 400)).toEqual({ ...status, advancedAt: NOW })
  update(null, new Date(NOW + 800))
  expect(current()).toEqual({ ...status, advancedAt: NOW, failed: true })
  const next = { headId: 'next', headAt: NOW + 600 }
  expect(poll(NOW + 1_200, next)).toEqual({ ...status, ...next, advancedAt: NOW + 1_200 })
  const jumped = { headId: 'far', headAt: NOW + 86_400_000 }
  const after = { ...status, ...jumped, advancedAt: NOW + 1_600, clockJumpedAt: NOW + 1_600 }
  expect(poll(NOW + 1_600, jumped)).toEqual(after)
  expect(poll(NOW + 2_000, jumped)).toEqual(after)
})
