import { describe, expect, it } from 'vitest'
import { followReplay } from './replica.ts'

/** A replica that is as far as a test says, by a clock that only the pauses of a wait move. */
function follow(answers: (bigint | null | Error)[]) {
  const said = { asked: 0, now: 0 }
  const hasReplayed = followReplay(
    async () => {
      said.asked += 1
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Error) throw answer
      return answer ?? null
    },
    50,
    () => said.now,
    async () => {
      said.now += 1
    },
  )
  return Object.assign(said, { hasReplayed })
}

describe('a replica', () => {
  it('answers what it has replayed, without being asked again', async () => {
    const replica = follow([100n])
    expect(await replica.hasReplayed(100n)).toBe(true)
    expect(await replica.hasReplayed(70n)).toBe(true)
    expect(replica.asked).toBe(1)
  })

  it('is waited for, and asked once for all who wait', async () => {
    const replica = follow([99n, 99n, 101n])
    expect(await Promise.all([100n, 101n, 90n].map(replica.hasReplayed))).toEqual([true, true, true])
    expect(replica.asked).toBe(3)
  })

  it.each([
    ['is behind for 50 ms', 99n],
    ['became a primary', null],
    ['is away', new Error('gone')],
  ])('that %s is left alone for a second, whatever it had replayed', async (_, answer) => {
    const replica = follow([40n, answer])
    expect(await replica.hasReplayed(40n)).toBe(true)
    expect(await replica.hasReplayed(100n)).toBe(false)
    const { asked } = replica
    expect(await replica.hasReplayed(10n)).toBe(false)
    replica.now += 999
    expect(await replica.hasReplayed(10n)).toBe(false)
    expect(replica.asked).toBe(asked)
    replica.now += 1
    expect(await replica.hasReplayed(10n)).toBe(answer === 99n)
  })
})
