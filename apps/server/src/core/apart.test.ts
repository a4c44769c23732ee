import { describe, expect, it } from 'vitest'
import { eachApart, inPages } from './apart.ts'

const outage = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })

describe('work on many', () => {
  it('is done for the rest when one fails, and told at the end', async () => {
    const done: number[] = []
    const all = eachApart([1, 2, 3], async (item) => {
      if (item === 2) throw new Error('not two')
      done.push(item)
    })
    await expect(all).rejects.toThrow('not two')
    expect(done).toEqual([1, 3])
  })

  it('names the first few of many failures', async () => {
    const items = Array.from({ length: 9 }, (_, index) => index)
    const all = eachApart(items, async (item) => Promise.reject(new Error(`no ${item}`)))
    await expect(all).rejects.toThrow(/^9 failed: Error: no 0; .*no 4$/)
  })

  it('ends at once when the database cannot be asked', async () => {
    const done: number[] = []
    const all = eachApart([1, 2, 3], async (item) => {
      if (item === 2) throw outage()
      done.push(item)
    })
    await expect(all).rejects.toThrow('connect')
    expect(done).toEqual([1])
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
