/** Members who write to support, operators who answer, and the mailbox. */
import { supportConversation, supportMessages } from '@aval/contract'
import type { Config } from '../../../config.ts'
import { query } from '../../../core/query.sql.ts'
import { type Client, createTestServer, join, operatorClient, signedIn } from '../../../testing/server.ts'
import { operatorsOperatorRoutes } from '../../identity/operators/operators.operator.routes.ts'
import { mailsTo } from '../../identity/testing/member-fixture.ts'
import { supportOperatorRoutes } from '../support.operator.routes.ts'
import { supportRoutes } from '../support.routes.ts'
import { supportTemplatesOperatorRoutes } from '../templates.operator.routes.ts'

/** A member in a session. */
export interface Writer extends Client {
  readonly id: bigint
}

const SERVED = [supportRoutes, supportOperatorRoutes, supportTemplatesOperatorRoutes, operatorsOperatorRoutes]

const keyed = (key?: string) => (key === undefined ? {} : { 'idempotency-key': key })

export async function createSupportFixture(adminUrl: string, overrides: Partial<Config> = {}) {
  const server = await createTestServer(adminUrl, SERVED, overrides)
  const operator = await operatorClient(server, { username: 'olga' })
  await operator.decide('operator/elevation/')
  return {
    server,
    /** Called olga; a code of hers stands for answers. */
    operator,
    close: server.close,
    /** A new member, who reads English. */
    async writer(overrides: Parameters<typeof join>[1] = {}): Promise<Writer> {
      const id = await join(server, { locale: 'en', ...overrides })
      return { id, ...(await signedIn(server, id)) }
    },
    ask: (who: Writer, text: string, rest: object = {}, key?: string) =>
      who.post('support/messages/', { text, ...rest }, keyed(key)),
    answer: (who: Writer, text: string, rest: object = {}, key?: string) =>
      operator.post(`operator/support/${who.id}/answer/`, { text, ...rest }, keyed(key)),
    closeConversation: (who: Writer, payload?: object) =>
      operator.post(`operator/support/${who.id}/close/`, payload),
    /** What a member sees. */
    seenBy: async (who: Writer, search = '') =>
      supportMessages.parse((await who.get(`support/messages/${search}`)).json()),
    /** What an operator sees. */
    conversation: async (who: Writer) =>
      supportConversation.parse((await operator.get(`operator/support/${who.id}/`)).json()),
    letters: (who: Writer) => mailsTo(server, who.id),
    /** The actions that the trail has of a member's conversation, in order. */
    async trail(who: Writer): Promise<string[]> {
      const rows = await query<{ action: string }>(server.context.db)`SELECT action FROM audit_event
        WHERE subject = ${`member:${who.id}`} AND action LIKE 'support.%' ORDER BY id`
      return rows.map(({ action }) => action)
    },
  }
}
