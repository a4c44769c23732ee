/**
 * Ships the embedded database's log into a folder as it is written: what was committed is there within moments, on another disk. A
 * slot keeps the database from forgetting what was not received, up to 8 GB.
 */
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectReplication,
  type Replication,
  receiveLog,
  SEGMENT_BYTES,
  type SystemFacts,
  segmentName,
  segmentStart,
} from '@aval/db/replication'
import pg from 'pg'
import { codeOf, lineOf } from '../core/refusal.ts'
import { lastReceived, PACKED, PARTIAL } from './log-files.ts'
import { writePart } from './parts.ts'
import { createSealer } from './sealing.ts'
import { LOG_FOLDER, openOrMakeStore, type Store } from './store.ts'

export interface ShipOptions {
  readonly folder: string
  readonly passphrase: string | null
  /** The superuser's. */
  readonly url: string
  /** Takes a line for the output of `npm start`. */
  readonly say: (line: string) => unknown
}

const SLOT = 'aval_backup'
const RETRY_MS = 2_000
/** Above this the server has to wait. */
const WAITING_BYTES = 2 * SEGMENT_BYTES
const SEGMENT = BigInt(SEGMENT_BYTES)

export type Shipping = ReturnType<typeof shipLog>

/** Until it is stopped, which is after the database: a database that stops waits until all of its log was received. */
export function shipLog(options: ShipOptions) {
  const { folder, say } = options
  const stop = new AbortController()
  let told = ''
  const tell = (line: string): void => {
    if (line !== told && !stop.signal.aborted) say(line)
    told = line
  }
  const shipping = (async () => {
    while (!stop.signal.aborted) {
      try {
        await shipOnce(options, stop.signal, tell)
      } catch (error) {
        tell(
          `The database's log is not shipped to ${folder}: ${lineOf(error)}; it is tried again every few seconds.`,
        )
      }
      await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop(): Promise<void> {
      stop.abort()
      await shipping
    },
  }
}

/** What nobody receives is not kept. */
export async function dropSlot(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
      [SLOT],
    )
  } finally {
    await client.end()
  }
}

/** Until the connection ends. */
async function shipOnce(
  { folder, passphrase, url }: ShipOptions,
  stopped: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  const replication = await connectReplication(url, 'aval log')
  const end = () => void replication.end()
  stopped.addEventListener('abort', end)
  try {
    const facts = await replication.facts()
    const store = await openOrMakeStore(folder, passphrase, facts.id)
    await mkdir(join(store.folder, LOG_FOLDER), { recursive: true, mode: 0o700 })
    await keepHistory(replication, store, facts)
    const from = await beginning(replication, store, facts, tell)
    const writer = createWriter(store, facts.timeline, replication, from)
    await writer.begin()
    try {
      const { take, kept, onKept } = writer
      const range = { slot: SLOT, from: writer.place(), timeline: facts.timeline }
      const receiving = receiveLog(replication, range, { take, kept, onKept })
      tell(`The database's log is shipped to ${folder}.`)
      await Promise.race([receiving, writer.failed])
    } finally {
      await writer.close()
    }
  } finally {
    stopped.removeEventListener('abort', end)
    await replication.end()
  }
}

/** Of a database that was restored once: where it left the timeline before. */
async function keepHistory(
  replication: Replication,
  { folder }: Store,
  { timeline }: SystemFacts,
): Promise<void> {
  if (timeline === 1) return
  const { name, text } = await replication.history(timeline)
  const file = join(folder, LOG_FOLDER, name)
  await rm(`${file}${PARTIAL}`, { force: true })
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, `${file}`)
}

interface Beginning {
  readonly start: bigint
  /** What is there of the file that begins at `start`. */
  readonly content: Buffer
}

