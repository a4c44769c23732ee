import type { JobHelpers } from 'graphile-worker'
import { z } from 'zod'
import type { JobContext } from '../../core/jobs.ts'
import { forgetSent } from './mail.commands.ts'
import { mailRoom, sendDue, sendMessage, troubleOf } from './sending.commands.ts'

const idText = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const sendPayload = z.object({ memberId: idText, id: idText })

export const mailJobs = (context: JobContext) => {
  const room = mailRoom(context)
  return {
    // A message that could not be sent is stored with the time of its next try; the job has done its part.
    'mail.send': async (payload: unknown, { logger }: JobHelpers) => {
      const key = sendPayload.parse(payload)
      const trouble = troubleOf(key, await sendMessage(room, key))
      if (trouble !== null) logger.warn(trouble)
    },
    'mail.catch_up': async (_payload: unknown, { logger }: JobHelpers) =>
      sendDue(room, (key, outcome) => {
        const trouble = troubleOf(key, outcome)
        if (trouble !== null) logger.warn(trouble)
      }),
    'mail.purge': async () => {
      await forgetSent(context.db, context.systemNow())
    },
  }
}
