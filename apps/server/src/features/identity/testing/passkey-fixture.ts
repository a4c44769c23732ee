/** Members with passkeys in software, at a time that the test sets. */
import { type Algorithm, type AssertionChanges, createAuthenticator } from '@aval/approvals/testing'
import type { PasskeyRequest } from '@aval/contract'
import type { Actor } from '../../../core/device.ts'
import { TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'
import { addPasskey, beginPasskey } from '../passkeys/passkeys.commands.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../sign-in/sign-in.commands.ts'
import { at, device, outcome, secondFactorFixture } from './second-factor-fixture.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

const bytesOf = (challenge: string) => Buffer.from(challenge, 'base64url')

/** What a passkey answers to a request, in WebAuthn's JSON. @param memberId what it keeps as its member's number */
export function answerOf(
  authenticator: Authenticator,
  { challenge }: Pick<PasskeyRequest, 'challenge'>,
  { memberId, ...changes }: AssertionChanges & { readonly memberId?: bigint } = {},
) {
  const proof = authenticator.approve(bytesOf(challenge), changes)
  return {
    id: proof.credential_id,
    rawId: proof.credential_id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: proof.client_data,
      authenticatorData: proof.authenticator_data,
      signature: proof.signature,
      ...(memberId !== undefined && { userHandle: Buffer.from(String(memberId)).toString('base64url') }),
    },
  }
}

export function passkeyFixture(server: TestServer) {
  const { context } = server
  const { actorOf, newMember } = secondFactorFixture(server)
  const origin = new URL(context.config.publicUrl).origin
  const begin = (actor: Actor, now = at(0), otp: string | null = null) =>
    beginPasskey(context, actor, { current: TEST_PASSWORD, otp }, now)
  const request = (now = at(0)) => beginPasskeySignIn(context, now)
  const send = (credential: ReturnType<typeof answerOf>, now = at(0)) =>
    outcome(signInWithPasskey(context, { credential, device, deviceToken: null }, now))
  return {
    origin,
    begin,
    request,
    send,
    newAuthenticator: (algorithm?: Algorithm) => createAuthenticator(origin, algorithm),
    register: (authenticator: Authenticator, options: { readonly challenge: string }) =>
      authenticator.register(bytesOf(options.challenge)),
    /** A member who added a passkey in a session. */
    async owner(algorithm?: Algorithm, now = at(0)) {
      const member = await newMember()
      const actor = await actorOf(member.memberId)
      const authenticator = createAuthenticator(origin, algorithm)
      const options = await begin(actor, now)
      const credential = authenticator.register(bytesOf(options.challenge))
      await addPasskey(context, actor, { credential, name: 'Phone' }, now)
      return { ...member, actor, authenticator, id: authenticator.passkey.credentialId }
    },
    /** Signs in with a passkey. @returns `done`, or the refusal */
    async signIn(
      authenticator: Authenticator,
      changes: AssertionChanges & { readonly memberId?: bigint } = {},
      now = at(0),
    ) {
      return send(answerOf(authenticator, await request(now), changes), now)
    },
  }
}