/** Where the log goes on; what the database has forgotten meanwhile is a gap, which only a new backup mends. */
async function beginning(
  replication: Replication,
  store: Store,
  { timeline, place }: SystemFacts,
  tell: (line: string) => void,
): Promise<Beginning> {
  const known = await lastReceived(store, timeline)
  const reserve = () => replication.run(`CREATE_REPLICATION_SLOT ${SLOT} PHYSICAL RESERVE_WAL`)
  const isNew = await reserve().then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== '42710') throw error
      return false
    },
  )
  const kept = await replication.keptFrom(SLOT)
  if (known !== null && known.start + BigInt(known.content.length) <= place) {
    const isThere = kept !== null && segmentStart(kept) <= known.start
    if (isThere) return known
    tell(`The log that was shipped to ${store.folder} has a gap: make a new backup (npm run backup).`)
  }
  if (kept === null) {
    if (!isNew) await replication.run(`DROP_REPLICATION_SLOT ${SLOT}`)
    if (!isNew) await reserve()
  }
  const from = kept ?? (await replication.keptFrom(SLOT)) ?? place
  return { start: segmentStart(from), content: Buffer.alloc(0) }
}

/** The files of the log: the one under way as far as it got, then packed. */
function createFiles(store: Store, timeline: number, from: bigint) {
  const buffer = Buffer.alloc(SEGMENT_BYTES)
  let start = from
  let filled = 0
  let file: Awaited<ReturnType<typeof openPartial>> | null = null
  return {
    kept: () => start + BigInt(filled),
    /** On the disk when it returns. */
    async write(bytes: Buffer): Promise<void> {
      for (let rest = bytes; rest.length > 0; ) {
        const part = rest.subarray(0, SEGMENT_BYTES - filled)
        rest = rest.subarray(part.length)
        part.copy(buffer, filled)
        file ??= await openPartial(store, segmentName(timeline, start))
        await file.append(part)
        filled += part.length
        if (filled < SEGMENT_BYTES) continue
        await file.close()
        file = null
        await pack(store, segmentName(timeline, start), buffer)
        start += SEGMENT
        filled = 0
      }
    },
    close: async () => file?.close(),
  }
}

/** Writes what is received, in order and as fast as the disk is. */
function createWriter(store: Store, timeline: number, { flow }: Replication, from: Beginning) {
  const files = createFiles(store, timeline, from.start)
  let waiting: Buffer[] = []
  let size = 0
  let isPaused = false
  let received = from.start
  let writing: Promise<void> | null = null
  let told: () => void = () => undefined
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)

  const pump = async (): Promise<void> => {
    await null // what comes at the same moment is written together
    while (waiting.length > 0) {
      const bytes = Buffer.concat(waiting)
      waiting = []
      size = 0
      await files.write(bytes)
      told()
      if (isPaused) flow.resume()
      isPaused = false
    }
    writing = null
  }
  return {
    /** The part of a file that was there is written again: sealed, it could not be gone on with. */
    async begin(): Promise<void> {
      received += BigInt(from.content.length)
      await files.write(from.content)
    },
    place: () => received,
    kept: files.kept,
    onKept(tell: () => void): void {
      told = tell
    },
    failed: failure.promise,
    take(at: bigint, bytes: Buffer): void {
      if (at !== received) {
        failure.reject(new Error(`the log goes on at ${at}, not at ${received}`))
        return
      }
      received += BigInt(bytes.length)
      waiting.push(bytes)
      size += bytes.length
      if (size > WAITING_BYTES && !isPaused) {
        isPaused = true
        flow.pause()
      }
      writing ??= pump().catch(failure.reject)
    },
    async close(): Promise<void> {
      await writing
      await files.close()
    },
  }
}

/** What is there stays until the new one has as much: it is put in its place with the first part. */
async function openPartial({ folder, key }: Store, name: string) {
  const path = join(folder, LOG_FOLDER, `${name}${PARTIAL}`)
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const sealer = key === null ? null : createSealer(key)
  const handle: FileHandle = await open(draft, 'wx', 0o600)
  if (sealer !== null) await handle.appendFile(sealer.head)
  let isPlaced = false
  return {
    async append(bytes: Buffer): Promise<void> {
      await handle.appendFile(sealer === null ? bytes : sealer.frame(bytes, false))
      await handle.datasync()
      if (!isPlaced) await rename(draft, path)
      isPlaced = true
    },
    close: () => handle.close(),
  }
}

async function pack({ folder, key }: Store, name: string, content: Buffer): Promise<void> {
  const place = join(folder, LOG_FOLDER)
  const draft = join(place, `${name}.new`)
  await rm(draft, { force: true })
  await writePart(draft, Readable.from([content]), key)
  await rename(draft, join(place, `${name}${PACKED}`))
  await rm(join(place, `${name}${PARTIAL}`), { force: true })
}
