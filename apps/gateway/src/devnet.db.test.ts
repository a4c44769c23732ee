import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@aval/devnet'
import { createNodeClient, DEVNET, type NodeClient } from '@aval/tron'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { nodesOf } from './chain/nodes.ts'
import { addressOf, createIngestHarness, type IngestHarness } from './testing/ingest-harness.ts'

/** The same gateway against the development node: real transactions, a real token, real failures. */
let harness: IngestHarness
let devnet: Devnet
let node: NodeClient
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aval-gateway-'))
  harness = await createIngestHarness(inject('ownerUrl'))
  devnet = await startDevnet({ dataDir, solidLag: 3 })
  node = createNodeClient({ url: devnet.url, timeoutMs: 60_000 })
})
afterAll(async () => {
  await devnet.close()
  await harness.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function fault(body: Record<string, unknown>): Promise<string> {
  const response = await fetch(`${devnet.url}/dev/fault`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return z.object({ txid: z.string() }).parse(await response.json()).txid
}

async function outcomesOf(txid: string) {
  await devnet.mine(4)
  await harness.follower().poll(nodesOf([node]))
  const rows = (await harness.recorded()).filter((row) => row.txid === txid)
  return rows.map((row) => [row.verdict, row.position, row.value, row.member])
}

describe('on the development chain', () => {
  it('a transfer is unconfirmed first, then recorded with its job when it is solid', async () => {
    const follower = harness.follower()
    const txid = await devnet.wallet.pay('demoWallet', addressOf(1), 1_005_000_000n)
    await devnet.mine(1)
    await follower.poll(nodesOf([node]))
    const { number } = devnet.chain.head()
    expect(await harness.unconfirmed()).toEqual([`${txid} 0 1 ${number} 1005000000`])
    await devnet.mine(2)
    await follower.poll(nodesOf([node]))
    expect(await harness.cursor()).toMatchObject({ head: number + 2 })
    expect(await harness.recorded()).toEqual([])
    await devnet.mine(1)
    await follower.poll(nodesOf([node]))
    expect(await harness.recorded()).toEqual([
      { txid, position: 0, verdict: 'credit', value: '1005000000', member: '1', block: number },
    ])
    expect(await harness.unconfirmed()).toEqual([])
    expect(await harness.jobs()).toEqual([`credit:${txid}:0`])
  })

  it('keeps the time of the block and the parties of the transfer', async () => {
    const { rows } = await harness.owner.query<{
      block: string
      block_at: Date
      contract: string
      to: string
    }>('SELECT block, block_at, contract, to_address AS to FROM incoming_transfer')
    const [row] = rows
    const block = devnet.chain.ledger.block(Number(row?.block))
    expect(row).toMatchObject({
      contract: DEVNET.usdt,
      to: addressOf(1),
      block_at: new Date(block?.timestamp ?? 0),
    })
  })

  it.each<[string, () => Promise<string>, unknown[]]>([
    [
      'a token of the same name',
      () => fault({ kind: 'wrong_token', to: addressOf(2), amount: '5' }),
      ['wrong_token', 0, '5000000', '2'],
    ],
    [
      'a transfer of nothing',
      () => fault({ kind: 'zero_transfer', to: addressOf(3) }),
      ['zero_value', 0, '0', '3'],
    ],
    [
      'a reverted transfer',
      () => fault({ kind: 'failed_transfer', to: addressOf(4), amount: '5' }),
      ['failed', -1, '5000000', '4'],
    ],
    [
      'a transfer that ran out of energy',
      () => fault({ kind: 'failed_transfer', to: addressOf(5), amount: '5', reason: 'out_of_energy' }),
      ['failed', -1, '5000000', '5'],
    ],
    [
      'TRX',
      () => devnet.wallet.send('faucet', { type: 'TransferContract', to: addressOf(6), amount: 7n }),
      ['wrong_asset', -1, '7', '6'],
    ],
  ])('%s is listed and not credited', async (_name, send, expected) => {
    const jobs = await harness.jobs()
    expect(await outcomesOf(await send())).toEqual([expected])
    expect(await harness.jobs()).toEqual(jobs)
  })

  it('a transfer from which the token takes a fee is credited with what arrived', async () => {
    await fault({ kind: 'fee', basis_points: 10, maximum_fee: '50' })
    await devnet.mine(1)
    const txid = await devnet.wallet.pay('demoWallet', addressOf(7), 1_000_000_000n)
    expect(await outcomesOf(txid)).toEqual([['credit', expect.any(Number), '999000000', '7']])
  })

  it('nothing is recorded twice while the chain stands still', async () => {
    const before = await harness.recorded()
    for (let polls = 0; polls < 3; polls += 1) await harness.follower().poll(nodesOf([node]))
    expect(await harness.recorded()).toEqual(before)
  })
})
