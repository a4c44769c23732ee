/** Every refusal is told once: in the log and in the trail, however often the same is asked again. */
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../core/log.ts'
import type { Refused } from './payment.rules.ts'
import { recordRefusal } from './payments.sql.ts'

const REMEMBERED = 1_000
/** Somebody who asks for made-up transfers fills neither log nor trail. */
const A_MINUTE = 60

export interface RefusalTrail {
  tell(txid: string, refused: Refused): Promise<void>
}

export function createRefusalTrail(options: { db: Database; log: Log; now: () => Date }): RefusalTrail {
  const { db, log, now } = options
  const told = new Set<string>()
  let minute = 0
  let count = 0

  const isNew = (key: string, at: Date): boolean => {
    if (told.has(key)) return false
    const present = Math.floor(at.getTime() / 60_000)
    count = present === minute ? count + 1 : 1
    minute = present
    if (count === A_MINUTE + 1) log.error('sign.refusals_untold', { a_minute: A_MINUTE })
    if (count > A_MINUTE) return false
    const [oldest] = told
    if (told.size >= REMEMBERED && oldest !== undefined) told.delete(oldest)
    told.add(key)
    return true
  }
  return {
    async tell(txid, { code, message }) {
      const at = now()
      if (!isNew(`${txid} ${code}`, at)) return
      log.warn('sign.refused', { txid, code, message })
      if (code === 'signer_failed') return
      try {
        await recordRefusal(db, { at, txid, details: { code, message } })
      } catch (error) {
        log.error('sign.refusal_unrecorded', { txid, code, error: describeError(error) })
      }
    },
  }
}
