/** The node's questions about blocks, transactions and accounts. Each answers with a JSON text. */
import { addressToHex, decodeRaw, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import { abiEntries } from '../chain/abi.ts'
import type { BlockHead } from '../chain/block.rules.ts'
import type { Chain, View } from '../chain/chain.ts'
import { FREE_BYTES, readUsage, SUN_PER_BYTE, SUN_PER_ENERGY, usageAt } from '../chain/fees.rules.ts'
import { type Json, writeJson } from '../chain/json.ts'
import type { StoredTransaction } from '../chain/ledger.ts'
import { addressWriter, blockJson, transactionFields } from '../chain/shapes.ts'
import { accountKeyOf, readAccount } from '../chain/state.ts'
import { addressField, flag, hashText, NodeComplaint, type Question, wholeNumber } from './answers.ts'

export type Answer = (chain: Chain, question: Question) => string | Promise<string>

const EMPTY = '{}'
const MAX_RANGE = 100

/** The reading questions that both the full node and its solid view answer. */
export const READS: Readonly<Record<string, Answer>> = {
  getnowblock: (chain, question) => whole(chain, chain.viewed(question.view), question.visible),
  getblock: (chain, question) => {
    const asked = z.object({ id_or_num: z.string().max(70).optional(), detail: flag.default(false) })
    const { id_or_num, detail } = asked.parse(question.fields)
    const block = id_or_num === undefined ? chain.viewed(question.view) : byIdOrNumber(chain, id_or_num)
    if (block === null || !isVisible(chain, block.number, question.view)) return EMPTY
    return detail ? whole(chain, block, question.visible) : blockJson(block, null, question.visible)
  },
  getblockbynum: (chain, question) => {
    const { num } = z.object({ num: wholeNumber.default(0) }).parse(question.fields)
    const block = isVisible(chain, num, question.view) ? chain.ledger.block(num) : null
    return block === null ? EMPTY : whole(chain, block, question.visible)
  },
  getblockbyid: (chain, question) => {
    const { value } = z.object({ value: hashText }).parse(question.fields)
    const block = chain.ledger.blockById(value)
    if (block === null || !isVisible(chain, block.number, question.view)) return EMPTY
    return whole(chain, block, question.visible)
  },
  getblockbylimitnext: (chain, question) => {
    const { startNum, endNum } = z
      .object({ startNum: wholeNumber.default(0), endNum: wholeNumber.default(0) })
      .parse(question.fields)
    const count = Math.min(MAX_RANGE, Math.max(0, endNum - startNum))
    return blockList(chain, startNum, count, question)
  },
  getblockbylatestnum: (chain, question) => {
    const { num } = z.object({ num: wholeNumber.default(1) }).parse(question.fields)
    const count = Math.min(num, MAX_RANGE - 1)
    return blockList(chain, Math.max(0, chain.viewed(question.view).number - count + 1), count, question)
  },
  gettransactionbyid: (chain, question) => {
    const transaction = findTransaction(chain, question)
    return transaction === null ? EMPTY : transactionText(transaction, question.visible)
  },
  gettransactioninfobyid: (chain, question) => findTransaction(chain, question)?.info ?? EMPTY,
  gettransactioninfobyblocknum: (chain, question) => {
    const { num } = z.object({ num: wholeNumber.default(0) }).parse(question.fields)
    if (!isVisible(chain, num, question.view)) return '[]'
    const infos = chain.ledger.transactionsOf(num).map((transaction) => transaction.info)
    return `[${infos.join(',')}]`
  },
  gettransactioncountbyblocknum: (chain, question) => {
    const { num } = z.object({ num: wholeNumber.default(0) }).parse(question.fields)
    const block = isVisible(chain, num, question.view) ? chain.ledger.block(num) : null
    return writeJson({ count: block?.txCount ?? -1 })
  },
  getaccount: (chain, question) => {
    const address = addressField(question, 'address')
    const account = readAccount(chain.read(accountKeyOf(addressToHex(address).slice(2)), question.view))
    if (account === undefined) return EMPTY
    return writeJson(accountFields(address, account.balance, question.visible))
  },
  getcontract: (chain, question) => {
    const address = addressField(question, 'value')
    const metadata = chain.read(`m:${address}`, question.view)
    return metadata === null ? EMPTY : writeJson(contractFields(address, metadata, question.visible))
  },
}

/** The questions that only the full node answers. */
export const FULL_NODE_READS: Readonly<Record<string, Answer>> = {
  getaccountresource: (chain, question) => writeJson({ ...bandwidthFields(chain, question), ...NETWORK }),
  getaccountnet: (chain, question) => writeJson(bandwidthFields(chain, question)),
  getchainparameters: () =>
    writeJson({
      chainParameter: [
        { key: 'getTransactionFee', value: SUN_PER_BYTE },
        { key: 'getEnergyFee', value: SUN_PER_ENERGY },
        { key: 'getCreateNewAccountFeeInSystemContract', value: 1_000_000 },
        { key: 'getCreateAccountFee', value: 100_000 },
        { key: 'getFreeNetLimit', value: FREE_BYTES },
        { key: 'getMaxFeeLimit', value: 15_000_000_000 },
        { key: 'getAllowTvmCancun', value: 1 },
      ],
    }),
  getnodeinfo: (chain) => {
    const [head, solid] = [chain.head(), chain.solid()]
    return writeJson({
      block: `Num:${head.number},ID:${head.id}`,
      solidityBlock: `Num:${solid.number},ID:${solid.id}`,
      beginSyncNum: 0,
      currentConnectCount: 0,
      activeConnectCount: 0,
      configNodeInfo: { codeVersion: '4.8.0', p2pVersion: '195001' },
    })
  },
  listnodes: () => writeJson({ nodes: [] }),
  getenergyprices: () => writeJson({ prices: `0:${SUN_PER_ENERGY}` }),
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

function whole(chain: Chain, block: BlockHead, visible: boolean): string {
  const transactions = block.txCount === 0 ? [] : chain.ledger.transactionsOf(block.number)
  return blockJson(
    block,
    transactions.map((each) => transactionText(each, visible)),
    visible,
  )
}

function blockList(chain: Chain, start: number, count: number, question: Question): string {
  const blocks: string[] = []
  for (let number = start; number < start + count && isVisible(chain, number, question.view); number += 1) {
    const block = chain.ledger.block(number)
    if (block !== null) blocks.push(whole(chain, block, question.visible))
  }
  return blocks.length === 0 ? EMPTY : `{"block":[${blocks.join(',')}]}`
}

function isVisible(chain: Chain, number: number, view: View): boolean {
  return number <= chain.viewed(view).number
}

function byIdOrNumber(chain: Chain, text: string): BlockHead | null {
  if (/^\d{1,15}$/.test(text)) return chain.ledger.block(Number(text))
  if (/^[0-9a-f]{64}$/i.test(text)) return chain.ledger.blockById(text.toLowerCase())
  throw new NodeComplaint('java.lang.IllegalArgumentException', 'hash or number is illegal')
}

function findTransaction(chain: Chain, question: Question): StoredTransaction | null {
  const { value } = z.object({ value: hashText }).parse(question.fields)
  const transaction = chain.ledger.transaction(value)
  return transaction !== null && isVisible(chain, transaction.block, question.view) ? transaction : null
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

function bandwidthFields(chain: Chain, question: Question): { readonly [key: string]: Json } {
  const address = addressField(question, 'address')
  const used = usageAt(readUsage(chain.read(`n:${address}`, question.view)), chain.now())
  return { ...(used === 0 ? {} : { freeNetUsed: used }), freeNetLimit: FREE_BYTES }
}
