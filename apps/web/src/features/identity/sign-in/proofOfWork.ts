/**
 * The work that the server asks for while a name is being guessed at: for each part a number, so that the SHA-256 of
 * `challenge:part:number` begins with so many zero bits. The browser's own SHA-256 answers later, one call at a time, and only on
 * encrypted pages: this one is ten times as fast, because it hashes the part that never changes once.
 */
import type { ProofOfWork, ProofRequest } from '@aval/contract'

// biome-ignore format: the table of FIPS 180-4, eight a line
const K = Uint32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])
// biome-ignore format: as above
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

const BLOCK = 64
const words = new Uint32Array(BLOCK)
const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** Takes one block of 64 bytes into the state. */
function compress(state: Uint32Array, block: DataView): void {
  for (let i = 0; i < 16; i += 1) words[i] = block.getUint32(i * 4)
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15] ?? 0, words[i - 2] ?? 0]
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    words[i] = (words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const first =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (words[i] ?? 0)) |
      0
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const rounds = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i += 1) state[i] = (state[i] ?? 0) + (rounds[i] ?? 0)
}

/** The state after the text's whole blocks, and what is left of it. */
function beginWith(text: string): { state: Uint32Array; rest: Uint8Array; length: number } {
  const bytes = new TextEncoder().encode(text)
  const state = Uint32Array.from(START)
  const whole = bytes.length - (bytes.length % BLOCK)
  for (let at = 0; at < whole; at += BLOCK) compress(state, new DataView(bytes.buffer, at, BLOCK))
  return { state, rest: bytes.subarray(whole), length: bytes.length }
}

/** A function that hashes `text` followed by a number: the first word of the hash. */
export function hasherOf(text: string): (number: number) => number {
  const begun = beginWith(text)
  const state = new Uint32Array(8)
  const tail = new Uint8Array(2 * BLOCK)
  const view = new DataView(tail.buffer)
  const second = new DataView(tail.buffer, BLOCK, BLOCK)
  return (number) => {
    const digits = String(number)
    tail.fill(0)
    tail.set(begun.rest)
    let end = begun.rest.length
    for (let i = 0; i < digits.length; i += 1) tail[end + i] = digits.charCodeAt(i)
    end += digits.length
    tail[end] = 0x80
    const isLong = end + 9 > BLOCK
    view.setUint32((isLong ? 2 : 1) * BLOCK - 4, (begun.length + digits.length) * 8)
    state.set(begun.state)
    compress(state, view)
    if (isLong) compress(state, second)
    return state[0] ?? 0
  }
}

/** The solution to a proof, or null where no device would find one: a server's mistake must not keep a phone busy for minutes. */
export function solve({ challenge, bits, parts }: ProofRequest): ProofOfWork | null {
  if (bits > 20 || parts > 16) return null
  const solution: number[] = []
  for (let part = 0; part < parts; part += 1) {
    const hash = hasherOf(`${challenge}:${part}:`)
    let number = 0
    while (hash(number) >>> (32 - bits) !== 0) number += 1
    solution.push(number)
  }
  return { challenge, solution }
}
