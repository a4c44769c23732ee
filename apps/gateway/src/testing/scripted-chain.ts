/** A chain made by a test: transactions, correct and incorrect, blocks and forks, and a node that answers from them. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  addressFromHex,
  addressToHex,
  createNodeClient,
  DEVNET,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  type NodeClient,
  type ReceiptLog,
  TRANSFER_TOPIC,
  type TronAddress,
} from '@aval/tron'

type ScriptedLog = Omit<ReceiptLog, 'index'>

/** A transaction with its outcome. `result` is in the receipt, `listed` in the block; they differ only where a test wants it. */
export interface ScriptedTransaction {
  readonly txid: string
  readonly type: string
  readonly owner: TronAddress
  readonly to?: TronAddress
  readonly contract?: TronAddress
  readonly data?: string
  readonly amount?: bigint
  readonly assetId?: string
  readonly result: string
  readonly listed?: string
  readonly logs: readonly ScriptedLog[]
}

export const USDT = DEVNET.usdt
/** An arbitrary address; the same for the same number. */
export function someAddress(seed: number): TronAddress {
  return addressFromHex(hash(`address ${seed}`).slice(0, 40))
}
export const PAYER = someAddress(900_001)
export const OTHER_TOKEN = someAddress(900_002)
export const HOT = someAddress(900_003)

