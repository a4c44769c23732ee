/**
 * A thin, typed client of one Tron node (java-tron's HTTP API).
 *
 * Terms: the *head* is the newest block, which may still be replaced; the *solid* chain is what two thirds
 * of the witnesses have built upon, some 19 blocks behind, and is final. Money counts on the solid view only.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { z } from 'zod'
import { addressToHex, type TronAddress } from './address.ts'
import {
  accountAnswer,
  type Block,
  type BlockHeader,
  blockAnswer,
  broadcastAnswer,
  callAnswer,
  contractAnswer,
  errorAnswer,
  headerAnswer,
  parametersAnswer,
  type Receipt,
  receiptAnswer,
  receiptsAnswer,
  resourcesAnswer,
  transactionAnswer,
} from './node-answers.ts'
import { excerpt, NodeError, type NodeOptions, postJson } from './node-http.ts'
import { decodeSigned, transactionId } from './transaction.ts'

export type View = 'head' | 'solid'

/** What a constant call returned: hex without "0x", and the energy it took. */
export interface CallResult {
  readonly result: string
  readonly energyUsed: number
}

/** What a transaction would do now: it would fail, or it would succeed and take this much energy. */
export type TrialResult =
  | { readonly reverted: false; readonly result: string; readonly energyUsed: number }
  | { readonly reverted: true; readonly message: string }

/** What transactions cost where nothing is staked, in sun: per unit of energy, and per byte. */
export interface Prices {
  readonly energy: bigint
  readonly byte: bigint
}

/** What an account may use before it burns TRX: units of energy, and bytes. */
export interface Resources {
  readonly energy: bigint
  readonly bytes: bigint
}

/**
 * A node's reply to a broadcast. It settles nothing: an accepted transaction may vanish, and
 * `DUP_TRANSACTION_ERROR` means only that the node has seen it before.
 */
export type BroadcastReply =
  | { readonly accepted: true; readonly txid: string }
  | { readonly accepted: false; readonly txid: string; readonly code: string; readonly message: string }

/** All methods throw {@link NodeError} and nothing else; none retries. */
export interface NodeClient {
  readonly url: string
  headBlock(): Promise<BlockHeader>
  solidBlock(): Promise<BlockHeader>
  /** The id of the first block, by which networks differ. */
  genesis(): Promise<string>
  hasContract(address: TronAddress): Promise<boolean>
  /** Null when that view has no such block yet. */
  block(number: number, view: View): Promise<Block | null>
  /**
   * The receipts of a block, in its order. Empty for a block without transactions and for a block that the
   * view does not have yet, so compare with the `txids` of {@link block}.
   */
  blockReceipts(number: number, view: View): Promise<readonly Receipt[]>
  /** Of a block that the view has, without its transactions. */
  blockHeader(number: number, view: View): Promise<BlockHeader>
  hasTransaction(txid: string, view: View): Promise<boolean>
  /** Null when that view does not have the transaction. */
  receipt(txid: string, view: View): Promise<Receipt | null>
  /**
   * Runs a call without a transaction.
   * @param selector such as "balanceOf(address)"
   * @param parameter the ABI-encoded arguments, hex
   * @param options `from` is the caller (the contract itself when absent), `view` the state (head)
   */
  constantCall(
    contract: TronAddress,
    selector: string,
    parameter: string,
    options?: { readonly from?: TronAddress; readonly view?: View },
  ): Promise<CallResult>
  /**
   * Runs a call as a transaction of `from` would run it now. Unlike with {@link constantCall}, that the contract refuses is
   * an answer; a node that will not answer throws.
   * @param data call data, hex
   */
  trial(from: TronAddress, contract: TronAddress, data: string): Promise<TrialResult>
  /** An account's TRX, in sun; 0 for one that was never used. */
  trxBalance(address: TronAddress, view: View): Promise<bigint>
  prices(): Promise<Prices>
  resources(address: TronAddress): Promise<Resources>
  /** Broadcasts a signed transaction (`SignedTransaction.hex`). */
  broadcast(hex: string): Promise<BroadcastReply>
}

const PREFIX: Record<View, string> = { head: '/wallet', solid: '/walletsolidity' }

