import type { OperatorOverview, PoolName } from '@aval/contract'
import { client } from '../../api/client.ts'
import { CHANGED_BY_PAYING, type Coded, keyed } from '../shared/calls.ts'

interface Funding extends Coded {
  pool: PoolName
  /** Plain decimal. */
  amount: string
}

const overviewApi = client.injectEndpoints({
  endpoints: (build) => ({
    overview: build.query<OperatorOverview, void>({
      query: () => ({ path: 'operator/overview/' }),
      providesTags: ['Operator'],
    }),
    fundPool: build.mutation<unknown, Funding>({
      query: ({ pool, amount, otp, idempotencyKey }) => ({
        path: `operator/pools/${pool}/fund/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: { amount, otp },
      }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? CHANGED_BY_PAYING : []),
    }),
  }),
})

export const { useOverviewQuery, useFundPoolMutation } = overviewApi
