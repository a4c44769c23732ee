import type { JobHelpers } from 'graphile-worker'
import { z } from 'zod'
import type { JobContext } from '../../core/jobs.ts'
import { purgeSentMail } from './mail.commands.ts'
import { describeFailure, type MailSender, mailSender, sendDue, sendMessage } from './sending.commands.ts'

const idText = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const sendPayload = z.object({ memberId: idText, id: idText })

/** @param timeZone of the times of day in mails */
export const mailJobs = (context: JobContext, timeZone: MailSender['timeZone']) => {
  const sender = mailSender(context, timeZone)
  return {
    // A message that could not be sent is stored with the time of its next try; the job has done its part.
    'mail.send': async (payload: unknown, { logger }: JobHelpers) => {
      const key = sendPayload.parse(payload)
      const trouble = describeFailure(key, await sendMessage(sender, key))
      if (trouble !== null) logger.warn(trouble)
    },
    'mail.catch_up': async (_payload: unknown, { logger }: JobHelpers) =>
      sendDue(sender, (key, outcome) => {
        const trouble = describeFailure(key, outcome)
        if (trouble !== null) logger.warn(trouble)
      }),
    'mail.purge': async () => {
      await purgeSentMail(context.db, context.systemNow())
    },
  }
}
