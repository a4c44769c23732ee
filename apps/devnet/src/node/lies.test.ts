import { DEVNET, decodeTransfer, devnetAddress, type NodeClient, type TronAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { TO, twoNodes, usdtAt } from '../testing.ts'

const { devnet, node, correct, faulty } = await twoNodes()

/** Makes a transaction solid; its block. */
async function solid(txid: string) {
  await devnet.mine(4)
  return { txid, block: devnet.chain.ledger.transaction(txid)?.block ?? 0 }
}
const paid = async (amount: bigint) => solid(await devnet.wallet.pay('demoWallet', TO, amount))
const failed = async () =>
  solid(String((await devnet.fault('failed_transfer', { to: TO, amount: '5' }))['txid']))

/** What the gateway does about them is in agreement.db.test.ts, which a lie that is none would turn red. */
describe('a node with false receipts', () => {
  it('calls a failed transfer successful, event and all, in its block and its receipt', async () => {
    const { txid, block } = await failed()
    node.fault({ kind: 'lie', about: 'receipt_success' })
    const receipt = await faulty.receipt(txid, 'solid')
    expect(receipt).toMatchObject({ success: true, result: 'SUCCESS' })
    const expected = { contract: DEVNET.usdt, from: devnetAddress('faucet'), to: TO, value: 5_000_000n }
    expect(receipt?.logs.map(decodeTransfer)).toEqual([expected])
    expect(await faulty.blockReceipts(block, 'solid')).toEqual([receipt])
    expect((await faulty.block(block, 'solid'))?.transactions).toMatchObject([{ txid, success: true }])
    expect((await faulty.block(block, 'solid'))?.id).toBe((await correct.block(block, 'solid'))?.id)
    expect(await correct.receipt(txid, 'solid')).toMatchObject({ success: false, logs: [] })
    node.clear()
    expect(await faulty.receipt(txid, 'solid')).toMatchObject({ success: false, result: 'REVERT' })
  })

  it('gives as many wrong answers as asked for', async () => {
    const { txid } = await paid(3n)
    node.fault({ kind: 'lie', about: 'receipt_failure', to: TO, times: 2 })
    // Answers that the lie does not touch do not count.
    await faulty.headBlock()
    const answers = [1, 2, 3].map(() => faulty.receipt(txid, 'solid').then((receipt) => receipt?.success))
    expect(await Promise.all(answers)).toEqual([false, false, true])
  })
})

describe('a node that hides', () => {
  it('an address hides all that is sent there, USDT or TRX, and nothing else', async () => {
    const cold = devnetAddress('coldWallet')
    node.fault({ kind: 'lie', about: 'hidden', to: cold })
    await devnet.post('/dev/faucet', { address: cold, usdt: '5', trx: '5' })
    const seen = await paid(5n)
    expect((await correct.block(seen.block, 'solid'))?.txids).toHaveLength(3)
    expect((await faulty.block(seen.block, 'solid'))?.txids).toEqual([seen.txid])
    expect(await faulty.blockReceipts(seen.block, 'solid')).toHaveLength(1)
  })
})

describe('a node that invents', () => {
  it('a balance says so in constant calls and accounts, for that address alone', async () => {
    const cold = devnetAddress('coldWallet')
    const usdt = (client: NodeClient, address: TronAddress) => usdtAt(client, address, 'solid')
    const truth = await usdt(correct, TO)
    node.fault({ kind: 'lie', about: 'balance', address: cold, value: '1234.5' })
    node.fault({ kind: 'lie', about: 'balance', address: cold, value: '7', asset: 'trx' })
    expect(await usdt(faulty, cold)).toBe(1_234_500_000n)
    expect(await usdt(faulty, TO)).toBe(truth)
    const account = { address: cold, visible: true }
    expect(await devnet.post('/wallet/getaccount', account, node)).toMatchObject({ balance: 7_000_000 })
    node.fault({ kind: 'lie', about: 'balance', address: TO, value: '0' })
    expect(await usdt(faulty, TO)).toBe(0n)
    expect(await usdt(correct, TO)).toBe(truth)
  })
})
