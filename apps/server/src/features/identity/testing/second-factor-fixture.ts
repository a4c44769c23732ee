/** Members with a second factor, and every way to sign in, at a time that the test sets. */
import type { RefusalCode } from '@aval/contract'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Decision } from '../../../core/decision.ts'
import { Refusal } from '../../../core/refusal.ts'
import { accessOf, codeOf, join, TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret, beginTotpSetup, confirmTotpSetup } from '../second-factor/totp-setup.commands.ts'
import { signIn, signInWithCode } from '../sign-in/sign-in.commands.ts'

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

interface ProtectedMember {
  readonly memberId: bigint
  readonly username: string
  readonly secret: string
}
let members = 0

export interface SecondFactorFixture {
  /** A member with a second factor. */
  protectedMember(isOperator?: boolean): Promise<ProtectedMember>
  /** A member who set the second factor up in a session, with the recovery codes. */
  recoverable(): Promise<ProtectedMember & { codes: string[]; sessionId: string }>
  password(username: string, now?: Date): ReturnType<typeof signIn>
  /** The token of a sign-in that still needs a code. */
  challenge(username: string, now?: Date): Promise<string>
  answer(token: string, code: string, now?: Date): ReturnType<typeof outcome>
  sessionOf(memberId: bigint): Promise<string>
  /** When each session of a member was verified by a second factor. */
  secondFactors(memberId: bigint): Promise<(Date | null)[]>
  decisionOf(memberId: bigint, attempt?: string | null): Promise<Omit<Decision, 'otp'>>
  moneyOut(decision: Decision, now: Date): ReturnType<typeof outcome>
}

/** @param serverOf called each time, because tests are declared before their server starts */
export function secondFactorFixture(serverOf: () => TestServer): SecondFactorFixture {
  const context = () => serverOf().context
  const newMember = async (isOperator: boolean) => {
    members += 1
    const username = `protected${members}`
    return { username, memberId: await join(serverOf(), { username, isOperator }) }
  }
  const sessionOf: SecondFactorFixture['sessionOf'] = async (memberId) => {
    const payload = (await accessOf(serverOf(), memberId)).split('.')[1] ?? ''
    return String(JSON.parse(Buffer.from(payload, 'base64url').toString()).sid)
  }
  const password: SecondFactorFixture['password'] = (username, now = at(0)) =>
    signIn(context(), { login: username, password: TEST_PASSWORD, userAgent: 'test' }, now)
  return {
    password,
    sessionOf,
    async protectedMember(isOperator = false) {
      const secret = newTotpSecret()
      const member = await newMember(isOperator)
      await assignTotpSecret(context(), member.memberId, secret, at(-3600))
      return { ...member, secret }
    },
    async recoverable() {
      const member = await newMember(false)
      const { memberId } = member
      const { secret } = await beginTotpSetup(context(), memberId, at(-600))
      const sessionId = await sessionOf(memberId)
      const actor = { memberId, sessionId, device }
      const codes = await confirmTotpSetup(context(), actor, codeOf(secret, at(-600)), at(-600))
      return { ...member, secret, codes, sessionId }
    },
    async challenge(username, now) {
      const answered = await password(username, now)
      if (!('otp_token' in answered)) throw new Error('no code was asked for')
      return answered.otp_token
    },
    answer: (token, code, now = at(0)) => outcome(signInWithCode(context(), { token, code, device }, now)),
    async secondFactors(memberId) {
      const sessions = context().db.selectFrom('session').select('second_factor_at')
      const rows = await sessions.where('member_id', '=', memberId).execute()
      return rows.map(({ second_factor_at }) => second_factor_at)
    },
    decisionOf: async (memberId, attempt = null) => ({
      memberId,
      sessionId: await sessionOf(memberId),
      attempt,
      action: 'pool.fund',
      subject: 'pool:profit',
    }),
    moneyOut: (decision, now) =>
      outcome(commitOnRefusal(context().db, (tx) => stepUpIfEnabled(context(), tx, decision, now))),
  }
}
