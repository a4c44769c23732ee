import type { JobContext } from '../../core/context.ts'
import { findNotifications, purgeNotifications } from './find.commands.ts'

export const notificationsJobs = (context: JobContext) => ({
  'notifications.find': () => findNotifications(context, context.systemNow()),
  'notifications.purge': () => purgeNotifications(context.db, context.systemNow()),
})
