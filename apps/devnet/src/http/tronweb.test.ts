import { DEVNET, devnetAddress, devnetKey } from '@aval/tron'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { USDT_ABI, USDT_BYTECODE } from '../contract/usdt.generated.ts'
import { suiteDevnet, TO } from '../testing.ts'

const USDT = 1_000_000

const devnet = await suiteDevnet()
const tronWeb = new TronWeb({
  fullHost: devnet.url,
  privateKey: Buffer.from(devnetKey('demoWallet')).toString('hex'),
})
const wallet = devnetAddress('demoWallet')

/** The arguments of `transfer` in tronweb's words. */
function transferArguments(to: string, value: number) {
  return [
    { type: 'address', value: to },
    { type: 'uint256', value },
  ]
}

async function payWithTronWeb(to: string, value: number): Promise<string> {
  const built = await tronWeb.transactionBuilder.triggerSmartContract(
    DEVNET.usdt,
    'transfer(address,uint256)',
    { feeLimit: 100 * USDT },
    transferArguments(to, value),
  )
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction))
  expect(sent.result).toBe(true)
  return built.transaction.txID
}

describe('unmodified tronweb', () => {
  it('sees the head, and the confirmed block as many behind it as the lag says', async () => {
    await devnet.mine(5)
    const head = await tronWeb.trx.getCurrentBlock()
    const confirmed = await tronWeb.trx.getConfirmedCurrentBlock()
    expect(head.block_header.raw_data.number - confirmed.block_header.raw_data.number).toBe(3)
    const byNumber = await tronWeb.trx.getBlock(head.block_header.raw_data.number)
    expect(byNumber).toEqual(head)
    expect(await tronWeb.trx.getBlockByHash(head.blockID)).toEqual(head)
    expect(head.blockID.slice(0, 16)).toBe(head.block_header.raw_data.number.toString(16).padStart(16, '0'))
    expect(await tronWeb.trx.getBlockRange(1, 3)).toHaveLength(3)
  })

  it('pays USDT: builds, checks the bytes, signs, sends, and finds the transfer once it is mined and confirmed', async () => {
    const txid = await payWithTronWeb(TO, 5 * USDT)
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toEqual({})
    await devnet.mine()
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(txid)
    expect(info).toMatchObject({ id: txid, receipt: { result: 'SUCCESS' } })
    expect(info.contractResult).toEqual(['0'.repeat(64)])
    expect(info.log).toHaveLength(1)
    expect(await tronWeb.trx.getTransactionInfo(txid)).toEqual({})
    await devnet.mine(3)
    expect(await tronWeb.trx.getTransactionInfo(txid)).toEqual(info)
    const transaction = await tronWeb.trx.getTransaction(txid)
    expect(transaction.ret).toEqual([{ contractRet: 'SUCCESS' }])
    expect(await tronWeb.trx.getConfirmedTransaction(txid)).toEqual(transaction)
  })

  it('loads the contract by its address, reads balances and sends transfers through it', async () => {
    const contract = await tronWeb.contract().at(DEVNET.usdt)
    const before = BigInt(await contract['balanceOf'](TO).call())
    const txid = await contract['transfer'](TO, 7 * USDT).send()
    await devnet.mine()
    expect(BigInt(await contract['balanceOf'](TO).call()) - before).toBe(7_000_000n)
    expect(await contract['symbol']().call()).toBe('USDT')
    expect(await contract['name']().call()).toBe('Tether USD')
    expect(BigInt(await contract['decimals']().call())).toBe(6n)
    expect(await tronWeb.trx.getTransaction(txid)).toMatchObject({ txID: txid })
  })

  it('reads the confirmed state with a confirmed constant call', async () => {
    await devnet.mine(4)
    const balance = async (confirmed: boolean): Promise<bigint> => {
      const call = confirmed ? 'triggerConfirmedConstantContract' : 'triggerConstantContract'
      const answer = await tronWeb.transactionBuilder[call](DEVNET.usdt, 'balanceOf(address)', {}, [
        { type: 'address', value: TO },
      ])
      return BigInt(`0x${answer.constant_result?.[0]}`)
    }
    const before = await balance(false)
    expect(await balance(true)).toBe(before)
    await payWithTronWeb(TO, USDT)
    await devnet.mine()
    expect(await balance(false)).toBe(before + 1_000_000n)
    expect(await balance(true)).toBe(before)
    await devnet.mine(3)
    expect(await balance(true)).toBe(before + 1_000_000n)
  })

  it('sends TRX and sees the balances move, fees included', async () => {
    const to = TronWeb.address.fromHex(`41${'ab'.repeat(20)}`)
    const before = await tronWeb.trx.getUnconfirmedBalance(wallet)
    const built = await tronWeb.transactionBuilder.sendTrx(to, 3 * USDT, wallet)
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built))
    await devnet.mine(4)
    expect(await tronWeb.trx.getBalance(to)).toBe(3 * USDT)
    expect(await tronWeb.trx.getBalance(wallet)).toBe(before - 3 * USDT - 1_100_000)
    expect(await tronWeb.trx.getTransactionInfo(built.txID)).toMatchObject({ fee: 1_100_000 })
    expect(await tronWeb.trx.getAccount(to)).toMatchObject({ balance: 3 * USDT })
    expect(await tronWeb.trx.getAccount(TronWeb.address.fromHex(`41${'cd'.repeat(20)}`))).toEqual({})
  })

  it('estimates energy close to what the transfer then uses', async () => {
    const estimate = await tronWeb.transactionBuilder.estimateEnergy(
      DEVNET.usdt,
      'transfer(address,uint256)',
      {},
      transferArguments(TO, USDT),
    )
    const txid = await payWithTronWeb(TO, USDT)
    await devnet.mine()
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(txid)
    expect(info.receipt.energy_usage_total).toBe(estimate.energy_required)
  })

  it('learns of a reverting call before it is sent', async () => {
    await expect(
      tronWeb.transactionBuilder.triggerConstantContract(
        DEVNET.usdt,
        'transfer(address,uint256)',
        {},
        transferArguments(TO, 1),
        devnetAddress('coldWallet'),
      ),
    ).rejects.toThrow('REVERT opcode executed')
  })

  it('deploys a contract of its own and calls it', async () => {
    const built = await tronWeb.transactionBuilder.createSmartContract(
      {
        abi: JSON.parse(JSON.stringify(USDT_ABI)),
        bytecode: USDT_BYTECODE,
        feeLimit: 1_000 * USDT,
        name: 'Other',
        parameters: ['Other dollar', 'OUSD', 12_345],
      },
      wallet,
    )
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built))
    expect(sent.result).toBe(true)
    await devnet.mine()
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(built.txID)
    expect(info).toMatchObject({ receipt: { result: 'SUCCESS' }, contract_address: built.contract_address })
    const contract = await tronWeb.contract().at(TronWeb.address.fromHex(built.contract_address))
    expect(await contract['name']().call()).toBe('Other dollar')
    expect(BigInt(await contract['totalSupply']().call())).toBe(12_345n)
  })

  it('reads the chain parameters, prices, node info and bandwidth', async () => {
    const parameters = await tronWeb.trx.getChainParameters()
    expect(parameters.find((parameter) => parameter.key === 'getEnergyFee')?.value).toBe(100)
    expect(await tronWeb.trx.getEnergyPrices()).toBe('0:100')
    expect(await tronWeb.trx.getNodeInfo()).toMatchObject({ beginSyncNum: 0 })
    expect(await tronWeb.trx.getBandwidth(TO)).toBe(600)
    expect(await tronWeb.trx.getAccountResources(TO)).toMatchObject({ freeNetLimit: 600 })
  })
})