/** A client for the node at `options.url`. Nothing is asked before the first call. */
export function createNodeClient(options: NodeOptions): NodeClient {
  return {
    url: options.url,
    headBlock: () => header(options, 'head'),
    solidBlock: () => header(options, 'solid'),
    genesis: async () => (await header(options, 'head', '0')).id,
    hasContract: (address) => hasContract(options, address),
    block: (number, view) => block(options, number, view),
    blockReceipts: (number, view) => blockReceipts(options, number, view),
    blockHeader: (number, view) => header(options, view, String(number)),
    hasTransaction: (txid, view) => hasTransaction(options, txid, view),
    receipt: (txid, view) => receipt(options, txid, view),
    constantCall: (contract, selector, parameter, extra = {}) =>
      constantCall(options, `${PREFIX[extra.view ?? 'head']}/triggerconstantcontract`, {
        owner_address: addressToHex(extra.from ?? contract),
        contract_address: addressToHex(contract),
        function_selector: selector,
        parameter,
        visible: false,
      }),
    trial: (from, contract, data) => trial(options, from, contract, data),
    trxBalance: (address, view) => trxBalance(options, address, view),
    prices: () => prices(options),
    resources: (address) => resources(options, address),
    broadcast: (hex) => broadcast(options, hex),
  }
}

/** The newest block, or the one of this number. */
async function header(options: NodeOptions, view: View, id_or_num?: string): Promise<BlockHeader> {
  const path = `${PREFIX[view]}/getblock`
  const answer = read(headerAnswer, await postJson(options, path, { detail: false, id_or_num }), path)
  checkIdNumber(answer, path)
  if (id_or_num === undefined || answer.number === Number(id_or_num)) return answer
  throw new NodeError('bad_answer', path, `block ${answer.number}, not ${id_or_num}`)
}

async function hasContract(options: NodeOptions, address: TronAddress): Promise<boolean> {
  const path = '/wallet/getcontract'
  const json = await postJson(options, path, { value: addressToHex(address), visible: false })
  return !isEmpty(json) && read(contractAnswer, json, path).contract_address === address
}

async function block(options: NodeOptions, number: number, view: View): Promise<Block | null> {
  const path = `${PREFIX[view]}/getblockbynum`
  const json = await postJson(options, path, { num: number, visible: false })
  if (isEmpty(json)) return null
  const answer = read(blockAnswer, json, path)
  if (answer.number !== number)
    throw new NodeError('bad_answer', path, `block ${answer.number}, not ${number}`)
  checkIdNumber(answer, path)
  return answer
}

async function blockReceipts(options: NodeOptions, number: number, view: View): Promise<readonly Receipt[]> {
  const path = `${PREFIX[view]}/gettransactioninfobyblocknum`
  const json = await postJson(options, path, { num: number, visible: false })
  if (isEmpty(json)) return []
  const answer = read(receiptsAnswer, json, path)
  if (answer.some((each) => each.blockNumber !== number)) {
    throw new NodeError('bad_answer', path, `receipts of another block than ${number}`)
  }
  return answer
}

async function hasTransaction(options: NodeOptions, txid: string, view: View): Promise<boolean> {
  const path = `${PREFIX[view]}/gettransactionbyid`
  const json = await postJson(options, path, { value: txid, visible: false })
  if (isEmpty(json)) return false
  if (read(transactionAnswer, json, path).txID === txid) return true
  throw new NodeError('bad_answer', path, 'another transaction')
}

async function receipt(options: NodeOptions, txid: string, view: View): Promise<Receipt | null> {
  const path = `${PREFIX[view]}/gettransactioninfobyid`
  const json = await postJson(options, path, { value: txid, visible: false })
  if (isEmpty(json)) return null
  const answer = read(receiptAnswer, json, path)
  if (answer.txid !== txid) throw new NodeError('bad_answer', path, 'the receipt of another transaction')
  return answer
}

async function constantCall(options: NodeOptions, path: string, body: object): Promise<CallResult> {
  const answer = read(callAnswer, await postJson(options, path, body), path)
  const result = answer.constant_result[0]
  const failed = answer.transaction?.ret[0]?.ret === 'FAILED'
  if (!answer.result.result || failed) {
    const message = hexText(answer.result.message ?? '')
    throw new NodeError('refused', path, excerpt(`${answer.result.code ?? 'FAILED'} ${message}`))
  }
  if (result === undefined) throw new NodeError('bad_answer', path, 'a call without a result')
  return { result, energyUsed: answer.energy_used }
}

