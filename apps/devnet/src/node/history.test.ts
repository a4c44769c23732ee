import {
  blockReference,
  createNodeClient,
  DEVNET,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeRaw,
  encodeTransferCall,
  type NodeClient,
  parseAddress,
  signTransaction,
  type TronAddress,
  type View,
} from '@aval/tron'
import { TronWeb } from 'tronweb'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DevnetNode } from '../start.ts'
import { NOON, type TestDevnet, testDevnet } from '../testing.ts'

const TO = parseAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') as TronAddress

let devnet: TestDevnet
let well: NodeClient
let ill: NodeClient
let node: DevnetNode
let clock = NOON

beforeAll(async () => {
  devnet = await testDevnet({ now: () => clock })
  node = await devnet.addNode()
  well = createNodeClient({ url: devnet.url, timeoutMs: 60_000 })
  ill = createNodeClient({ url: node.url, timeoutMs: 60_000 })
  await devnet.mine(20)
})
afterEach(() => node.clear())
afterAll(() => devnet.close())

async function balance(client: NodeClient, view: View): Promise<bigint> {
  const parameter = encodeAddressWord(TO)
  const { result } = await client.constantCall(DEVNET.usdt, 'balanceOf(address)', parameter, { view })
  return BigInt(`0x${result}`)
}

/** A payment that refers to this block, signed. */
function payment(reference: string, expiration = devnet.chain.head().timestamp + 60_000): string {
  clock += 1
  const raw = encodeRaw({
    ...blockReference(reference),
    expiration,
    timestamp: clock,
    feeLimit: 100_000_000n,
    memo: '',
    permissionId: 0,
    contract: {
      type: 'TriggerSmartContract',
      owner: devnetAddress('demoWallet'),
      contract: DEVNET.usdt,
      callValue: 0n,
      data: encodeTransferCall(TO, 1n),
    },
  })
  return signTransaction(raw, devnetKey('demoWallet')).hex
}

describe('nodes of one chain', () => {
  it('have the same blocks and the same waiting list', async () => {
    const hex = payment((await well.solidBlock()).id)
    const { txid } = await ill.broadcast(hex)
    expect(await well.broadcast(hex)).toMatchObject({ accepted: false, code: 'DUP_TRANSACTION_ERROR' })
    await devnet.mine()
    expect(await well.receipt(txid, 'head')).toEqual(await ill.receipt(txid, 'head'))
    expect(await ill.headBlock()).toEqual(await well.headBlock())
  })
})

describe('a lagging node', () => {
  it('shows head, solid block, blocks, receipts, state and events of so many blocks ago, the others of now', async () => {
    const before = await balance(well, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 5n)
    await devnet.mine(5)
    const head = await well.headBlock()
    const included = head.number - 4
    node.fault({ kind: 'lag', blocks: 5 })

    expect(await ill.headBlock()).toEqual(await well.block(head.number - 5, 'head').then(header))
    expect((await ill.solidBlock()).number).toBe(head.number - 8)
    expect(await ill.block(included, 'head')).toBeNull()
    expect(await ill.blockReceipts(included, 'head')).toEqual([])
    expect(await ill.receipt(txid, 'head')).toBeNull()
    expect(await balance(ill, 'head')).toBe(before)
    expect((await events(node.url, txid)).data).toEqual([])
    expect(await devnet.post('/wallet/getnodeinfo', {}, node)).toMatchObject({
      block: expect.stringContaining(`Num:${head.number - 5},`),
    })
    expect(await devnet.post('/wallet/gettransactionbyid', { value: txid }, node)).toEqual({})

    expect(await well.receipt(txid, 'head')).toMatchObject({ success: true })
    expect(await balance(well, 'head')).toBe(before + 5n)
    node.clear('lag')
    expect(await ill.receipt(txid, 'solid')).toEqual(await well.receipt(txid, 'solid'))
    expect((await events(node.url, txid)).data).toHaveLength(1)
  })

  it('can have a head of now and a solid block of long ago', async () => {
    const [head, solid] = [await well.headBlock(), await well.solidBlock()]
    node.fault({ kind: 'lag', blocks: 0, solid_blocks: 7 })
    expect(await ill.headBlock()).toEqual(head)
    expect((await ill.solidBlock()).number).toBe(solid.number - 7)
    expect(await ill.block(solid.number, 'solid')).toBeNull()
    expect(await ill.block(solid.number, 'head')).not.toBeNull()
  })

  it('knows no reference to a block that it lacks, and accepts for nothing what expired since', async () => {
    await devnet.mine(5)
    const head = await well.headBlock()
    node.fault({ kind: 'lag', blocks: 5 })
    expect(await ill.broadcast(payment(head.id))).toMatchObject({ accepted: false, code: 'TAPOS_ERROR' })
    const expired = payment((await ill.solidBlock()).id, head.timestamp.getTime())
    expect(await well.broadcast(expired)).toMatchObject({ code: 'TRANSACTION_EXPIRATION_ERROR' })
    const { txid, accepted } = await ill.broadcast(expired)
    expect(accepted).toBe(true)
    await devnet.mine()
    expect(await well.receipt(txid, 'head')).toBeNull()
  })
})

