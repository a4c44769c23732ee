/** What the process answers, read field by field: a page that signs what it shows takes no figure on trust. */
import type { Decision } from './decisions.rules.ts'
import type { Approver, Row } from './list.rules.ts'

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object')
  return value as Fields
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new TypeError(`${name} is no list`)
  return value
}

function textIn(fields: Fields, name: string, shape = /^/): string {
  const value = fields[name]
  if (typeof value !== 'string' || !shape.test(value)) throw new TypeError(`${name} is not as it should be`)
  return value
}

const DIGITS = /^(0|[1-9]\d{0,17})$/
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{1,64}$/

const optional = (fields: Fields, name: string): string | null =>
  fields[name] === null ? null : textIn(fields, name)

function countIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (!Number.isSafeInteger(value)) throw new TypeError(`${name} is no count`)
  return value as number
}

const approversIn = (fields: Fields, name: string): readonly Approver[] =>
  listIn(fields, name).map((each) => {
    const approver = fieldsOf(each)
    return { operator: textIn(approver, 'operator', DIGITS), name: textIn(approver, 'name') }
  })

function rowOf(value: unknown): Row {
  const fields = fieldsOf(value)
  return {
    id: textIn(fields, 'id', DIGITS),
    memberId: textIn(fields, 'member_id', DIGITS),
    username: textIn(fields, 'username'),
    name: textIn(fields, 'name'),
    amount: BigInt(textIn(fields, 'amount', DIGITS)),
    fee: BigInt(textIn(fields, 'fee', DIGITS)),
    wallet: textIn(fields, 'wallet', ADDRESS),
    requestedAt: textIn(fields, 'requested_at'),
    dueAt: optional(fields, 'due_at'),
    soonAt: optional(fields, 'soon_at'),
    risks: listIn(fields, 'risks').map((risk) => String(risk)),
    daySum: BigInt(textIn(fields, 'day_sum', DIGITS)),
    walletChangedAt: optional(fields, 'wallet_changed_at'),
    needed: countIn(fields, 'needed'),
    approvals: approversIn(fields, 'approvals'),
    waiting: approversIn(fields, 'waiting'),
  }
}

const WORD = /^[a-z_]{1,20}$/

function decisionOf(value: unknown): Decision {
  const fields = fieldsOf(value)
  const statement = fieldsOf(fields['statement'])
  const replaces = fields['replaces'] === null ? null : fieldsOf(fields['replaces'])
  return {
    id: textIn(fields, 'id', DIGITS),
    kind: textIn(fields, 'kind', WORD),
    statement: Object.fromEntries(Object.keys(statement).map((name) => [name, textIn(statement, name)])),
    document: optional(fields, 'document'),
    replaces:
      replaces === null ? null : { version: countIn(replaces, 'version'), document: replaces['document'] },
    proposedBy: textIn(fields, 'proposed_by'),
    proposedAt: textIn(fields, 'proposed_at'),
    needed: countIn(fields, 'needed'),
    approvals: approversIn(fields, 'approvals'),
    waiting: approversIn(fields, 'waiting'),
  }
}

export interface Operator {
  readonly id: string
  readonly username: string
  readonly name: string
}

export interface List {
  /** Payouts are stopped: what is approved is not paid before somebody has looked at the reserves. */
  readonly stopped: boolean
  /** Milliseconds by which the clock that requests are dated by is ahead of the process's. */
  readonly clockAhead: number
  readonly operators: readonly Operator[]
  readonly rows: readonly Row[]
  readonly decisions: readonly Decision[]
}

/** @throws TypeError on anything else. Two rows of one number are none: only one of them could be shown. */
export function readList(value: unknown): List {
  const fields = fieldsOf(value)
  const rows = listIn(fields, 'rows').map(rowOf)
  const decisions = listIn(fields, 'decisions').map(decisionOf)
  for (const list of [rows, decisions])
    if (new Set(list.map(({ id }) => id)).size !== list.length) throw new TypeError('a number is there twice')
  return {
    stopped: fields['stopped'] === true,
    clockAhead: countIn(fields, 'clock_ahead'),
    operators: listIn(fields, 'operators').map((each) => {
      const operator = fieldsOf(each)
      return {
        id: textIn(operator, 'id', DIGITS),
        username: textIn(operator, 'username'),
        name: textIn(operator, 'name'),
      }
    }),
    rows,
    decisions,
  }
}

export interface Settings {
  /** The origin that operators' passkeys belong to. */
  readonly url: string
  readonly network: string
  readonly offline: boolean
  /** Hash over all files of this page. */
  readonly page: string
}

export function readSettings(value: unknown): Settings {
  const fields = fieldsOf(value)
  return {
    url: textIn(fields, 'url', /^https?:\/\//),
    network: textIn(fields, 'network', /^[a-z]{1,20}$/),
    offline: fields['offline'] === true,
    page: textIn(fields, 'page', /^[0-9a-f]{64}$/),
  }
}

export interface State {
  readonly state: 'submitted' | 'accepted' | 'refused'
  readonly refusal: string | null
  readonly expired: boolean
  readonly count: number
  readonly complete: number
  readonly given: number
  readonly needed: number
}

export function readState(value: unknown): State {
  const fields = fieldsOf(value)
  const countOr0 = (name: string) => (fields[name] === null ? 0 : countIn(fields, name))
  return {
    state: textIn(fields, 'state', /^(submitted|accepted|refused)$/) as State['state'],
    refusal: optional(fields, 'refusal'),
    expired: fields['expired'] === true,
    count: countIn(fields, 'count'),
    complete: countIn(fields, 'complete'),
    given: countOr0('given'),
    needed: countOr0('needed'),
  }
}

export const readNumber = (value: unknown): string => textIn(fieldsOf(value), 'id', DIGITS)
export const readCode = (value: unknown): string => textIn(fieldsOf(value), 'code', /^[a-z_]{1,60}$/)
