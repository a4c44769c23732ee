/** Signed-in members, the mail queued for them, and the calls that tests of the account make. */
import { addressFromPrivateKey } from '@aval/tron'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Config } from '../../../config.ts'
import { query } from '../../../core/query.sql.ts'
import { features, parts } from '../../../features.ts'
import { buildServer, type Parts } from '../../../http/server.ts'
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
  return query<QueuedMail>(server.context.db)`
    SELECT template, to_address AS to, event, params FROM mail_message
    WHERE member_id = ${memberId} ORDER BY id`
}

/** The code in the newest mail that has one. */
export async function emailCodeFor(server: TestServer, memberId: bigint): Promise<string> {
  const mail = (await mailsTo(server, memberId)).findLast(({ params }) => params['code'] !== undefined)
  if (mail === undefined) throw new Error('no code was e-mailed')
  return mail.params['code'] ?? ''
}

/** Another code, for the same form. @param index from 0, each another one */
export const wrongFor = (code: string, index = 0) =>
  String((Number(code) + 1 + index) % 10_000_000).padStart(7, '0')

/** A valid address outside this installation. @param number 1 to 255 */
export function walletOf(number: number): string {
  return addressFromPrivateKey(number.toString(16).padStart(64, '0'))
}

/**
 * How much processor time one work takes against another, by the medians of some rounds: what else the machine does is
 * not in it.
 */
export async function processorRatio(
  rounds: number,
  work: (round: number) => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<number> {
  const timed = async (run: () => Promise<unknown>) => {
    const started = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(started)
    return user + system
  }
  const [works, others]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    others.push(await timed(other))
    works.push(await timed(() => work(round)))
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  return median(works) / median(others)
}

/** The number of the session that an access token belongs to. */
export const sessionIn = (access: string): string =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sid

/** The token at the end of a "this was not me" link. */
export const tokenOf = (url: string | undefined) => url?.split('#').at(-1) ?? ''

export interface MemberFixture {
  readonly id: bigint
  readonly username: string
  readonly email: string
  access: string
}

/** A form as a browser encodes it. */
async function encodeForm(form: FormData): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
}

export function formOf(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value ?? ''))
  return form
}

/** The same installation with other settings, on the same database. Close it before the server. */
export async function startedWith(
  server: TestServer,
  settings: Partial<Config>,
  more: Partial<Parts> = {},
): Promise<TestServer> {
  const context = { ...server.context, config: { ...server.context.config, ...settings } }
  const api = await buildServer(context, features, { ...parts, ...more })
  return { ...server, context, api, call: (options) => api.inject(options), close: () => api.close() }
}

/** Lets seconds pass for everything stored about sessions. */
export const timePassing = ({ context: { db } }: TestServer) =>
  async function wait(seconds: number): Promise<void> {
    const by = sql`make_interval(secs => ${seconds})`
    await query(db)`UPDATE refresh_token SET issued_at = issued_at - ${by}, used_at = used_at - ${by}`
    await query(db)`UPDATE session SET started_at = started_at - ${by}`
  }

let members = 0

export function accountFixture(server: TestServer) {
  const { db } = server.context
  const browser = { 'accept-language': 'en', 'user-agent': FIREFOX }
  const headersOf = ({ access }: { access: string }) => ({ ...browser, authorization: `Bearer ${access}` })
  const mails = ({ id }: MemberFixture) => mailsTo(server, id)
  const code = ({ id }: MemberFixture) => emailCodeFor(server, id)

  async function post(url: string, body: object | FormData, headers: Record<string, string> = {}) {
    const encoded = body instanceof FormData ? await encodeForm(body) : { payload: body, headers: {} }
    const all = { ...browser, ...encoded.headers, ...headers }
    return server.call({ method: 'POST', url, payload: encoded.payload, headers: all })
  }
  /** Changes the profile. */
  async function send(who: MemberFixture, body: object | FormData, headers: Record<string, string> = {}) {
    const encoded = body instanceof FormData ? await encodeForm(body) : { payload: body, headers: {} }
    const all = { ...headersOf(who), ...encoded.headers, ...headers }
    return server.call({ method: 'PATCH', url: '/api/auth/user/', payload: encoded.payload, headers: all })
  }
  const get = (who: { access: string }, url: string) => server.call({ url, headers: headersOf(who) })
  /** The same change again, with the code that was e-mailed last. */
  const confirm = async (who: MemberFixture, change: object) =>
    send(who, { ...change, secret_code: await code(who) })

  return {
    headersOf,
    mails,
    code,
    post,
    send,
    get,
    confirm,
    async member(): Promise<MemberFixture> {
      members += 1
      const username = `person${members}`
      const email = `person${members}@example.com`
      const id = await join(server, { username, email, locale: 'en' })
      const access = await accessOf(server, id)
      // Later sign-ins of these tests come from the same browser.
      await query(db)`UPDATE session SET user_agent = ${FIREFOX} WHERE member_id = ${id}`
      return { id, username, email, access }
    },
    user: async (who: MemberFixture) => (await get(who, '/api/auth/user/')).json(),
    /** The status of a sign-in. */
    signIn: async (email: string, password = TEST_PASSWORD) =>
      (await post('/api/auth/token/', { email, password })).statusCode,
    isLive: async (who: { access: string }) => (await get(who, '/api/auth/user/')).statusCode === 200,
    /** The member in another session. */
    elsewhere: async (who: MemberFixture): Promise<MemberFixture> => ({
      ...who,
      access: await accessOf(server, who.id),
    }),
    /** Asks for a change and confirms it with the code that this sends. */
    async changed(who: MemberFixture, change: object) {
      expect((await send(who, change)).statusCode).toBe(200)
      return confirm(who, change)
    },
    /** The security events of a member, oldest first. */
    eventsOf: ({ id }: MemberFixture) =>
      db
        .selectFrom('security_event')
        .select(['kind', 'details', 'user_agent'])
        .where('member_id', '=', id)
        .orderBy('id')
        .execute(),
    async liveCodes({ id }: MemberFixture): Promise<number> {
      const codes = db.selectFrom('email_code').select('purpose').where('member_id', '=', id)
      return (await codes.where('used_at', 'is', null).execute()).length
    },
  }
}
