import { otpBody, signInAnswer, signInBody, tokenPair } from '@aval/contract'
import { deviceOf } from '../../../core/device.ts'
import type { FeatureRoutes } from '../../../http/api.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { accountKey, signIn, signInWithCode } from './sign-in.commands.ts'

const config = { access: 'public' } as const
const tags = ['accounts']

export const signInRoutes: FeatureRoutes = (api, context) => {
  const { limits } = context.config
  const byAccount = createRateLimit(limits.signInByAccount)
  const passwordsByAddress = createRateLimit(limits.signInByAddress)
  const codesByAddress = createRateLimit(limits.signInByAddress)

  api.post(
    '/auth/token/',
    {
      config,
      schema: {
        tags,
        summary: 'Sign in with an e-mail or a username',
        body: signInBody,
        response: { 200: signInAnswer },
      },
    },
    async (request) => {
      const { email: login, password } = request.body
      const client = clientOf(request.ip)
      const account = `${client} ${accountKey(login)}`
      await passwordsByAddress.take(client)
      await byAccount.take(account)
      const answer = await signIn(context, { login, password, ...deviceOf(request) }, new Date())
      await byAccount.forgive(account)
      return answer
    },
  )

  api.post(
    '/auth/otp/',
    {
      config,
      schema: {
        tags,
        summary: 'The second step of a sign-in: a code, or a recovery code',
        body: otpBody,
        response: { 200: tokenPair },
      },
    },
    async (request) => {
      await codesByAddress.take(clientOf(request.ip))
      const { otp_token: token, code } = request.body
      return signInWithCode(context, { token, code, device: deviceOf(request) }, new Date())
    },
  )
}
