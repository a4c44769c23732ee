import { expect, it } from 'vitest'
import { waitOf } from './waits.ts'

it.each([
  [0, { unit: 'minute', figures: {} }],
  [59, { unit: 'minute', figures: {} }],
  [60, { unit: 'minutes', figures: { minutes: 1 } }],
  [3599, { unit: 'minutes', figures: { minutes: 59 } }],
  [3600, { unit: 'hours', figures: { hours: 1, minutes: 0 } }],
  [86_399, { unit: 'hours', figures: { hours: 23, minutes: 59 } }],
  [90_000, { unit: 'days', figures: { days: 1, hours: 1 } }],
])('a wait of %d seconds is told as %j', (seconds, wait) => {
  expect(waitOf(seconds)).toEqual(wait)
})
