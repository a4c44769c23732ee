/** False versions of a transaction, each consistent: its entry in the block and its receipt. */
import {
  DEVNET,
  DEVNET_ROLES,
  decodeRaw,
  decodeTransferCall,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeRaw,
  encodeUintWord,
  signTransaction,
  TRANSFER_TOPIC,
  type TronAddress,
  transferCall,
} from '@aval/tron'
import { bytesToHex } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { BlockHead } from '../chain/block.rules.ts'
import { buildTransaction } from '../chain/dev-wallet.ts'
import { SUN_PER_ENERGY } from '../chain/fees.rules.ts'
import type { IncludedLog, Pending, StoredTransaction } from '../chain/ledger.ts'
import { hexText, inBlock, logFields, plainExecution, resultMessage } from '../chain/shapes.ts'

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
      : { log: [logFields(transferLog(contract.contract, contract.owner, asked.to, asked.value))] }),
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
export interface Phantom extends Pending {
  readonly block: number
}

/** Makes one, on top of a true block: from a development wallet it is even signed rightly. `now` in milliseconds. */
export function makePhantom(
  base: BlockHead,
  block: number,
  now: number,
  transfer: { readonly from: TronAddress; readonly to: TronAddress; readonly value: bigint },
): Phantom {
  const contract = transferCall(DEVNET.usdt, transfer.from, transfer.to, transfer.value)
  const raw = encodeRaw(buildTransaction({ head: base, solid: base }, now, contract, { feeLimit: FEE_LIMIT }))
  const role = DEVNET_ROLES.find((each) => devnetAddress(each) === transfer.from) ?? 'faucet'
  const { txid, signature } = signTransaction(raw, devnetKey(role))
  return { txid, block, raw, signatures: [bytesToHex(signature)] }
}

/** A phantom as its block and its receipt show it. */
export function phantomInBlock(phantom: Phantom, block: BlockHead, position: number): StoredTransaction {
  const { contract } = decodeRaw(phantom.raw)
  const asked = contract.type === 'TriggerSmartContract' ? decodeTransferCall(contract.data) : null
  const fee = ENERGY * SUN_PER_ENERGY
  const execution = {
    ...plainExecution(345, 0n),
    output: encodeUintWord(0n),
    logs: asked === null ? [] : [transferLog(DEVNET.usdt, contract.owner, asked.to, asked.value)],
    energyUsed: ENERGY,
    energyFee: fee,
    fee,
    contract: DEVNET.usdt,
  }
  return inBlock(phantom, execution, block, position)
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
