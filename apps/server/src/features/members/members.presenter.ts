/** Members and what a search finds, as they travel. */
import type { ListedMember, SearchHit } from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { ExportColumn } from '../../http/exported-text.ts'
import type { MemberRow } from './list.queries.ts'
import type { Found } from './search.queries.ts'

const nothing = { found_by: null, name: null, email: null, run: null, member: null, amount: null } as const

export function presentFound({ members, things, runs }: Found): SearchHit[] {
  return [
    ...members.map(
      ({ id, username, name, email, by }): SearchHit => ({
        ...nothing,
        kind: 'member',
        id: String(id),
        member: { id: Number(id), username },
        found_by: by,
        name,
        email,
        date: null,
      }),
    ),
    ...things.map(
      ({ kind, id, member_id, username, amount, at }): SearchHit => ({
        ...nothing,
        kind,
        id,
        member: username === null ? null : { id: Number(member_id), username },
        amount: amount === null ? null : formatAmount(amount),
        date: at?.toISOString() ?? null,
      }),
    ),
    ...runs.map(
      ({ id, kind, period, at, total }): SearchHit => ({
        ...nothing,
        kind: 'run',
        id: String(id),
        amount: formatAmount(total),
        date: at.toISOString(),
        run: { kind, period },
      }),
    ),
  ]
}

export function presentListed(row: MemberRow): ListedMember {
  return {
    id: Number(row.id),
    username: row.username,
    name: row.name,
    email: row.email,
    phone: row.phone_number,
    joined_at: row.joined_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    frozen: row.is_frozen,
    is_fundator: row.is_fundator,
    is_operator: row.is_operator,
    sponsor: row.sponsor_id === null ? null : { id: Number(row.sponsor_id), username: row.sponsor ?? '' },
    principal: formatAmount(row.principal),
    balance: formatAmount(row.balance),
    on_hold: formatAmount(row.held),
    open_withdrawals: row.open_withdrawals,
  }
}

export const MEMBER_COLUMNS: readonly ExportColumn<MemberRow>[] = [
  { name: 'id', value: ({ id }) => Number(id) },
  { name: 'username', value: ({ username }) => username },
  { name: 'name', value: ({ name }) => name },
  { name: 'email', value: ({ email }) => email },
  { name: 'phone', value: (row) => row.phone_number },
  { name: 'joined_at', value: (row) => row.joined_at },
  { name: 'closed_at', value: (row) => row.closed_at },
  { name: 'frozen', value: (row) => row.is_frozen },
  { name: 'fundator', value: (row) => row.is_fundator },
  { name: 'sponsor', value: ({ sponsor }) => sponsor },
  { name: 'principal', value: ({ principal }) => formatAmount(principal) },
  { name: 'balance', value: ({ balance }) => formatAmount(balance) },
  { name: 'on_hold', value: ({ held }) => formatAmount(held) },
  { name: 'open_withdrawals', value: (row) => row.open_withdrawals },
]
