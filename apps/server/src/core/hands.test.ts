import { expect, it } from 'vitest'
import { createHands } from './hands.ts'

it('lends no more hands than there are, in the order asked, also after work that failed', async () => {
  const hands = createHands(2)
  const order: number[] = []
  let busy = 0
  let most = 0
  const work = (number: number) =>
    hands.lend(async () => {
      busy += 1
      most = Math.max(most, busy)
      order.push(number)
      await Promise.resolve()
      busy -= 1
      if (number === 1) throw new Error('failed')
    })
  const told = await Promise.allSettled([0, 1, 2, 3, 4].map(work))
  expect(told.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
})
