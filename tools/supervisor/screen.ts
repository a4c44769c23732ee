/** What the person at the terminal sees: one line that updates on a terminal, plain lines elsewhere. */
import type { Progress, SignIn } from './demo.ts'

export type Screen = ReturnType<typeof terminalScreen>

export function terminalScreen() {
  const out = process.stdout
  // A terminal that went away is no reason to stop.
  out.on('error', () => undefined)
  const isTerminal = out.isTTY === true
  let tenth = -1
  const clear = () => (isTerminal ? '\r\u001b[2K' : '')
  const update = (text: string) =>
    out.write(isTerminal ? `${clear()}${text.slice(0, (out.columns ?? 80) - 1)}` : `${text}\n`)
  return {
    /** Something that takes a while has begun. */
    step: (text: string): void => void update(text),
    progress({ done, total, label }: Progress) {
      const reached = total > 0 ? Math.floor((10 * done) / total) : 0
      if (!isTerminal && reached === tenth) return
      tenth = reached
      update(`${label} ${done}/${total}`)
    },
    line(text: string): void {
      out.write(`${clear()}${text}\n`)
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
