import { z } from 'zod'
import type { JobContext } from '../../core/jobs.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import { creditTransfer, creditUncredited } from './credit.commands.ts'

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })

export const depositsJobs = ({ db, clock, systemNow }: JobContext) => ({
  'deposits.credit': async (payload: unknown) => {
    const { txid, position } = creditPayload.parse(payload)
    await creditTransfer(db, txid, position, await clock.now())
    await scheduleCheck(db, systemNow())
  },
  'deposits.catch_up': async () => {
    await creditUncredited(db, await clock.now())
  },
})
