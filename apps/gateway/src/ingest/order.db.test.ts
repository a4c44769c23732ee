import { createNodeClient, type NodeClient } from '@aval/tron'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodesOf } from '../chain/nodes.ts'
import { addressOf, createIngestHarness } from '../testing/ingest-harness.ts'
import { ScriptedChain } from '../testing/scripted-chain.ts'
import { type ScriptedNode, startScriptedNode } from '../testing/scripted-node.ts'
import {
  assetTransfer,
  call,
  failedTransfer,
  tokenTransfer,
  transferLog,
} from '../testing/scripted-transactions.ts'
import { suiteHarness } from '../testing/suite.ts'

const harness = await suiteHarness(createIngestHarness)
let chain: ScriptedChain
let scripted: ScriptedNode
let node: NodeClient

beforeEach(async () => {
  await harness.reset()
  chain = new ScriptedChain()
  scripted = await startScriptedNode(chain)
  node = createNodeClient({ url: scripted.url, timeoutMs: 60_000 })
})
afterEach(() => scripted.close())

/** Transaction ids that decrease while the chain grows. */
const falling = (index: number) => (0xffff - index).toString(16).repeat(16)

/** Members are credited in the order in which their transfers are numbered. */
describe('transfers are numbered in the chain’s own order', () => {
  it('within a block by the place of the transaction, not by its id', async () => {
    const [earlier, later] = [falling(0), falling(1)]
    expect(later < earlier).toBe(true)
    chain.mine(
      tokenTransfer(addressOf(1), 5n, { txid: earlier }),
      tokenTransfer(addressOf(1), 6n, { txid: later }),
    )
    await harness.follower().poll(nodesOf([node]))
    expect(await harness.inOrder()).toEqual([`${earlier} 0`, `${later} 0`])
    expect((await harness.recorded()).map((row) => row.txid)).toEqual([later, earlier])
  })

  it('within a transaction by the place of the log, and whatever kind of movement each is', async () => {
    const failed = failedTransfer(addressOf(1), 5n, { txid: falling(0) })
    const several = call({
      txid: falling(1),
      logs: [transferLog(addressOf(2), 1n), transferLog(addressOf(1), 2n), transferLog(addressOf(2), 3n)],
    })
    const coins = { ...assetTransfer(addressOf(1), 4n), txid: falling(2) }
    const last = tokenTransfer(addressOf(2), 5n, { txid: falling(3) })
    chain.mine(failed, several, coins, last)
    await harness.follower().poll(nodesOf([node]))
    expect(await harness.inOrder()).toEqual([
      `${failed.txid} -1`,
      `${several.txid} 0`,
      `${several.txid} 1`,
      `${several.txid} 2`,
      `${coins.txid} -1`,
      `${last.txid} 0`,
    ])
  })

  it('over many blocks and batches, also when the node lists receipts in another order', async () => {
    const expected: string[] = []
    for (let block = 1; block <= 150; block += 1) {
      const paid = Array.from({ length: 1 + (block % 5) * 4 }, (_, place) =>
        tokenTransfer(addressOf(1 + (place % 3)), 5n, { txid: falling(expected.length + place) }),
      )
      chain.mine(...paid)
      expected.push(...paid.map((each) => `${each.txid} 0`))
    }
    scripted.distort = (path, body) => {
      if (!path.endsWith('gettransactioninfobyblocknum')) return undefined
      const receipts = chain.answer(path, body)
      return Array.isArray(receipts) ? receipts.toReversed() : undefined
    }
    // A poll that takes long leaves the rest to the next one.
    const follower = harness.follower()
    while ((await follower.poll(nodesOf([node]))).scanned < chain.head.number);
    expect(await harness.inOrder()).toEqual(expected)
  })
})
