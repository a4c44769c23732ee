/** A signed-in member who changes what is theirs, and the mailbox that tells them so. */
import { addressFromPrivateKey } from '@aval/tron'
import { sql } from 'kysely'
import { accessOf, join, type TestServer } from '../../../testing/server.ts'

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export interface Letter {
  template: string
  to: string
  event: string
  params: Record<string, string>
}

/** What was queued for a member, oldest first. */
export async function lettersTo(server: TestServer, memberId: bigint): Promise<Letter[]> {
  const { rows } = await sql<Letter>`
    SELECT template, to_address AS to, event, params FROM mail_message
    WHERE member_id = ${memberId} ORDER BY id`.execute(server.context.db)
  return rows
}

/** The newest code that a member was e-mailed. */
export async function codeFor(server: TestServer, memberId: bigint): Promise<string> {
  const code = (await lettersTo(server, memberId)).findLast(({ params }) => params['code'] !== undefined)
  if (code === undefined) throw new Error('no code was e-mailed')
  return code.params['code'] ?? ''
}

export interface Person {
  readonly id: bigint
  readonly username: string
  readonly email: string
  access: string
}

let people = 0

export async function person(server: TestServer): Promise<Person> {
  people += 1
  const username = `person${people}`
  const email = `person${people}@example.com`
  const id = await join(server, { username, email, locale: 'en' })
  const access = await accessOf(server, id)
  // Who signs in again in these tests comes from the same browser.
  await sql`UPDATE session SET user_agent = ${FIREFOX} WHERE member_id = ${id}`.execute(server.context.db)
  return { id, username, email, access }
}

export function headersOf(who: Person, others: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${who.access}`, 'accept-language': 'en', 'user-agent': FIREFOX, ...others }
}

/** A form as browsers encode it. */
export async function encode(form: FormData): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
}

export async function patch(
  server: TestServer,
  who: Person,
  body: object | FormData,
  headers: Record<string, string> = {},
) {
  const encoded = body instanceof FormData ? await encode(body) : { payload: body, headers: {} }
  return server.call({
    method: 'PATCH',
    url: '/api/auth/user/',
    payload: encoded.payload,
    headers: headersOf(who, { ...encoded.headers, ...headers }),
  })
}

export async function userOf(server: TestServer, who: Person) {
  return (await server.call({ url: '/api/auth/user/', headers: headersOf(who) })).json()
}

/** An address that nobody here holds. @param number 1 to 255 */
export function walletOf(number: number): string {
  return addressFromPrivateKey(number.toString(16).padStart(64, '0'))
}
