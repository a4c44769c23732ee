import type { JobContext } from '../../core/context.ts'
import { mailOf } from './announce.commands.ts'
import { expireInvoices } from './invoices.commands.ts'

export const investmentsJobs = ({ db, clock, config, systemNow }: JobContext) => ({
  'investments.expire': async () => expireInvoices(db, await clock.now(), mailOf(config, systemNow())),
})
