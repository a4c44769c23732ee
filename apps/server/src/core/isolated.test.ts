import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { allIsolated, eachIsolated, inPages, lotsIsolated } from './isolated.ts'

const outage = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
const timedOut = () => Object.assign(new pg.DatabaseError('too slow', 0, 'error'), { code: '57014' })

describe('work on many', () => {
  it('is done for the rest when one fails, and reported at the end', async () => {
    const done: number[] = []
    const all = eachIsolated([1, 2, 3], async (item) => {
      if (item === 2) throw new Error('not two')
      done.push(item)
    })
    await expect(all).rejects.toThrow('not two')
    expect(done).toEqual([1, 3])
  })

  it('names the first few of many failures', async () => {
    const items = Array.from({ length: 9 }, (_, index) => index)
    const all = eachIsolated(items, async (item) => Promise.reject(new Error(`no ${item}`)))
    await expect(all).rejects.toThrow(/^9 failed: Error: no 0; .*no 4$/)
  })

  it('ends at once when the database cannot be asked', async () => {
    const done: number[] = []
    const all = eachIsolated([1, 2, 3], async (item) => {
      if (item === 2) throw outage()
      done.push(item)
    })
    await expect(all).rejects.toThrow('connect')
    expect(done).toEqual([1])
  })

  it('goes on after work that is many things itself, some of which took too long', async () => {
    const done: number[] = []
    const all = eachIsolated([1, 2], async (item) => {
      done.push(item)
      await eachIsolated([timedOut(), new Error('other')], async (error) => Promise.reject(error))
    })
    await expect(all).rejects.toThrow(/^2 failed/)
    expect(done).toEqual([1, 2])
  })

  describe('in lots', () => {
    const inLots = (fails: (lot: readonly number[]) => unknown, left: readonly number[] = []) => {
      const done: (number | readonly number[])[] = []
      const work = lotsIsolated(
        [1, 2, 3, 4, 5],
        2,
        async (lot) => {
          const error = fails(lot)
          if (error !== undefined) throw error
          done.push(lot)
          return lot.filter((item) => left.includes(item))
        },
        async (item) => {
          if (fails([item]) !== undefined) throw new Error(`not ${item}`)
          done.push(item)
        },
      )
      return { done, work }
    }

    it('is done together, and alone for those that a lot left', async () => {
      const { done, work } = inLots(() => undefined, [4])
      await work
      expect(done).toEqual([[1, 2], [3, 4], [5], 4])
    })

    it('is done alone where a lot fails, and only what fails alone is reported', async () => {
      const { done, work } = inLots((lot) => (lot.includes(2) ? new Error('not two') : undefined))
      await expect(work).rejects.toThrow(/^not 2$/)
      expect(done).toEqual([[3, 4], [5], 1])
    })

    it('ends at once when the database cannot be asked', async () => {
      const { done, work } = inLots((lot) => (lot.includes(3) ? outage() : undefined))
      await expect(work).rejects.toThrow('connect')
      expect(done).toEqual([[1, 2]])
    })
  })

  it('reads page by page, each row once', async () => {
    const rows = Array.from({ length: 1001 }, (_, index) => BigInt(index + 1))
    const asked: bigint[] = []
    const read = async (after: bigint, limit: number) => {
      asked.push(after)
      return rows.filter((row) => row > after).slice(0, limit)
    }
    const got: bigint[] = []
    for await (const row of inPages(read, (row) => row)) got.push(row)
    expect(got).toEqual(rows)
    expect(asked).toEqual([0n, 500n, 1000n])
  })
})

describe('work on many at once', () => {
  it('begins for all, ends for the rest when one fails, and is reported at the end', async () => {
    const told: string[] = []
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const all = allIsolated([1, 2, 3], async (item) => {
      told.push(`${item} begins`)
      if (item === 1) throw new Error('not one')
      if (item === 2) await begun
      else resolve()
      told.push(`${item} ends`)
    })
    await expect(all).rejects.toThrow('not one')
    expect(told).toEqual(['1 begins', '2 begins', '3 begins', '3 ends', '2 ends'])
  })

  it('reports only that the database could not be asked, whatever else failed', async () => {
    const cause = outage()
    const all = allIsolated([new Error('other'), cause], async (error) => Promise.reject(error))
    await expect(all).rejects.toBe(cause)
  })

  it('names all that failed otherwise', async () => {
    const all = allIsolated([timedOut(), new Error('other')], async (error) => Promise.reject(error))
    await expect(all).rejects.toThrow('2 failed: error: too slow; Error: other')
  })
})
