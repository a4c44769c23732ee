import { typedTogether } from '@aval/contract/typed'
import type { Ratio } from '@aval/money'

/** Every setting of a plan document: where it stands, and what it is. Screens, form and comparison go by this list. */

export type TextKind = 'zone' | 'amount' | 'percent' | 'multiple' | 'days' | 'minutes' | 'count'
export type FieldKind = TextKind | 'toggle' | 'levels' | 'approvals'

export const SECTIONS = [
  {
    key: 'investment',
    fields: [
      { path: 'investment.firstMinimum', kind: 'amount' },
      { path: 'investment.topUpMinimum', kind: 'amount' },
      { path: 'investment.largest', kind: 'amount' },
      { path: 'investment.feePercent', kind: 'percent' },
      { path: 'investment.lockDays', kind: 'days' },
      { path: 'investment.invoiceMinutes', kind: 'minutes' },
      { path: 'investment.openInvoices', kind: 'count' },
      { path: 'investment.balanceADay', kind: 'count' },
    ],
  },
  {
    key: 'passive',
    fields: [
      { path: 'passive.percentPerPeriod', kind: 'percent' },
      { path: 'passive.periodDays', kind: 'days' },
      { path: 'passive.capMultiple', kind: 'multiple' },
      { path: 'passive.weekdaysOnly', kind: 'toggle' },
    ],
  },
  { key: 'general', fields: [{ path: 'timeZone', kind: 'zone' }] },
  {
    key: 'direct',
    fields: [
      { path: 'direct.levels', kind: 'levels' },
      { path: 'direct.masterPercent', kind: 'percent' },
      { path: 'direct.compression', kind: 'toggle' },
    ],
  },
  {
    key: 'binary',
    fields: [
      { path: 'binary.percent', kind: 'percent' },
      { path: 'binary.dailyCap', kind: 'amount' },
    ],
  },
  {
    key: 'withdrawals',
    fields: [
      { path: 'withdrawals.minimum', kind: 'amount' },
      { path: 'withdrawals.fee', kind: 'amount' },
      { path: 'withdrawals.dailyLimit', kind: 'amount' },
      { path: 'withdrawals.approvals', kind: 'approvals' },
    ],
  },
  {
    key: 'guards',
    fields: [
      { path: 'guards.changePercent', kind: 'percent' },
      { path: 'guards.changeFrom', kind: 'amount' },
      { path: 'guards.memberMost', kind: 'amount' },
      { path: 'guards.runMost', kind: 'amount' },
    ],
  },
] as const

export type SectionKey = (typeof SECTIONS)[number]['key']
/** What is wrong with a section as a whole, rather than with a field of it. */
export type SectionErrors = Partial<Record<SectionKey, string>>
export type PlanField = (typeof SECTIONS)[number]['fields'][number]
export type PlanPath = PlanField['path']
export type TextPath = Extract<PlanField, { kind: TextKind }>['path']
export type TogglePath = Extract<PlanField, { kind: 'toggle' }>['path']

export const FIELDS: readonly PlanField[] = SECTIONS.flatMap(({ fields }) => [...fields])

/** May be left empty, which means there is none. */
export const isOptional = (path: PlanPath): boolean => path === 'passive.capMultiple'

/** How many operators approve a withdrawal, from an amount on. */
export interface Threshold {
  from: string
  operators: string
}

const isThreshold = (item: unknown): item is { from: unknown; operators: unknown } =>
  typeof item === 'object' && item !== null && Object.hasOwn(item, 'from') && Object.hasOwn(item, 'operators')

/** Thresholds as they stand in a list of texts: "1000 2". */
export const thresholdOf = (text: string): Threshold => {
  const [from = '', operators = ''] = text.split(' ')
  return { from, operators }
}

/**
 * What a document says at a place: text, yes or no, the levels or thresholds; null for none, undefined where it says nothing.
 */
export type PlanValue = string | boolean | readonly string[] | null | undefined

/** Reads one setting of a document as it came over the wire, whatever it holds. */
export function valueAt(document: unknown, path: PlanPath): PlanValue {
  let value = document
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (!Array.isArray(value)) return undefined
  return value.map((item: unknown) => (isThreshold(item) ? `${item.from} ${item.operators}` : String(item)))
}

export function textAt(document: unknown, path: PlanPath): string | null {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : null
}

/** The name of a field in the form. */
type FieldName =
  | TextPath
  | TogglePath
  | 'startsOn'
  | `direct.levels.${number}.percent`
  | `withdrawals.approvals.${number}.${keyof Threshold}`

/**
 * The place of the form that a refused path points at: a field or a whole section.
 *
 * @param path as the server names it: `document.passive.capMultiple`, `direct.levels.2`, `/document/investment`
 */
export function placeOf(path: string): { field: FieldName } | { section: SectionKey } | null {
  const names = path.split(/[./]/).filter((name) => name !== '')
  if (names[0] === 'document') names.shift()
  const joined = names.join('.')
  if (joined === 'starts_on') return { field: 'startsOn' }
  const level = /^direct\.levels\.(\d{1,2})$/.exec(joined)?.[1]
  if (level !== undefined) return { field: `direct.levels.${Number(level)}.percent` }
  const [, threshold, name] = /^withdrawals\.approvals\.(\d{1,2})\.(from|operators)$/.exec(joined) ?? []
  if (threshold !== undefined)
    return {
      field: `withdrawals.approvals.${Number(threshold)}.${name === 'from' ? 'from' : 'operators'}`,
    }
  const field = FIELDS.find((one) => one.path === joined)
  if (field !== undefined && field.kind !== 'levels' && field.kind !== 'approvals')
    return { field: field.path }
  const section = SECTIONS.find(({ key }) => key === names[0])
  return section === undefined ? null : { section: section.key }
}

export type PlanChange = ReturnType<typeof planDiff>[number]

/** Settings that two documents disagree about, in the order of the screens. "10" and "10.00" agree. */
export function planDiff(before: unknown, after: unknown) {
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

const PLAIN = /^(0|[1-9]\d{0,2})(\.\d{1,6})?$/

/**
 * Turns what a person typed into a plain percentage: `0,25`, `.25` and `0.25 %` all become `0.25`. Nothing groups
 * thousands in a percentage, so comma and point mean the same. Null for what is none.
 */
export function plainPercent(typed: string): string | null {
  const text = typedTogether(typed).replace(/%$/, '').replace(',', '.')
  const whole = text.startsWith('.') ? `0${text}` : text
  const plain = whole.replace(/^0+(?=\d)/, '')
  return PLAIN.test(plain) ? plain : null
}

export function isAbove(left: Ratio, right: Ratio): boolean {
  return left.numerator * right.denominator > right.numerator * left.denominator
}

/** Decimal text without what says nothing: `10.50` and `010.5` are `10.5`. */
export function trimmedDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const kept = fraction.replace(/0+$/, '')
  const digits = whole.replace(/^0+(?=\d)/, '')
  return kept === '' ? digits : `${digits}.${kept}`
}
