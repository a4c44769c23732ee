import { describe, expect, it } from 'vitest'
import { inRounds, type Round } from './search-rounds.ts'

const round = (most: number, times: number): Round => ({ most, times, others: 'looked at' })

/** An index that holds these in its order: what the rounds find in it, and how many rounds there were. */
async function lookedUp(rounds: readonly Round[], index: readonly bigint[], limit: number) {
  let count = 0
  const select = async ({ most }: Round, wanted: number) => {
    count += 1
    return index.slice(0, most).slice(0, wanted)
  }
  const { ids, more } = await inRounds(rounds, limit, select, async (most) => index.length > most)
  return { ids: ids.map(Number), more, rounds: count }
}

describe('a search in rounds', () => {
  const FEW_THEN_MANY = [round(4, 1), round(20, 3)]

  it('ends with the first that finds enough', async () => {
    expect(await lookedUp(FEW_THEN_MANY, [1n, 2n, 3n, 4n, 5n], 2)).toEqual({
      ids: [1, 2, 3],
      more: true,
      rounds: 1,
    })
  })

  it('goes on where members were found twice, and tells of each once', async () => {
    expect(await lookedUp(FEW_THEN_MANY, [1n, 1n, 1n, 2n, 2n, 3n], 2)).toEqual({
      ids: [1, 2, 3],
      more: true,
      rounds: 2,
    })
    expect(await lookedUp([round(9, 1), round(9, 3)], [1n, 1n, 1n, 2n], 2)).toEqual({
      ids: [1, 2],
      more: false,
      rounds: 2,
    })
  })

  it('says that there is nobody else where the index has no more, and looks no further', async () => {
    expect(await lookedUp(FEW_THEN_MANY, [1n, 2n], 2)).toEqual({ ids: [1, 2], more: false, rounds: 1 })
    expect(await lookedUp(FEW_THEN_MANY, [], 2)).toEqual({ ids: [], more: false, rounds: 1 })
  })

  it('says that there may be others where the index goes on behind the last round, without a round in vain', async () => {
    const long = Array.from({ length: 30 }, () => 7n)
    expect(await lookedUp([round(3, 2), round(3, 5)], long, 2)).toEqual({ ids: [7], more: true, rounds: 1 })
  })
})
