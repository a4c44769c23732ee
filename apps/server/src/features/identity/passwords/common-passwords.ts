/**
 * The most common passwords, as a Bloom filter: it knows all of them, and takes one other password in some thousands for
 * one of them. `cli/make-common-passwords.ts` makes the file; decision 048 says of what.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { lookedUp } from './new-password.rules.ts'

const FILE = new URL('./common-passwords.bin', import.meta.url)
/** 18 bits and 12 probes for each password: one wrong answer in about six thousand look-ups. */
const BITS_EACH = 18
const PROBES = 12

/** The bits of a text: two hashes make all of them (Kirsch and Mitzenmacher). */
function bitsOf(text: string, size: number): number[] {
  const hash = createHash('sha256').update(text).digest()
  const [start, step] = [hash.readUIntLE(0, 6), hash.readUIntLE(6, 6)]
  return Array.from({ length: PROBES }, (_, probe) => (start + probe * step) % size)
}

export function makeFilter(texts: readonly string[]): Buffer {
  const filter = Buffer.alloc(Math.ceil((texts.length * BITS_EACH) / 8))
  for (const text of texts)
    for (const bit of bitsOf(text, filter.length * 8)) {
      const byte = Math.floor(bit / 8)
      filter.writeUInt8(filter.readUInt8(byte) | (1 << (bit % 8)), byte)
    }
  return filter
}

export const filterHas = (filter: Buffer, text: string): boolean =>
  bitsOf(text, filter.length * 8).every((bit) => filter.readUInt8(Math.floor(bit / 8)) & (1 << (bit % 8)))

let loaded: Promise<Buffer> | null = null

/** Read once, when the first password is chosen: 0.8 MB that only the API needs. */
const filter = () => {
  loaded ??= readFile(FILE)
  return loaded
}

export async function isCommonPassword(password: string): Promise<boolean> {
  const { whole, word } = lookedUp(password)
  const common = await filter()
  return filterHas(common, whole) || (word !== null && filterHas(common, word))
}
