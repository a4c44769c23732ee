import { DEVNET, decodeTransfer, devnetAddress, encodeAddressWord } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { clientOf, NOON, suiteDevnet, TO, usdtAt } from '../testing.ts'

const devnet = await suiteDevnet()
const client = clientOf({ url: `${devnet.url}/` })

describe('our client of a node', () => {
  it('reads head and solid block, and blocks by number on both views', async () => {
    await devnet.mine(5)
    const [head, solid] = [await client.headBlock(), await client.solidBlock()]
    expect(head.number - solid.number).toBe(3)
    expect(head.timestamp.getTime()).toBeGreaterThanOrEqual(NOON)
    expect(await client.block(solid.number, 'solid')).toEqual({
      ...solid,
      transactions: [],
      txids: [],
    })
    expect(await client.block(head.number, 'solid')).toBeNull()
    expect(await client.block(head.number, 'head')).toMatchObject({ id: head.id, parentId: head.parentId })
    expect(await client.block(0, 'solid')).toMatchObject({ number: 0, timestamp: new Date(0) })
  })

  it('finds a deposit by its receipt only when its block is solid', async () => {
    const { txid } = await devnet.post('/dev/pay', { to: TO, amount: '1005.00' })
    await devnet.mine()
    const { number } = await client.headBlock()
    const block = await client.block(number, 'head')
    expect(block?.transactions).toEqual([
      {
        txid,
        success: true,
        contractType: 'TriggerSmartContract',
        from: devnetAddress('demoWallet'),
        contract: DEVNET.usdt,
        data: expect.stringMatching(/^a9059cbb/),
      },
    ])
    expect(await client.blockReceipts(number, 'solid')).toEqual([])
    expect(await client.receipt(String(txid), 'solid')).toBeNull()
    await devnet.mine(3)
    const receipts = await client.blockReceipts(number, 'solid')
    expect(receipts).toHaveLength(1)
    expect(receipts[0]).toMatchObject({ txid, blockNumber: number, success: true, result: 'SUCCESS' })
    expect(receipts[0]?.logs.map(decodeTransfer)).toEqual([
      { contract: DEVNET.usdt, from: devnetAddress('demoWallet'), to: TO, value: 1_005_000_000n },
    ])
    expect(await client.receipt(String(txid), 'solid')).toEqual(receipts[0])
  })

  it('sees failed transfers as failed and TRX transfers with their amount', async () => {
    const failed = await devnet.post('/dev/fault', { kind: 'failed_transfer', to: TO, amount: '5' })
    const faucet = await devnet.post('/dev/faucet', { address: TO, trx: '2.5' })
    await devnet.mine()
    const { number } = await client.headBlock()
    const [first, second] = await client.blockReceipts(number, 'head')
    expect(first).toMatchObject({ txid: failed['txid'], success: false, result: 'REVERT', logs: [] })
    expect(second).toMatchObject({ txid: faucet['txid'], success: true })
    const block = await client.block(number, 'head')
    expect(block?.transactions.map((each) => [each.success, each.amount, each.to])).toEqual([
      [false, undefined, undefined],
      [true, 2_500_000n, TO],
    ])
  })

  it('calls constant functions on either view and says when a call reverts', async () => {
    await devnet.mine(4)
    const before = await usdtAt(client, TO, 'solid')
    await devnet.post('/dev/pay', { to: TO, amount: '1' })
    await devnet.mine()
    expect((await usdtAt(client, TO, 'head')) - before).toBe(1_000_000n)
    expect(await usdtAt(client, TO, 'solid')).toBe(before)
    const parameter = encodeAddressWord(TO) + encodeAddressWord(TO)
    await expect(
      client.constantCall(DEVNET.usdt, 'transfer(address,uint256)', parameter),
    ).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('REVERT opcode executed'),
    })
    await expect(client.constantCall(TO, 'balanceOf(address)', parameter)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('No contract'),
    })
  })
})
