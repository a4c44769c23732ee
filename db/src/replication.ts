/**
 * PostgreSQL's streaming replication, as far as backups need it: a copy of the whole cluster while it works, and its log as it
 * is written. Both need a role with REPLICATION, and `wal_level=replica`. npm's PostgreSQL ships no program for either.
 */
import pg from 'pg'
import { primaryOf } from './client.ts'

/** The size of a file of the log. Other sizes are refused. */
export const SEGMENT_BYTES = 16 * 2 ** 20

/** A place in the log, a number of bytes. */
export type LogPlace = bigint

export interface SystemFacts {
  /** Given to a cluster when it is made; copies of it keep it. */
  readonly id: string
  /** One higher after each restore. */
  readonly timeline: number
  readonly place: LogPlace
  readonly majorVersion: number
}

/** What comes of a statement, part by part. */
interface Parts {
  readonly row?: (values: readonly (string | null)[]) => void
  readonly data?: (chunk: Buffer) => void
}
type Wire = pg.Connection & {
  readonly stream: { pause(): void; resume(): void }
  sendCopyFromChunk(chunk: Buffer): void
}

export type Replication = Awaited<ReturnType<typeof connectReplication>>

/** @throws what `pg` throws */
export async function connectReplication(url: string, name = 'aval backup') {
  const settings = {
    connectionString: await primaryOf(url),
    application_name: name,
    connectionTimeoutMillis: 10_000,
  }
  // The type does not know it; the client passes it on.
  const client = new pg.Client({ ...settings, replication: 'true' } as pg.ClientConfig)
  const lost = new Promise<Error>((resolve) =>
    client.once('error', resolve).once('end', () => resolve(ended)),
  )
  await client.connect()
  const wire = (client as unknown as { readonly connection: Wire }).connection
  const ask = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows[0] as string[]
  return {
    /** Statements without answers. */
    run: (text: string) => client.query(text).then(() => undefined),
    async facts(): Promise<SystemFacts> {
      const [id = '', timeline, place = ''] = await ask('IDENTIFY_SYSTEM')
      const [version = ''] = await ask('SHOW server_version')
      const [segment = ''] = await ask('SHOW wal_segment_size')
      if (segment !== '16MB') throw new Error(`the files of its log are of ${segment}, not of 16MB`)
      const majorVersion = Number.parseInt(version, 10)
      return { id, timeline: Number(timeline), place: placeOf(place), majorVersion }
    },
    /** The file that says where a timeline left the one before. */
    async history(timeline: number): Promise<{ readonly name: string; readonly text: string }> {
      const [name = '', text = ''] = await ask(`TIMELINE_HISTORY ${timeline}`)
      return { name, text: Buffer.isBuffer(text) ? text.toString('utf8') : text }
    },
    /** From where on a slot keeps the log; null where it keeps nothing: there is none, or it was given up. */
    async keptFrom(slot: string): Promise<LogPlace | null> {
      const [, place] = await ask(`READ_REPLICATION_SLOT ${slot}`)
      return place ? placeOf(place) : null
    },
    /** Runs a statement whose answer is more than rows. */
    stream: (text: string, parts: Parts) => submit(client, lost, text, parts),
    /** Takes the server's chunks slower or again. */
    flow: { pause: () => wire.stream.pause(), resume: () => wire.stream.resume() },
    send: (chunk: Buffer) => wire.sendCopyFromChunk(chunk),
    lost,
    end: () => client.end().catch(() => undefined),
  }
}

const ended = new Error('the database ended the connection')

/** What the client calls while a statement of ours is the active one. */
function submit(client: pg.Client, lost: Promise<Error>, text: string, { row, data }: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    const statement = {
      submit: (connection: pg.Connection) => void connection.query(text),
      handleRowDescription: () => undefined,
      handleDataRow: ({ fields }: { fields: (string | null)[] }) => row?.(fields),
      // The client reuses its memory for what comes next.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => data?.(Buffer.from(chunk)),
      handleCopyInResponse: () => undefined,
      handleCommandComplete: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    }
    void lost.then(reject)
    client.query(statement as unknown as pg.Submittable)
  })
}

