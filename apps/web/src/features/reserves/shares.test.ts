import { expect, it } from 'vitest'
import { barWidths, isSome } from './shares.ts'

it.each([
  ['1000.00', '500.00', 100, 50],
  ['999.00', '1000.00', 99.9, 100],
  ['0.00', '1000.00', 0, 100],
  ['0.00', '0.00', 0, 0],
])('%s in custody beside %s owed are bars of %d and %d percent', (held, due, custody, owed) => {
  expect(barWidths(held, due)).toEqual({ custody, owed })
})

it('an amount of nothing is left out', () => {
  expect([isSome('0.00'), isSome('0.000001')]).toEqual([false, true])
})
