import type { JobContext } from '../../core/context.ts'
import { sealTrail } from './audit.commands.ts'

export const auditJobs = ({ db }: JobContext) => ({
  'audit.seal': () => sealTrail(db),
})
