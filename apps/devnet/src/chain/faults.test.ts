import {
  DEVNET,
  decodeTransfer,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeUintWord,
  signTransaction,
  type TronAddress,
} from '@aval/tron'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { clientOf, NOON, readToken, suiteDevnet, TO, testDevnet, testFolder, usdtAt } from '../testing.ts'

const HOT = devnetAddress('hotWallet')
const COLD = devnetAddress('coldWallet')
const USUAL_FEE_LIMIT = 100_000_000
/** The parameters of a transfer of 1 USDT. */
const TRANSFER_WORDS = encodeAddressWord(TO) + encodeUintWord(1_000_000n)

let clock = NOON
const devnet = await suiteDevnet({ now: () => clock })
const client = clientOf(devnet)
await devnet.wallet.pay('demoWallet', HOT, 1_000_000_000n)
await devnet.mine(5)

const fault = (kind: string, fields: object = {}) => devnet.post('/dev/fault', { kind, ...fields })
const status = async () => (await (await fetch(`${devnet.url}/dev/status`)).json()) as Record<string, unknown>
const read = (selector: string, address?: TronAddress) => readToken(client, selector, address)
const account = (address: TronAddress) => devnet.post('/wallet/getaccount', { address, visible: true })
/** The receipt of a transaction, in the next block. */
const mined = async (txid: unknown) => {
  await devnet.mine()
  return client.receipt(String(txid), 'head')
}

/** Pays 1 USDT with the fee limit that is usual: what an unsuspecting client does. */
async function payFrom(role: 'hotWallet' | 'coldWallet' | 'demoWallet', limit = USUAL_FEE_LIMIT) {
  clock += 1
  const built = await devnet.post('/wallet/triggersmartcontract', {
    owner_address: devnetAddress(role),
    contract_address: DEVNET.usdt,
    function_selector: 'transfer(address,uint256)',
    parameter: TRANSFER_WORDS,
    fee_limit: limit,
    visible: true,
  })
  const { raw_data_hex } = built['transaction'] as { raw_data_hex: string }
  const signed = signTransaction(Buffer.from(raw_data_hex, 'hex'), devnetKey(role))
  return { ...signed, reply: await client.broadcast(signed.hex) }
}

describe('dear energy', () => {
  it('by a factor lets a transfer with the usual fee limit run out of energy in its block, until it is over', async () => {
    const usual = await mined((await payFrom('hotWallet')).txid)
    expect(usual).toMatchObject({ success: true, fee: BigInt(usual?.energyUsed ?? 0) * 100n })

    const sent = await payFrom('hotWallet')
    await fault('energy', { factor: 100 })
    expect(await mined(sent.txid)).toMatchObject({
      success: false,
      result: 'OUT_OF_ENERGY',
      energyUsed: 1_000_000,
      logs: [],
    })
    expect(await status()).toMatchObject({ faults: { energy: { price: 100, factor: 100 } } })
    const estimate = await client.constantCall(DEVNET.usdt, 'transfer(address,uint256)', TRANSFER_WORDS, {
      from: HOT,
    })
    const enough = await payFrom('hotWallet', estimate.energyUsed * 100)
    expect(await mined(enough.txid)).toMatchObject({ success: true, energyUsed: estimate.energyUsed })
    await fault('energy', { factor: 1 })
    expect((await status())['faults']).toEqual({})
  })

  it('by its price does the same, and is reported as java-tron does', async () => {
    await fault('energy', { price: 4_200 })
    const sent = await payFrom('hotWallet', 50_000_000)
    expect(await mined(sent.txid)).toMatchObject({ result: 'OUT_OF_ENERGY' })
    const tronWeb = new TronWeb({ fullHost: devnet.url })
    const parameters = await tronWeb.trx.getChainParameters()
    expect(parameters.find(({ key }) => key === 'getEnergyFee')?.value).toBe(4_200)
    expect(await tronWeb.trx.getEnergyPrices()).toMatch(/^0:100,\d+:4200$/)
    await fault('energy', { price: 100 })
    expect(await tronWeb.trx.getEnergyPrices()).toBe('0:100')
  })

  it('does not keep the development wallets from paying', async () => {
    await fault('energy', { factor: 1_000, price: 420 })
    const txid = await devnet.wallet.pay('demoWallet', TO, 1n)
    expect(await mined(txid)).toMatchObject({ success: true })
    await fault('energy', { factor: 1, price: 100 })
  })
})

