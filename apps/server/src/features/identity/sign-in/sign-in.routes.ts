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
  signIn,
  signInWithCode,
  signInWithPasskey,
  signInWithPasskeyStep,
} from './sign-in.commands.ts'

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
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['passkey_wrong', 'passkeys_unavailable'],
    handler: ({ body: { credential } }, call) =>
      signInWithPasskey(call, { credential, device: call.device }, call.systemNow),
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
    limits: [{ limit: 'signInByAddress', by: 'address' }],
    refuses: ['otp_token_invalid', 'passkey_wrong', 'passkeys_unavailable'],
    handler: ({ body: { otp_token: token, credential } }, call) =>
      signInWithPasskeyStep(call, { token, credential, device: call.device }, call.systemNow),
  }),
})
