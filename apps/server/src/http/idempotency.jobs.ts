import type { JobContext } from '../core/jobs.ts'
import { purgeResponses } from './idempotency.ts'

export const idempotencyJobs = ({ db, systemNow }: JobContext) => ({
  'idempotency.purge': async () => {
    await purgeResponses(db, systemNow())
  },
})
