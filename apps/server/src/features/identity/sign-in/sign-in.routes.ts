import { otpBody, signInAnswer, signInBody, tokenPair } from '@aval/contract'
import { route, routes } from '../../../http/route.ts'
import { accountKey, signIn, signInWithCode } from './sign-in.commands.ts'

const visitor = { access: 'public', tags: ['accounts'] } as const

const passwordRoute = route({
  ...visitor,
  method: 'POST',
  path: '/auth/token/',
  operationId: 'signIn',
  summary: 'Sign in with an e-mail or a username',
  body: signInBody,
  response: { 200: signInAnswer },
  limits: [
    { limit: 'signInByAddress', by: 'address' },
    {
      limit: 'signInByAccount',
      by: ({ body }, { client }) => `${client} ${accountKey(body.email)}`,
      resetOnSuccess: true,
    },
  ],
  refuses: ['credentials_wrong'],
  handler: ({ body }, call) =>
    signIn(call, { login: body.email, password: body.password, ...call.device }, call.systemNow),
})

const codeRoute = route({
  ...visitor,
  method: 'POST',
  path: '/auth/otp/',
  operationId: 'signInWithCode',
  summary: 'The second step of a sign-in: a code, or a recovery code',
  body: otpBody,
  response: { 200: tokenPair },
  limits: [{ limit: 'signInByAddress', by: 'address' }],
  refuses: ['otp_token_invalid', 'otp_required', 'otp_wrong'],
  handler: ({ body }, call) =>
    signInWithCode(call, { token: body.otp_token, code: body.code, device: call.device }, call.systemNow),
})

export const signInRoutes = routes(passwordRoute, codeRoute)
