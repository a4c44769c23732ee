import { z } from 'zod'
import type { JobContext } from '../../core/context.ts'
import { announceTerms } from './member-acts/terms.commands.ts'
import { announceMemberKeys } from './member-key/announce.commands.ts'
import { applyChanges } from './operators/changes.commands.ts'
import { sendReset } from './passwords/resets.commands.ts'
import { purgeExpired, purgeLevels } from './purge.commands.ts'
import { tellAttacked } from './security-log/failed-tries.commands.ts'

const resetPayload = z.object({
  email: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  at: z.iso.datetime().transform((text) => new Date(text)),
})

export const identityJobs = (context: JobContext) => ({
  'identity.send_password_reset': async (payload: unknown) => {
    const { email, userAgent, ip, at } = resetPayload.parse(payload)
    await sendReset(context, { email, device: { userAgent, ip } }, at, context.systemNow())
  },
  'identity.tell_attacked': async () => {
    await tellAttacked(context, context.systemNow())
  },
  'members.terms_changed': async (payload: unknown) => announceTerms(context, payload),
  'operators.change': async () => applyChanges(context, context.systemNow()),
  'member_keys.announce': async () => announceMemberKeys(context, context.systemNow()),
  'guesses.purge': async () => purgeLevels(context.db, context.systemNow()),
  'sessions.purge': async () => purgeExpired(context.db, context.systemNow()),
})
