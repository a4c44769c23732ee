import type { JobHelpers } from 'graphile-worker'
import { z } from 'zod'
import type { JobContext } from '../../core/context.ts'
import { purgeSentMail } from './mail.commands.ts'
import { catchUp, type MailSender, mailSender, type SendOutcome, sendMessage } from './sending.commands.ts'

const idText = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const sendPayload = z.object({ memberId: idText, id: idText })
type MessageKey = z.output<typeof sendPayload>

/** @param timeZone in which a member reads times */
export const mailJobs = (context: JobContext, timeZone: MailSender['timeZone']) => {
  const sender = mailSender(context, timeZone)
  /** Warns about a message that was not sent. It is stored with the time of its next try; the job has done its part. */
  const reportTo =
    ({ logger }: JobHelpers) =>
    ({ memberId, id }: MessageKey, outcome: SendOutcome) => {
      if (!('reason' in outcome)) return
      const state = outcome.result === 'given_up' ? 'given up' : 'put off'
      logger.warn(`mail ${id} to member ${memberId} is ${state}: ${outcome.reason}`)
    }
  return {
    'mail.send': async (payload: unknown, helpers: JobHelpers) => {
      const key = sendPayload.parse(payload)
      reportTo(helpers)(key, await sendMessage(sender, key))
    },
    'mail.catch_up': (_payload: unknown, helpers: JobHelpers) => catchUp(sender, reportTo(helpers)),
    'mail.purge': async () => {
      await purgeSentMail(context.db, context.systemNow())
    },
  }
}