let serial = 0
function nextTxid(): string {
  serial += 1
  return hash(`transaction ${serial} of ${process.pid}`)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A well-formed Transfer event. */
export function transferLog(to: TronAddress, value: bigint, contract: TronAddress = USDT): ScriptedLog {
  const topics = [TRANSFER_TOPIC, encodeAddressWord(PAYER), encodeAddressWord(to)]
  return { contract, topics, data: encodeUintWord(value) }
}

/** A contract call with these logs. */
export function call(changes: Partial<ScriptedTransaction>): ScriptedTransaction {
  return {
    txid: nextTxid(),
    type: 'TriggerSmartContract',
    owner: PAYER,
    contract: USDT,
    data: '',
    result: 'SUCCESS',
    logs: [],
    ...changes,
  }
}

/** A successful `transfer(to, value)` of a token. */
export function tokenTransfer(
  to: TronAddress,
  value: bigint,
  changes: Partial<ScriptedTransaction> = {},
): ScriptedTransaction {
  const contract = changes.contract ?? USDT
  const data = encodeTransferCall(to, value)
  return call({ contract, data, logs: [transferLog(to, value, contract)], ...changes })
}

/** The same call, but it failed. */
export function failedTransfer(
  to: TronAddress,
  value: bigint,
  changes: Partial<ScriptedTransaction> = {},
): ScriptedTransaction {
  return tokenTransfer(to, value, { result: 'REVERT', logs: [], ...changes })
}

/** Call data of `transferFrom(PAYER, to, value)`. */
export function transferFromData(to: TronAddress, value: bigint): string {
  return `23b872dd${encodeAddressWord(PAYER)}${encodeAddressWord(to)}${encodeUintWord(value)}`
}

export function assetTransfer(to: TronAddress, amount: bigint): ScriptedTransaction {
  return { txid: nextTxid(), type: 'TransferContract', owner: PAYER, to, amount, result: 'SUCCESS', logs: [] }
}

export function trc10Transfer(to: TronAddress, amount: bigint, assetId: string): ScriptedTransaction {
  return { ...assetTransfer(to, amount), type: 'TransferAssetContract', assetId }
}

export interface ScriptedBlock {
  readonly number: number
  readonly id: string
  readonly parentId: string
  readonly timestamp: number
  readonly transactions: readonly ScriptedTransaction[]
}

export class ScriptedChain {
  readonly blocks: ScriptedBlock[] = []
  solidLag = 0
  private salt = 0

  constructor(solidLag = 0) {
    this.begin(solidLag)
  }

  /** Starts over with one block. */
  begin(solidLag = 0): void {
    this.solidLag = solidLag
    this.blocks.length = 0
    this.mine()
  }

  get head(): ScriptedBlock {
    return this.at(this.blocks.length - 1)
  }

  get solid(): ScriptedBlock {
    return this.at(Math.max(0, this.blocks.length - 1 - this.solidLag))
  }

  at(number: number): ScriptedBlock {
    const block = this.blocks[number]
    if (block === undefined) throw new RangeError(`there is no block ${number}`)
    return block
  }

  mine(...transactions: readonly ScriptedTransaction[]): ScriptedBlock {
    const number = this.blocks.length
    const parentId = this.blocks.at(-1)?.id ?? '0'.repeat(64)
    const body = `${parentId} ${this.salt} ${transactions.map((each) => each.txid).join(' ')}`
    const id = number.toString(16).padStart(16, '0') + hash(body).slice(16)
    const block = { number, id, parentId, timestamp: 1_700_000_000_000 + number * 3_000, transactions }
    this.blocks.push(block)
    return block
  }

  mineEmpty(count: number): void {
    for (let left = count; left > 0; left -= 1) this.mine()
  }

  /** Removes the newest blocks; blocks mined from here on differ from them. */
  fork(depth: number): void {
    this.blocks.length -= depth
    this.salt += 1
  }

  /** A node's answer to a path; undefined for an unknown path. */
  answer(path: string, body: Readonly<Record<string, unknown>>): unknown {
    const [, root, name] = path.split('/')
    const top = root === 'walletsolidity' ? this.solid : this.head
    if (name === 'getblock') return headerJson(body['id_or_num'] === '0' ? this.at(0) : top)
    if (name === 'getcontract') return { contract_address: body['value'] }
    if (name === 'triggerconstantcontract' && body['function_selector'] === 'decimals()')
      return { result: { result: true }, constant_result: [encodeUintWord(6n)] }
    const number = body['num']
    const block = typeof number === 'number' && number <= top.number ? this.blocks[number] : undefined
    if (name === 'getblockbynum') return block === undefined ? {} : blockJson(block)
    if (name === 'gettransactioninfobyblocknum') {
      return block === undefined || block.transactions.length === 0 ? {} : receiptsJson(block)
    }
    return undefined
  }
}

function headerJson(block: ScriptedBlock) {
  const { number, timestamp, parentId: parentHash } = block
  const raw_data = number === 0 ? { parentHash } : { number, timestamp, parentHash }
  return { blockID: block.id, block_header: { raw_data } }
}

function blockJson(block: ScriptedBlock) {
  if (block.transactions.length === 0) return headerJson(block)
  return { ...headerJson(block), transactions: block.transactions.map(transactionJson) }
}

function transactionJson(transaction: ScriptedTransaction) {
  const { txid, type, owner, to, contract, data, amount, assetId } = transaction
  const value = {
    owner_address: addressToHex(owner),
    ...(to === undefined ? {} : { to_address: addressToHex(to) }),
    ...(contract === undefined ? {} : { contract_address: addressToHex(contract) }),
    ...(data === undefined ? {} : { data }),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    ...(assetId === undefined ? {} : { asset_name: Buffer.from(assetId).toString('hex') }),
  }
  return {
    txID: txid,
    ret: [{ contractRet: transaction.listed ?? transaction.result }],
    raw_data: { contract: [{ type, parameter: { value } }] },
  }
}

function receiptsJson(block: ScriptedBlock) {
  return block.transactions.map(({ txid, type, result, logs }) => ({
    id: txid,
    blockNumber: block.number,
    blockTimeStamp: block.timestamp,
    ...(result === 'SUCCESS' ? {} : { result: 'FAILED' }),
    receipt: type === 'TriggerSmartContract' ? { result } : {},
    log: logs.map(({ contract, topics, data }) => ({
      address: addressToHex(contract).slice(2),
      topics,
      data,
    })),
  }))
}

/** A node that answers from a scripted chain, or incorrectly where a test wants it. */
export class ScriptedNode {
  /** Called first for every request; what it returns is the answer, unless it is undefined. */
  distort: (path: string, body: Readonly<Record<string, unknown>>) => unknown = () => undefined
  readonly asked: string[] = []
  private readonly chain: ScriptedChain

  constructor(chain: ScriptedChain) {
    this.chain = chain
  }

  /** Asks it without HTTP. */
  client(): NodeClient {
    return createNodeClient({
      url: 'http://scripted.example',
      timeoutMs: 60_000,
      fetch: async (url, init) => new Response(this.answer(new URL(url).pathname, String(init.body))),
    })
  }

  /** Serves it on loopback. */
  async listen(): Promise<{ readonly url: string; close(): Promise<void> }> {
    const server = createServer((request, response) => {
      void text(request).then((body) => response.end(this.answer(request.url ?? '', body)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      async close() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }

  private answer(path: string, text: string): string {
    const body = JSON.parse(text || '{}') as Record<string, unknown>
    this.asked.push(path)
    const distorted = this.distort(path, body)
    const answer = distorted === undefined ? this.chain.answer(path, body) : distorted
    return typeof answer === 'string' ? answer : JSON.stringify(answer ?? { Error: 'no such path' })
  }
}
