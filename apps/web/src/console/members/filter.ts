import { MEMBER_ORDERS } from '@aval/contract'
import { parseAsString, parseAsStringLiteral, type Values } from 'nuqs'
import { parseAsMatch } from '../../ui/place.ts'

const CHOICES = ['true', 'false'] as const
const parseAsChoice = parseAsStringLiteral(CHOICES)
const parseAsDay = parseAsMatch(/^2\d{3}-\d\d-\d\d$/)

/** What the list of members is asked for, as it stands in the address. */
export const MEMBERS_PLACE = {
  q: parseAsString.withDefault(''),
  active: parseAsChoice,
  fundator: parseAsChoice,
  has_balance: parseAsChoice,
  open_withdrawal: parseAsChoice,
  frozen: parseAsChoice,
  closed: parseAsChoice,
  joined_from: parseAsDay,
  joined_to: parseAsDay,
  sponsor: parseAsString.withDefault(''),
  order: parseAsStringLiteral(MEMBER_ORDERS).withDefault('-joined'),
  /** The last member of the page before. */
  after: parseAsMatch(/^[1-9]\d{0,14}$/),
}
export type MembersPlace = Values<typeof MEMBERS_PLACE>

/** The marks that a member has or has not. */
export const MARKS = ['active', 'fundator', 'has_balance', 'open_withdrawal', 'frozen', 'closed'] as const

/** Everybody. */
export const NO_FILTER: Partial<MembersPlace> = {
  q: '',
  sponsor: '',
  joined_from: null,
  joined_to: null,
  ...Object.fromEntries(MARKS.map((mark) => [mark, null])),
}

/** The query of a call; of an export without the page and the order. */
export function queryOf(place: MembersPlace, isExport = false): string {
  const { order, after, ...filter } = place
  const asked = { ...filter, ...(isExport ? {} : { order, after }) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== '') query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}
