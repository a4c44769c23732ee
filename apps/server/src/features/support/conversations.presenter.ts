import {
  firstCharacters,
  type OperatorSupportMessage,
  readLocale,
  SUPPORT_STATES,
  type SupportAbout,
  type SupportTemplate,
  type SupportThread,
  type SupportTimes,
} from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { ExportColumn } from '../../http/exported-text.ts'
import type { About } from './about.queries.ts'
import type { QueuedRow } from './conversations.queries.ts'
import { presentMessage, topicOf } from './support.presenter.ts'
import type { Marks, MessageRow } from './support.queries.ts'
import { waitedFor } from './support.rules.ts'
import type { Template } from './templates.queries.ts'
import type { TimesRow } from './times.queries.ts'

const EXCERPT_CHARACTERS = 160

export function presentForOperators(row: MessageRow, marks: Marks): OperatorSupportMessage {
  return { ...presentMessage(row, marks), operator: row.operator }
}

/** A row of GET operator/support/ */
export function presentThread(row: QueuedRow, now: Date): SupportThread {
  const state = SUPPORT_STATES.find((name) => name === row.state)
  if (state === undefined) throw new Error(`a conversation is not ${row.state}`)
  return {
    member_id: Number(row.member_id),
    username: row.username,
    email: row.email,
    state,
    topic: topicOf(row.topic),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    waited_seconds: waitedFor(row.waiting_since, now),
    date: row.last_at.toISOString(),
    excerpt: firstCharacters(row.excerpt ?? '', EXCERPT_CHARACTERS),
    unread: row.unread,
    assigned:
      row.assignee === null || row.assigned_at === null
        ? null
        : { operator: row.assignee, since: row.assigned_at.toISOString() },
  }
}

/** Of the file that the queue is saved as. What members wrote stays in the conversations. */
export const THREAD_COLUMNS: readonly ExportColumn<QueuedRow>[] = [
  { name: 'member_id', value: (row) => Number(row.member_id) },
  { name: 'username', value: ({ username }) => username },
  { name: 'state', value: ({ state }) => state },
  { name: 'topic', value: ({ topic }) => topic },
  { name: 'waiting_since', value: (row) => row.waiting_since },
  { name: 'last_at', value: (row) => row.last_at },
  { name: 'unread', value: ({ unread }) => unread },
  { name: 'operator', value: ({ assignee }) => assignee },
  { name: 'assigned_at', value: (row) => row.assigned_at },
]

export const presentTemplate = ({ id, at, ...rest }: Template): SupportTemplate => ({
  id: Number(id),
  ...rest,
  date: at.toISOString(),
})

function presentMoney({ facts }: About) {
  const { principal, balance, held, pending, owed } = facts
  return {
    principal: formatAmount(principal),
    balance: formatAmount(balance),
    held: formatAmount(held),
    pending: formatAmount(pending),
    owed: formatAmount(owed),
  }
}

function presentUnderWay({ withdrawals, payments, invoices }: About) {
  return {
    withdrawals: withdrawals.map(({ id, amount, state, requested_at: at }) => ({
      id: Number(id),
      amount: formatAmount(amount),
      state: state === 'approved' ? ('approved' as const) : ('requested' as const),
      date: at.toISOString(),
    })),
    payments: payments.map(({ kind, amount, at }) => ({
      kind,
      amount: formatAmount(amount),
      date: at.toISOString(),
    })),
    invoices: invoices.map(({ txn_id, amount, fee, received, expires_at: until }) => ({
      txn_id,
      amount: formatAmount(amount + fee),
      received: formatAmount(received),
      expires_at: until.toISOString(),
    })),
  }
}

/** GET operator/support/{member}/about/ */
export function presentAbout(about: About): SupportAbout {
  const { facts, twoFactor, coolsUntil } = about
  return {
    member_id: Number(facts.id),
    username: facts.username,
    name: `${facts.first_name} ${facts.last_name}`.trim(),
    email: facts.email,
    email_proven: facts.email_proven_at !== null,
    phone: facts.phone_number,
    locale: readLocale(facts.locale),
    time_zone: facts.time_zone,
    joined_at: facts.joined_at.toISOString(),
    closed_at: facts.closed_at?.toISOString() ?? null,
    sponsor:
      facts.sponsor_id === null || facts.sponsor === null
        ? null
        : { member_id: Number(facts.sponsor_id), username: facts.sponsor },
    two_factor: twoFactor,
    cools_until: coolsUntil?.toISOString() ?? null,
    ...presentMoney(about),
    ...presentUnderWay(about),
  }
}

/** GET operator/support/times/ @param rows of all, then of each operator */
export function presentTimes(rows: readonly TimesRow[], most: number): SupportTimes {
  const [all, ...each] = rows
  if (all === undefined) throw new Error('there is always a row of all')
  const waitsOf = (row: TimesRow) => ({
    week: { count: row.week, median: row.week_median, p90: row.week_p90 },
    month: { count: row.month, median: row.month_median, p90: row.month_p90 },
  })
  return {
    ...waitsOf(all),
    operators: each.map((row) => ({ operator: row.operator ?? '', ...waitsOf(row) })),
    newest: all.month >= most ? most : null,
  }
}
