import {
  messageObject,
  notificationChoiceBody,
  notificationSettings,
  notificationsPage,
  type OperatorRole,
  readNotificationsBody,
} from '@aval/contract'
import { say } from '../../core/messages.ts'
import { route, routes } from '../../http/route.ts'
import { chooseMail, markRead } from './notifications.commands.ts'
import { readNotifications, readSettings } from './notifications.queries.ts'

const operator = { access: 'operator', ability: 'console.use', tags: ['operator'] } as const

/** Who calls a call of operators has a role. */
function readerOf({ memberId, role }: { readonly memberId: bigint; readonly role: OperatorRole | null }) {
  if (role === null) throw new Error('an operator has a role')
  return { memberId, role }
}

export const notificationsOperatorRoutes = routes({
  listNotifications: route({
    ...operator,
    call: 'GET /operator/notifications/',
    summary: 'What needs a person, as far as the role sees it',
    response: { 200: notificationsPage },
    handler: (_input, { db, caller }) => readNotifications(db, readerOf(caller)),
  }),
  readNotifications: route({
    ...operator,
    call: 'POST /operator/notifications/read/',
    summary: 'Says that the operator has read some of it, or all',
    body: readNotificationsBody,
    response: { 200: messageObject },
    transaction: 'idempotent',
    stepUp: 'none',
    handler: async ({ body: { ids } }, { tx, caller, locale }) => {
      await markRead(tx, readerOf(caller), ids?.map(BigInt) ?? null)
      return { message: say(locale, 'notifications_read') }
    },
  }),
  readNotificationSettings: route({
    ...operator,
    call: 'GET /operator/notifications/settings/',
    summary: 'Which of it comes by mail',
    response: { 200: notificationSettings },
    handler: (_input, { db, caller }) => readSettings(db, readerOf(caller)),
  }),
  chooseNotification: route({
    ...operator,
    call: 'POST /operator/notifications/settings/',
    summary: 'Chooses whether a kind of it comes by mail',
    body: notificationChoiceBody,
    response: { 200: messageObject },
    transaction: 'idempotent',
    stepUp: 'none',
    handler: async ({ body }, { tx, caller, locale }) => {
      await chooseMail(tx, caller.memberId, body)
      return { message: say(locale, 'notification_chosen') }
    },
  }),
})
