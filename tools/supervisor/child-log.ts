/**
 * A process's log file in `<dataDir>/logs`. The supervisor writes it, so that it stays small while the product runs, what repeats is
 * counted, and a full disk costs lines and no process.
 */
import { closeSync, copyFileSync, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { z } from 'zod'

/** Of a file; the one before it is kept, so a process has twice that at most. */
const LARGEST_LOG_BYTES = 10_000_000
/** For so long a line that comes again is counted. */
const REPEATS_MS = 600_000
/** Different lines of which repetitions are counted at one moment. */
const MOST_COUNTED = 200
/** A line without an end is cut here. */
const LONGEST_LINE_CHARACTERS = 64_000

export type ChildLog = ReturnType<typeof openChildLog>

/** Puts text at the end of a file. @throws where the disk takes nothing */
export type Append = (path: string, text: string) => void

export function openChildLog(path: string, { append = appendText, now = Date.now } = {}) {
  let lost = 0
  const put = (text: string): void => {
    try {
      if (lost > 0) append(path, `{"level":40,"time":${now()},"msg":"${lost} lines were lost: no room"}\n`)
      lost = 0
      append(path, text)
    } catch {
      lost += 1
    }
  }
  // There from the start, so that who is told to look there finds it.
  put('')
  const repeats = countRepeats(put, now)
  return {
    /** Writes down what comes, until it ends. */
    follow(stream: Readable): void {
      let rest = ''
      stream.setEncoding('utf8').on('data', (part: string) => {
        const text = rest + part
        const end = text.length > LONGEST_LINE_CHARACTERS ? text.length : text.lastIndexOf('\n') + 1
        rest = text.slice(end)
        for (const entry of entriesOf(text.slice(0, end))) repeats.take(entry)
      })
      stream.on('end', () => rest !== '' && repeats.take(`${rest}\n`))
    },
    /** Says what was counted for long enough. */
    settle: (): void => repeats.settle(),
  }
}

/** A line of JSON each; other text as it came: the lines of a stack trace belong together. */
function entriesOf(text: string): string[] {
  const entries: string[] = []
  let isOpen = false
  for (const line of text.split(/(?<=\n)/)) {
    if (line === '') continue
    const isJson = line.startsWith('{"')
    if (isOpen && !isJson) entries.push(`${entries.pop()}${line}`)
    else entries.push(line)
    isOpen = !isJson
  }
  return entries
}

const jsonLine = z.looseObject({ level: z.union([z.number(), z.string()]) })
/** What differs from one time to the next although the same is said. */
const CHANGING_FIELDS = ['at', 'time', 'pid', 'failures', 'waitMs']

/** By what a repetition is known; null for what is always written: not every payment that is like another repeats it. */
function keyOf(entry: string): string | null {
  if (!entry.startsWith('{"')) return entry
  try {
    const { level, ...fields } = jsonLine.parse(JSON.parse(entry))
    if (typeof level === 'number' ? level < 40 : !['warn', 'error', 'fatal'].includes(level)) return null
    return JSON.stringify({
      ...fields,
      ...Object.fromEntries(CHANGING_FIELDS.map((name) => [name, undefined])),
    })
  } catch {
    return entry
  }
}

function countRepeats(put: (text: string) => void, now: () => number) {
  const counted = new Map<string, { readonly since: number; readonly entry: string; times: number }>()
  const tell = (key: string): void => {
    const { since, entry, times } = counted.get(key) ?? { since: 0, entry: '', times: 0 }
    counted.delete(key)
    if (times === 0) return
    const minutes = Math.max(1, Math.round((now() - since) / 60_000))
    const [line = ''] = entry.split('\n')
    const msg = `repeated ${times} times in ${minutes} min: ${line.slice(0, 500)}`
    put(`${JSON.stringify({ level: 40, time: now(), msg })}\n`)
  }
  const settle = (): void => {
    for (const [key, { since }] of counted) {
      if (now() - since < REPEATS_MS) break
      tell(key)
    }
  }
  return {
    take(entry: string): void {
      settle()
      const key = keyOf(entry)
      const known = key === null ? undefined : counted.get(key)
      if (known !== undefined) {
        known.times += 1
        return
      }
      put(entry)
      if (key === null) return
      const [oldest] = counted.keys()
      if (counted.size >= MOST_COUNTED && oldest !== undefined) tell(oldest)
      counted.set(key, { since: now(), entry, times: 0 })
    },
    settle,
  }
}

function appendText(path: string, text: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LARGEST_LOG_BYTES) renameSync(path, `${path}.1`)
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, text)
  } finally {
    closeSync(file)
  }
}

/** The same bound for a file that its process keeps open to append to. */
export function boundAppended(path: string, largestBytes = LARGEST_LOG_BYTES): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size <= largestBytes) return
  try {
    copyFileSync(path, `${path}.1`)
  } catch {
    // No room for a copy: the log ends here.
  }
  truncateSync(path)
}
