import { expect, it } from 'vitest'
import { forecastOf } from './forecast.ts'

const pool = { amount: '100.00', awaiting: '0.00', rate: '30.00' }

it('says how long a pool would last with more, and what is left of the capital', () => {
  expect(forecastOf(pool, '1000.00', '50')).toEqual({
    sum: '150.00',
    days: 5,
    left: '950.00',
    isTooMuch: false,
  })
})
it('counts the days that are left once held runs are paid', () => {
  expect(forecastOf({ ...pool, awaiting: '90.00' }, '1000.00', '50')).toMatchObject({
    sum: '150.00',
    days: 2,
  })
  expect(forecastOf({ ...pool, awaiting: '500.00' }, '1000.00', '50')).toMatchObject({ days: 0 })
})
it('says that the capital does not cover it before anything is asked for', () => {
  expect(forecastOf(pool, '50.00', '50.000001')).toMatchObject({ isTooMuch: true })
  expect(forecastOf(pool, '50.00', '50')).toMatchObject({ isTooMuch: false, left: '0.00' })
})
it('knows no days of a pool that never paid, and nothing of no amount', () => {
  expect(forecastOf({ ...pool, amount: '0.00', rate: '0.00' }, '10.00', '5')?.days).toBeNull()
  expect(forecastOf(pool, '10.00', '')).toBeNull()
  expect(forecastOf(pool, '10.00', 'abc')).toBeNull()
})
