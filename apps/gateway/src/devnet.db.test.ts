import { startDevnet } from '@aval/devnet'
import { createNodeClient, DEVNET } from '@aval/tron'
import { afterAll, describe, expect, it } from 'vitest'
import { nodesOf } from './chain/nodes.ts'
import { addressOf, createIngestHarness } from './testing/ingest-harness.ts'
import { suiteHarness } from './testing/suite.ts'

/** The same gateway against the development node: real transactions, a real token, real failures. */
const harness = await suiteHarness(createIngestHarness)
const devnet = await startDevnet({ memory: true, solidLag: 3 })
const node = createNodeClient({ url: devnet.url, timeoutMs: 60_000 })
afterAll(() => devnet.close())

const fault = async (kind: string, fields: Record<string, unknown>) =>
  String((await devnet.fault(kind, fields))['txid'])

async function outcomesOf(txid: string) {
  await devnet.mine(4)
  await harness.follower().poll(nodesOf([node]))
  const rows = (await harness.recorded()).filter((row) => row.txid === txid)
  return rows.map((row) => [row.verdict, row.position, row.value, row.member])
}

describe('on the development chain', () => {
  it('a transfer is recorded with its job, the time of its block and its parties', async () => {
    const txid = await devnet.wallet.pay('demoWallet', addressOf(1), 1_005_000_000n)
    expect(await outcomesOf(txid)).toEqual([['credit', 0, '1005000000', '1']])
    expect(await harness.jobs()).toEqual([`credit:${txid}:0`])
    const [row] = await harness.rows(
      'SELECT block, block_at, contract, to_address AS to FROM incoming_transfer',
    )
    const block = devnet.chain.ledger.block(Number(row?.['block']))
    expect(row).toMatchObject({
      contract: DEVNET.usdt,
      to: addressOf(1),
      block_at: new Date(block?.timestamp ?? 0),
    })
  })

  const faulty =
    (kind: string, member: number, more = {}) =>
    () =>
      fault(kind, { to: addressOf(member), amount: '5', ...more })
  const outOfEnergy = { reason: 'out_of_energy' }
  const trx = { type: 'TransferContract', to: addressOf(6), amount: 7n } as const

  it.each<[string, () => Promise<string>, unknown[]]>([
    ['a token of the same name', faulty('wrong_token', 2), ['wrong_token', 0, '5000000', '2']],
    [
      'a transfer of nothing',
      () => fault('zero_transfer', { to: addressOf(3) }),
      ['zero_value', 0, '0', '3'],
    ],
    ['a reverted transfer', faulty('failed_transfer', 4), ['failed', -1, '5000000', '4']],
    [
      'a transfer that ran out of energy',
      faulty('failed_transfer', 5, outOfEnergy),
      ['failed', -1, '5000000', '5'],
    ],
    ['TRX', () => devnet.wallet.send('faucet', trx), ['wrong_asset', -1, '7', '6']],
  ])('%s is listed and not credited', async (_name, send, expected) => {
    const jobs = await harness.jobs()
    expect(await outcomesOf(await send())).toEqual([expected])
    expect(await harness.jobs()).toEqual(jobs)
  })

  it('a transfer from which the token takes a fee is credited with what arrived', async () => {
    await fault('fee', { basis_points: 10, maximum_fee: '50' })
    await devnet.mine(1)
    const txid = await devnet.wallet.pay('demoWallet', addressOf(7), 1_000_000_000n)
    expect(await outcomesOf(txid)).toEqual([['credit', expect.any(Number), '999000000', '7']])
  })
})
