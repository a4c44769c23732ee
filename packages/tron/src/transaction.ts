/**
 * Tron transactions as the exact bytes that are hashed and signed, and their signatures: moving TRX, calling a contract,
 * deploying one.
 *
 * Source: java-tron's `Tron.proto` (Transaction, Transaction.raw, Transaction.Contract), `balance_contract.proto` and
 * `smart_contract.proto`. A transaction's id is the SHA-256 of its `raw` bytes, so encoding is canonical and decoding
 * refuses every byte it would not have written itself.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { addressFromPublicKey, addressToHex, type TronAddress, tryAddressFromHex } from './address.ts'
import { encodeTransferCall } from './events.ts'
import { bytesField, bytesOf, FormatError, integerOf, message, readFields, varintField } from './protobuf.ts'

/** Moves TRX; `amount` in sun (a millionth of a TRX). */
interface TransferContract {
  readonly type: 'TransferContract'
  readonly owner: TronAddress
  readonly to: TronAddress
  readonly amount: bigint
}

/** Calls a contract. `data` is hex without "0x", `callValue` sun sent along. */
interface TriggerSmartContract {
  readonly type: 'TriggerSmartContract'
  readonly owner: TronAddress
  readonly contract: TronAddress
  readonly callValue: bigint
  readonly data: string
}

