import type { JobContext } from '../../core/jobs.ts'
import { numberWhenDue } from './numbering.commands.ts'

export const genealogyJobs = ({ db, systemNow }: JobContext) => ({
  'genealogy.number': async () => {
    await numberWhenDue(db, systemNow())
  },
})
