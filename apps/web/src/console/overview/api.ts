import type { OperatorOverview, PoolName } from '@aval/contract'
import { client } from '../../api/client.ts'
import { CHANGED_BY_PAYING, type Coded, decision, type Message, operatorQuery } from '../shared/calls.ts'

interface Funding {
  pool: PoolName
  /** Plain decimal. */
  amount: string
}

const overviewApi = client.injectEndpoints({
  endpoints: (build) => ({
    overview: operatorQuery<OperatorOverview>(
      build,
      () => 'operator/overview/',
      (contract) => contract.operatorOverview,
    ),
    fundPool: build.mutation<Message, Funding & Coded>({
      query: ({ pool, amount, ...coded }) => decision(`operator/pools/${pool}/fund/`, coded, { amount }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? CHANGED_BY_PAYING : []),
    }),
  }),
})

export const { useOverviewQuery, useFundPoolMutation } = overviewApi
