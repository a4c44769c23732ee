import type { FeatureRoutes } from '../../http/api.ts'
import { measureFigures } from '../../http/metrics.ts'
import { countJobs } from './jobs.queries.ts'

const JOBS = {
  name: 'aval_jobs',
  help: 'Jobs that are due and wait, that failed and are tried again, and that were given up.',
  label: 'state',
}
const OLDEST = {
  name: 'aval_job_due_timestamp_seconds',
  help: 'Since when the job that waits longest is due. Absent while none waits.',
}

/** Jobs have metrics only: by them one sees that no worker runs. */
export const jobsMetrics: FeatureRoutes = (api, { db }) => {
  measureFigures(api, [JOBS, OLDEST], async () => {
    const { waiting, failing, givenUp, oldest } = await countJobs(db, new Date())
    return {
      [JOBS.name]: { waiting, failing, given_up: givenUp },
      [OLDEST.name]: oldest === null ? null : oldest.getTime() / 1000,
    }
  })
}
