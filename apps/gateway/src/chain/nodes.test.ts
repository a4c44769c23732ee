import { createNodeClient, type NodeClient, NodeError } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { askAll, nodesOf } from './nodes.ts'

const nodes = Array.from({ length: 5 }, (_, index) =>
  createNodeClient({ url: `http://node-${index + 1}.example`, timeoutMs: 1 }),
)
const some = (count: number) => nodes.slice(0, count)
const refusal = new NodeError('refused', '/wallet', 'no')
const failing = (...bad: number[]) => {
  const away = bad.map((number) => nodes[number - 1])
  return async (node: NodeClient) => {
    if (away.includes(node)) throw refusal
    return node.url
  }
}

describe('how many nodes must agree', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ])('of %i: %i', (count, quorum) => {
    expect(nodesOf(some(count)).quorum).toBe(quorum)
  })

  it('no node at all is refused', () => {
    expect(() => nodesOf([])).toThrow(RangeError)
  })
})

describe('asking them all', () => {
  it('gives what enough of them answer', async () => {
    const answers = await askAll(some(3), 2, failing(2))
    expect(answers.map(({ node }) => node)).toEqual([nodes[0], nodes[2]])
  })

  it('fails when too few answer, and names those that did not', async () => {
    await expect(askAll(some(3), 2, failing(1, 2))).rejects.toThrow(
      /^1 of 2 nodes that are needed answered; node-1.example: .*; node-2.example: /,
    )
    await expect(askAll(some(1), 1, failing(1))).rejects.toBe(refusal)
  })

  it('passes on errors that no node caused', async () => {
    const broken = async () => {
      throw new TypeError('ours')
    }
    await expect(askAll(some(3), 2, broken)).rejects.toThrow(TypeError)
  })
})

describe('a node that keeps failing', () => {
  it('is skipped for longer and longer, but never where it is needed', async () => {
    const three = nodesOf(some(3))
    let asked = 0
    for (let round = 0; round < 200; round += 1) {
      const clients = three.nextRound()
      if (clients.includes(some(2)[1] as NodeClient)) asked += 1
      await askAll(clients, three.quorum, failing(2), three.report)
    }
    expect(asked).toBeGreaterThan(4)
    expect(asked).toBeLessThan(12)
    const two = nodesOf(some(2))
    for (let round = 0; round < 20; round += 1) {
      expect(two.nextRound()).toHaveLength(2)
      await askAll(two.nextRound(), two.quorum, failing(2), two.report).catch(() => undefined)
    }
  })

  it('is asked every time again once it has answered', async () => {
    const three = nodesOf(some(3))
    for (let round = 0; round < 3; round += 1) {
      await askAll(three.nextRound(), three.quorum, failing(2), three.report)
    }
    while (three.nextRound().length < 3)
      await askAll(three.available(), three.quorum, failing(), three.report)
    await askAll(three.available(), three.quorum, failing(), three.report)
    for (let round = 0; round < 5; round += 1) expect(three.nextRound()).toHaveLength(3)
  })
})
