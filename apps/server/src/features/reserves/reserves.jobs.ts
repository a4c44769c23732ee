import type { JobContext } from '../../core/jobs.ts'
import { purgeChecks, runCheck } from './check.commands.ts'

export const reservesJobs = (context: JobContext) => ({
  'reserves.check': async () => runCheck(context, context.systemNow()),
  'reserves.purge': async () => purgeChecks(context.db),
})
