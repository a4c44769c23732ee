/** Files of a backup: compressed, sealed where there is a key, and hashed as they lie on the disk. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { lineOf, Refusal } from '../core/refusal.ts'
import { type Key, opening, sealing } from './sealing.ts'

export const partSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
/** As it lies on the disk. */
export type Part = z.output<typeof partSchema>

/** A third of the size for little work, and each part has a sum over its content. */
const compress = () =>
  createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  })

/** Sees what passes. */
function passing(see: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      see(chunk)
      done(null, chunk)
    },
  })
}

/** Writes a part, on the disk when this returns. */
export async function writePart(file: string, content: Readable, key: Key): Promise<Part> {
  const hash = createHash('sha256')
  let bytes = 0
  const count = passing((chunk) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  const out = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true })
  if (key === null) await pipeline(content, compress(), count, out)
  else await pipeline(content, compress(), sealing(key), count, out)
  return { name: basename(file), bytes, sha256: hash.digest('hex') }
}

/**
 * Gives the content of a part to `use`, whole or with a refusal: by then `use` has seen some of it. A refusal of its own ends a
 * sentence about the file.
 *
 * @throws Refusal where the file is missing, cut off or not the one that was written
 */
export async function readPart(
  file: string,
  expected: Omit<Part, 'name'> | null,
  key: Key,
  use: (content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  const count = passing((chunk) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  const source = createReadStream(file)
  try {
    if (key === null) await pipeline(source, count, createZstdDecompress(), use)
    else await pipeline(source, count, opening(key), createZstdDecompress(), use)
  } catch (error) {
    throw new Refusal(
      error instanceof Refusal ? `${file} ${error.message}.` : `${file} cannot be read: ${lineOf(error)}.`,
    )
  }
  if (expected === null) return
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256)
    throw new Refusal(`${file} is not the file that was written: cut off, or changed.`)
}
