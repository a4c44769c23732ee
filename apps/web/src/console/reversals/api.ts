import type { Page, Reversal } from '@aval/contract'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import { CHANGED_BY_PAYING, type Coded, isOutdated, keyed } from '../shared/calls.ts'

export type OperatorInvestment = Reversal['investment']

interface InvestmentQuery {
  member: string
  page: number
}

interface Reversing extends Coded {
  id: number
  reason: string
}

/** A reversal walks every payment that an investment ever made. */
const LONG_PATIENCE = 60_000

const reversalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    memberInvestments: build.query<Page<OperatorInvestment>, InvestmentQuery>({
      query: ({ member, page }) => ({
        path: `operator/investments/?member=${encodeURIComponent(member)}&page=${page}`,
      }),
      providesTags: ['Operator'],
    }),
    // Without a tag: once carried out there is nothing left to preview.
    reversal: build.query<Reversal, number>({
      query: (id) => ({ path: `operator/investments/${id}/reversal/`, patience: LONG_PATIENCE }),
      keepUnusedDataFor: 0,
    }),
    reverse: build.mutation<Reversal, Reversing>({
      query: ({ id, reason, otp, idempotencyKey }) => ({
        path: `operator/investments/${id}/reversal/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: { reason, otp },
        patience: LONG_PATIENCE,
      }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined
          ? [...CHANGED_BY_PAYING, ...CHANGED_BY_INVESTING]
          : isOutdated(failure)
            ? ['Operator']
            : [],
    }),
  }),
})

export const { useMemberInvestmentsQuery, useReversalQuery, useReverseMutation } = reversalsApi
