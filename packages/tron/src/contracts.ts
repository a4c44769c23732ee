/**
 * The three kinds of contract message this product speaks: moving TRX, calling a contract, deploying one.
 * Source: java-tron's `balance_contract.proto` and `smart_contract.proto`.
 */
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { addressToHex, type TronAddress, tryAddressFromHex } from './address.ts'
import { bytesField, bytesOf, FormatError, integerOf, message, readFields, varintField } from './protobuf.ts'

/** Moves TRX; `amount` in sun (a millionth of a TRX). */
export interface TransferContract {
  readonly type: 'TransferContract'
  readonly owner: TronAddress
  readonly to: TronAddress
  readonly amount: bigint
}

/** Calls a contract. `data` is hex without "0x", `callValue` sun sent along. */
export interface TriggerSmartContract {
  readonly type: 'TriggerSmartContract'
  readonly owner: TronAddress
  readonly contract: TronAddress
  readonly callValue: bigint
  readonly data: string
}

/** Deploys a contract. `bytecode` and `abi` (the encoded ABI message) are hex without "0x". */
export interface CreateSmartContract {
  readonly type: 'CreateSmartContract'
  readonly owner: TronAddress
  readonly abi: string
  readonly bytecode: string
  readonly callValue: bigint
  /** Which share of the energy the caller pays, 0 to 100 percent. */
  readonly consumeUserResourcePercent: bigint
  readonly name: string
  readonly originEnergyLimit: bigint
}

/** What a transaction does. */
export type ContractCall = TransferContract | TriggerSmartContract | CreateSmartContract

/** The bytes of the contract message, as they stand inside the `Any`. */
export function encodeContract(contract: ContractCall): Uint8Array {
  const owner = bytesField(1, addressBytes(contract.owner))
  switch (contract.type) {
    case 'TransferContract':
      return message(owner, bytesField(2, addressBytes(contract.to)), varintField(3, contract.amount))
    case 'TriggerSmartContract':
      return message(
        owner,
        bytesField(2, addressBytes(contract.contract)),
        varintField(3, contract.callValue),
        bytesField(4, hexToBytes(contract.data)),
      )
    case 'CreateSmartContract':
      return message(owner, bytesField(2, encodeSmartContract(contract)))
    default:
      return contract satisfies never
  }
}

/**
 * Reads a contract message of this kind. Fields that have no place in {@link ContractCall} (token values,
 * say) are lost here; the caller compares the encoded result with what it read.
 * @throws FormatError when it is not such a message
 */
export function decodeContract(type: ContractCall['type'], bytes: Uint8Array): ContractCall {
  const fields = readFields(bytes)
  const owner = address(bytesOf(fields, 1))
  switch (type) {
    case 'TransferContract':
      return { type, owner, to: address(bytesOf(fields, 2)), amount: integerOf(fields, 3) }
    case 'TriggerSmartContract':
      return {
        type,
        owner,
        contract: address(bytesOf(fields, 2)),
        callValue: integerOf(fields, 3),
        data: bytesToHex(bytesOf(fields, 4)),
      }
    case 'CreateSmartContract':
      return decodeSmartContract(owner, bytesOf(fields, 2))
    default:
      return type satisfies never
  }
}

function encodeSmartContract(contract: CreateSmartContract): Uint8Array {
  return message(
    bytesField(1, addressBytes(contract.owner)),
    // An ABI without entries is still an ABI, and tronweb and java-tron write the empty message.
    bytesField(3, hexToBytes(contract.abi), true),
    bytesField(4, hexToBytes(contract.bytecode)),
    varintField(5, contract.callValue),
    varintField(6, contract.consumeUserResourcePercent),
    bytesField(7, utf8ToBytes(contract.name)),
    varintField(8, contract.originEnergyLimit),
  )
}

function decodeSmartContract(owner: TronAddress, bytes: Uint8Array): CreateSmartContract {
  const fields = readFields(bytes)
  return {
    type: 'CreateSmartContract',
    owner,
    abi: bytesToHex(bytesOf(fields, 3)),
    bytecode: bytesToHex(bytesOf(fields, 4)),
    callValue: integerOf(fields, 5),
    consumeUserResourcePercent: integerOf(fields, 6),
    name: new TextDecoder().decode(bytesOf(fields, 7)),
    originEnergyLimit: integerOf(fields, 8),
  }
}

function addressBytes(value: TronAddress): Uint8Array {
  return hexToBytes(addressToHex(value))
}

function address(bytes: Uint8Array): TronAddress {
  const read = bytes.length === 21 ? tryAddressFromHex(bytesToHex(bytes)) : null
  if (read === null) throw new FormatError('no Tron address where one belongs')
  return read
}
