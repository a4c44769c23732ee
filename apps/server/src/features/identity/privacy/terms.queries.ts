import type { PrivacyTerms } from '@aval/contract'
import type { Config } from '../../../config.ts'
import { DEVICES_KEPT, RETENTION } from '../purge.commands.ts'
import { KEPT } from '../security-log/failed-tries.rules.ts'

const DAY = 86_400_000

/** What PostgreSQL's own functions keep, in days: the server cannot shorten it. A test reads it out of them. */
const BY_FUNCTION = { mails: 90, answers: 7, closed_traces: 90 } as const

/** How long things are kept: from what the jobs delete by. */
export const keptFor = ({ retentionYears }: Pick<Config, 'retentionYears'>): PrivacyTerms => ({
  sessions: RETENTION / DAY,
  known_devices: DEVICES_KEPT / DAY,
  failed_tries: KEPT / DAY,
  codes: RETENTION / DAY,
  ...BY_FUNCTION,
  closed_years: retentionYears,
})
