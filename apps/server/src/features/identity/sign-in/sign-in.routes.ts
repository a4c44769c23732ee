import {
  otpBody,
  otpPasskeyBeginBody,
  otpPasskeyBody,
  passkeyRequest,
  passkeySignInBody,
  signInAnswer,
  signInBody,
  tokenPair,
} from '@aval/contract'
import { fold } from '../../../core/fold.rules.ts'
import { route, routes } from '../../../http/route.ts'
import {
  beginPasskeySignIn,
  beginPasskeyStep,
  type SignedIn,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signInWithPasskeyStep,
} from './sign-in.commands.ts'

/** The device that signed in is known from now on. */
function answerOf<Answer>(
  call: { keepDevice(token: string | null): void },
  { answer, deviceToken }: SignedIn<Answer>,
): Answer {
  call.keepDevice(deviceToken)
  return answer
}

const visitor = { access: 'public', tags: ['accounts'] } as const

export const signInRoutes = routes({
  signIn: route({
    ...visitor,
    call: 'POST /auth/token/',
    summary: 'Sign in with an e-mail or a username',
    body: signInBody,
    response: { 200: signInAnswer },
    session: 'opens',
    limits: [
      // A known device has a count of its own, in the database.
      { limit: 'signInByAddress', by: 'address', onDemand: true },
      // Every spelling of an account's name is that account.
      {
        limit: 'signInByAccount',
        by: ({ body }, { client }) => `${client} ${fold(body.email)}`,
        resetOnSuccess: true,
        onDemand: true,
      },
    ],
    refuses: ['credentials_wrong'],
    handler: async ({ body: { email: login, password, proof = null } }, call) => {
      const { device, deviceToken, take } = call
      return answerOf(
        call,
        await signIn(call, { login, password, proof, device, deviceToken, take }, call.systemNow),
      )
    },
  }),
  signInWithCode: route({
    ...visitor,
    call: 'POST /auth/otp/',
    summary: 'The second step of a sign-in: a code, or a recovery code',
    body: otpBody,
    response: { 200: tokenPair },
    session: 'opens',
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['otp_token_invalid', 'otp_required', 'otp_wrong'],
    handler: async ({ body: { otp_token: token, code } }, call) => {
      const { device, deviceToken } = call
      return answerOf(call, await signInWithCode(call, { token, code, device, deviceToken }, call.systemNow))
    },
  }),
  beginPasskeySignIn: route({
    ...visitor,
    call: 'POST /auth/passkey/begin/',
    summary: 'What a browser is asked for to sign in with a passkey; the same for everybody',
    response: { 200: passkeyRequest },
    limits: [{ limit: 'passkeyChallenges', by: 'address' }],
    refuses: ['passkeys_unavailable'],
    handler: (_input, call) => beginPasskeySignIn(call, call.systemNow),
  }),
  signInWithPasskey: route({
    ...visitor,
    call: 'POST /auth/passkey/',
    summary: 'Sign in with a passkey, which is both factors',
    body: passkeySignInBody,
    response: { 200: tokenPair },
    session: 'opens',
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['passkey_wrong', 'passkeys_unavailable'],
    handler: async ({ body: { credential } }, call) => {
      const { device, deviceToken } = call
      return answerOf(
        call,
        await signInWithPasskey(call, { credential, device, deviceToken }, call.systemNow),
      )
    },
  }),
  beginPasskeyStep: route({
    ...visitor,
    call: 'POST /auth/otp/passkey/begin/',
    summary: 'What a browser is asked for where a passkey stands for the code',
    body: otpPasskeyBeginBody,
    response: { 200: passkeyRequest },
    limits: [{ limit: 'passkeyChallenges', by: 'address' }],
    refuses: ['otp_token_invalid', 'passkeys_unavailable'],
    handler: ({ body }, call) => beginPasskeyStep(call, body.otp_token, call.systemNow),
  }),
  signInWithPasskeyStep: route({
    ...visitor,
    call: 'POST /auth/otp/passkey/',
    summary: 'The second step of a sign-in: a passkey instead of a code',
    body: otpPasskeyBody,
    response: { 200: tokenPair },
    session: 'opens',
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['otp_token_invalid', 'passkey_wrong', 'passkeys_unavailable'],
    handler: async ({ body: { otp_token: token, credential } }, call) => {
      const { device, deviceToken } = call
      const step = { token, credential, device, deviceToken }
      return answerOf(call, await signInWithPasskeyStep(call, step, call.systemNow))
    },
  }),
})
