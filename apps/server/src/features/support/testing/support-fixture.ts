/** Members who write to support, operators who answer, and the mailbox. */
import { supportConversation, supportMessages } from '@aval/contract'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Config } from '../../../config.ts'
import { accessOf, createTestServer, join, operatorAccess, type TestServer } from '../../../testing/server.ts'
import { mailsTo, type QueuedMail } from '../../identity/testing/member-fixture.ts'
import { supportRoutes } from '../support.routes.ts'

export type Headers = Readonly<Record<string, string>>

export interface Writer {
  readonly id: bigint
  readonly headers: Headers
}

export class SupportFixture {
  readonly server: TestServer
  /** Called olga. */
  readonly operator: Headers

  constructor(server: TestServer, operator: Headers) {
    this.server = server
    this.operator = operator
  }

  /** A member nobody has heard of yet, who reads English. */
  async writer(overrides: Parameters<typeof join>[1] = {}): Promise<Writer> {
    const id = await join(this.server, { locale: 'en', ...overrides })
    return { id, headers: { authorization: `Bearer ${await accessOf(this.server, id)}` } }
  }

  call(method: 'GET' | 'POST', path: string, headers: Headers, payload?: InjectOptions['payload']) {
    return this.server.call({
      method,
      url: `/api/${path}`,
      headers: { 'accept-language': 'en', ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  }

  ask(who: Writer, text: string, rest: object = {}, key?: string): Promise<LightMyRequestResponse> {
    const headers = key === undefined ? who.headers : { ...who.headers, 'idempotency-key': key }
    return this.call('POST', 'support/messages/', headers, { text, ...rest })
  }

  answer(who: Writer, text: string, rest: object = {}, key?: string): Promise<LightMyRequestResponse> {
    const headers = key === undefined ? this.operator : { ...this.operator, 'idempotency-key': key }
    return this.call('POST', `operator/support/${who.id}/answer/`, headers, { text, ...rest })
  }

  closeConversation(who: Writer, payload?: object) {
    return this.call('POST', `operator/support/${who.id}/close/`, this.operator, payload)
  }

  /** What a member sees. */
  async seenBy(who: Writer, search = '') {
    return supportMessages.parse((await this.call('GET', `support/messages/${search}`, who.headers)).json())
  }

  /** What an operator sees. */
  async conversation(who: Writer, search = '') {
    const answer = await this.call('GET', `operator/support/${who.id}/${search}`, this.operator)
    return supportConversation.parse(answer.json())
  }

  close() {
    return this.server.close()
  }

  letters(who: Writer): Promise<QueuedMail[]> {
    return mailsTo(this.server, who.id)
  }

  /** What the trail says of a member's conversation, in order. */
  async trail(who: Writer): Promise<string[]> {
    const rows = await this.server.context.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject', '=', `member:${who.id}`)
      .where('action', 'like', 'support.%')
      .orderBy('id')
      .execute()
    return rows.map(({ action }) => action)
  }
}

export async function createSupportFixture(
  adminUrl: string,
  overrides: Partial<Config> = {},
): Promise<SupportFixture> {
  const server = await createTestServer(adminUrl, [supportRoutes], overrides)
  return new SupportFixture(server, await operatorAccess(server, { username: 'olga' }))
}