/** Deploys a contract. `bytecode` and `abi` (the encoded ABI message) are hex without "0x". */
interface CreateSmartContract {
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

export type ContractCall = TransferContract | TriggerSmartContract | CreateSmartContract

/** What is signed. Times are milliseconds since 1970; bytes are lower-case hex without "0x". */
export interface RawTransaction {
  /** Bytes 6 and 7 of the reference block's number (4 hex characters). */
  readonly refBlockBytes: string
  /** Bytes 8 to 15 of the reference block's id (16 hex characters). */
  readonly refBlockHash: string
  readonly expiration: number
  readonly timestamp: number
  /** The most that energy may cost, in sun; 0 when absent. */
  readonly feeLimit: bigint
  /** The memo; "" when absent. */
  readonly memo: string
  readonly contract: ContractCall
  /** Which of the account's permissions signs; 0 is the owner. */
  readonly permissionId: number
}

/** A call of a token's `transfer(to, amount)`, and nothing else. */
export function transferCall(token: TronAddress, owner: TronAddress, to: TronAddress, amount: bigint) {
  const data = encodeTransferCall(to, amount)
  return { type: 'TriggerSmartContract', owner, contract: token, callValue: 0n, data } as const
}

/** A transaction with its signatures, as nodes take it at `broadcasthex`. */
export interface SignedBytes {
  readonly raw: Uint8Array
  readonly signatures: readonly Uint8Array[]
}

// The numbers of Transaction.Contract.ContractType.
const TYPES = { TransferContract: 1n, CreateSmartContract: 30n, TriggerSmartContract: 31n } as const

/**
 * The canonical bytes of a raw transaction.
 * @throws RangeError when a number does not fit, an Error when hex is no hex
 */
export function encodeRaw(transaction: RawTransaction): Uint8Array {
  const { contract, permissionId } = transaction
  const any = message(
    bytesField(1, utf8ToBytes(typeUrl(contract.type))),
    bytesField(2, encodeContract(contract)),
  )
  const call = message(
    varintField(1, TYPES[contract.type]),
    bytesField(2, any),
    varintField(5, BigInt(permissionId)),
  )
  return message(
    bytesField(1, hexToBytes(transaction.refBlockBytes)),
    bytesField(4, hexToBytes(transaction.refBlockHash)),
    varintField(8, BigInt(transaction.expiration)),
    bytesField(10, hexToBytes(transaction.memo)),
    bytesField(11, call),
    varintField(14, BigInt(transaction.timestamp)),
    varintField(18, transaction.feeLimit),
  )
}

/**
 * Reads a raw transaction, and only one that {@link encodeRaw} would write byte for byte: nothing hidden in
 * unknown fields can be signed along.
 * @throws FormatError for other bytes or another kind of contract
 */
export function decodeRaw(raw: Uint8Array): RawTransaction {
  const fields = readFields(raw)
  const call = readFields(bytesOf(fields, 11))
  const any = readFields(bytesOf(call, 2))
  const type = typeName(integerOf(call, 1))
  const transaction: RawTransaction = {
    refBlockBytes: bytesToHex(bytesOf(fields, 1)),
    refBlockHash: bytesToHex(bytesOf(fields, 4)),
    expiration: safeInteger(integerOf(fields, 8)),
    timestamp: safeInteger(integerOf(fields, 14)),
    feeLimit: integerOf(fields, 18),
    memo: bytesToHex(bytesOf(fields, 10)),
    contract: decodeContract(type, bytesOf(any, 2)),
    permissionId: safeInteger(integerOf(call, 5)),
  }
  if (bytesToHex(encodeRaw(transaction)) !== bytesToHex(raw)) {
    throw new FormatError('the bytes are not the canonical form of this transaction')
  }
  return transaction
}

/** The transaction's id: SHA-256 of its raw bytes, 64 hex characters. */
export function transactionId(raw: Uint8Array): string {
  return bytesToHex(sha256(raw))
}

/** The bytes of a whole transaction: raw data and signatures (fields 1 and 2 of `Transaction`). */
export function encodeSigned(transaction: SignedBytes): Uint8Array {
  const signatures = transaction.signatures.map((signature) => bytesField(2, signature, true))
  return message(bytesField(1, transaction.raw), ...signatures)
}

/**
 * Reads a whole transaction. The raw bytes are not decoded here; results (field 5) are passed over.
 * @throws FormatError when it is no transaction
 */
export function decodeSigned(bytes: Uint8Array): SignedBytes {
  const fields = readFields(bytes)
  const signatures = fields.flatMap((field) =>
    field.number === 2 && field.kind === 'bytes' ? [field.value] : [],
  )
  return { raw: bytesOf(fields, 1), signatures }
}

/** A signed transaction. `hex` is what a node takes; all texts are lower-case hex. */
export interface SignedTransaction {
  readonly txid: string
  readonly raw: Uint8Array
  /** r ‖ s ‖ v: 65 bytes, v is 27 or 28. */
  readonly signature: Uint8Array
  readonly hex: string
}

/**
 * Signs raw transaction bytes. Deterministic (RFC 6979): the same bytes and key give the same signature.
 * @param privateKey 32 bytes
 */
export function signTransaction(raw: Uint8Array, privateKey: Uint8Array): SignedTransaction {
  const txid = transactionId(raw)
  const recovered = secp256k1.sign(hexToBytes(txid), privateKey, { prehash: false, format: 'recovered' })
  // noble puts the recovery bit first; Tron wants it last, counted from 27.
  const signature = concatBytes(recovered.subarray(1), Uint8Array.of(27 + (recovered[0] ?? 0)))
  return { txid, raw, signature, hex: bytesToHex(encodeSigned({ raw, signatures: [signature] })) }
}

/**
 * The address whose key made this signature; null when it is no signature at all.
 * @param txid 64 hex characters
 * @param signature 65 bytes r ‖ s ‖ v; v may be 0, 1, 27 or 28, as java-tron takes it
 */
export function recoverSigner(txid: string, signature: Uint8Array): TronAddress | null {
  const v = signature[64]
  if (signature.length !== 65 || v === undefined) return null
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return null
  const recovered = concatBytes(Uint8Array.of(recovery), signature.subarray(0, 64))
  try {
    const key = secp256k1.recoverPublicKey(recovered, hexToBytes(txid), { prehash: false })
    return addressFromPublicKey(key)
  } catch {
    return null
  }
}

/** The part of a transaction that ties it to a recent block, so that it can live on no other fork. */
export function blockReference(blockId: string): Pick<RawTransaction, 'refBlockBytes' | 'refBlockHash'> {
  if (!/^[0-9a-f]{64}$/.test(blockId)) throw new RangeError('a block id is 64 hex characters')
  return { refBlockBytes: blockId.slice(12, 16), refBlockHash: blockId.slice(16, 32) }
}

/** The `type_url` that Tron's protobuf `Any` carries for a kind of contract. */
export function typeUrl(type: ContractCall['type']): string {
  return `type.googleapis.com/protocol.${type}`
}

function typeName(number: bigint): ContractCall['type'] {
  if (number === TYPES.TriggerSmartContract) return 'TriggerSmartContract'
  if (number === TYPES.TransferContract) return 'TransferContract'
  if (number === TYPES.CreateSmartContract) return 'CreateSmartContract'
  throw new FormatError(`contract type ${number} is not supported`)
}

function safeInteger(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new FormatError('number out of range')
  return Number(value)
}

/** The bytes of the contract message, as they stand inside the `Any`. */
function encodeContract(contract: ContractCall): Uint8Array {
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
function decodeContract(type: ContractCall['type'], bytes: Uint8Array): ContractCall {
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
