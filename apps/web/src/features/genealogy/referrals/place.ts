import { REFERRAL_STATUSES, type ReferralStatus } from '@aval/contract'
import { pageFrom } from '../../../ui/pageWindow.ts'
import type { ReferralsWanted } from './api.ts'

/** What the page's URL asks for; anything it does not know is everybody, from the first page. */
export function wantedFrom(params: URLSearchParams): ReferralsWanted {
  const status = REFERRAL_STATUSES.find((known) => known === params.get('status')) ?? null
  return { page: pageFrom(params.get('page')), status }
}

/** The same as a URL says it. The first page and everybody go without saying. */
export function searchFor({
  page,
  status,
}: {
  page: number
  status: ReferralStatus | null
}): URLSearchParams {
  const params = new URLSearchParams()
  if (status !== null) params.set('status', status)
  if (page > 1) params.set('page', String(page))
  return params
}
