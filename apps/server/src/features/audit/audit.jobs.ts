import type { JobContext } from '../../core/context.ts'
import { sealTrail } from './audit.commands.ts'
import { runVerification } from './verification.commands.ts'

export const auditJobs = ({ db, systemNow }: JobContext) => ({
  'audit.seal': () => sealTrail(db),
  'audit.verify': () => runVerification(db, systemNow),
})