describe('blocks', () => {
  it('made empty leave transactions waiting, until they expire', async () => {
    await fault('empty_blocks', { on: true })
    const lasting = await devnet.wallet.pay('demoWallet', TO, 1n)
    const expiring = await payFrom('hotWallet')
    await devnet.mine(2)
    expect(await client.receipt(expiring.txid, 'head')).toBeNull()
    expect(await status()).toMatchObject({ pending: 2, faults: { empty_blocks: true } })
    clock += 61_000
    await devnet.mine()
    expect(await status()).toMatchObject({ pending: 1 })
    expect(await client.broadcast(expiring.hex)).toMatchObject({ code: 'TRANSACTION_EXPIRATION_ERROR' })
    await fault('empty_blocks', { on: false })
    expect(await mined(lasting)).toMatchObject({ success: true })
  })

  it('are not made at all while the chain stalls', async () => {
    const head = await client.headBlock()
    await fault('stall', { on: true })
    const { txid } = await payFrom('hotWallet')
    expect(await devnet.post('/dev/mine', { blocks: 5 })).toMatchObject({
      head: head.number,
      pending: 1,
      faults: { stall: true },
    })
    await fault('stall', { on: false })
    expect(await mined(txid)).toMatchObject({ blockNumber: head.number + 1 })
  })

  it('do not become solid while the solid block stands still, and all at once after it', async () => {
    await devnet.mine(3)
    const solid = await client.solidBlock()
    await fault('solid_stall', { on: true })
    const before = await usdtAt(client, TO, 'head')
    const { txid } = await payFrom('hotWallet')
    // More than the state is kept for otherwise: the solid block's must stay readable.
    await devnet.mine(4_000)
    expect(await client.solidBlock()).toEqual(solid)
    expect(await client.receipt(txid, 'solid')).toBeNull()
    expect(await usdtAt(client, TO, 'solid')).toBe(before)
    await fault('solid_stall', { on: false })
    expect(await client.receipt(txid, 'solid')).toMatchObject({ success: true })
  })
})

describe('dropping what waits', () => {
  it('drops it; it can be sent again, and a payment with the same key too', async () => {
    const { hex, txid } = await payFrom('hotWallet')
    const pay = () => devnet.post('/dev/pay', { to: TO, amount: '1', key: 'dropped' })
    const first = await pay()
    expect(await fault('drop_pending')).toEqual({ dropped: 2 })
    expect(await mined(txid)).toBeNull()
    expect(await client.broadcast(hex)).toMatchObject({ accepted: true })
    const second = await pay()
    expect(second['txid']).not.toBe(first['txid'])
    expect(await mined(txid)).toMatchObject({ success: true })
    expect(await client.receipt(String(second['txid']), 'head')).toMatchObject({ success: true })
  })
})

