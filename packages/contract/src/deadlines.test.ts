import { describe, expect, it } from 'vitest'
import { inOneUnit, requestedBefore, withdrawalDue } from './deadlines.ts'

const NOW = new Date('2026-11-30T09:00:00Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

describe('a withdrawal', () => {
  it.each([
    [0, 'later', 72 * 3600],
    [60, 'later', 12 * 3600],
    [60.5, 'soon', 11.5 * 3600],
    [72, 'soon', 0],
    [95, 'late', -23 * 3600],
  ] as const)('asked for %d hours ago is %s', (hours, state, seconds) => {
    const due = withdrawalDue(hoursAgo(hours), NOW)
    expect(due).toMatchObject({ state, seconds })
    // What the database is asked for is what is said of a row.
    expect(hoursAgo(hours) < requestedBefore('late', NOW)).toBe(state === 'late')
    expect(hoursAgo(hours) < requestedBefore('soon', NOW)).toBe(state !== 'later')
  })
})

it.each([
  [59, 0, 'minute'],
  [40 * 60, 40, 'minute'],
  [-23 * 3600, 23, 'hour'],
  [95 * 3600, 95, 'hour'],
  [6.9 * 86_400, 6, 'day'],
])('%d seconds are %d %ss', (seconds, value, unit) => {
  expect(inOneUnit(seconds)).toEqual({ value, unit })
})
