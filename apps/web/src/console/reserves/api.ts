import type { OperatorReserves, Reserves } from '@aval/contract'
import { client } from '../../api/client.ts'

interface Explanation {
  address: string
  /** As it is shown: decimal text, signed. */
  difference: string
  reason: string
}

interface CodedExplanation extends Explanation {
  otp: string
  idempotencyKey: string
}

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    operatorReserves: build.query<OperatorReserves, void>({
      query: () => ({ path: 'operator/reserves/' }),
      providesTags: ['Operator'],
    }),
    /** What every member is told, which costs nothing to ask. */
    lastComparison: build.query<Reserves, void>({
      query: () => ({ path: 'reserves/' }),
      providesTags: ['Operator'],
    }),
    explainDifference: build.mutation<{ message: string }, CodedExplanation>({
      query: ({ idempotencyKey, ...body }) => ({
        path: 'operator/reserves/explain/',
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body,
      }),
      // Refused, what is shown is out of date as well.
      invalidatesTags: ['Operator', 'Dashboard'],
    }),
  }),
})

export const { useLastComparisonQuery, useOperatorReservesQuery, useExplainDifferenceMutation } = reservesApi
