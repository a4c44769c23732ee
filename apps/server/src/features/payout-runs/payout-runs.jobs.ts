import type { JobContext } from '../../core/jobs.ts'
import { payCommissions, resumeRuns, runDue } from './advance.commands.ts'

export const payoutRunsJobs = ({ db, clock }: JobContext) => ({
  'payout_runs.direct': async () => payCommissions(db, await clock.now()),
  'payout_runs.daily': async () => runDue(db, await clock.now()),
  'payout_runs.resume': async () => resumeRuns(db, await clock.now()),
})
