import { createNodeClient, DEVNET, encodeUintWord } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { createLog } from '../core/log.ts'
import { guardNode } from './guard.ts'

const DAY_MS = 86_400_000
const OURS = `${'0'.repeat(16)}${'11'.repeat(24)}`
const THEIRS = `${'0'.repeat(16)}${'22'.repeat(24)}`

/** A guarded node on a clock that the test moves. `answer` overrules it where it returns something. */
function guarded(callsPerDay: number | null = null) {
  const world = {
    now: Date.UTC(2030, 0, 1),
    genesis: OURS,
    solid: 5,
    answer: (_path: string): Response | null => null,
  }
  const asked: string[] = []
  const header = (id: string, number: number) => ({
    blockID: id,
    block_header: { raw_data: { number, timestamp: 1, parentHash: OURS } },
  })
  const client = createNodeClient({
    url: 'http://node.example',
    timeoutMs: 1_000,
    fetch: async (url, { body }) => {
      const path = new URL(url).pathname.split('/').at(-1) ?? ''
      const isFirst = String(body).includes('id_or_num')
      asked.push(isFirst ? 'genesis' : path)
      const id = (number: number) => number.toString(16).padStart(16, '0') + '33'.repeat(24)
      const answers: Record<string, unknown> = {
        getblock: isFirst ? header(world.genesis, 0) : header(id(world.solid), world.solid),
        getcontract: { contract_address: JSON.parse(String(body)).value },
        triggerconstantcontract: { result: { result: true }, constant_result: [encodeUintWord(6n)] },
      }
      return world.answer(path) ?? new Response(JSON.stringify(answers[path]))
    },
  })
  const network = { name: 'devnet', token: DEVNET.usdt, genesis: async () => OURS, pin: async () => OURS }
  const log = createLog(() => undefined)
  return {
    world,
    asked,
    ...guardNode(client, { network, name: 'node', callsPerDay, log, now: () => world.now }),
  }
}
const codeOf = (question: Promise<unknown>) =>
  question.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  )

describe('a guarded node', () => {
  it('shows its network before the first answer, every ten minutes, after silence, and where its chain falls back or leaps', async () => {
    const { world, asked, node } = guarded()
    const checks = () => asked.filter((each) => each === 'genesis').length
    const [first] = await Promise.all([node.solidBlock(), node.headBlock()])
    expect([first.number, checks(), asked[0]]).toEqual([5, 1, 'genesis'])
    world.now += 9 * 60_000
    await node.solidBlock()
    expect(checks()).toBe(1)
    world.now += 2 * 60_000
    await node.solidBlock()
    expect(checks()).toBe(2)
    world.answer = () => {
      throw new TypeError('away')
    }
    expect(await codeOf(node.headBlock())).toBe('unreachable')
    world.answer = () => null
    await node.headBlock()
    expect(checks()).toBe(3)
    for (const [place, solid] of [4, 105].entries()) {
      world.solid = solid
      await node.solidBlock()
      expect(checks()).toBe(4 + place)
    }
    world.solid = 3
    world.genesis = THEIRS
    expect(await codeOf(node.solidBlock())).toBe('other_network')
  })

  it('of another network is asked again a minute later, and used once it is ours', async () => {
    const { world, asked, node, standing, restMs } = guarded()
    world.genesis = THEIRS
    expect(await codeOf(node.headBlock())).toBe('other_network')
    expect(await codeOf(node.broadcast('0a00'))).toBe('other_network')
    expect([asked.length, restMs()]).toEqual([1, 60_000])
    world.genesis = OURS
    world.now += 60_000
    expect(await codeOf(node.headBlock())).toBe('answered')
    expect(standing()).toMatchObject({ state: 'ok', detail: '' })
  })

  it('that limits us is left alone for as long as it says, else longer and longer', async () => {
    const { world, node, restMs } = guarded()
    await node.headBlock()
    const limitedBy = (headers: Record<string, string>) => {
      world.answer = () => new Response('', { status: 429, headers })
    }
    limitedBy({ 'retry-after': '7' })
    expect([await codeOf(node.headBlock()), restMs()]).toEqual(['rate_limited', 7_000])
    limitedBy({})
    const rests: number[] = []
    for (let times = 0; times < 10; times += 1) {
      world.now += restMs()
      await codeOf(node.headBlock())
      rests.push(restMs())
    }
    expect(rests).toEqual([4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map((seconds) => seconds * 1_000))
    world.answer = () => null
    world.now += 300_000
    expect([await codeOf(node.headBlock()), restMs()]).toEqual(['answered', 0])
  })

  it('has calls for a whole day: reading waits where it is ahead, sending may take the last tenth, and midnight gives new ones', async () => {
    const { world, node, paceMs, resume, standing } = guarded(1_000)
    await node.headBlock()
    resume('2030-01-01', 446)
    expect(standing().calls).toBe(450)
    // 450 of the 900 that reading may use: good until noon.
    expect(paceMs()).toBe(DAY_MS / 2)
    world.now += DAY_MS / 2
    expect(paceMs()).toBe(0)
    resume('2030-01-01', 547)
    await node.solidBlock().catch(() => undefined)
    expect(await codeOf(node.headBlock())).toBe('over_budget')
    world.now += DAY_MS / 2
    expect(await codeOf(node.headBlock())).toBe('answered')
    expect(standing().calls).toBeLessThan(10)
  })
})
