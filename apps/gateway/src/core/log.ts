/** What the process says: one JSON object a line, so that people and machines read the same. */

export type Facts = Readonly<Record<string, string | number | bigint | boolean | null>>

export interface Log {
  info(event: string, facts?: Facts): void
  warn(event: string, facts?: Facts): void
  error(event: string, facts?: Facts): void
}

/** Bigints are written as strings: a JSON number would lose their last digits. */
export function createLog(write: (line: string) => void, part = 'gateway'): Log {
  const say =
    (level: 'info' | 'warn' | 'error') =>
    (event: string, facts: Facts = {}) => {
      const line = { at: new Date().toISOString(), level, part, event, ...facts }
      write(
        `${JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`,
      )
    }
  return { info: say('info'), warn: say('warn'), error: say('error') }
}

/** An error in one line, without its stack. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s+/g, ' ').slice(0, 300)
}
