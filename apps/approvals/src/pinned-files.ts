/**
 * The files of the built page, pinned: the build writes down the hash of each, and what differs is not served.
 *
 * What operators see is what they sign. A file that was changed under the running process must not reach their browsers.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What the build writes beside the files. */
export const MANIFEST = 'manifest.json'

const manifestSchema = z.record(z.string().regex(/^[\w.-]+(\/[\w.-]+)*$/), z.string().regex(/^[0-9a-f]{64}$/))

/** A file is not what the build made. */
export class AlteredFile extends Error {
  override readonly name = 'AlteredFile'
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

export interface PinnedFile {
  readonly content: Buffer
  readonly type: string
}

export interface PinnedFiles {
  /** Hash over the whole manifest: two builds of the same sources have the same. */
  readonly fingerprint: string
  /** Null where the page has no such file. @throws AlteredFile */
  read(path: string): Promise<PinnedFile | null>
}

const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest()

/** Reads the manifest once and every file against it. @throws AlteredFile, or the file system's error where one is missing */
export async function openPinnedFiles(folder: string): Promise<PinnedFiles> {
  const text = await readFile(join(folder, MANIFEST))
  const hashes = new Map(Object.entries(manifestSchema.parse(JSON.parse(text.toString('utf8')))))
  const read = async (path: string): Promise<PinnedFile | null> => {
    const hash = hashes.get(path)
    if (hash === undefined) return null
    const content = await readFile(join(folder, path))
    if (!timingSafeEqual(sha256(content), Buffer.from(hash, 'hex')))
      throw new AlteredFile(`${path} is not the file that was built`)
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    return { content, type }
  }
  if (!hashes.has('index.html')) throw new AlteredFile('the manifest names no index.html')
  for (const path of hashes.keys()) await read(path)
  return { fingerprint: sha256(text).toString('hex'), read }
}
