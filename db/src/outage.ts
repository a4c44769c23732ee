import { sqlState } from './connect.ts'
import { DatabaseAway } from './hosts.ts'

/**
 * Lost connections, a database that starts or stops, too many clients, a statement or a lock that took too long, a server that became
 * a stand-by and takes no writes (25006).
 */
const OUTAGE_STATE = /^(08...|57P0.|53...|57014|55P03|25006)$/
const OUTAGE_CODE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
])
const OUTAGE_TEXT =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error/

/** Whether the database could not be asked, as against having answered something unexpected. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseAway) return true
  const state = sqlState(error)
  if (state !== null) return OUTAGE_STATE.test(state)
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && syscall !== undefined && OUTAGE_CODE.has(code)) return true
  return OUTAGE_TEXT.test(error.message)
}
