import type { BaseQueryFn } from '@reduxjs/toolkit/query'
import { createApi } from '@reduxjs/toolkit/query/react'
import { call } from './browserSession.ts'
import type { Failure } from './failure.ts'
import type { HttpRequest } from './http.ts'

const baseQuery: BaseQueryFn<HttpRequest, unknown, Failure> = (request) => call<unknown>(request)

export const TAGS = ['User', 'Tree', 'Payments', 'Withdrawals', 'Dashboard', 'InvestmentHistory'] as const
/** The operator's, the demo's and the account's answers are not about a member's money, and deposits are no list; they have tags of their own. */
export const OTHER_TAGS = ['Operator', 'Demo', 'Security', 'Deposits'] as const

/** What an investment changes, however it was paid. */
export const CHANGED_BY_INVESTING = ['User', 'Dashboard', 'Tree', 'InvestmentHistory'] as const

/**
 * Features add their calls to this one client. Nothing refetches by itself; tags say what a change makes stale, one's own or one
 * that the stream of events tells of (features/events/stale.ts).
 */
export const client = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: [...TAGS, ...OTHER_TAGS],
  keepUnusedDataFor: 60,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  endpoints: () => ({}),
})
