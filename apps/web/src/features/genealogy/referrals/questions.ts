/** What the list of referrals is asked for; it stands in the address. */

import { REFERRAL_STATUSES, type ReferralOrder, type ReferralStatus } from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'
import { parseAsString, parseAsStringLiteral } from 'nuqs'
import { parseAsPage } from '../../../ui/place.ts'

/** Most first, but for names. */
export const ORDERS = [
  '-date',
  'date',
  'name',
  '-name',
  '-invested',
  'invested',
  '-brought',
  'brought',
  '-earned',
  'earned',
] as const satisfies readonly ReferralOrder[]

export interface ReferralsWanted {
  page: number
  /** Null for all of them. */
  status: ReferralStatus | null
  /** Empty for everybody. */
  q: string
  sort: ReferralOrder
}

export const PLACE = {
  page: parseAsPage,
  status: parseAsStringLiteral(REFERRAL_STATUSES),
  q: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(ORDERS).withDefault('-date'),
}

/** Characters of a search. */
export const MOST_TYPED = 64

export function pathOf({ page, status, q, sort }: ReferralsWanted): string {
  const search = new URLSearchParams({ page: String(page) })
  if (status !== null) search.set('status', status)
  const text = plainTyped(q).slice(0, MOST_TYPED)
  if (text !== '') search.set('q', text)
  if (sort !== '-date') search.set('sort', sort)
  return `tree/get-referrals/?${search}`
}
