/** A chain made by a test: blocks and forks, in the form of java-tron's answers. */
import { createHash } from 'node:crypto'
import { addressToHex } from '@aval/tron'
import type { ScriptedTransaction } from './scripted-transactions.ts'

export interface ScriptedBlock {
  readonly number: number
  readonly id: string
  readonly parentId: string
  readonly timestamp: number
  readonly transactions: readonly ScriptedTransaction[]
}

export class ScriptedChain {
  readonly blocks: ScriptedBlock[] = []
  solidLag: number
  private salt = 0

  constructor(solidLag = 0) {
    this.solidLag = solidLag
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

  /** Adds a block with these transactions. */
  mine(...transactions: readonly ScriptedTransaction[]): ScriptedBlock {
    const number = this.blocks.length
    const parentId = this.blocks.at(-1)?.id ?? '0'.repeat(64)
    const body = `${parentId} ${this.salt} ${transactions.map((each) => each.txid).join(' ')}`
    const digest = createHash('sha256').update(body).digest('hex')
    const id = number.toString(16).padStart(16, '0') + digest.slice(16)
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
    if (name === 'getblock') return headerJson(top)
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
