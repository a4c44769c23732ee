/** Tar, as PostgreSQL writes it (ustar): read into a folder, and written for the few other files. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { Refusal } from '../core/refusal.ts'

const BLOCK = 512

interface Entry {
  readonly path: string
  readonly type: string
  readonly bytes: number
  readonly mode: number
}

const textAt = (block: Buffer, at: number, length: number): string =>
  block.toString('utf8', at, at + length).replace(/\0.*$/s, '')
const octalAt = (block: Buffer, at: number, length: number): number =>
  Number.parseInt(textAt(block, at, length).trim() || '0', 8)

/** Null for a block of zeros, of which there are two at the end. */
function entryOf(block: Buffer): Entry | null {
  if (block.every((byte) => byte === 0)) return null
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== octalAt(block, 148, 8)) throw new Refusal('is no archive')
  const prefix = textAt(block, 345, 155)
  const name = textAt(block, 0, 100)
  const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/\/+$/, '')
  const steps = path.split('/')
  if (path === '' || path.startsWith('/') || steps.includes('..')) throw new Refusal(`has an entry "${path}"`)
  return {
    path,
    type: textAt(block, 156, 1) || '0',
    bytes: octalAt(block, 124, 12),
    mode: octalAt(block, 100, 8),
  }
}

/** Gives exactly so many bytes at a time of chunks of any size. */
function createReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next()
    if (done === true) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }
  return {
    /** Null at the end. */
    async exactly(bytes: number): Promise<Buffer | null> {
      while (rest.length < bytes) if (!(await more())) return null
      const taken = rest.subarray(0, bytes)
      rest = rest.subarray(bytes)
      return taken
    },
    /** At most so many. Null at the end. */
    async some(bytes: number): Promise<Buffer | null> {
      if (rest.length === 0 && !(await more())) return null
      const taken = rest.subarray(0, bytes)
      rest = rest.subarray(taken.length)
      return taken
    },
    async toTheEnd(): Promise<void> {
      while (await more()) rest = Buffer.alloc(0)
    },
  }
}

/** @param each is told of the bytes as they are written */
export async function untar(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  each: (bytes: number) => void = () => undefined,
): Promise<void> {
  const reader = createReader(chunks)
  for (;;) {
    const block = await reader.exactly(BLOCK)
    if (block === null) throw new Refusal('is cut off')
    const entry = entryOf(block)
    if (entry === null) break
    const path = join(folder, entry.path)
    if (entry.type === '5') await mkdir(path, { recursive: true, mode: 0o700 })
    else if (entry.type === '0') await writeEntry(reader, entry, path, each)
    else throw new Refusal(`has an entry of kind ${entry.type}: ${entry.path}`)
  }
  await reader.toTheEnd()
}

async function writeEntry(
  reader: ReturnType<typeof createReader>,
  { bytes, mode }: Entry,
  path: string,
  each: (bytes: number) => void,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const whole = finished(out)
  whole.catch(() => undefined)
  for (let left = bytes; left > 0; ) {
    const part = await reader.some(left)
    if (part === null) throw new Refusal('is cut off')
    left -= part.length
    each(part.length)
    if (!out.write(part)) await Promise.race([once(out, 'drain'), whole])
  }
  out.end()
  await whole
  await chmod(path, mode & 0o700)
  const padding = (BLOCK - (bytes % BLOCK)) % BLOCK
  if (padding > 0) await reader.exactly(padding)
}

/** Of files by their names in the archive, which are short; each is read whole. */
export async function* tarOf(files: Iterable<readonly [name: string, path: string]>): AsyncGenerator<Buffer> {
  for (const [name, path] of files) {
    const content = await readFile(path)
    yield headerOf(name, content.length)
    yield content
    yield Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
  }
  yield Buffer.alloc(2 * BLOCK)
}

function headerOf(name: string, bytes: number): Buffer {
  if (Buffer.byteLength(name) > 99) throw new Error(`${name} is too long for an archive`)
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write(`0000600\0${'0000000\0'.repeat(2)}`, 100)
  block.write(`${bytes.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  block.write(`${' '.repeat(8)}0`, 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