/** `0/2000028` */
export function placeOf(text: string): LogPlace {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
export const placeName = (place: LogPlace): string =>
  `${(place >> 32n).toString(16)}/${(place & 0xffff_ffffn).toString(16)}`.toUpperCase()

const SEGMENT = BigInt(SEGMENT_BYTES)
const PER_HIGH = 2n ** 32n / SEGMENT

export const segmentStart = (place: LogPlace): LogPlace => place - (place % SEGMENT)
/** The name of the file that has this place: timeline, and number in two parts, in hexadecimal. */
export function segmentName(timeline: number, place: LogPlace): string {
  const number = place / SEGMENT
  return [BigInt(timeline), number / PER_HIGH, number % PER_HIGH].map(hex8).join('')
}
/** The other way round. Null for another file. */
export function readSegmentName(
  name: string,
): { readonly timeline: number; readonly start: LogPlace } | null {
  if (!/^[0-9A-F]{24}$/.test(name)) return null
  const [timeline, high, low] = [0, 8, 16].map((at) => BigInt(`0x${name.slice(at, at + 8)}`))
  if (timeline === undefined || high === undefined || low === undefined) return null
  return { timeline: Number(timeline), start: (high * PER_HIGH + low) * SEGMENT }
}
const hex8 = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')

export interface BaseCopy {
  readonly start: LogPlace
  readonly end: LogPlace
  readonly timeline: number
}

/**
 * Copies the whole cluster while it works, as one tar, with the log that makes the copy consistent. The server compares every
 * page with its checksum on the way.
 *
 * @param take is given the tar, part by part; what it returns is waited for before the server sends more
 * @param expected is told how large it is, about
 * @throws what the server answers, also where a page is damaged or there are tablespaces elsewhere
 */
export async function copyBase(
  replication: Replication,
  take: (chunk: Buffer) => Promise<void> | null,
  expected: (bytes: number) => void,
): Promise<BaseCopy> {
  const rows: (readonly (string | null)[])[] = []
  let part: 'tar' | 'manifest' = 'tar'
  let archives = 0
  let failure: { readonly error: unknown } | null = null
  const wait = (taken: Promise<void>): void => {
    replication.flow.pause()
    taken.then(replication.flow.resume, (error: unknown) => {
      failure ??= { error }
      replication.flow.resume()
    })
  }
  await replication
    .stream("BASE_BACKUP (LABEL 'aval', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'no')", {
      row(values) {
        rows.push(values)
        // The second answers the size of the cluster, in kilobytes.
        if (rows.length === 2) expected(Number(values[2]) * 1024)
      },
      data(chunk) {
        const kind = String.fromCharCode(chunk[0] ?? 0)
        if (kind === 'n') {
          part = 'tar'
          archives += 1
        } else if (kind === 'm') part = 'manifest'
        if (kind !== 'd' || part !== 'tar' || archives > 1 || failure !== null) return
        const taken = take(chunk.subarray(1))
        if (taken !== null) wait(taken)
      },
    })
    .catch((error: unknown) => {
      throw failure === null ? error : failure.error
    })
  if (failure !== null) throw (failure as { readonly error: unknown }).error
  const [first, ...others] = rows
  const last = others.at(-1)
  if (archives > 1)
    throw new Error('the cluster has tablespaces elsewhere, which cannot be backed up in this way')
  return { start: placeOf(first?.[0] ?? ''), timeline: Number(first?.[1]), end: placeOf(last?.[0] ?? '') }
}

export interface LogReceiver {
  /** Bytes of the log that begin at this place. */
  readonly take: (start: LogPlace, bytes: Buffer) => void
  /** Up to where everything taken is on the disk: the server may forget it then. */
  readonly kept: () => LogPlace
  /** Has `tell` called when more is: a server that stops waits until it hears of everything. */
  readonly onKept: (tell: () => void) => void
}

/**
 * Receives the log from a place on, until the connection ends or the timeline does.
 *
 * @param slot keeps the server from removing what was not received
 * @throws what the server answers, such as 58P01 where it has removed that part of the log
 */
export async function receiveLog(
  replication: Replication,
  { slot, from, timeline }: { readonly slot: string; readonly from: LogPlace; readonly timeline: number },
  { take, kept, onKept }: LogReceiver,
): Promise<void> {
  const answer = (): void => replication.send(standbyStatus(kept()))
  onKept(answer)
  const timer = setInterval(answer, REPLY_MS)
  try {
    await replication.stream(
      `START_REPLICATION SLOT ${slot} PHYSICAL ${placeName(from)} TIMELINE ${timeline}`,
      {
        data(chunk) {
          const kind = String.fromCharCode(chunk[0] ?? 0)
          if (kind === 'w') take(chunk.readBigUInt64BE(1), chunk.subarray(25))
          else if (kind === 'k' && chunk[17] === 1) answer()
        },
      },
    )
  } finally {
    clearInterval(timer)
  }
}

/** PostgreSQL ends a receiver that says nothing for a minute. */
const REPLY_MS = 5_000

/** Written, flushed and applied up to `place`; the time is not looked at. */
function standbyStatus(place: LogPlace): Buffer {
  const message = Buffer.alloc(34)
  message.write('r', 0, 'latin1')
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(place, at)
  return message
}
