/**
 * The small part of the protobuf wire format that Tron transactions use: varints and length-delimited fields.
 *
 * Writing follows what java-tron's own writer does (fields in number order, defaults left out), because a
 * transaction's id is the hash of exactly these bytes.
 */
import { concatBytes } from '@noble/hashes/utils.js'

const VARINT = 0
const BYTES = 2
const INT64_MAX = (1n << 63n) - 1n

/** One field as it stood on the wire. */
export type Field =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Uint8Array }

/** Bytes that are not the protobuf message they should be. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

/** A message of these encoded fields, which must stand in the order of their numbers. */
export function message(...fields: Uint8Array[]): Uint8Array {
  return concatBytes(...fields)
}

/**
 * A non-negative int64, int32, enum or bool field; nothing at all for zero, as proto3 has it.
 * @throws RangeError below zero or above 2^63−1
 */
export function varintField(number: number, value: bigint): Uint8Array {
  if (value < 0n || value > INT64_MAX) throw new RangeError(`field ${number} does not fit a positive int64`)
  return value === 0n ? new Uint8Array() : concatBytes(tag(number, VARINT), varint(value))
}

/** A bytes, string or message field; nothing at all when it is empty, unless `always`. */
export function bytesField(number: number, value: Uint8Array, always = false): Uint8Array {
  if (value.length === 0 && !always) return new Uint8Array()
  return concatBytes(tag(number, BYTES), varint(BigInt(value.length)), value)
}

/**
 * Reads the fields of a message, in their order on the wire.
 * @throws FormatError when the bytes are cut short, overlong or of a wire type that Tron does not use
 */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let offset = 0
  while (offset < bytes.length) {
    const key = readVarint(bytes, offset)
    const number = Number(key.value >> 3n)
    if (key.value >> 3n === 0n || key.value >> 3n > 0x1fff_ffffn) throw new FormatError('bad field number')
    const body = readVarint(bytes, key.end)
    if ((key.value & 7n) === 0n) {
      fields.push({ number, kind: 'varint', value: body.value })
      offset = body.end
    } else if ((key.value & 7n) === 2n) {
      if (body.value > BigInt(bytes.length - body.end)) throw new FormatError('field cut short')
      offset = body.end + Number(body.value)
      fields.push({ number, kind: 'bytes', value: bytes.slice(body.end, offset) })
    } else {
      throw new FormatError('unexpected wire type')
    }
  }
  return fields
}

/** The one bytes field of this number, or empty when it is absent; the last one wins, as in protobuf. */
export function bytesOf(fields: readonly Field[], number: number): Uint8Array {
  const field = fields.findLast((candidate) => candidate.number === number)
  if (field === undefined) return new Uint8Array()
  if (field.kind !== 'bytes') throw new FormatError(`field ${number} is no bytes field`)
  return field.value
}

/** The integer field of this number, or zero when it is absent; negative int64 values are refused. */
export function integerOf(fields: readonly Field[], number: number): bigint {
  const field = fields.findLast((candidate) => candidate.number === number)
  if (field === undefined) return 0n
  if (field.kind !== 'varint') throw new FormatError(`field ${number} is no integer field`)
  if (field.value > INT64_MAX) throw new FormatError(`field ${number} is negative`)
  return field.value
}

function tag(number: number, wireType: number): Uint8Array {
  return varint(BigInt(number * 8 + wireType))
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[start + index]
    if (byte === undefined) throw new FormatError('number cut short')
    value |= BigInt(byte & 127) << BigInt(7 * index)
    if (byte < 128) {
      if (value >= 1n << 64n) throw new FormatError('number too large')
      return { value, end: start + index + 1 }
    }
  }
  throw new FormatError('number too long')
}
