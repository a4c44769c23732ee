import type { Reversal } from '@aval/contract'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { CHANGED_BY_PAYING, type Coded, decision, isOutdated, operatorList } from '../shared/calls.ts'

export type OperatorInvestment = Reversal['investment']

export interface ReversalOrder {
  id: number
  reason: string
}

/** A reversal walks every payment that an investment ever made. */
const LONG_PATIENCE = 60_000

/** A reversal, as a preview or carried out. */
const reversalOf = (id: number) => ({
  path: `operator/investments/${id}/reversal/`,
  patience: LONG_PATIENCE,
  fits: conforms((contract) => contract.reversal),
})

const reversalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    memberInvestments: operatorList(
      build,
      'operatorInvestment',
      ({ member, page }: { member: string; page: number }) =>
        `operator/investments/?member=${encodeURIComponent(member)}&page=${page}`,
    ),
    // Without a tag: once carried out there is nothing left to preview.
    reversal: build.query<Reversal, number>({ query: reversalOf, keepUnusedDataFor: 0 }),
    reverse: build.mutation<Reversal, ReversalOrder & Coded>({
      query: ({ id, reason, ...coded }) => {
        const { path, ...answer } = reversalOf(id)
        return { ...decision(path, coded, { reason }), ...answer }
      },
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