async function trial(
  options: NodeOptions,
  from: TronAddress,
  contract: TronAddress,
  data: string,
): Promise<TrialResult> {
  const path = '/wallet/triggerconstantcontract'
  const body = {
    owner_address: addressToHex(from),
    contract_address: addressToHex(contract),
    data,
    visible: false,
  }
  const answer = read(callAnswer, await postJson(options, path, body), path)
  const message = excerpt(hexText(answer.result.message ?? ''))
  if (!answer.result.result) throw new NodeError('refused', path, `${answer.result.code ?? ''} ${message}`)
  if (answer.transaction?.ret[0]?.ret === 'FAILED') return { reverted: true, message }
  return { reverted: false, result: answer.constant_result[0] ?? '', energyUsed: answer.energy_used }
}

async function trxBalance(options: NodeOptions, address: TronAddress, view: View): Promise<bigint> {
  const path = `${PREFIX[view]}/getaccount`
  const json = await postJson(options, path, { address: addressToHex(address), visible: false })
  if (isEmpty(json)) return 0n
  const answer = read(accountAnswer, json, path)
  if (answer.address !== address) throw new NodeError('bad_answer', path, 'another account')
  return BigInt(answer.balance)
}

async function prices(options: NodeOptions): Promise<Prices> {
  const path = '/wallet/getchainparameters'
  const { chainParameter } = read(parametersAnswer, await postJson(options, path, {}), path)
  const value = (key: string) => {
    const found = chainParameter.find((each) => each.key === key)?.value
    if (typeof found === 'number' && Number.isSafeInteger(found) && found >= 0) return BigInt(found)
    throw new NodeError('bad_answer', path, `${key} is missing`)
  }
  return { energy: value('getEnergyFee'), byte: value('getTransactionFee') }
}

async function resources(options: NodeOptions, address: TronAddress): Promise<Resources> {
  const path = '/wallet/getaccountresource'
  const json = await postJson(options, path, { address: addressToHex(address), visible: false })
  const has = read(resourcesAnswer, json, path)
  const left = (limit: number, used: number) => Math.max(0, limit - used)
  // Bytes are paid from one of the two as a whole, never from both.
  const bytes = Math.max(left(has.freeNetLimit, has.freeNetUsed), left(has.NetLimit, has.NetUsed))
  return { energy: BigInt(left(has.EnergyLimit, has.EnergyUsed)), bytes: BigInt(bytes) }
}

async function broadcast(options: NodeOptions, hex: string): Promise<BroadcastReply> {
  const path = '/wallet/broadcasthex'
  const answer = read(broadcastAnswer, await postJson(options, path, { transaction: hex }), path)
  const txid = transactionId(decodeSigned(hexToBytes(hex)).raw)
  if (answer.txid !== txid) throw new NodeError('bad_answer', path, 'the reply names another transaction')
  if (answer.result && answer.code === 'SUCCESS') return { accepted: true, txid }
  return { accepted: false, txid, code: excerpt(answer.code), message: excerpt(hexText(answer.message)) }
}

function read<T>(schema: z.ZodType<T>, json: unknown, path: string): T {
  const answer = schema.safeParse(json)
  if (answer.success) return answer.data
  const error = errorAnswer.safeParse(json)
  if (error.success) throw new NodeError('refused', path, excerpt(error.data.Error))
  const issue = answer.error.issues[0]
  throw new NodeError('bad_answer', path, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** A block's id begins with its number: an id that does not is no id of that block. */
function checkIdNumber(answer: BlockHeader, path: string): void {
  if (BigInt(`0x${answer.id.slice(0, 16)}`) !== BigInt(answer.number)) {
    throw new NodeError('bad_answer', path, 'the id of another block')
  }
}

function isEmpty(json: unknown): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0
}

/** Node messages are mostly hex-encoded text, sometimes plain. */
function hexText(message: string): string {
  if (message.length === 0 || !/^(?:[0-9a-f]{2})+$/.test(message)) return message
  const bytes = hexToBytes(message)
  return bytesToHex(bytes) === message ? new TextDecoder().decode(bytes) : message
}
