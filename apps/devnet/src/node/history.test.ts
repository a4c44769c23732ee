import { blockReference, type NodeClient, type View } from '@aval/tron'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { clientOf, payment, signed, TO, twoNodes, usdtAt } from '../testing.ts'

const { devnet, node, correct, faulty } = await twoNodes()
await devnet.mine(20)

const balance = (client: NodeClient, view: View) => usdtAt(client, TO, view)

/** A payment that refers to this block, signed. */
const referring = (id: string, more: { expiration?: number } = {}) =>
  signed(payment(devnet, { ...blockReference(id), ...more })).hex

describe('nodes of one chain', () => {
  it('have the same blocks and the same waiting list', async () => {
    const hex = referring((await correct.solidBlock()).id)
    const { txid } = await faulty.broadcast(hex)
    expect(await correct.broadcast(hex)).toMatchObject({ accepted: false, code: 'DUP_TRANSACTION_ERROR' })
    await devnet.mine()
    expect(await correct.receipt(txid, 'head')).toEqual(await faulty.receipt(txid, 'head'))
    expect(await faulty.headBlock()).toEqual(await correct.headBlock())
  })
})

describe('a lagging node', () => {
  it('shows head, solid block, blocks, receipts and state of so many blocks ago, the others of now', async () => {
    const before = await balance(correct, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 5n)
    await devnet.mine(5)
    const head = await correct.headBlock()
    const included = head.number - 4
    node.fault({ kind: 'lag', blocks: 5 })

    expect(await correct.block(head.number - 5, 'head')).toEqual({
      ...(await faulty.headBlock()),
      transactions: expect.any(Array),
      txids: expect.any(Array),
    })
    expect((await faulty.solidBlock()).number).toBe(head.number - 8)
    expect(await faulty.block(included, 'head')).toBeNull()
    expect(await faulty.blockReceipts(included, 'head')).toEqual([])
    expect(await faulty.receipt(txid, 'head')).toBeNull()
    expect(await balance(faulty, 'head')).toBe(before)
    expect(await devnet.post('/wallet/getnodeinfo', {}, node)).toMatchObject({
      block: expect.stringContaining(`Num:${head.number - 5},`),
    })
    expect(await devnet.post('/wallet/gettransactionbyid', { value: txid }, node)).toEqual({})

    expect(await correct.receipt(txid, 'head')).toMatchObject({ success: true })
    expect(await balance(correct, 'head')).toBe(before + 5n)
    node.clear('lag')
    expect(await faulty.receipt(txid, 'solid')).toEqual(await correct.receipt(txid, 'solid'))
  })

  it('can have a head of now and a solid block of long ago', async () => {
    const [head, solid] = [await correct.headBlock(), await correct.solidBlock()]
    node.fault({ kind: 'lag', blocks: 0, solid_blocks: 7 })
    expect(await faulty.headBlock()).toEqual(head)
    expect((await faulty.solidBlock()).number).toBe(solid.number - 7)
    expect(await faulty.block(solid.number, 'solid')).toBeNull()
    expect(await faulty.block(solid.number, 'head')).not.toBeNull()
  })

  it('knows no reference to a block that it lacks, and accepts for nothing what expired since', async () => {
    await devnet.mine(5)
    const head = await correct.headBlock()
    node.fault({ kind: 'lag', blocks: 5 })
    expect(await faulty.broadcast(referring(head.id))).toMatchObject({ accepted: false, code: 'TAPOS_ERROR' })
    const expired = referring((await faulty.solidBlock()).id, { expiration: head.timestamp.getTime() })
    expect(await correct.broadcast(expired)).toMatchObject({ code: 'TRANSACTION_EXPIRATION_ERROR' })
    const { txid, accepted } = await faulty.broadcast(expired)
    expect(accepted).toBe(true)
    await devnet.mine()
    expect(await correct.receipt(txid, 'head')).toBeNull()
  })
})