describe('the token’s blacklist', () => {
  it('is asked as the original’s: both ways, beside pause and fees', async () => {
    const both = async () => [
      await read('isBlackListed(address)', COLD),
      await read('getBlackListStatus(address)', COLD),
    ]
    expect(await both()).toEqual([0n, 0n])
    await fault('blacklist', { address: COLD, listed: true })
    await devnet.mine()
    expect(await both()).toEqual([1n, 1n])
    const terms = ['paused()', 'basisPointsRate()', 'maximumFee()'].map((selector) => read(selector))
    expect(await Promise.all(terms)).toEqual([0n, 0n, 0n])
    const tronWeb = new TronWeb({ fullHost: devnet.url })
    tronWeb.setAddress(TO)
    const contract = await tronWeb.contract().at(DEVNET.usdt)
    expect(await contract['getBlackListStatus'](COLD).call()).toBe(true)
  })

  it('lets an address receive, and its funds be destroyed without a Transfer event', async () => {
    await devnet.wallet.pay('demoWallet', COLD, 5_000_000n)
    await devnet.mine()
    expect(await usdtAt(client, COLD, 'head')).toBe(5_000_000n)
    const supply = await read('totalSupply()')
    const { txid } = await fault('destroy_black_funds', { address: COLD })
    await devnet.mine()
    const receipt = await devnet.post('/wallet/gettransactioninfobyid', { value: txid })
    const topic = TronWeb.sha3('DestroyedBlackFunds(address,uint256)', false)
    const data = encodeUintWord(5_000_000n)
    expect(receipt).toMatchObject({ log: [{ topics: [topic, encodeAddressWord(COLD)], data }] })
    expect((await client.receipt(String(txid), 'head'))?.logs).toHaveLength(1)
    expect(await usdtAt(client, COLD, 'head')).toBe(0n)
    expect(await read('totalSupply()')).toBe(supply - 5_000_000n)
    const again = await fault('destroy_black_funds', { address: TO })
    expect(await mined(again['txid'])).toMatchObject({ result: 'REVERT' })
  })
})

describe('several transfers of one transaction', () => {
  it('to one receiver are a Transfer event each, and add up', async () => {
    const before = await usdtAt(client, TO, 'head')
    for (const amounts of [
      ['300', '403.5'],
      ['1', '0.000001', '2'],
    ]) {
      const { txid } = await fault('several_transfers', { to: TO, amounts })
      const receipt = await mined(txid)
      const transfers = receipt?.logs.map((log) => decodeTransfer(log))
      expect(transfers?.map((transfer) => [transfer?.contract, transfer?.from, transfer?.to])).toEqual(
        amounts.map(() => [DEVNET.usdt, devnetAddress('demoWallet'), TO]),
      )
      expect(transfers?.map((transfer) => transfer?.value)).toEqual(
        amounts.map((amount) => BigInt(Number(amount) * 1e6)),
      )
    }
    expect((await usdtAt(client, TO, 'head')) - before).toBe(706_500_001n)
  })
})

describe('fees are paid in TRX', () => {
  it('with next to none a transfer is in a block, out of energy, and cost all there was', async () => {
    await fault('blacklist', { address: COLD, listed: false })
    await devnet.wallet.pay('demoWallet', COLD, 5_000_000n)
    await devnet.post('/dev/faucet', { address: COLD, trx: '0.5' })
    await devnet.mine()
    const { txid } = await payFrom('coldWallet')
    expect(await mined(txid)).toMatchObject({ result: 'OUT_OF_ENERGY', fee: 500_000n })
    expect(await account(COLD)).not.toHaveProperty('balance')
  })
})

describe('a fault of the chain', () => {
  it('outlives a restart; those of nodes do not', async () => {
    const dataDir = testFolder()
    const first = await testDevnet({ dataDir })
    await first.mine(5)
    await first.fault('solid_stall', { on: true })
    await first.fault('energy', { factor: 2 })
    first.nodes[0].fault({ kind: 'lag', blocks: 1 })
    await first.mine(5)
    await first.close()
    const second = await testDevnet({ dataDir })
    const again = clientOf(second)
    expect((await again.headBlock()).number).toBe(11)
    expect((await again.solidBlock()).number).toBe(3)
    expect(second.chain.energy.hundredths).toBe(200n)
    await second.close()
  })

  it('is refused with a sentence when there is none such, or it lacks something', async () => {
    expect(await fault('toString')).toEqual({ error: expect.stringContaining('there are: wrong_token, ') })
    expect(await fault('energy')).toEqual({ error: expect.stringMatching(/factor or price is needed/) })
    expect(await fault('energy', { factor: 0.5 })).toEqual({ error: expect.stringMatching(/\w+ \w+/) })
  })
})
