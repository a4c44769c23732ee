import type { OperatorReserves, Reserves } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { type Coded, decision, type Message } from '../shared/calls.ts'

interface Explanation {
  address: string
  /** As it is shown: decimal text, signed. */
  difference: string
  reason: string
}

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    operatorReserves: build.query<OperatorReserves, void>({
      query: () => ({
        path: 'operator/reserves/',
        fits: conforms((contract) => contract.operatorReserves),
      }),
      providesTags: ['Operator'],
    }),
    /** The comparison that every member sees, which costs nothing to ask for. */
    lastComparison: build.query<Reserves, void>({
      query: () => ({ path: 'reserves/', fits: conforms((contract) => contract.reserves) }),
      providesTags: ['Operator'],
    }),
    explainDifference: build.mutation<Message, Explanation & Coded>({
      query: ({ address, difference, reason, ...coded }) =>
        decision('operator/reserves/explain/', coded, { address, difference, reason }),
      // Refused, what is shown is out of date as well.
      invalidatesTags: ['Operator', 'Dashboard'],
    }),
  }),
})

export const { useLastComparisonQuery, useOperatorReservesQuery, useExplainDifferenceMutation } = reservesApi
