/** Members with a second factor, and every way to sign in, at a time that the test sets. */
import type { RefusalCode } from '@aval/contract'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Decision } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { accessOf, codeOf, join, TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret, beginTotpSetup, confirmTotpSetup } from '../second-factor/totp-setup.commands.ts'
import { signIn, signInWithCode } from '../sign-in/sign-in.commands.ts'
import { sessionIn } from './member-fixture.ts'

const START = Date.parse('2027-03-01T12:00:00Z')
/** Seconds after the start, at which a TOTP step begins. */
export const at = (seconds: number) => new Date(START + seconds * 1000)
export const device = { userAgent: 'test', ip: '203.0.113.9' }

/** `done`, or the refusal's code. */
export async function outcome(work: Promise<unknown>): Promise<'done' | RefusalCode> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Somebody who signs in on a new device. */
export const visitorOf = (login: string, password: string) => ({
  login,
  password,
  device,
  deviceToken: null,
  proof: null,
  take: async () => undefined,
})

let members = 0

export function secondFactorFixture(server: TestServer) {
  const { context } = server
  const { db } = context
  const newMember = async (isOperator = false) => {
    members += 1
    const username = `protected${members}`
    return { username, memberId: await join(server, { username, isOperator }) }
  }
  /** A new session of a member. */
  const actorOf = async (memberId: bigint): Promise<Actor> => ({
    memberId,
    sessionId: sessionIn(await accessOf(server, memberId)),
    device,
  })
  const password = async (username: string, now = at(0)) =>
    (await signIn(context, visitorOf(username, TEST_PASSWORD), now)).answer
  return {
    newMember,
    actorOf,
    /** Whether the password alone opens a session. */
    passwordIsEnough: async (username: string, now?: Date) => 'access' in (await password(username, now)),
    /** A member with a second factor. */
    async protectedMember(isOperator = false) {
      const secret = newTotpSecret()
      const member = await newMember(isOperator)
      await assignTotpSecret(context, member.memberId, secret, at(-3600))
      return { ...member, secret }
    },
    /** A member who set the second factor up in a session, with the recovery codes. */
    async recoverable() {
      const member = await newMember()
      const actor = await actorOf(member.memberId)
      const { secret } = await beginTotpSetup(context, member.memberId, TEST_PASSWORD, at(-600))
      const codes = await confirmTotpSetup(context, actor, codeOf(secret, at(-600)), at(-600))
      return { ...member, secret, codes, actor }
    },
    /** The token of a sign-in that still needs a code. */
    async challenge(username: string, now?: Date) {
      const answered = await password(username, now)
      if (!('otp_token' in answered)) throw new Error('no code was asked for')
      return answered.otp_token
    },
    answer: (token: string, code: string, now = at(0)) =>
      outcome(signInWithCode(context, { token, code, device, deviceToken: null }, now)),
    /** When each session of a member was verified by a second factor. */
    async secondFactors(memberId: bigint) {
      const sessions = db.selectFrom('session').select('second_factor_at')
      const rows = await sessions.where('member_id', '=', memberId).execute()
      return rows.map(({ second_factor_at }) => second_factor_at)
    },
    async decisionOf(memberId: bigint, attempt: string | null = null): Promise<Omit<Decision, 'otp'>> {
      const { sessionId } = await actorOf(memberId)
      return { memberId, sessionId, attempt, action: 'pool.fund', subject: 'pool:profit' }
    },
    moneyOut: (decision: Decision, now: Date) =>
      outcome(commitOnRefusal(db, (tx) => stepUpIfEnabled(context, tx, decision, now))),
    /** The kinds of a member's security events, oldest first. */
    async eventsOf(memberId: bigint) {
      const events = db.selectFrom('security_event').select('kind').where('member_id', '=', memberId)
      return (await events.orderBy('id').execute()).map(({ kind }) => kind)
    },
  }
}
