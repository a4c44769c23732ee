import { formatMicro, type Micro } from '@aval/money'
import type { Plan } from '@aval/plan'

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is stored stands to the letter; what it leaves out is written as a document writes it, amounts as decimal text. */
function filled(stored: unknown, full: unknown): unknown {
  if (isGroup(full)) {
    const known = isGroup(stored) ? stored : {}
    return Object.fromEntries(Object.entries(full).map(([name, value]) => [name, filled(known[name], value)]))
  }
  if (stored !== undefined) return stored
  if (Array.isArray(full)) return full.map((item) => filled(undefined, item))
  return typeof full === 'bigint' ? formatMicro(full as Micro) : full
}

/** A stored document with everything that its plan takes for granted, so that a form finds every field. */
export function completeDocument(stored: unknown, plan: Plan): Record<string, unknown> {
  return filled(stored, plan) as Record<string, unknown>
}
