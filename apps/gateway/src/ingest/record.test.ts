import { describe, expect, it } from 'vitest'
import { type BlockFacts, breakBetween } from '../chain/block.rules.ts'
import { someAddress, USDT } from '../testing/scripted-chain.ts'
import { type Batch, batchesOf } from './record.ts'

const idOf = (number: number) => `id ${number}`
const start = { number: 0, id: idOf(0) }

function block(number: number, movements = 0): BlockFacts {
  const movement = {
    nature: 'event' as const,
    txid: `tx ${number}`,
    position: 0,
    contract: USDT,
    from: someAddress(1),
    to: someAddress(2),
    value: 1n,
  }
  return {
    number,
    id: idOf(number),
    parentId: idOf(number - 1),
    at: new Date(0),
    movements: Array.from({ length: movements }, () => movement),
    outcomes: [],
  }
}

async function* chain(to: number, movements = 0, failAt = Number.POSITIVE_INFINITY) {
  for (let number = 1; number <= to; number += 1) {
    if (number === failAt) throw new Error('the node is gone')
    yield block(number, movements)
  }
}

async function taken(batches: AsyncIterable<Batch>) {
  const ends: [number, number][] = []
  try {
    for await (const batch of batches) ends.push([batch.from.number, batch.blocks.at(-1)?.number ?? 0])
    return { ends, error: null }
  } catch (error) {
    return { ends, error: error instanceof Error ? error.message : 'unknown' }
  }
}

describe('batches', () => {
  it('have at most a hundred blocks, and omit none', async () => {
    expect(await taken(batchesOf(start, chain(250)))).toEqual({
      ends: [
        [0, 100],
        [100, 200],
        [200, 250],
      ],
      error: null,
    })
  })

  it('have few blocks where much moves', async () => {
    const { ends } = await taken(batchesOf(start, chain(7, 2_500)))
    expect(ends).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 7],
    ])
  })

  it('contain what was read before a failure, so that a bad block does not delay earlier ones', async () => {
    const { ends, error } = await taken(batchesOf(start, chain(9, 1, 6)))
    expect(ends).toEqual([[0, 5]])
    expect(error).toBe('the node is gone')
  })

  it('end where the chain breaks, and never skip a block', async () => {
    const { ends, error } = await taken(batchesOf({ number: 0, id: 'another' }, chain(3)))
    expect(ends).toEqual([])
    expect(error).toContain('names id 0 as its parent, we had read another')
  })
})

it.each([
  ['the next one', block(1), null],
  ['a gap', block(2), /came where 1 belongs/],
  ['the same again', block(0), /came where 1 belongs/],
  ['another parent', { ...block(1), parentId: 'x' }, /names x as its parent/],
])('continuity: %s', (_name, next, expected) => {
  const broken = breakBetween(start, next)
  if (expected === null) expect(broken).toBeNull()
  else expect(broken).toMatch(expected)
})
