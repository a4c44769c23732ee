import type { Region } from '@aval/contract/regions'
import { plainTyped, typedTogether } from '@aval/contract/typed'
import { parseMicro } from '@aval/money'
import { plainAmount } from '../../ui/amount.ts'
import type { Formats } from '../../ui/format.ts'
import {
  FIELDS,
  isOptional,
  type PlanField,
  plainPercent,
  type SectionKey,
  type TextKind,
  type TextPath,
  type Threshold,
  type TogglePath,
  textAt,
  thresholdOf,
  valueAt,
} from './planFields.ts'

type NamesIn<Section extends string, Path> = Path extends `${Section}.${infer Name}` ? Name : never
type Typed<Section extends string> = Record<NamesIn<Section, TextPath>, string> &
  Record<NamesIn<Section, TogglePath>, boolean>

/** A plan as a form holds it: everything that is typed is text. */
export interface PlanForm {
  startsOn: string
  timeZone: string
  investment: Typed<'investment'>
  passive: Typed<'passive'>
  direct: Typed<'direct'> & { levels: { percent: string }[] }
  binary: Typed<'binary'>
  withdrawals: Typed<'withdrawals'> & { approvals: Threshold[] }
  guards: Typed<'guards'>
}

/** How the form writes what was not edited: amounts with thousands apart, so that zeros can be counted. */
type Show = Pick<Formats, 'exact' | 'decimal'>

export const MOST_LEVELS = 10
export const MOST_THRESHOLDS = 10
/** How many operators a threshold can ask for. */
export const isOperators = (typed: string): boolean => /^[0-5]$/.test(typedTogether(typed))

export function formFrom(document: unknown, startsOn: string, show: Show): PlanForm {
  const amount = (text: string) => (parseMicro(text) === null ? text : show.exact(text))
  const percent = (text: string) => (parseMicro(text) === null ? text : show.decimal(text))
  const typedOf = ({ path, kind }: PlanField): string | boolean => {
    if (kind === 'toggle') return valueAt(document, path) === true
    const text = textAt(document, path) ?? ''
    if (kind === 'amount') return amount(text)
    return kind === 'percent' || kind === 'multiple' ? percent(text) : text
  }
  const section = <Key extends SectionKey>(key: Key) => {
    const fields = FIELDS.filter(({ path }) => path.startsWith(`${key}.`))
    return Object.fromEntries(fields.map((field) => [field.path.split('.')[1], typedOf(field)])) as Typed<Key>
  }
  const levels = valueAt(document, 'direct.levels')
  const approvals = valueAt(document, 'withdrawals.approvals')
  const thresholds = Array.isArray(approvals) ? approvals.map(thresholdOf) : [{ from: '0', operators: '' }]
  return {
    startsOn,
    timeZone: textAt(document, 'timeZone') ?? '',
    investment: section('investment'),
    passive: section('passive'),
    direct: {
      ...section('direct'),
      levels: Array.isArray(levels)
        ? levels.map((level: string) => ({ percent: percent(level) }))
        : [{ percent: '' }],
    },
    binary: section('binary'),
    withdrawals: {
      ...section('withdrawals'),
      approvals: thresholds.map(({ from, operators }) => ({ from: amount(from), operators })),
    },
    guards: section('guards'),
  }
}

/** What was typed, as the document wants it: plain decimal text, or a whole number's text. Null for what is neither. */
export function plainText(kind: TextKind, typed: string, region: Region): string | null {
  const text = plainTyped(typed)
  switch (kind) {
    case 'zone':
      return text === '' ? null : text
    case 'amount': {
      const plain = plainAmount(text, region)
      return plain === null || parseMicro(plain) === null ? null : plain
    }
    case 'percent':
    case 'multiple':
      return plainPercent(text.replace(/[×x]$/i, ''))
    default:
      return /^[1-9]\d{0,5}$/.test(text) ? text : null
  }
}

export const isWhole = (kind: TextKind) => kind === 'days' || kind === 'minutes' || kind === 'count'

function typedAt(form: PlanForm, path: TextPath): string {
  const [section = '', name = ''] = path.split('.')
  if (path === 'timeZone') return form.timeZone
  const group = form[section as 'investment'] as Record<string, string>
  return group[name] ?? ''
}

interface Editing {
  /** The document the form began with: what was not touched stays as it stood there, to the letter. */
  base: unknown
  region: Region
  show: Show
}

type Tree = Record<string, unknown>

/** The document that a form without mistakes stands for. Settings that this form does not know are kept. */
export function documentFrom(form: PlanForm, { base, region, show }: Editing): Tree {
  const document = structuredClone(base) as Tree
  const before = formFrom(base, '', show)
  for (const { path, kind } of FIELDS) {
    if (kind === 'levels' || kind === 'toggle' || kind === 'approvals') continue
    const typed = typedAt(form, path)
    if (typed === typedAt(before, path) && valueAt(base, path) !== undefined) continue
    const plain = plainText(kind, typed, region)
    const value = plain === null && isOptional(path) ? null : (plain ?? '')
    put(document, path, isWhole(kind) && value !== null ? Number(value) : value)
  }
  put(document, 'passive.weekdaysOnly', form.passive.weekdaysOnly)
  put(document, 'direct.compression', form.direct.compression)
  const levels = form.direct.levels.map(({ percent }) => plainPercent(percent) ?? '')
  put(document, 'direct.levels', levels)
  const { approvals } = form.withdrawals
  if (JSON.stringify(approvals) !== JSON.stringify(before.withdrawals.approvals))
    put(
      document,
      'withdrawals.approvals',
      approvals.map((threshold) => plainThreshold(threshold, region)),
    )
  return document
}

function plainThreshold({ from, operators }: Threshold, region: Region) {
  return { from: plainText('amount', from, region) ?? '', operators: Number.parseInt(operators, 10) }
}

function put(document: Tree, path: string, value: unknown): void {
  const [section = '', name] = path.split('.')
  if (name === undefined) {
    document[section] = value
    return
  }
  const group = document[section]
  document[section] = { ...(typeof group === 'object' ? group : {}), [name]: value }
}
