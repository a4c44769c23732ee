/** Members with two-factor on, and every way in, at a time that the test names. */
import type { RefusalCode } from '@aval/contract'
import { Refusal } from '../../../core/refusal.ts'
import { standingTransaction } from '../../../core/standing.ts'
import { accessOf, codeOf, join, TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'
import { type Decision, requireOtpIfOn } from '../second-factor/second-factor.commands.ts'
import { newSecret } from '../second-factor/totp.ts'
import { confirmSetUp, giveSecret, setUp } from '../second-factor/totp-setup.commands.ts'
import { signIn, signInWithCode } from '../sessions/sessions.commands.ts'

const START = Date.parse('2027-03-01T12:00:00Z')
/** Seconds later; a half minute begins at 0. */
export const at = (seconds: number) => new Date(START + seconds * 1000)
export const device = { userAgent: 'test', ip: '203.0.113.9' }

/** Done, or the name of the refusal. */
export async function outcome(work: Promise<unknown>): Promise<'done' | RefusalCode> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

interface Protected {
  readonly memberId: bigint
  readonly username: string
  readonly secret: string
}
let members = 0

export interface Door {
  /** A member with two-factor on. */
  protectedMember(isOperator?: boolean): Promise<Protected>
  /** A member who set two-factor up in a session, with the codes to recover by. */
  recoverable(): Promise<Protected & { codes: string[]; sessionId: string }>
  password(username: string, now?: Date): ReturnType<typeof signIn>
  /** The token of a sign-in whose code is still to come. */
  challenge(username: string, now?: Date): Promise<string>
  answer(token: string, code: string, now?: Date): ReturnType<typeof outcome>
  sessionOf(memberId: bigint): Promise<string>
  /** When each session of a member showed its second factor. */
  secondFactors(memberId: bigint): Promise<(Date | null)[]>
  decisionOf(memberId: bigint, attempt?: string | null): Promise<Omit<Decision, 'otp'>>
  moneyOut(decision: Decision, now: Date): ReturnType<typeof outcome>
}

/** @param serverOf asked at each call: tests begin before their server does */
export function openDoor(serverOf: () => TestServer): Door {
  const context = () => serverOf().context
  const named = async (isOperator: boolean) => {
    members += 1
    const username = `protected${members}`
    return { username, memberId: await join(serverOf(), { username, isOperator }) }
  }
  const sessionOf: Door['sessionOf'] = async (memberId) => {
    const payload = (await accessOf(serverOf(), memberId)).split('.')[1] ?? ''
    return String(JSON.parse(Buffer.from(payload, 'base64url').toString()).sid)
  }
  const password: Door['password'] = (username, now = at(0)) =>
    signIn(context(), { login: username, password: TEST_PASSWORD, userAgent: 'test' }, now)
  return {
    password,
    sessionOf,
    async protectedMember(isOperator = false) {
      const secret = newSecret()
      const member = await named(isOperator)
      await giveSecret(context(), member.memberId, secret, at(-3600))
      return { ...member, secret }
    },
    async recoverable() {
      const member = await named(false)
      const { memberId } = member
      const { secret } = await setUp(context(), memberId, at(-600))
      const sessionId = await sessionOf(memberId)
      const owner = { memberId, sessionId, ...device }
      const codes = await confirmSetUp(context(), owner, codeOf(secret, at(-600)), at(-600))
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
      outcome(standingTransaction(context().db, (tx) => requireOtpIfOn(context(), tx, decision, now))),
  }
}
