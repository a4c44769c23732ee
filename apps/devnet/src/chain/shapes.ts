/**
 * The shapes of java-tron's answers. Protobuf zeroes are left out, bytes are lower-case hex, addresses are hex
 * ("41…") unless the question was `visible`. Source: java-tron's `JsonFormat` and `Util.printTransaction…`.
 */
import {
  addressToHex,
  type ContractCall,
  contractAddress,
  decodeRaw,
  type RawTransaction,
  type TronAddress,
  transactionId,
  typeUrl,
} from '@aval/tron'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { abiEntries } from './abi.ts'
import { BLOCK_VERSION, type BlockHead, WITNESS } from './block.rules.ts'
import { type Json, writeJson } from './json.ts'
import type { IncludedLog, Pending, StoredTransaction } from './ledger.ts'
import type { CallOutcome } from './machine.ts'

/** What a transaction did, for its receipt. Fees in sun; `energyUsed` is all that was charged. */
export interface Execution extends CallOutcome {
  /** The part of the energy that an energy factor added. */
  readonly energyPenalty: bigint
  readonly energyFee: bigint
  readonly netUsage: number
  readonly netFee: bigint
  readonly fee: bigint
  /** The contract that was called or created. */
  readonly contract: TronAddress | null
}

/** What one did that called nothing. */
export function plainExecution(netUsage: number, netFee: bigint): Execution {
  return {
    result: 'SUCCESS',
    output: '',
    logs: [],
    energyUsed: 0n,
    energyPenalty: 0n,
    energyFee: 0n,
    netUsage,
    netFee,
    fee: netFee,
    contract: null,
  }
}

/** A transaction in its block, with the texts that a node answers with. */
export function inBlock(
  pending: Pending,
  execution: Execution,
  block: BlockHead,
  position: number,
): StoredTransaction {
  const { txid, raw, signatures } = pending
  const transaction = decodeRaw(raw)
  const { result } = execution
  const ret = [{ contractRet: result }]
  return {
    txid,
    block: block.number,
    position,
    owner: transaction.contract.owner,
    type: transaction.contract.type,
    raw,
    result,
    json: writeJson({ ret, ...transactionFields(raw, transaction, signatures, false) }),
    info: infoJson(txid, execution, block),
  }
}

type Fields = { [key: string]: Json }

/** How addresses are written. */
export function addressWriter(visible: boolean): (address: TronAddress) => string {
  return visible ? (address) => address : addressToHex
}

/** A block; `transactions` are JSON texts, null when the question was for the header alone. */
export function blockJson(
  block: BlockHead,
  transactions: readonly string[] | null,
  visible: boolean,
): string {
  const raw: Fields = {
    ...nonZero('number', block.number),
    txTrieRoot: block.txRoot,
    witness_address: addressWriter(visible)(WITNESS),
    parentHash: block.parentId,
    version: BLOCK_VERSION,
    ...nonZero('timestamp', block.timestamp),
  }
  const head = writeJson({ blockID: block.id, block_header: { raw_data: raw } })
  if (transactions === null || transactions.length === 0) return head
  return `${head.slice(0, -1)},"transactions":[${transactions.join(',')}]}`
}

/** A transaction, as a block lists it or (without `result`) as it was built. */
export function transactionFields(
  raw: Uint8Array,
  transaction: RawTransaction,
  signatures: readonly string[],
  visible: boolean,
): Fields {
  const { contract } = transaction
  const txid = transactionId(raw)
  const created: Fields =
    contract.type === 'CreateSmartContract'
      ? { contract_address: addressToHex(contractAddress(txid, contract.owner)) }
      : {}
  return {
    ...(signatures.length === 0 ? {} : { signature: signatures }),
    txID: txid,
    ...created,
    raw_data: {
      contract: [
        {
          parameter: { value: contractFields(contract, visible), type_url: typeUrl(contract.type) },
          type: contract.type,
          ...nonZero('Permission_id', transaction.permissionId),
        },
      ],
      ref_block_bytes: transaction.refBlockBytes,
      ref_block_hash: transaction.refBlockHash,
      ...nonZero('expiration', transaction.expiration),
      ...(transaction.memo === '' ? {} : { data: transaction.memo }),
      ...nonZero('timestamp', transaction.timestamp),
      ...nonZero('fee_limit', transaction.feeLimit),
    },
    raw_data_hex: bytesToHex(raw),
  }
}

/** A receipt: java-tron's `TransactionInfo`. */
function infoJson(txid: string, execution: Execution, block: BlockHead): string {
  const failed = execution.result !== 'SUCCESS'
  const isCall = execution.contract !== null
  return writeJson({
    id: txid,
    ...nonZero('fee', execution.fee),
    blockNumber: block.number,
    blockTimeStamp: block.timestamp,
    contractResult: [execution.output],
    ...(execution.contract === null ? {} : { contract_address: addressToHex(execution.contract) }),
    receipt: {
      ...nonZero('energy_fee', execution.energyFee),
      ...nonZero('energy_usage_total', execution.energyUsed),
      ...nonZero('net_usage', execution.netUsage),
      ...nonZero('net_fee', execution.netFee),
      ...(isCall ? { result: execution.result } : {}),
      ...nonZero('energy_penalty_total', execution.energyPenalty),
    },
    ...(execution.logs.length === 0 ? {} : { log: execution.logs.map(logFields) }),
    ...(failed ? { result: 'FAILED', resMessage: hexText(resultMessage(execution.result)) } : {}),
  })
}

export function logFields({ contract, topics, data }: IncludedLog): Fields {
  return { address: addressToHex(contract).slice(2), topics, ...(data === '' ? {} : { data }) }
}

/** java-tron's text for a failed call. */
export function resultMessage(result: string): string {
  if (result === 'REVERT') return 'REVERT opcode executed'
  if (result === 'OUT_OF_ENERGY') return 'Not enough energy for the operation executing'
  return `${result} while executing`
}

/** Text as the hex of its UTF-8 bytes: how java-tron writes messages. */
export function hexText(plain: string): string {
  return bytesToHex(utf8ToBytes(plain))
}

function contractFields(contract: ContractCall, visible: boolean): Fields {
  const address = addressWriter(visible)
  const owner_address = address(contract.owner)
  switch (contract.type) {
    case 'TransferContract':
      return { ...nonZero('amount', contract.amount), owner_address, to_address: address(contract.to) }
    case 'TriggerSmartContract':
      return {
        ...(contract.data === '' ? {} : { data: contract.data }),
        owner_address,
        contract_address: address(contract.contract),
        ...nonZero('call_value', contract.callValue),
      }
    case 'CreateSmartContract':
      return {
        owner_address,
        new_contract: {
          bytecode: contract.bytecode,
          ...nonZero('consume_user_resource_percent', contract.consumeUserResourcePercent),
          name: contract.name,
          origin_address: owner_address,
          abi: { entrys: abiEntries(contract.abi) },
          ...nonZero('origin_energy_limit', contract.originEnergyLimit),
          ...nonZero('call_value', contract.callValue),
        },
      }
    default:
      return contract satisfies never
  }
}

function nonZero(key: string, value: number | bigint): Fields {
  return value === 0 || value === 0n ? {} : { [key]: value }
}
