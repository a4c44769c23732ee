/** What the trail is filtered by lives in the address. */
import { parseAsString, useQueryStates } from 'nuqs'
import { parseAsMatch } from '../../ui/place.ts'

const DAY = parseAsMatch(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

const FILTERS = {
  who: parseAsString.withDefault(''),
  action: parseAsMatch(/^[a-z_]+(\.[a-z_]+)?$/).withDefault(''),
  subject: parseAsString.withDefault(''),
  outcome: parseAsMatch(/^(done|refused)$/).withDefault(''),
  from: DAY.withDefault(''),
  to: DAY.withDefault(''),
}

export type AuditFilters = Readonly<Record<keyof typeof FILTERS, string>>
export const NO_FILTERS: AuditFilters = { who: '', action: '', subject: '', outcome: '', from: '', to: '' }

export const useFilters = () => useQueryStates(FILTERS, { history: 'push' })

/** As the calls take them: those that say something. */
export function searchOf(filters: AuditFilters): string {
  const said = Object.entries(filters).filter(([, text]) => text.trim() !== '')
  return new URLSearchParams(said.map(([name, text]) => [name, text.trim()])).toString()
}
