import type { NotificationKind } from '@aval/contract'
import { client } from '../../api/client.ts'
import type { Wire } from '../../api/conforms.ts'
import { isMessage, live, type Message, operatorQuery } from '../shared/calls.ts'

export type OperatorNotification = Wire<'operatorNotification'>
export type NotificationSettings = Wire<'notificationSettings'>

const notificationsApi = client.injectEndpoints({
  endpoints: (build) => ({
    notifications: live(operatorQuery(build, 'notificationsPage', () => 'operator/notifications/')),
    notificationSettings: operatorQuery(
      build,
      'notificationSettings',
      () => 'operator/notifications/settings/',
    ),
    /** Those; without any, all that there are. */
    markNotificationsRead: build.mutation<Message, readonly number[] | null>({
      query: (ids) => ({
        path: 'operator/notifications/read/',
        method: 'POST',
        body: ids === null ? {} : { ids },
        fits: isMessage(),
      }),
      invalidatesTags: ['Operator'],
    }),
    chooseNotification: build.mutation<Message, { kind: NotificationKind; mailed: boolean }>({
      query: (body) => ({
        path: 'operator/notifications/settings/',
        method: 'POST',
        body,
        fits: isMessage(),
      }),
      invalidatesTags: ['Operator'],
    }),
  }),
})

export const {
  useNotificationsQuery,
  useNotificationSettingsQuery,
  useMarkNotificationsReadMutation,
  useChooseNotificationMutation,
} = notificationsApi
