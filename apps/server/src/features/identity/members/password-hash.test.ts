import { expect, it } from 'vitest'
import { isCrowded, isPassword, type Turn } from './password-hash.ts'

const compare = (turn: Turn) => isPassword(null, 'a-password', turn)

it('passwords of members are compared before those with a proof of work, and those before strangers’', async () => {
  const done: string[] = []
  const begun = (
    ['stranger', 'stranger', 'stranger', 'stranger', 'stranger', 'stranger', 'proven', 'first'] as const
  ).map((turn) => compare(turn).then(() => done.push(turn)))
  await Promise.all(begun)
  // Two were begun before anybody else came; two at a time end in any order.
  expect(done.indexOf('first')).toBeLessThanOrEqual(3)
  expect(done.indexOf('proven')).toBeLessThanOrEqual(4)
})

it('25 strangers wait, and 200 others; more are refused at once', async () => {
  const waiting = Array.from({ length: 40 }, () => compare('stranger').catch((error: Error) => error.message))
  expect(isCrowded('stranger')).toBe(true)
  expect(isCrowded('first')).toBe(false)
  const answers = await Promise.all(waiting)
  expect(answers.filter((answer) => answer === 'unavailable')).toHaveLength(40 - 25 - 2)
  expect(isCrowded('stranger')).toBe(false)
})
