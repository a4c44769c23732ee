import { otpBody, signInAnswer, signInBody, tokenPair } from '@aval/contract'
import { fold } from '../../../core/fold.rules.ts'
import { route, routes } from '../../../http/route.ts'
import { signIn, signInWithCode } from './sign-in.commands.ts'

const visitor = { access: 'public', tags: ['accounts'] } as const

export const signInRoutes = routes({
  signIn: route({
    ...visitor,
    call: 'POST /auth/token/',
    summary: 'Sign in with an e-mail or a username',
    body: signInBody,
    response: { 200: signInAnswer },
    limits: [
      { limit: 'signInByAddress', by: 'address' },
      // Every spelling of an account's name is that account.
      {
        limit: 'signInByAccount',
        by: ({ body }, { client }) => `${client} ${fold(body.email)}`,
        resetOnSuccess: true,
      },
    ],
    refuses: ['credentials_wrong'],
    handler: ({ body: { email: login, password } }, call) =>
      signIn(call, { login, password, device: call.device }, call.systemNow),
  }),
  signInWithCode: route({
    ...visitor,
    call: 'POST /auth/otp/',
    summary: 'The second step of a sign-in: a code, or a recovery code',
    body: otpBody,
    response: { 200: tokenPair },
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['otp_token_invalid', 'otp_required', 'otp_wrong'],
    handler: ({ body }, call) =>
      signInWithCode(call, { token: body.otp_token, code: body.code, device: call.device }, call.systemNow),
  }),
})
