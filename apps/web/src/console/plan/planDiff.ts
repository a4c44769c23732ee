import { trimmedDecimal } from './percentage.ts'
import {
  FIELDS,
  type FieldKind,
  type PlanField,
  type PlanPath,
  type PlanValue,
  valueAt,
} from './planFields.ts'

export interface PlanChange {
  path: PlanPath
  kind: FieldKind
  before: PlanValue
  after: PlanValue
}

/** Settings that two documents disagree about, in the order of the screens. "10" and "10.00" agree. */
export function planDiff(before: unknown, after: unknown): PlanChange[] {
  return FIELDS.flatMap(({ path, kind }) => {
    const change = { path, kind, before: valueAt(before, path), after: valueAt(after, path) }
    return asCompared(kind, change.before) === asCompared(kind, change.after) ? [] : [change]
  })
}

function asCompared(kind: PlanField['kind'], value: PlanValue): string {
  if (Array.isArray(value))
    return value.map((text: string) => text.split(' ').map(trimmedDecimal).join(' ')).join(', ')
  // Left out, a switch is off and a cap is none.
  if (kind === 'toggle') return value === true ? 'on' : 'off'
  if (kind === 'multiple' && (value === null || value === undefined)) return 'none'
  if (typeof value !== 'string') return ''
  return kind === 'zone' ? value : trimmedDecimal(value)
}
