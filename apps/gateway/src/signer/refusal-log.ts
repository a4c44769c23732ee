/** Records each refusal once, in the log and in the audit trail, however often the same is asked again. */
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../core/log.ts'
import { recordRefusal } from './signer.sql.ts'
import type { Refused } from './signing.rules.ts'

const REMEMBERED = 1_000
/** Requests for made-up transfers cannot fill the log or the trail. */
const PER_MINUTE = 60

export type RecordRefused = (txid: string, refused: Refused) => Promise<void>

export function createRefusalLog(options: { db: Database; log: Log; now: () => Date }): RecordRefused {
  const { db, log, now } = options
  const known = new Set<string>()
  let minute = 0
  let count = 0

  const isNew = (key: string, at: Date): boolean => {
    if (known.has(key)) return false
    const present = Math.floor(at.getTime() / 60_000)
    count = present === minute ? count + 1 : 1
    minute = present
    if (count === PER_MINUTE + 1) log.error('sign.refusals_suppressed', { per_minute: PER_MINUTE })
    if (count > PER_MINUTE) return false
    const [oldest] = known
    if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest)
    known.add(key)
    return true
  }
  return async (txid, { code, message }) => {
    const at = now()
    if (!isNew(`${txid} ${code}`, at)) return
    log.warn('sign.refused', { txid, code, message })
    if (code === 'signer_failed') return
    try {
      await recordRefusal(db, { at, txid, details: { code, message } })
    } catch (error) {
      log.error('sign.refusal_unrecorded', { txid, code, error: describeError(error) })
    }
  }
}
