import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { addressFromHex } from './address.ts'
import { createNodeClient, type NodeClient } from './node-client.ts'
import { NodeError } from './node-http.ts'
import { signTransaction } from './transaction.ts'

const ID = `${'0'.repeat(15)}7${'ab'.repeat(24)}`
const TXID = 'cd'.repeat(32)
const CONTRACT = addressFromHex('a614f803b6fd780986a42c78ec9c7f77e6ded13c')
const HEADER = {
  blockID: ID,
  block_header: { raw_data: { number: 7, timestamp: 1_700_000_000_000, parentHash: 'ee'.repeat(32) } },
}
const RECEIPT = {
  id: TXID,
  blockNumber: 7,
  blockTimeStamp: 1_700_000_000_000,
  receipt: { result: 'SUCCESS', energy_usage_total: 5 },
  log: [{ address: 'a614f803b6fd780986a42c78ec9c7f77e6ded13c', topics: ['aa'.repeat(32)], data: '00' }],
}

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = null
})

async function nodeThat(
  listener: RequestListener,
  options: { maxBytes?: number; timeoutMs?: number } = {},
): Promise<NodeClient> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return createNodeClient({ timeoutMs: 60_000, ...options, url: `http://127.0.0.1:${port}` })
}

const answering = (body: unknown, status = 200) =>
  nodeThat((_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })

const codeOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => 'no error',
    (error: unknown) => (error instanceof NodeError ? error.code : error),
  )

/** The error code of a question that is answered with this. */
const codeFor = async (body: unknown, ask: (node: NodeClient) => Promise<unknown>) =>
  codeOf(ask(await answering(body)))

