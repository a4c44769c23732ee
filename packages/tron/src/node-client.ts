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
  type Block,
  type BlockHeader,
  blockAnswer,
  broadcastAnswer,
  callAnswer,
  errorAnswer,
  headerAnswer,
  type Receipt,
  receiptAnswer,
  receiptsAnswer,
} from './node-answers.ts'
import { NodeError } from './node-error.ts'
import { excerpt, type NodeOptions, postJson } from './node-http.ts'
import { decodeSigned, transactionId } from './transaction.ts'

/** Which chain a question is about. */
export type View = 'head' | 'solid'

/** What a constant call returned: hex without "0x", and the energy it took. */
export interface CallResult {
  readonly result: string
  readonly energyUsed: number
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
  /** Null when that view has no such block yet. */
  block(number: number, view: View): Promise<Block | null>
  /**
   * The receipts of a block, in its order. Empty for a block without transactions and for a block that the
   * view does not have yet, so compare with the `txids` of {@link block}.
   */
  blockReceipts(number: number, view: View): Promise<readonly Receipt[]>
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
  /** Hands in a signed transaction (`SignedTransaction.hex`). */
  broadcast(hex: string): Promise<BroadcastReply>
}

const PREFIX: Record<View, string> = { head: '/wallet', solid: '/walletsolidity' }

/** A client for the node at `options.url`. Nothing is asked before the first call. */
export function createNodeClient(options: NodeOptions): NodeClient {
  return {
    url: options.url,
    headBlock: () => header(options, 'head'),
    solidBlock: () => header(options, 'solid'),
    block: (number, view) => block(options, number, view),
    blockReceipts: (number, view) => blockReceipts(options, number, view),
    receipt: (txid, view) => receipt(options, txid, view),
    constantCall: (contract, selector, parameter, extra = {}) =>
      constantCall(options, `${PREFIX[extra.view ?? 'head']}/triggerconstantcontract`, {
        owner_address: addressToHex(extra.from ?? contract),
        contract_address: addressToHex(contract),
        function_selector: selector,
        parameter,
        visible: false,
      }),
    broadcast: (hex) => broadcast(options, hex),
  }
}

async function header(options: NodeOptions, view: View): Promise<BlockHeader> {
  const path = `${PREFIX[view]}/getblock`
  const answer = read(headerAnswer, await postJson(options, path, { detail: false }), path)
  checkIdNumber(answer, path)
  return answer
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
