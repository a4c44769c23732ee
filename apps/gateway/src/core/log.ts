/** The process log: one JSON object a line. */

export type LogFields = Readonly<Record<string, string | number | bigint | boolean | null>>

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** Bigints are written as strings, because a JSON number would lose their last digits. */
export function createLog(write: (line: string) => void, part = 'gateway'): Log {
  const at =
    (level: 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      const line = { at: new Date().toISOString(), level, part, event, ...fields }
      write(
        `${JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`,
      )
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** An error in one line, without its stack. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s+/g, ' ').slice(0, 300)
}
