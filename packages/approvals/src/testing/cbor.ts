/** As much of CBOR (RFC 8949) as authenticators write: whole numbers, bytes, texts and maps. */

export type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>

const [UNSIGNED, NEGATIVE, BYTES, TEXT, MAP] = [0, 1, 2, 3, 5]

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.of((type << 5) | value)
  if (value < 256) return Buffer.of((type << 5) | 24, value)
  return Buffer.of((type << 5) | 25, value >> 8, value & 255)
}

export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value)
  if (typeof value === 'string')
    return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(BYTES, value.length), value])
  const parts = [...value].flatMap(([key, each]) => [encodeCbor(key), encodeCbor(each)])
  return Buffer.concat([head(MAP, value.size), ...parts])
}
