/**
 * The signer's own memory, on its own disk: approvals it accepted, transfers it signed, key files it has seen. Who holds the
 * database can change what is there, and not this. Restored from a copy, cut, damaged or missing, it says so, and the signer refuses
 * everything until a person acknowledges that by command.
 */
import { createHash } from 'node:crypto'
import { describeError } from '../../core/log.ts'
import { type Entry, type Head, NOTHING, type Of, readLine, writeLine } from './entries.rules.ts'
import type { JournalFault } from './faults.rules.ts'
import { createMemory, type Memory } from './memory.rules.ts'
import type { JournalStorage } from './storage.ts'

/** The key file that is in use. */
export interface Identity {
  readonly network: string
  readonly hot: string
  readonly version: number
  /** Hash of its policy. */
  readonly policy: string
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface Journal {
  readonly memory: Memory
  /** Why nothing may be signed or accepted; null: all is well. */
  fault(): JournalFault | null
  /** Its end on the disk. */
  head(): Head
  /** What was signed after the end that the database remembered when this was opened. */
  signedSince(): readonly Of<'signed'>[]
  /**
   * Reads it again and compares it with what the database remembers, and with the key file.
   * @param remembered its end, as the database says
   */
  open(remembered: Head, identity: Identity, now: number): Promise<JournalFault | null>
  /** The key file was changed while the journal is open. */
  use(identity: Identity, now: number): Promise<void>
  /** Remembers at once, and returns when it is on the disk. @throws where it cannot be */
  append(entry: Entry): Promise<Head>
  close(): Promise<void>
}

/**
 * What a journal says up to the first line that is none.
 * @param wanted the number of the entry whose hash is asked for
 */
export async function readJournal(chunks: AsyncIterable<string>, wanted: number) {
  const memory = createMemory()
  let head = NOTHING
  let found: string | null = null
  const since: Of<'signed'>[] = []
  let rest = ''
  /** False for a line that is none. */
  const take = (line: string): boolean => {
    const read = readLine(line, head, hashOf)
    if (read === null) return false
    memory.take(read.entry)
    head = read.head
    if (head.sequence === wanted) found = head.hash
    if (head.sequence > wanted && read.entry.kind === 'signed') since.push(read.entry)
    return true
  }
  let intact = 0
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!take(line)) return { memory, head, found, since, isDamaged: true, intact }
      intact += line.length + 1
    }
  }
  return { memory, head, found, since, isDamaged: rest !== '', intact }
}

/** What was read of it. */
type Said = Pick<Awaited<ReturnType<typeof readJournal>>, 'memory' | 'since'>

export function createJournal(storage: JournalStorage): Journal {
  let said: Said = { memory: createMemory(), since: [] }
  let head = NOTHING
  let written = NOTHING
  let fault: JournalFault | null = 'journal_unread'
  const write = createWriter(storage, () => {
    fault = 'journal_unwritable'
  })

  const append = (entry: Entry): Promise<Head> => {
    if (fault !== null) return Promise.reject(new Error(fault))
    const next = writeLine(entry, head, hashOf)
    head = next.head
    said.memory.take(entry)
    return write(`${next.line}\n`).then(() => {
      if (next.head.sequence > written.sequence) written = next.head
      return next.head
    })
  }
  const noteKeys = async ({ version, policy }: Identity, now: number): Promise<void> => {
    if (said.memory.keys()?.version !== version) await append({ kind: 'keys', at: now, version, policy })
  }
  /** Every entry is in memory when this returns, and none is half written. */
  const load = async (remembered: Head, identity: Identity): Promise<JournalFault | null> => {
    await write.settled()
    const read = await readStored(storage, remembered)
    if (read === null) return 'journal_missing'
    said = read
    head = read.head
    written = head
    if (read.isDamaged) return 'journal_damaged'
    return faultOf(read, remembered) ?? faultOfKeys(said.memory, identity)
  }
  return {
    get memory() {
      return said.memory
    },
    fault: () => fault,
    head: () => written,
    signedSince: () => said.since,
    append,
    async open(remembered, identity, now) {
      // Nothing is written while it is read.
      fault = 'journal_unread'
      try {
        fault = await load(remembered, identity)
      } catch (error) {
        fault = 'journal_unwritable'
        await storage.tell(JSON.stringify({ fault, error: describeError(error) })).catch(() => undefined)
        return fault
      }
      await storage.tell(fault === null ? null : JSON.stringify({ fault, ...remembered, identity }))
      if (fault !== null) return fault
      const { network, hot } = identity
      if (said.memory.begun() === null) await append({ kind: 'begun', at: now, network, hot })
      await noteKeys(identity, now)
      return null
    },
    async use(identity, now) {
      if (fault !== null) return
      fault = faultOfKeys(said.memory, identity)
      if (fault === null) await noteKeys(identity, now)
    },
    async close() {
      fault = 'journal_unread'
      await write.settled()
      await storage.close()
    },
  }
}

/** Null where there is none and there was one; a new one where there was none. */
async function readStored(storage: JournalStorage, remembered: Head) {
  const chunks = await storage.read()
  if (chunks === null && remembered.sequence > 0) return null
  return readJournal(chunks ?? (await storage.create()), remembered.sequence)
}

/** The database remembers an end that the journal has, or one that a person took to be right. */
function faultOf(
  { memory, head, found }: Awaited<ReturnType<typeof readJournal>>,
  end: Head,
): JournalFault | null {
  if (end.sequence === 0 || found === end.hash) return null
  const taken = memory.acknowledged()?.remembered
  if (taken?.sequence === end.sequence && taken.hash === end.hash) return null
  return end.sequence > head.sequence ? 'journal_behind' : 'journal_differs'
}

function faultOfKeys(memory: Memory, { network, hot, version, policy }: Identity): JournalFault | null {
  const begun = memory.begun()
  if (begun !== null && (begun.network !== network || begun.hot !== hot)) return 'journal_of_other_keys'
  const known = memory.keys()
  if (known === null || known.version < version) return null
  if (known.version > version) return 'key_file_older'
  return known.policy === policy ? null : 'key_file_differs'
}

/** Entries of the same moment share one write to the disk. After an error nothing more is written. */
function createWriter(storage: JournalStorage, failed: () => void) {
  let waiting: string[] = []
  let next: Promise<void> | null = null
  let last: Promise<void> = Promise.resolve()

  const flush = async (): Promise<void> => {
    await last
    const text = waiting.join('')
    waiting = []
    next = null
    last = storage.append(text)
    await last
  }
  const write = (line: string): Promise<void> => {
    waiting.push(line)
    next ??= flush().catch((error: unknown) => {
      failed()
      throw error
    })
    return next
  }
  return Object.assign(write, {
    settled: async (): Promise<void> => {
      await next?.catch(() => undefined)
      await last.catch(() => undefined)
      waiting = []
      next = null
      last = Promise.resolve()
    },
  })
}
