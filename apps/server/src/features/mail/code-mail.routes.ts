import { codeMail } from '@aval/contract'
import { route, routes } from '../../http/route.ts'
import { secondsOfWaitingCode } from './mail.queries.ts'

export const codeMailRoutes = routes({
  readCodeMail: route({
    access: 'member',
    tags: ['accounts'],
    call: 'GET /auth/user/code-mail/',
    summary: 'Whether the last e-mail with a code is still being tried, and for how long',
    response: { 200: codeMail },
    handler: async (_input, call) => ({
      waiting_seconds: await secondsOfWaitingCode(call.db, call.caller.memberId, call.systemNow),
    }),
  }),
})
