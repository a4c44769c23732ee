/**
 * A contract's ABI as Tron carries it: a protobuf message in the creating transaction, and its JSON in
 * `getcontract`. Source: java-tron's `SmartContract.ABI`.
 */
import {
  bytesField,
  bytesOf,
  type Field,
  FormatError,
  integerOf,
  message,
  readFields,
  varintField,
} from '@aval/tron'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Json } from './json.ts'

const TYPES = ['UnknownEntryType', 'Constructor', 'Function', 'Event', 'Fallback', 'Receive', 'Error']
const MUTABILITIES = ['UnknownMutabilityType', 'Pure', 'View', 'Nonpayable', 'Payable']

/** An entry of a Solidity compiler's ABI; fields we do not name do not matter to Tron. */
export interface AbiEntry {
  readonly type: string
  readonly name?: string
  readonly stateMutability?: string
  readonly inputs?: readonly AbiParameter[]
  readonly outputs?: readonly AbiParameter[]
}

export interface AbiParameter {
  readonly name: string
  readonly type: string
  readonly indexed?: boolean
}

/** A compiler's ABI as the hex of Tron's ABI message. */
export function encodeAbi(entries: readonly AbiEntry[]): string {
  return bytesToHex(message(...entries.map((entry) => bytesField(1, encodeEntry(entry), true))))
}

/** The JSON entries of an ABI message; an unreadable message has none. */
export function abiEntries(abi: string): Json[] {
  try {
    return readFields(hexToBytes(abi)).flatMap((field) =>
      field.kind === 'bytes' ? [entryJson(field.value)] : [],
    )
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}

function encodeEntry(entry: AbiEntry): Uint8Array {
  const isView = entry.stateMutability === 'view' || entry.stateMutability === 'pure'
  return message(
    varintField(2, isView ? 1n : 0n),
    bytesField(3, utf8ToBytes(entry.name ?? '')),
    ...(entry.inputs ?? []).map((parameter) => bytesField(4, encodeParameter(parameter), true)),
    ...(entry.outputs ?? []).map((parameter) => bytesField(5, encodeParameter(parameter), true)),
    varintField(6, indexIn(TYPES, entry.type)),
    varintField(8, indexIn(MUTABILITIES, entry.stateMutability ?? '')),
  )
}

function encodeParameter(parameter: AbiParameter): Uint8Array {
  return message(
    varintField(1, parameter.indexed === true ? 1n : 0n),
    bytesField(2, utf8ToBytes(parameter.name)),
    bytesField(3, utf8ToBytes(parameter.type)),
  )
}

function entryJson(bytes: Uint8Array): Json {
  const fields = readFields(bytes)
  const name = textOf(fields, 3)
  const inputs = parametersOf(fields, 4)
  const outputs = parametersOf(fields, 5)
  const mutability = MUTABILITIES[Number(integerOf(fields, 8))]
  return {
    ...(integerOf(fields, 2) === 0n ? {} : { constant: true }),
    ...(name === '' ? {} : { name }),
    ...(inputs.length === 0 ? {} : { inputs }),
    ...(outputs.length === 0 ? {} : { outputs }),
    type: TYPES[Number(integerOf(fields, 6))] ?? 'UnknownEntryType',
    ...(mutability === undefined || mutability === MUTABILITIES[0] ? {} : { stateMutability: mutability }),
  }
}

function parametersOf(fields: readonly Field[], number: number): Json[] {
  return fields.flatMap((field) => {
    if (field.number !== number || field.kind !== 'bytes') return []
    const parameter = readFields(field.value)
    const name = textOf(parameter, 2)
    return [
      {
        ...(integerOf(parameter, 1) === 0n ? {} : { indexed: true }),
        ...(name === '' ? {} : { name }),
        type: textOf(parameter, 3),
      },
    ]
  })
}

function textOf(fields: readonly Field[], number: number): string {
  return new TextDecoder().decode(bytesOf(fields, number))
}

function indexIn(names: readonly string[], name: string): bigint {
  return BigInt(
    Math.max(
      0,
      names.findIndex((each) => each.toLowerCase() === name.toLowerCase()),
    ),
  )
}