describe('a forked node', () => {
  it('has other blocks from below the solid one on, chained by their parents, on both views, until it is healed', async () => {
    await devnet.mine(3)
    const solid = await well.solidBlock()
    expect(node.fault({ kind: 'fork', depth: 2 })).toEqual({ from: solid.number - 2 })
    await devnet.mine(2)
    const head = await well.headBlock()
    let parentId = (await well.block(solid.number - 3, 'solid'))?.id
    expect((await ill.block(solid.number - 3, 'solid'))?.id).toBe(parentId)
    for (let number = solid.number - 2; number <= head.number; number += 1) {
      const other = await ill.block(number, 'head')
      expect(other?.parentId).toBe(parentId)
      expect(other?.id).not.toBe((await well.block(number, 'head'))?.id)
      parentId = other?.id
    }
    expect((await ill.headBlock()).id).toBe(parentId)
    expect(await ill.block(solid.number, 'solid')).toEqual(await ill.block(solid.number, 'head'))
    expect(await ill.solidBlock()).toMatchObject({ number: head.number - 3 })
    const byId = await devnet.post('/wallet/getblockbyid', { value: parentId }, node)
    expect(byId['blockID']).toBe(parentId)
    expect(await devnet.post('/wallet/getblockbyid', { value: head.id }, node)).toEqual({})
    node.clear()
    expect(await ill.headBlock()).toEqual(head)
  })

  it('lacks the transactions from there on, and their effect', async () => {
    const before = await balance(well, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 7n)
    await devnet.mine(4)
    const { blockNumber } = (await well.receipt(txid, 'solid')) ?? { blockNumber: 0 }
    node.fault({ kind: 'fork', depth: 0 })
    expect((await ill.block(blockNumber, 'solid'))?.txids).toEqual([])
    expect(await ill.receipt(txid, 'solid')).toBeNull()
    expect(await ill.blockReceipts(blockNumber, 'solid')).toEqual([])
    expect(await balance(ill, 'solid')).toBe(before)
    expect((await events(node.url, txid)).data).toEqual([])
    expect(await balance(well, 'solid')).toBe(before + 7n)
  })

  it('can have them one block later, with receipts that say so', async () => {
    const before = await balance(well, 'head')
    const txid = await devnet.wallet.pay('demoWallet', TO, 9n)
    await devnet.mine(5)
    const number = (await well.receipt(txid, 'solid'))?.blockNumber ?? 0
    node.fault({ kind: 'fork', depth: 3, transactions: 'moved' })
    expect(await ill.receipt(txid, 'solid')).toMatchObject({ success: true, blockNumber: number + 1 })
    expect((await ill.block(number, 'solid'))?.txids).toEqual([])
    const moved = await ill.block(number + 1, 'solid')
    expect(moved?.txids).toEqual([txid])
    const [receipt] = await ill.blockReceipts(number + 1, 'solid')
    expect(receipt).toMatchObject({ txid, timestamp: moved?.timestamp })
    expect((await events(node.url, txid)).data).toMatchObject([{ block_number: number + 1 }])
    expect(await balance(ill, 'head')).toBe(before + 9n)
  })

  it('accepts what refers to its own history, which then is nowhere', async () => {
    node.fault({ kind: 'fork', depth: 3 })
    const hex = payment((await ill.solidBlock()).id)
    expect(await well.broadcast(hex)).toMatchObject({ accepted: false, code: 'TAPOS_ERROR' })
    const { accepted, txid } = await ill.broadcast(hex)
    expect(accepted).toBe(true)
    expect(await ill.broadcast(payment((await well.solidBlock()).id))).toMatchObject({ code: 'TAPOS_ERROR' })
    await devnet.mine()
    expect(await well.receipt(txid, 'head')).toBeNull()
  })

  it('is the same history on every node that forks at the same place', async () => {
    const third = await devnet.addNode()
    for (const each of [node, third]) each.fault({ kind: 'fork', depth: 4 })
    await devnet.mine()
    expect(await createNodeClient({ url: third.url, timeoutMs: 60_000 }).headBlock()).toEqual(
      await ill.headBlock(),
    )
    await third.close()
  })

  it('keeps its state however long it lasts', async () => {
    const before = await balance(well, 'head')
    node.fault({ kind: 'fork', depth: 1 })
    await devnet.wallet.pay('demoWallet', TO, 3n)
    await devnet.mine(4_000)
    expect(await balance(ill, 'solid')).toBe(before)
    expect(await balance(well, 'solid')).toBe(before + 3n)
  })

  it('is as real to tronweb', async () => {
    node.fault({ kind: 'fork', depth: 2 })
    const tronWeb = new TronWeb({ fullHost: node.url })
    const [head, own] = [await well.headBlock(), await tronWeb.trx.getCurrentBlock()]
    expect(own.block_header.raw_data.number).toBe(head.number)
    expect(own.blockID).not.toBe(head.id)
    expect(own).toEqual(await tronWeb.trx.getBlockByHash(own.blockID))
  })
})

function header(block: Awaited<ReturnType<NodeClient['block']>>) {
  if (block === null) return null
  const { transactions: _transactions, txids: _txids, ...rest } = block
  return rest
}

async function events(url: string, txid: string): Promise<{ data: unknown[] }> {
  const response = await fetch(`${url}/v1/transactions/${txid}/events`)
  return (await response.json()) as { data: unknown[] }
}
