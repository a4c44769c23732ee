/** The shipped log as it lies in a store: whole files, packed, and the one that is being written, as far as it got. */
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { placeOf, readSegmentName, SEGMENT_BYTES, segmentName, segmentStart } from '@aval/db/replication'
import { Refusal } from '../core/refusal.ts'
import { readPart } from './parts.ts'
import { opening } from './sealing.ts'
import { type Backup, LOG_FOLDER, type Store } from './store.ts'

export const PACKED = '.zst'
export const PARTIAL = '.partial'
const SEGMENT = BigInt(SEGMENT_BYTES)

interface LogFile {
  /** PostgreSQL's, such as `000000010000000000000003` or `00000002.history`. */
  readonly name: string
  readonly path: string
  readonly isPartial: boolean
}

/** By name. Of a file that is there packed and partial, the packed one. */
export async function logFiles({ folder }: Store): Promise<ReadonlyMap<string, LogFile>> {
  const place = join(folder, LOG_FOLDER)
  const found = new Map<string, LogFile>()
  for (const file of (await readdir(place).catch(() => [])).sort()) {
    const [, name, kind] = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)(\.zst|\.partial|)$/.exec(file) ?? []
    if (name === undefined || (kind === '') !== name.endsWith('.history')) continue
    const isPartial = kind === PARTIAL
    if (!isPartial || !found.has(name)) found.set(name, { name, path: join(place, file), isPartial })
  }
  return found
}

/**
 * Puts what follows a backup into a folder, as PostgreSQL asks for it.
 *
 * @param toTheEnd what comes behind a gap is wanted as well; otherwise what is before it may do
 * @returns how many files
 * @throws Refusal where the log has a gap, or a file is damaged
 */
export async function stageLog(
  store: Store,
  { manifest }: Backup,
  folder: string,
  toTheEnd: boolean,
): Promise<number> {
  await mkdir(folder, { recursive: true })
  const files = await logFiles(store)
  const from = segmentStart(placeOf(manifest.start))
  const wanted = [...files.values()].flatMap((file) => {
    const segment = readSegmentName(file.name)
    if (segment !== null && (segment.timeline < manifest.timeline || segment.start < from)) return []
    return [{ ...file, start: segment?.start ?? null }]
  })
  const gap = findGap(
    wanted.flatMap(({ start }) => start ?? []),
    segmentStart(placeOf(manifest.end)) + SEGMENT,
  )
  if (gap !== null && toTheEnd)
    throw new Refusal(
      `The log has a gap at ${segmentName(manifest.timeline, gap)}: restore a newer backup, or this one with --to and a time before it.`,
    )
  const usable = wanted.filter(({ start }) => gap === null || start === null || start < gap)
  for (const file of usable) await unpackLog(store, file, join(folder, file.name))
  return usable.length
}

/**
 * The first place between them that no file has, on whatever timeline.
 * @param from up to here the backup has the log itself
 */
function findGap(starts: readonly bigint[], from: bigint): bigint | null {
  const present = new Set(starts)
  for (let at = from; starts.some((start) => start > at); at += SEGMENT) if (!present.has(at)) return at
  return null
}

async function unpackLog({ key }: Store, { name, path, isPartial }: LogFile, to: string): Promise<void> {
  if (readSegmentName(name) === null) return copyFile(path, to)
  if (!isPartial) {
    await readPart(path, null, key, async (content) => {
      await pipeline(content, createWriteStream(to, { mode: 0o600 }))
    })
    if ((await stat(to)).size !== SEGMENT_BYTES) throw new Refusal(`${path} is cut off.`)
    return
  }
  await readPartial(path, key, to)
  // PostgreSQL wants whole files, and stops at the first record that is none.
  await truncate(to, SEGMENT_BYTES)
}

async function readPartial(path: string, key: Store['key'], to: string): Promise<void> {
  const out = createWriteStream(to, { mode: 0o600 })
  if (key === null) await pipeline(createReadStream(path), out)
  else await pipeline(createReadStream(path), opening(key, true), out)
}

/** Removes what no backup that is left needs. */
export async function dropLogBefore(store: Store, { manifest }: Backup): Promise<void> {
  const from = segmentStart(placeOf(manifest.start))
  for (const { name, path } of (await logFiles(store)).values()) {
    const segment = readSegmentName(name)
    if (segment !== null && segment.start < from) await rm(path, { force: true })
  }
}

/** Where the log of a timeline goes on: what is there of the file that is being written, or the file after the last whole one. */
export async function lastReceived(
  store: Store,
  timeline: number,
): Promise<{ readonly start: bigint; readonly content: Buffer } | null> {
  const files = [...(await logFiles(store)).values()].flatMap((file) => {
    const segment = readSegmentName(file.name)
    return segment?.timeline === timeline ? [{ ...file, start: segment.start }] : []
  })
  const last = files.reduce<(typeof files)[number] | null>(
    (newest, each) => (newest === null || each.start > newest.start ? each : newest),
    null,
  )
  if (last === null) return null
  if (!last.isPartial) return { start: last.start + SEGMENT, content: Buffer.alloc(0) }
  const chunks: Buffer[] = []
  const gather = async (content: AsyncIterable<Buffer>) => {
    for await (const chunk of content) chunks.push(chunk)
  }
  if (store.key === null) await pipeline(createReadStream(last.path), gather)
  else await pipeline(createReadStream(last.path), opening(store.key, true), gather)
  return { start: last.start, content: Buffer.concat(chunks) }
}