describe('a node that does not answer well', () => {
  it.each<[string, unknown, number, string]>([
    ['HTML with status 200', '<html><body>502 Bad Gateway</body></html>', 200, 'bad_answer'],
    ['bare text', 'rate limit exceeded', 200, 'bad_answer'],
    ['nothing', '', 200, 'bad_answer'],
    ['an empty object', {}, 200, 'bad_answer'],
    ['null', 'null', 200, 'bad_answer'],
    ['a list', [], 200, 'bad_answer'],
    ['cut JSON', '{"blockID":"00', 200, 'bad_answer'],
    ['an error with status 200', { Error: 'class java.lang.Exception : no' }, 200, 'refused'],
    ['an error status', 'overloaded', 503, 'refused'],
    ['a block whose id is of another number', { ...HEADER, blockID: 'ff'.repeat(32) }, 200, 'bad_answer'],
    [
      'a number beyond all blocks',
      { ...HEADER, block_header: { raw_data: { ...HEADER.block_header.raw_data, number: 1e300 } } },
      200,
      'bad_answer',
    ],
  ])('with %s has its own error code', async (_name, body, status, code) => {
    const node = await answering(body, status)
    expect(await codeOf(node.headBlock())).toBe(code)
  })

  it('in time is given up on', async () => {
    const node = await nodeThat(() => {}, { timeoutMs: 30 })
    expect(await codeOf(node.headBlock())).toBe('timeout')
  })

  it('to the end in time is given up on, too', async () => {
    const node = await nodeThat((_request, response) => response.write('{'), { timeoutMs: 30 })
    expect(await codeOf(node.headBlock())).toBe('timeout')
  })

  it('because it is not there, or breaks off, is unreachable', async () => {
    const unreachable = createNodeClient({ url: 'http://127.0.0.1:1', timeoutMs: 1_000 })
    expect(await codeOf(unreachable.headBlock())).toBe('unreachable')
    const node = await nodeThat((_request, response) => {
      response.write('{"blockID":')
      response.destroy()
    })
    expect(await codeOf(node.headBlock())).toBe('unreachable')
  })

  it('but floods is cut off', async () => {
    const node = await nodeThat((_request, response) => response.end('x'.repeat(2_000)), { maxBytes: 1_000 })
    expect(await codeOf(node.headBlock())).toBe('bad_answer')
  })

  it('but sends elsewhere is not followed', async () => {
    const node = await nodeThat((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    expect(await codeOf(node.headBlock())).toBe('unreachable')
  })
})

describe('answers about another thing than was asked', () => {
  it('are not taken for the block, the receipts or the receipt', async () => {
    expect(await codeFor(HEADER, (node) => node.block(8, 'solid'))).toBe('bad_answer')
    const receipts = [{ ...RECEIPT, blockNumber: 8 }]
    expect(await codeFor(receipts, (node) => node.blockReceipts(7, 'solid'))).toBe('bad_answer')
    const other = { ...RECEIPT, id: 'ab'.repeat(32) }
    expect(await codeFor(other, (node) => node.receipt(TXID, 'solid'))).toBe('bad_answer')
  })
})

describe('a receipt', () => {
  const successOf = async (changes: object) =>
    (await (await answering({ ...RECEIPT, ...changes })).receipt(TXID, 'solid'))?.success

  it('is a success only when everything in it says so', async () => {
    expect(await successOf({})).toBe(true)
    expect(await successOf({ result: 'FAILED' })).toBe(false)
    expect(await successOf({ receipt: { result: 'REVERT' } })).toBe(false)
    expect(await successOf({ receipt: { result: 'OUT_OF_ENERGY' } })).toBe(false)
    expect(await successOf({ receipt: {} })).toBe(false)
    expect(await successOf({ receipt: {}, log: [] })).toBe(true)
  })

  it('gives logs with their contract and their place', async () => {
    const receipt = await (await answering(RECEIPT)).receipt(TXID, 'head')
    expect(receipt?.logs).toEqual([{ contract: CONTRACT, topics: ['aa'.repeat(32)], data: '00', index: 0 }])
  })

  it.each([
    ['an address of another length', { address: 'a6' }],
    ['topics that are no words', { topics: ['aa'] }],
    ['data that is no hex', { data: 'xyz' }],
  ])('with %s in a log is no answer', async (_name, log) => {
    const node = await answering({ ...RECEIPT, log: [{ ...RECEIPT.log[0], ...log }] })
    expect(await codeOf(node.receipt(TXID, 'head'))).toBe('bad_answer')
  })
})

describe('a block', () => {
  it('stays readable with kinds of transactions we do not know, and counts them', async () => {
    const foreign = { txID: TXID, ret: [{}], raw_data: { contract: [{ type: 'ShieldedTransferContract' }] } }
    const block = await (await answering({ ...HEADER, transactions: [foreign] })).block(7, 'head')
    expect(block).toMatchObject({ transactions: [], txids: [TXID] })
  })

  const assetIdOf = async (asset_name: unknown) => {
    const owner = `41${'11'.repeat(20)}`
    const value = { owner_address: owner, to_address: owner, amount: 5, asset_name }
    const contract = [{ type: 'TransferAssetContract', parameter: { value } }]
    const transactions = [{ txID: TXID, ret: [{ contractRet: 'SUCCESS' }], raw_data: { contract } }]
    const block = await (await answering({ ...HEADER, transactions })).block(7, 'solid')
    expect(block?.transactions).toMatchObject([{ txid: TXID, success: true, amount: 5n }])
    return block?.transactions[0]?.assetId
  }

  it('names the TRC10 asset that moved, by its id', async () => {
    expect(await assetIdOf('31303032303030')).toBe('1002000')
    expect(await assetIdOf('39'.repeat(19))).toBe('9'.repeat(19))
  })

  it.each([
    ['a name, as in old blocks', Buffer.from('SEED').toString('hex')],
    ['nothing', ''],
    ['more digits than there are', '31'.repeat(20)],
    ['half a digit', '313'],
    ['a number', 1002000],
    ['no asset', undefined],
  ])('with %s for an asset stays readable, the asset unnamed', async (_name, asset) => {
    expect(await assetIdOf(asset)).toBeUndefined()
  })

  it('with a transfer that cannot be read is no answer, rather than a block without it', async () => {
    const broken = { txID: TXID, ret: [{}], raw_data: { contract: [{ type: 'TransferContract' }] } }
    const block = { ...HEADER, transactions: [broken] }
    expect(await codeFor(block, (node) => node.block(7, 'head'))).toBe('bad_answer')
  })

  it('with a transaction that has no id is no answer', async () => {
    const block = { ...HEADER, transactions: [{}] }
    expect(await codeFor(block, (node) => node.block(7, 'head'))).toBe('bad_answer')
  })
})

describe('the reply to a broadcast', () => {
  const signed = signTransaction(Uint8Array.of(1, 2, 3), new Uint8Array(32).fill(1))
  const replying = async (body: unknown) => (await answering(body)).broadcast(signed.hex)

  it('is acceptance only when it says so of this transaction', async () => {
    const reply = { result: true, code: 'SUCCESS', txid: signed.txid, message: '' }
    expect(await replying(reply)).toEqual({ accepted: true, txid: signed.txid })
    expect(await replying({ ...reply, result: false })).toMatchObject({ accepted: false })
    expect(await codeOf(replying({ ...reply, txid: TXID }))).toBe('bad_answer')
    expect(await codeOf(replying({}))).toBe('bad_answer')
    expect(await codeOf(replying({ Error: 'class x : y' }))).toBe('refused')
  })

  it('names the refusal, a duplicate among them', async () => {
    const message = Buffer.from('Dup transaction.').toString('hex')
    const reply = { txid: signed.txid, code: 'DUP_TRANSACTION_ERROR' }
    expect(await replying({ ...reply, result: false, message })).toEqual({
      ...reply,
      accepted: false,
      message: 'Dup transaction.',
    })
  })
})

describe('what a transfer would do and cost', () => {
  const trialOf = async (body: unknown) => (await answering(body)).trial(CONTRACT, CONTRACT, '00')
  const failed = { transaction: { ret: [{ ret: 'FAILED' }] } }

  it('that the contract refuses is an answer, and that the node does is none', async () => {
    const message = Buffer.from('REVERT opcode executed').toString('hex')
    expect(await trialOf({ result: { result: true, message }, constant_result: [''], ...failed })).toEqual({
      reverted: true,
      message: 'REVERT opcode executed',
    })
    const ran = { result: { result: true }, energy_used: 31_000, constant_result: ['00'] }
    expect(await trialOf(ran)).toEqual({ reverted: false, result: '00', energyUsed: 31_000 })
    expect(await codeOf(trialOf({ result: { code: 'OTHER_ERROR' } }))).toBe('refused')
    expect(await codeOf(trialOf({ Error: 'class java.lang.Exception : busy' }))).toBe('refused')
  })

  it('an account without TRX and an unknown one have none, and another account is no answer', async () => {
    const address = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'
    expect(await (await answering({ address, balance: 7 })).trxBalance(CONTRACT, 'head')).toBe(7n)
    expect(await (await answering({ address })).trxBalance(CONTRACT, 'head')).toBe(0n)
    expect(await (await answering({})).trxBalance(CONTRACT, 'solid')).toBe(0n)
    const other = { address: `41${'11'.repeat(20)}`, balance: 7 }
    expect(await codeOf((await answering(other)).trxBalance(CONTRACT, 'head'))).toBe('bad_answer')
  })

  it('an answer without prices is refused', async () => {
    const parameters = (...chainParameter: unknown[]) => answering({ chainParameter })
    const byte = { key: 'getTransactionFee', value: 1_000 }
    const node = await parameters({ key: 'getEnergyFee', value: 210 }, byte)
    expect(await node.prices()).toEqual({ energy: 210n, byte: 1_000n })
    expect(await codeOf((await parameters({ key: 'getEnergyFee' }, byte)).prices())).toBe('bad_answer')
  })
})
