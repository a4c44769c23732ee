/** False versions of a transaction, each consistent: its entry in the block and its receipt. */
import {
  addressToHex,
  type ContractCall,
  DEVNET,
  DEVNET_ROLES,
  decodeRaw,
  decodeTransferCall,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeRaw,
  encodeTransferCall,
  encodeUintWord,
  signTransaction,
  TRANSFER_TOPIC,
  type TronAddress,
} from '@aval/tron'
import { bytesToHex } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { BlockHead } from '../chain/block.rules.ts'
import { buildTransaction } from '../chain/dev-wallet.ts'
import { SUN_PER_ENERGY } from '../chain/fees.rules.ts'
import { writeJson } from '../chain/json.ts'
import type { IncludedLog, StoredTransaction } from '../chain/ledger.ts'
import { hexText, infoJson, resultMessage, transactionFields } from '../chain/shapes.ts'

const ENERGY = 29_650n
const FEE_LIMIT = 100_000_000n

const jsonShape = z.looseObject({ ret: z.unknown() })
const infoShape = z.looseObject({ receipt: z.looseObject({}) })

/** Whether a transaction is this one, or pays this address. */
export function isAbout(
  transaction: StoredTransaction,
  { txid, to }: { readonly txid?: string | undefined; readonly to?: TronAddress | undefined },
): boolean {
  if (txid !== undefined && transaction.txid !== txid) return false
  return to === undefined || payeeOf(transaction) === to
}

/** A failed call as a successful one, with the Transfer event that it would have had. */
export function asSuccess(transaction: StoredTransaction): StoredTransaction {
  const { contract } = decodeRaw(transaction.raw)
  if (transaction.result === 'SUCCESS' || contract.type !== 'TriggerSmartContract') return transaction
  const asked = decodeTransferCall(contract.data)
  const { result: _result, resMessage: _message, ...info } = infoShape.parse(JSON.parse(transaction.info))
  const falsified = {
    ...info,
    contractResult: [encodeUintWord(0n)],
    receipt: { ...info.receipt, result: 'SUCCESS' },
    ...(asked === null
      ? {}
      : { log: [logJson(transferLog(contract.contract, contract.owner, asked.to, asked.value))] }),
  }
  return { ...withResult(transaction, 'SUCCESS'), info: JSON.stringify(falsified) }
}

/** A successful call as a failed one, without its events. */
export function asFailure(transaction: StoredTransaction): StoredTransaction {
  const { contract } = decodeRaw(transaction.raw)
  if (transaction.result !== 'SUCCESS' || contract.type !== 'TriggerSmartContract') return transaction
  const { log: _log, ...info } = infoShape.parse(JSON.parse(transaction.info))
  const falsified = {
    ...info,
    contractResult: [''],
    receipt: { ...info.receipt, result: 'REVERT' },
    result: 'FAILED',
    resMessage: hexText(resultMessage('REVERT')),
  }
  return { ...withResult(transaction, 'REVERT'), info: JSON.stringify(falsified) }
}

/** A transfer that was never made, with its bytes; {@link phantomInBlock} puts it into a block. */
export interface Phantom {
  readonly txid: string
  readonly block: number
  readonly raw: Uint8Array
  readonly signature: string
}

/** Makes one, on top of a true block: from a development wallet it is even signed rightly. `now` in milliseconds. */
export function makePhantom(
  base: BlockHead,
  block: number,
  now: number,
  transfer: { readonly from: TronAddress; readonly to: TronAddress; readonly value: bigint },
): Phantom {
  const contract: ContractCall = {
    type: 'TriggerSmartContract',
    owner: transfer.from,
    contract: DEVNET.usdt,
    callValue: 0n,
    data: encodeTransferCall(transfer.to, transfer.value),
  }
  const raw = encodeRaw(buildTransaction({ head: base, solid: base }, now, contract, { feeLimit: FEE_LIMIT }))
  const role = DEVNET_ROLES.find((each) => devnetAddress(each) === transfer.from) ?? 'faucet'
  const { txid, signature } = signTransaction(raw, devnetKey(role))
  return { txid, block, raw, signature: bytesToHex(signature) }
}

/** A phantom as its block and its receipt show it. */
export function phantomInBlock(phantom: Phantom, block: BlockHead, position: number): StoredTransaction {
  const transaction = decodeRaw(phantom.raw)
  const { contract } = transaction
  const asked = contract.type === 'TriggerSmartContract' ? decodeTransferCall(contract.data) : null
  const logs = asked === null ? [] : [transferLog(DEVNET.usdt, contract.owner, asked.to, asked.value)]
  const energyFee = ENERGY * SUN_PER_ENERGY
  const execution = {
    result: 'SUCCESS',
    output: encodeUintWord(0n),
    logs,
    energyUsed: ENERGY,
    energyPenalty: 0n,
    energyFee,
    netUsage: 345,
    netFee: 0n,
    fee: energyFee,
    contract: DEVNET.usdt,
  }
  return {
    txid: phantom.txid,
    block: block.number,
    position,
    owner: contract.owner,
    type: contract.type,
    raw: phantom.raw,
    result: execution.result,
    json: writeJson({
      ret: [{ contractRet: execution.result }],
      ...transactionFields(phantom.raw, transaction, [phantom.signature], false),
    }),
    info: infoJson(phantom.txid, execution, block),
  }
}

function payeeOf(transaction: StoredTransaction): TronAddress | null {
  const { contract } = decodeRaw(transaction.raw)
  if (contract.type === 'TransferContract') return contract.to
  return contract.type === 'TriggerSmartContract' ? (decodeTransferCall(contract.data)?.to ?? null) : null
}

function withResult(transaction: StoredTransaction, result: string): StoredTransaction {
  const json = jsonShape.parse(JSON.parse(transaction.json))
  return { ...transaction, result, json: JSON.stringify({ ...json, ret: [{ contractRet: result }] }) }
}

function transferLog(contract: TronAddress, from: TronAddress, to: TronAddress, value: bigint): IncludedLog {
  const topics = [TRANSFER_TOPIC, encodeAddressWord(from), encodeAddressWord(to)]
  return { contract, topics, data: encodeUintWord(value) }
}

function logJson(log: IncludedLog): object {
  return { address: addressToHex(log.contract).slice(2), topics: log.topics, data: log.data }
}
