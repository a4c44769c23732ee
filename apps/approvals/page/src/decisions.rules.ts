/** Decisions as the page keeps them: what is chosen stays as it was read, and a plan is shown by what it changes. */
import { type DecisionRow, documentHash } from '@aval/approvals'
import type { Approver } from './list.rules.ts'

export interface Decision {
  readonly id: string
  readonly kind: string
  /** What is signed. */
  readonly statement: Readonly<Record<string, string>>
  /** Of a plan: as it was proposed, and the one that it replaces. */
  readonly document: string | null
  readonly replaces: { readonly version: number; readonly document: unknown } | null
  readonly proposedBy: string
  readonly proposedAt: string
  readonly needed: number
  readonly approvals: readonly Approver[]
  readonly waiting: readonly Approver[]
}

/** What a statement says under a name. */
export const said = ({ statement }: Decision, name: string): string => statement[name] ?? ''
/** Micro-USDT as a statement has them. */
export const microIn = (text: string): bigint => (/^-?\d{1,18}$/.test(text) ? BigInt(text) : 0n)

/** Of "ana 50.000000, bea 3.333333": who gives back most, and how much. */
export const largestIn = (text: string): readonly { readonly name: string; readonly micro: bigint }[] =>
  [...text.matchAll(/(\S+) (\d{1,12})\.(\d{6})/g)].map(([, name = '', whole = '', part = '']) => ({
    name,
    micro: BigInt(whole + part),
  }))

/** Why an operator cannot approve a decision. */
export type DecisionBar = 'gone' | 'changed' | 'differs' | 'approved' | 'waiting'

const isSame = (one: Decision, other: Decision): boolean =>
  one.kind === other.kind &&
  one.document === other.document &&
  JSON.stringify(Object.entries(one.statement).sort()) ===
    JSON.stringify(Object.entries(other.statement).sort())

/** Whether the document is the one whose hash is signed. */
export const isItsDocument = ({ kind, document, statement }: Decision): boolean =>
  kind !== 'plan' || (document !== null && documentHash(document) === statement['sha256'])

/** Whether an operator who did not propose it has yet to sign: a plan is not put in force by its proposer alone, whatever else it needs. */
export const needsAnother = ({ kind, proposedBy, approvals }: Decision): boolean =>
  kind === 'plan' && approvals.every(({ name }) => name === proposedBy)

/** @param fresh the decision as it is there now; undefined where it is not any more */
export function decisionBar(
  shown: Decision,
  fresh: Decision | undefined,
  operator: string | null,
): DecisionBar | null {
  if (fresh === undefined) return 'gone'
  if (!isSame(shown, fresh)) return 'changed'
  if (!isItsDocument(shown)) return 'differs'
  if (fresh.approvals.some((each) => each.operator === operator)) return 'approved'
  return fresh.waiting.some((each) => each.operator === operator) ? 'waiting' : null
}

/** What is signed, in the order in which it is signed: by number. */
export const decisionRows = (decisions: readonly Decision[]): readonly DecisionRow[] =>
  decisions
    .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
    .map(({ id, kind, statement }) => ({ decisionId: BigInt(id), kind, statement }))

/** A setting of a plan that changes; null where there is none. */
export interface Change {
  /** "direct.levels.0" */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

function settingsOf(value: unknown, path: string, found: Map<string, string>): Map<string, string> {
  if (typeof value !== 'object' || value === null) return found.set(path, String(value))
  const entries = Object.entries(value)
  if (entries.length === 0) found.set(path, Array.isArray(value) ? '[]' : '{}')
  for (const [name, each] of entries) settingsOf(each, path === '' ? name : `${path}.${name}`, found)
  return found
}

/** What differs between two plans, setting by setting, also those that nobody knows. */
export function changesOf(before: unknown, document: string): readonly Change[] {
  const [old, next] = [settingsOf(before, '', new Map()), settingsOf(JSON.parse(document), '', new Map())]
  const paths = [...new Set([...old.keys(), ...next.keys()])]
  return paths
    .filter((path) => old.get(path) !== next.get(path))
    .map((path) => ({ path, before: old.get(path) ?? null, after: next.get(path) ?? null }))
}

/** What a plan's setting is measured in. */
export type Unit = 'amount' | 'percent' | 'multiple' | 'days' | 'minutes' | 'toggle'

const UNITS: Readonly<Record<Unit, readonly string[]>> = {
  amount: [
    'investment.firstMinimum',
    'investment.topUpMinimum',
    'investment.largest',
    'binary.dailyCap',
    'guards.changeFrom',
    'guards.memberMost',
    'guards.runMost',
    'withdrawals.minimum',
    'withdrawals.fee',
    'withdrawals.dailyLimit',
    'withdrawals.approvals.from',
  ],
  percent: [
    'investment.feePercent',
    'passive.percentPerPeriod',
    'direct.levels',
    'direct.masterPercent',
    'binary.percent',
    'guards.changePercent',
  ],
  multiple: ['passive.capMultiple'],
  days: ['investment.lockDays', 'passive.periodDays'],
  minutes: ['investment.invoiceMinutes'],
  toggle: ['passive.weekdaysOnly', 'direct.compression'],
}

/** @param name a setting's path without the numbers of a list. Null for what is shown as it is written. */
export const unitOf = (name: string): Unit | null =>
  (Object.keys(UNITS) as Unit[]).find((unit) => UNITS[unit].includes(name)) ?? null

/** The investments that a run of commissions pays; null for a run of a day. */
export function investmentsOf(period: string): { readonly first: string; readonly last: string } | null {
  const match = /^(\d+)(?:-(\d+))?$/.exec(period)
  const first = match?.[1]
  return first === undefined ? null : { first, last: match?.[2] ?? first }
}

/** One of the checks that held a run, with what its sentence mentions. */
export interface Objection {
  readonly check: string
  readonly values: Readonly<Record<string, string>>
}

/** Null for a text that is none; it is shown as it is. */
export function objectionsIn(text: string): readonly Objection[] | null {
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return null
    return list.map((each: Record<string, unknown>) => {
      const { check, ...rest } = each
      return {
        check: String(check),
        values: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
      }
    })
  } catch {
    return null
  }
}
