import { client } from '../../api/client.ts'
import { type Coded, decision, live, type Message, operatorQuery } from '../shared/calls.ts'

interface Explanation {
  address: string
  /** As it is shown: decimal text, signed. */
  difference: string
  reason: string
}

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    operatorReserves: live(operatorQuery(build, 'operatorReserves', () => 'operator/reserves/')),
    /** The comparison that every member sees, which costs nothing to ask for. */
    lastComparison: operatorQuery(build, 'reserves', () => 'reserves/'),
    explainDifference: build.mutation<Message, Explanation & Coded>({
      query: ({ address, difference, reason, ...coded }) =>
        decision('operator/reserves/explain/', coded, { address, difference, reason }),
      // Refused, what is shown is out of date as well.
      invalidatesTags: ['Operator', 'Dashboard'],
    }),
  }),
})

export const { useLastComparisonQuery, useOperatorReservesQuery, useExplainDifferenceMutation } = reservesApi
