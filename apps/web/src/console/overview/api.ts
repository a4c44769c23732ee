import type { PoolName } from '@aval/contract'
import { client } from '../../api/client.ts'
import { CHANGED_BY_PAYING, type Coded, decision, type Message, operatorQuery } from '../shared/calls.ts'

const overviewApi = client.injectEndpoints({
  endpoints: (build) => ({
    overview: operatorQuery(build, 'operatorOverview', () => 'operator/overview/'),
    /** The amount is a plain decimal. */
    fundPool: build.mutation<Message, { pool: PoolName; amount: string } & Coded>({
      query: ({ pool, amount, ...coded }) => decision(`operator/pools/${pool}/fund/`, coded, { amount }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? CHANGED_BY_PAYING : []),
    }),
  }),
})

export const { useOverviewQuery, useFundPoolMutation } = overviewApi