describe('a forked node', () => {
  it('has other blocks from below the solid one on, chained by their parents, on both views, until it is healed', async () => {
    await devnet.mine(3)
    const solid = await correct.solidBlock()
    expect(node.fault({ kind: 'fork', depth: 2 })).toEqual({ from: solid.number - 2 })
    await devnet.mine(2)
    const head = await correct.headBlock()
    let parentId = (await correct.block(solid.number - 3, 'solid'))?.id
    expect((await faulty.block(solid.number - 3, 'solid'))?.id).toBe(parentId)
    for (let number = solid.number - 2; number <= head.number; number += 1) {
      const other = await faulty.block(number, 'head')
      expect(other?.parentId).toBe(parentId)
      expect(other?.id).not.toBe((await correct.block(number, 'head'))?.id)
      parentId = other?.id
    }
    expect((await faulty.headBlock()).id).toBe(parentId)
    expect(await faulty.block(solid.number, 'solid')).toEqual(await faulty.block(solid.number, 'head'))
    expect(await faulty.solidBlock()).toMatchObject({ number: head.number - 3 })
    const byId = await devnet.post('/wallet/getblockbyid', { value: parentId }, node)
    expect(byId['blockID']).toBe(parentId)
    expect(await devnet.post('/wallet/getblockbyid', { value: head.id }, node)).toEqual({})
    node.clear()
    expect(await faulty.headBlock()).toEqual(head)
  })

  it('lacks the transactions from there on, and their effect', async () => {
    const before = await balance(correct, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 7n)
    await devnet.mine(4)
    const { blockNumber } = (await correct.receipt(txid, 'solid')) ?? { blockNumber: 0 }
    node.fault({ kind: 'fork', depth: 0 })
    expect((await faulty.block(blockNumber, 'solid'))?.txids).toEqual([])
    expect(await faulty.receipt(txid, 'solid')).toBeNull()
    expect(await faulty.blockReceipts(blockNumber, 'solid')).toEqual([])
    expect(await balance(faulty, 'solid')).toBe(before)
    expect(await balance(correct, 'solid')).toBe(before + 7n)
  })

  it('can have them one block later, with receipts that say so', async () => {
    const before = await balance(correct, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 9n)
    await devnet.mine(5)
    const number = (await correct.receipt(txid, 'solid'))?.blockNumber ?? 0
    node.fault({ kind: 'fork', depth: 3, transactions: 'moved' })
    expect(await faulty.receipt(txid, 'solid')).toMatchObject({ success: true, blockNumber: number + 1 })
    expect((await faulty.block(number, 'solid'))?.txids).toEqual([])
    const moved = await faulty.block(number + 1, 'solid')
    expect(moved?.txids).toEqual([txid])
    const [receipt] = await faulty.blockReceipts(number + 1, 'solid')
    expect(receipt).toMatchObject({ txid, timestamp: moved?.timestamp })
    expect(await balance(faulty, 'head')).toBe(before + 9n)
  })

  it('accepts what refers to its own history, which then is nowhere', async () => {
    node.fault({ kind: 'fork', depth: 3 })
    const hex = referring((await faulty.solidBlock()).id)
    expect(await correct.broadcast(hex)).toMatchObject({ accepted: false, code: 'TAPOS_ERROR' })
    const { accepted, txid } = await faulty.broadcast(hex)
    expect(accepted).toBe(true)
    expect(await faulty.broadcast(referring((await correct.solidBlock()).id))).toMatchObject({
      code: 'TAPOS_ERROR',
    })
    await devnet.mine()
    expect(await correct.receipt(txid, 'head')).toBeNull()
  })

  it('is the same history on every node that forks at the same place', async () => {
    const third = await devnet.addNode()
    for (const each of [node, third]) each.fault({ kind: 'fork', depth: 4 })
    await devnet.mine()
    expect(await clientOf(third).headBlock()).toEqual(await faulty.headBlock())
    await third.close()
  })

  it('keeps its state however long it lasts', async () => {
    const before = await balance(correct, 'head')
    node.fault({ kind: 'fork', depth: 1 })
    await devnet.wallet.pay('demoWallet', TO, 3n)
    await devnet.mine(4_000)
    expect(await balance(faulty, 'solid')).toBe(before)
    expect(await balance(correct, 'solid')).toBe(before + 3n)
  })

  it('is as real to tronweb', async () => {
    node.fault({ kind: 'fork', depth: 2 })
    const tronWeb = new TronWeb({ fullHost: node.url })
    const [head, own] = [await correct.headBlock(), await tronWeb.trx.getCurrentBlock()]
    expect(own.block_header.raw_data.number).toBe(head.number)
    expect(own.blockID).not.toBe(head.id)
    expect(own).toEqual(await tronWeb.trx.getBlockByHash(own.blockID))
  })
})
