import { z } from 'zod'
import type { JobContext } from '../../core/jobs.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import { bookOpening, settleTransfer, settleUnbooked } from './settle.commands.ts'

const settlePayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/) })
const openingPayload = z.object({ address: z.string().max(64) })

export const withdrawalsJobs = (context: JobContext) => {
  const { db, clock, systemNow } = context
  return {
    'custody.book_opening': async (payload: unknown) => {
      const { address } = openingPayload.parse(payload)
      await bookOpening(db, address, await clock.now())
      await scheduleCheck(db, systemNow())
    },
    'outgoing_transfers.settle': async (payload: unknown) => {
      const { txid } = settlePayload.parse(payload)
      await settleTransfer(context, txid, { now: await clock.now(), systemNow: systemNow() })
      await scheduleCheck(db, systemNow())
    },
    'outgoing_transfers.catch_up': async () => {
      await settleUnbooked(context, { now: await clock.now(), systemNow: systemNow() })
    },
  }
}
