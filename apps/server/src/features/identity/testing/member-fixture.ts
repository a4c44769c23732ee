/** Signed-in members, and the mail queued for them. */
import { addressFromPrivateKey } from '@aval/tron'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { accessOf, join, TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export interface QueuedMail {
  template: string
  to: string
  event: string
  params: Record<string, string>
}

/** Oldest first. */
export async function mailsTo(server: TestServer, memberId: bigint): Promise<QueuedMail[]> {
  const { rows } = await sql<QueuedMail>`
    SELECT template, to_address AS to, event, params FROM mail_message
    WHERE member_id = ${memberId} ORDER BY id`.execute(server.context.db)
  return rows
}

/** The code in the newest mail that has one. */
export async function emailCodeFor(server: TestServer, memberId: bigint): Promise<string> {
  const mail = (await mailsTo(server, memberId)).findLast(({ params }) => params['code'] !== undefined)
  if (mail === undefined) throw new Error('no code was e-mailed')
  return mail.params['code'] ?? ''
}

export interface MemberFixture {
  readonly id: bigint
  readonly username: string
  readonly email: string
  access: string
}

let members = 0

export async function memberFixture(server: TestServer): Promise<MemberFixture> {
  members += 1
  const username = `person${members}`
  const email = `person${members}@example.com`
  const id = await join(server, { username, email, locale: 'en' })
  const access = await accessOf(server, id)
  // Later sign-ins of these tests come from the same browser.
  await sql`UPDATE session SET user_agent = ${FIREFOX} WHERE member_id = ${id}`.execute(server.context.db)
  return { id, username, email, access }
}

export function headersOf(who: MemberFixture, others: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${who.access}`, 'accept-language': 'en', 'user-agent': FIREFOX, ...others }
}

/** A form as a browser encodes it. */
export async function encodeForm(
  form: FormData,
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
}

export async function patch(
  server: TestServer,
  who: MemberFixture,
  body: object | FormData,
  headers: Record<string, string> = {},
) {
  const encoded = body instanceof FormData ? await encodeForm(body) : { payload: body, headers: {} }
  return server.call({
    method: 'PATCH',
    url: '/api/auth/user/',
    payload: encoded.payload,
    headers: headersOf(who, { ...encoded.headers, ...headers }),
  })
}

export async function userOf(server: TestServer, who: MemberFixture) {
  return (await server.call({ url: '/api/auth/user/', headers: headersOf(who) })).json()
}

/** A valid address outside this installation. @param number 1 to 255 */
export function walletOf(number: number): string {
  return addressFromPrivateKey(number.toString(16).padStart(64, '0'))
}

/** The calls that tests of the account make, to one server. */
export function accountCalls(server: TestServer) {
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.call({
      method: 'POST',
      url,
      payload,
      headers: { 'accept-language': 'en', 'user-agent': FIREFOX, ...headers },
    })
  const send = (who: MemberFixture, body: object | FormData, headers?: Record<string, string>) =>
    patch(server, who, body, headers)
  return {
    post,
    send,
    user: (who: MemberFixture) => userOf(server, who),
    /** The status of a sign-in. */
    signIn: async (email: string, password = TEST_PASSWORD) =>
      (await post('/api/auth/token/', { email, password })).statusCode,
    async isLive(access: string) {
      const headers = { authorization: `Bearer ${access}` }
      return (await server.call({ url: '/api/auth/user/', headers })).statusCode === 200
    },
    /** Changes with the code that this sends for. */
    async changed(who: MemberFixture, change: object) {
      expect((await send(who, change)).statusCode).toBe(200)
      return send(who, { ...change, secret_code: await emailCodeFor(server, who.id) })
    },
    /** The security events of a member, oldest first. */
    eventsOf: (who: MemberFixture) =>
      server.context.db
        .selectFrom('security_event')
        .select(['kind', 'details', 'user_agent'])
        .where('member_id', '=', who.id)
        .orderBy('id')
        .execute(),
  }
}
