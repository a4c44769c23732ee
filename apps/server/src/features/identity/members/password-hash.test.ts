import { expect, it, vi } from 'vitest'
import { isCrowded, isPassword, type Turn } from './password-hash.ts'

/** What is hashed, in the order in which it is begun; hashing itself takes threads, which end in any order. */
const begun: string[] = []
vi.mock('@node-rs/argon2', () => ({
  verify: (_stored: string, password: string) => {
    begun.push(password)
    return Promise.resolve(false)
  },
}))

const compare = (turn: Turn) => isPassword(null, turn, turn)

it('passwords of members are compared before those with a proof of work, and those before strangers’', async () => {
  const turns = ['stranger', 'stranger', 'stranger', 'stranger', 'stranger', 'proven', 'first'] as const
  await Promise.all(turns.map(compare))
  // Two at a time: two were begun before anybody else came.
  const strangers = ['stranger', 'stranger']
  expect(begun).toEqual([...strangers, 'first', 'proven', ...strangers, 'stranger'])
})

it('25 strangers wait, and 200 others; more are refused at once', async () => {
  const waiting = Array.from({ length: 40 }, () => compare('stranger').catch((error: Error) => error.message))
  expect(isCrowded('stranger')).toBe(true)
  expect(isCrowded('first')).toBe(false)
  const answers = await Promise.all(waiting)
  expect(answers.filter((answer) => answer === 'unavailable')).toHaveLength(40 - 25 - 2)
  expect(isCrowded('stranger')).toBe(false)
})
