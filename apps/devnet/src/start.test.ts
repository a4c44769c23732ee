import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createNodeClient, devnetAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { clientOf, NOON, readToken, type TestDevnet, TO, testDevnet, testFolder } from './testing.ts'

const OTHER = devnetAddress('coldWallet')

describe('a chain in memory', () => {
  /** A history with a clock of its own; everything that came of it, as one list. */
  async function history(): Promise<unknown[]> {
    let clock = NOON
    const devnet = await testDevnet({ now: () => clock, nodes: 2 })
    const [first, second] = devnet.nodes
    const said: unknown[] = []
    for (let round = 1; round <= 3; round += 1) {
      clock += 3_000
      said.push(await devnet.wallet.pay('demoWallet', round % 2 === 0 ? TO : OTHER, BigInt(round)))
      said.push(await devnet.fault('failed_transfer', { to: TO, amount: '1' }))
      said.push(second?.fault({ kind: 'lie', about: 'phantom', to: TO, value: '7' }))
      await devnet.mine(2)
    }
    second?.fault({ kind: 'fork', depth: 2, transactions: 'moved' })
    for (const node of [first, second]) {
      if (node === undefined) continue
      const client = createNodeClient({ url: node.url, timeoutMs: 60_000, fetch: node.fetch })
      for (let number = 0; number <= 7; number += 1) {
        said.push(await client.block(number, 'head'), await client.blockReceipts(number, 'head'))
      }
    }
    await devnet.close()
    return said
  }

  it('is the same chain whenever the same is done at the same times', async () => {
    expect(await history()).toEqual(await history())
  })

  it('can be started many times in one process, each a chain of its own', async () => {
    const chains: TestDevnet[] = []
    for (let count = 0; count < 20; count += 1) {
      const devnet = await testDevnet()
      for (let block = 0; block < 20; block += 1) await devnet.mine()
      chains.push(devnet)
    }
    const heights = chains.map(({ chain }) => chain.head().number)
    expect(new Set(heights)).toEqual(new Set([heights[0]]))
    await chains[0]?.mine()
    expect(chains.map(({ chain }) => chain.head().number - (heights[0] ?? 0))).toEqual([
      1,
      ...Array(19).fill(0),
    ])
    await Promise.all(chains.map((devnet) => devnet.close()))
  })
})

describe('a chain that an older version began', () => {
  it('keeps everything and has the token’s code of today', async () => {
    const dataDir = testFolder()
    const first = await testDevnet({ dataDir })
    await first.wallet.pay('demoWallet', TO, 5_000_000n)
    await first.mine(4)
    const { number } = first.chain.head()
    await first.close()
    const db = new DatabaseSync(join(dataDir, 'devnet', 'chain.sqlite'))
    db.exec("update state set value = '00' where key like 'c:%'")
    db.close()

    const second = await testDevnet({ dataDir })
    const client = clientOf(second)
    expect(await readToken(client, 'getBlackListStatus(address)', TO, 'solid')).toBe(0n)
    expect(await second.wallet.usdtOf(TO)).toBe(5_000_000n)
    expect((await client.headBlock()).number).toBe(number)
    await second.wallet.pay('demoWallet', TO, 1n)
    await second.mine()
    expect(await second.wallet.usdtOf(TO)).toBe(5_000_001n)
    await second.close()
  })
})
