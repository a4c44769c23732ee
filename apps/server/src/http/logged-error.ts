/**
 * An error as it stands in the log: what broke and where, never a value. PostgreSQL repeats the row that it did not take in `detail`, and
 * in errors about data the value itself in the message, which may be a hash, an address or what a person typed. So the fields that are
 * written are listed, and no others are.
 */
import { sqlState } from '@aval/db'

const TOLD = ['code', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const
const DEEPEST = 4

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly cause?: LoggedError
  /** Those of `TOLD`. */
  readonly [field: string]: unknown
}

/** Of an error of PostgreSQL's class 22, about data, what stands in quotes is the value. */
const unquoted = (error: Error, text: string): string =>
  sqlState(error)?.startsWith('22') ? text.replace(/"[^"]*"/g, '"…"') : text

function fieldsOf(error: unknown, depth: number): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown, and no error', stack: '' }
  const { name, message, stack = '', cause } = error
  const fields = error as unknown as Record<string, unknown>
  return {
    type: error.constructor.name || name,
    message: unquoted(error, message),
    stack: unquoted(error, stack),
    ...Object.fromEntries(TOLD.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]]))),
    ...(cause === undefined || depth === DEEPEST ? {} : { cause: fieldsOf(cause, depth + 1) }),
  }
}

export const loggedError = (error: unknown): LoggedError => fieldsOf(error, 0)
