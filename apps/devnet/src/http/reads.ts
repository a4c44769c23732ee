/** The node's questions about blocks, transactions and accounts. Each answers with a JSON text. */
import { addressToHex, decodeRaw, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import { abiEntries } from '../chain/abi.ts'
import type { BlockHead } from '../chain/block.rules.ts'
import { FREE_BYTES, readUsage, SUN_PER_BYTE, SUN_PER_ENERGY, usageAt } from '../chain/fees.rules.ts'
import { type Json, writeJson } from '../chain/json.ts'
import type { StoredTransaction } from '../chain/ledger.ts'
import { addressWriter, blockJson, transactionFields } from '../chain/shapes.ts'
import { blockById, viewed } from '../chain/sight.ts'
import { accountKeyOf, readAccount } from '../chain/state.ts'
import {
  type Answer,
  addressField,
  flag,
  hashText,
  NodeComplaint,
  type Question,
  readState,
  wholeNumber,
} from './answers.ts'

const EMPTY = '{}'
const MAX_RANGE = 100

/** The reading questions that both the full node and its solid view answer. */
export const READS: Readonly<Record<string, Answer>> = {
  getnowblock: (question) => whole(question, newest(question)),
  getblock: (question) => {
    const asked = z.object({ id_or_num: z.string().max(70).optional(), detail: flag.default(false) })
    const { id_or_num, detail } = asked.parse(question.fields)
    const block = id_or_num === undefined ? newest(question) : byIdOrNumber(question, id_or_num)
    if (block === null || !isVisible(question, block.number)) return EMPTY
    return detail ? whole(question, block) : blockJson(block, null, question.visible)
  },
  getblockbynum: (question) => {
    const num = numberIn(question, 'num', 0)
    const block = isVisible(question, num) ? question.sight.block(num) : null
    return block === null ? EMPTY : whole(question, block)
  },
  getblockbyid: (question) => {
    const { value } = z.object({ value: hashText }).parse(question.fields)
    const block = blockById(question.sight, value)
    return block === null || !isVisible(question, block.number) ? EMPTY : whole(question, block)
  },
  getblockbylimitnext: (question) => {
    const start = numberIn(question, 'startNum', 0)
    const count = Math.min(MAX_RANGE, Math.max(0, numberIn(question, 'endNum', 0) - start))
    return blockList(question, start, count)
  },
  getblockbylatestnum: (question) => {
    const count = Math.min(numberIn(question, 'num', 1), MAX_RANGE - 1)
    return blockList(question, Math.max(0, newest(question).number - count + 1), count)
  },
  gettransactionbyid: (question) => {
    const transaction = findTransaction(question)
    return transaction === null ? EMPTY : transactionText(transaction, question.visible)
  },
  gettransactioninfobyid: (question) => findTransaction(question)?.info ?? EMPTY,
  gettransactioninfobyblocknum: (question) => {
    const num = numberIn(question, 'num', 0)
    if (!isVisible(question, num)) return '[]'
    const infos = question.sight.transactionsOf(num).map((transaction) => transaction.info)
    return `[${infos.join(',')}]`
  },
  gettransactioncountbyblocknum: (question) => {
    const num = numberIn(question, 'num', 0)
    const isThere = isVisible(question, num) && question.sight.block(num) !== null
    return writeJson({ count: isThere ? question.sight.transactionsOf(num).length : -1 })
  },
  getaccount: (question) => {
    const address = addressField(question, 'address')
    const account = readAccount(readState(question, accountKeyOf(address)))
    if (account === undefined) return EMPTY
    return writeJson(accountFields(address, account.balance, question.visible))
  },
  getcontract: (question) => {
    const address = addressField(question, 'value')
    const metadata = readState(question, `m:${address}`)
    return metadata === null ? EMPTY : writeJson(contractFields(address, metadata, question.visible))
  },
}

/** The questions that only the full node answers. */
export const FULL_NODE_READS: Readonly<Record<string, Answer>> = {
  getaccountresource: (question) => writeJson({ ...bandwidthFields(question), ...NETWORK }),
  getaccountnet: (question) => writeJson(bandwidthFields(question)),
  getchainparameters: ({ node }) =>
    writeJson({
      chainParameter: [
        { key: 'getTransactionFee', value: SUN_PER_BYTE },
        { key: 'getEnergyFee', value: node.chain.energy.price },
        { key: 'getCreateNewAccountFeeInSystemContract', value: 1_000_000 },
        { key: 'getCreateAccountFee', value: 100_000 },
        { key: 'getFreeNetLimit', value: FREE_BYTES },
        { key: 'getMaxFeeLimit', value: 15_000_000_000 },
        { key: 'getAllowTvmCancun', value: 1 },
      ],
    }),
  getnodeinfo: ({ sight: { head, solid } }) =>
    writeJson({
      block: `Num:${head.number},ID:${head.id}`,
      solidityBlock: `Num:${solid.number},ID:${solid.id}`,
      beginSyncNum: 0,
      currentConnectCount: 0,
      activeConnectCount: 0,
      configNodeInfo: { codeVersion: '4.8.0', p2pVersion: '195001' },
    }),
  listnodes: () => writeJson({ nodes: [] }),
  getenergyprices: ({ node }) => {
    const changed = node.chain.conditions.energyPrice
    const since = changed === null ? '' : `,${changed.since}:${changed.sun}`
    return writeJson({ prices: `0:${SUN_PER_ENERGY}${since}` })
  },
  getbandwidthprices: () => writeJson({ prices: `0:${SUN_PER_BYTE}` }),
}

const NETWORK = { TotalNetLimit: 43_200_000_000, TotalEnergyLimit: 180_000_000_000 }

/** A transaction in java-tron's JSON. */
export function transactionText(transaction: StoredTransaction, visible: boolean): string {
  if (!visible) return transaction.json
  const { signature } = z.object({ signature: z.array(z.string()) }).parse(JSON.parse(transaction.json))
  return writeJson({
    ret: [{ contractRet: transaction.result }],
    ...transactionFields(transaction.raw, decodeRaw(transaction.raw), signature, true),
  })
}

function numberIn({ fields }: Question, name: string, otherwise: number): number {
  return z.object({ [name]: wholeNumber.default(otherwise) }).parse(fields)[name] ?? otherwise
}

function newest({ sight, view }: Question): BlockHead {
  return viewed(sight, view)
}

function whole({ sight, visible }: Question, block: BlockHead): string {
  const transactions = sight.transactionsOf(block.number)
  return blockJson(
    block,
    transactions.map((each) => transactionText(each, visible)),
    visible,
  )
}

function blockList(question: Question, start: number, count: number): string {
  const blocks: string[] = []
  for (let number = start; number < start + count && isVisible(question, number); number += 1) {
    const block = question.sight.block(number)
    if (block !== null) blocks.push(whole(question, block))
  }
  return blocks.length === 0 ? EMPTY : `{"block":[${blocks.join(',')}]}`
}

function isVisible(question: Question, number: number): boolean {
  return number <= newest(question).number
}

function byIdOrNumber({ sight }: Question, text: string): BlockHead | null {
  if (/^\d{1,15}$/.test(text)) return sight.block(Number(text))
  if (/^[0-9a-f]{64}$/i.test(text)) return blockById(sight, text.toLowerCase())
  throw new NodeComplaint('java.lang.IllegalArgumentException', 'hash or number is illegal')
}

function findTransaction(question: Question): StoredTransaction | null {
  const { value } = z.object({ value: hashText }).parse(question.fields)
  const transaction = question.sight.transaction(value)
  return transaction !== null && isVisible(question, transaction.block) ? transaction : null
}

function accountFields(address: TronAddress, balance: bigint, visible: boolean): Json {
  const keys = [{ address: addressWriter(visible)(address), weight: 1 }]
  return {
    address: addressWriter(visible)(address),
    ...(balance === 0n ? {} : { balance }),
    account_resource: {},
    owner_permission: { permission_name: 'owner', threshold: 1, keys },
    active_permission: [
      {
        type: 'Active',
        id: 2,
        permission_name: 'active',
        threshold: 1,
        operations: '7fff1fc0033efb0f000000000000000000000000000000000000000000000000',
        keys,
      },
    ],
  }
}

const metadataShape = z.object({
  origin: z.string(),
  name: z.string(),
  abi: z.string(),
  bytecode: z.string(),
  percent: z.number(),
  energyLimit: z.number(),
})

function contractFields(address: TronAddress, metadata: string, visible: boolean): Json {
  const contract = metadataShape.parse(JSON.parse(metadata))
  const write = addressWriter(visible)
  return {
    bytecode: contract.bytecode,
    consume_user_resource_percent: contract.percent,
    name: contract.name,
    origin_address: visible ? contract.origin : addressToHex(contract.origin as TronAddress),
    abi: { entrys: abiEntries(contract.abi) },
    origin_energy_limit: contract.energyLimit,
    contract_address: write(address),
  }
}

function bandwidthFields(question: Question): { readonly [key: string]: Json } {
  const address = addressField(question, 'address')
  const used = usageAt(readUsage(readState(question, `n:${address}`)), question.node.chain.now())
  return { ...(used === 0 ? {} : { freeNetUsed: used }), freeNetLimit: FREE_BYTES }
}
