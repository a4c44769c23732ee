import type { Locale } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { plainAmount } from '../../ui/amount.ts'
import {
  FIELDS,
  isOptional,
  plainPercent,
  type TextKind,
  type TextPath,
  type Threshold,
  textAt,
  thresholdOf,
  valueAt,
} from './planFields.ts'

/** A plan as a form holds it: everything that is typed is text. */
export interface PlanForm {
  startsOn: string
  timeZone: string
  investment: Record<
    | 'firstMinimum'
    | 'topUpMinimum'
    | 'largest'
    | 'feePercent'
    | 'lockDays'
    | 'invoiceMinutes'
    | 'openInvoices',
    string
  >
  passive: { percentPerPeriod: string; periodDays: string; weekdaysOnly: boolean; capMultiple: string }
  direct: { levels: { percent: string }[]; masterPercent: string; compression: boolean }
  binary: { percent: string; dailyCap: string }
  withdrawals: { minimum: string; fee: string; dailyLimit: string; approvals: Threshold[] }
  guards: { changePercent: string; changeFrom: string; memberMost: string; runMost: string }
}

/** How the form writes an amount that was not edited: with thousands apart, so that zeros can be counted. */
type ShowAmount = (amount: string) => string

export const MOST_LEVELS = 10
export const MOST_THRESHOLDS = 10
/** How many operators a threshold can ask for. */
export const isOperators = (typed: string): boolean => /^[0-5]$/.test(typed.trim())

export function formFrom(document: unknown, startsOn: string, showAmount: ShowAmount): PlanForm {
  const plain = (path: TextPath) => textAt(document, path) ?? ''
  const shown = (text: string) => (parseMicro(text) === null ? text : showAmount(text))
  const amount = (path: TextPath) => shown(plain(path))
  const levels = valueAt(document, 'direct.levels')
  const approvals = valueAt(document, 'withdrawals.approvals')
  const thresholds = Array.isArray(approvals) ? approvals.map(thresholdOf) : [{ from: '0', operators: '' }]
  return {
    startsOn,
    timeZone: plain('timeZone'),
    investment: {
      firstMinimum: amount('investment.firstMinimum'),
      topUpMinimum: amount('investment.topUpMinimum'),
      largest: amount('investment.largest'),
      feePercent: plain('investment.feePercent'),
      lockDays: plain('investment.lockDays'),
      invoiceMinutes: plain('investment.invoiceMinutes'),
      openInvoices: plain('investment.openInvoices'),
    },
    passive: {
      percentPerPeriod: plain('passive.percentPerPeriod'),
      periodDays: plain('passive.periodDays'),
      weekdaysOnly: valueAt(document, 'passive.weekdaysOnly') === true,
      capMultiple: plain('passive.capMultiple'),
    },
    direct: {
      levels: Array.isArray(levels) ? levels.map((percent: string) => ({ percent })) : [{ percent: '' }],
      masterPercent: plain('direct.masterPercent'),
      compression: valueAt(document, 'direct.compression') === true,
    },
    binary: { percent: plain('binary.percent'), dailyCap: amount('binary.dailyCap') },
    withdrawals: {
      minimum: amount('withdrawals.minimum'),
      fee: amount('withdrawals.fee'),
      dailyLimit: amount('withdrawals.dailyLimit'),
      approvals: thresholds.map(({ from, operators }) => ({ from: shown(from), operators })),
    },
    guards: {
      changePercent: plain('guards.changePercent'),
      changeFrom: amount('guards.changeFrom'),
      memberMost: amount('guards.memberMost'),
      runMost: amount('guards.runMost'),
    },
  }
}

/** What was typed, as the document wants it: plain decimal text, or a whole number's text. Null for what is neither. */
export function plainText(kind: TextKind, typed: string, locale: Locale): string | null {
  const text = typed.trim()
  switch (kind) {
    case 'zone':
      return text === '' ? null : text
    case 'amount': {
      const plain = plainAmount(text, locale)
      return plain === null || parseMicro(plain) === null ? null : plain
    }
    case 'percent':
    case 'multiple':
      return plainPercent(text.replace(/[×x]$/i, ''))
    default:
      return /^[1-9]\d{0,5}$/.test(text) ? text : null
  }
}

const isWhole = (kind: TextKind) => kind === 'days' || kind === 'minutes' || kind === 'count'

function typedAt(form: PlanForm, path: TextPath): string {
  const [section = '', name = ''] = path.split('.')
  if (path === 'timeZone') return form.timeZone
  const group = form[section as 'investment'] as Record<string, string>
  return group[name] ?? ''
}

interface Editing {
  /** The document the form began with: what was not touched stays as it stood there, to the letter. */
  base: unknown
  locale: Locale
  showAmount: ShowAmount
}

type Tree = Record<string, unknown>

/** The document that a form without mistakes stands for. Settings that this form does not know are kept. */
export function documentFrom(form: PlanForm, { base, locale, showAmount }: Editing): Tree {
  const document = structuredClone(base) as Tree
  const before = formFrom(base, '', showAmount)
  for (const { path, kind } of FIELDS) {
    if (kind === 'levels' || kind === 'toggle' || kind === 'approvals') continue
    const typed = typedAt(form, path)
    if (typed === typedAt(before, path) && valueAt(base, path) !== undefined) continue
    const plain = plainText(kind, typed, locale)
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
      approvals.map((threshold) => plainThreshold(threshold, locale)),
    )
  return document
}

function plainThreshold({ from, operators }: Threshold, locale: Locale) {
  return { from: plainText('amount', from, locale) ?? '', operators: Number.parseInt(operators, 10) }
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
