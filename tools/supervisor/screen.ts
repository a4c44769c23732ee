/** What the person at the terminal sees: one line that updates on a terminal, plain lines elsewhere. */
import type { Progress, SignIn } from './demo.ts'

export type Screen = ReturnType<typeof terminalScreen>

/** How often a step that lasts is said again, with its time. */
const TERMINAL_EVERY_MS = 1_000
const PLAIN_EVERY_MS = 15_000

export function terminalScreen(out = process.stdout, now = Date.now) {
  // A terminal that went away is no reason to stop.
  for (const output of [out, process.stderr]) output.on('error', () => undefined)
  const isTerminal = out.isTTY === true
  let tenth = -1
  let lasting: { readonly text: string; readonly since: number; readonly doing: () => string } | null = null
  const clear = () => (isTerminal ? '\r\u001b[2K' : '')
  const update = (text: string) =>
    out.write(isTerminal ? `${clear()}${text.slice(0, (out.columns ?? 80) - 1)}` : `${text}\n`)
  const begin = (text: string, doing = () => '') => {
    lasting = { text, since: now(), doing }
    update(text)
  }
  const repeat = () => {
    if (lasting === null) return
    const { text, since, doing } = lasting
    const seconds = Math.round((now() - since) / 1000)
    const time = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    update([text, time, doing()].filter((part) => part !== '').join('  '))
  }
  setInterval(repeat, isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS).unref()
  return {
    /** Something that takes a while has begun. @param doing what it does at this moment */
    step: begin,
    progress({ done, total, label }: Progress) {
      const reached = total > 0 ? Math.floor((10 * done) / total) : 0
      if (!isTerminal && reached === tenth) return
      tenth = reached
      begin(`${label} ${done}/${total}`)
    },
    line(text: string): void {
      out.write(`${clear()}${text}\n`)
    },
    /** Nothing lasts any more. */
    done(): void {
      lasting = null
    },
    error(text: string) {
      if (isTerminal) out.write(clear())
      process.stderr.write(`${text}\n`)
    },
  }
}

export interface Summary {
  readonly url: string
  /** Where operators approve. */
  readonly approvalsUrl: string
  readonly devnetUrl: string | null
  readonly dataDir: string
  readonly seconds: number
  /** Null without a demo. */
  readonly signIns: readonly SignIn[] | null
}

export function summaryLines({ url, approvalsUrl, devnetUrl, dataDir, seconds, signIns }: Summary): string[] {
  const places = [
    ['Open', url, ''],
    ['Approve', approvalsUrl, 'operators approve withdrawals'],
    ...(devnetUrl === null ? [] : [['Chain', devnetUrl, 'explorer of the development chain']]),
    ['Logs', `${dataDir}/logs`, ''],
  ]
  const people = (signIns ?? []).map(({ role, as, username, password, totp }) => [
    as === undefined ? role : `${role}, ${as}`,
    username,
    password,
    totp === undefined ? '' : `codes from ${inGroups(totp)}`,
  ])
  return [
    '',
    `  Aval is ready (${seconds.toFixed(1)} s).`,
    '',
    ...aligned(places),
    ...(people.length > 0 ? ['', '  Sign in to the demo:', ...aligned(people, '    ')] : []),
    ...(signIns?.some(({ totp }) => totp !== undefined)
      ? [
          '',
          `  Operators need codes as well: ${url}/dev/codes shows them, or give that secret to an authenticator app.`,
        ]
      : []),
    '',
    '  Ctrl-C stops everything.',
    '',
  ]
}

/** A secret as people type it. */
const inGroups = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ')

function aligned(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) => `${indent}${row.map((cell, i) => cell.padEnd(width(i) + 2)).join('')}`.trimEnd())
}
