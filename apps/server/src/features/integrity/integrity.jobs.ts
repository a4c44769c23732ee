import type { JobContext } from '../../core/context.ts'
import { checkIntegrity } from './integrity.commands.ts'

export const integrityJobs = ({ db, systemNow }: JobContext) => ({
  'integrity.check': async () => {
    await checkIntegrity(db, systemNow())
  },
})
