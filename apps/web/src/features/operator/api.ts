import type { ObservedTransfer, OperatorOverview, Page, PayoutRun, PoolName } from '@aval/contract'
import { client } from '../../api/client.ts'

export type Verdict = ObservedTransfer['verdict']

interface TransferQuery {
  page: number
  verdict: Verdict | null
}

interface Funding {
  pool: PoolName
  /** Plain decimal. */
  amount: string
  idempotencyKey: string
}

const operatorApi = client.injectEndpoints({
  endpoints: (build) => ({
    overview: build.query<OperatorOverview, void>({
      query: () => ({ path: 'operator/overview/' }),
      providesTags: ['Operator'],
    }),
    runs: build.query<Page<PayoutRun>, number>({
      query: (page) => ({ path: `operator/runs/?page=${page}` }),
      providesTags: ['Operator'],
    }),
    transfers: build.query<Page<ObservedTransfer>, TransferQuery>({
      query: ({ page, verdict }) => ({
        path: `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
      }),
      providesTags: ['Operator'],
    }),
    fundPool: build.mutation<unknown, Funding>({
      query: ({ pool, amount, idempotencyKey }) => ({
        path: `operator/pools/${pool}/fund/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { amount },
      }),
      // Filling a pool releases what waited for it, the operator's own payments included.
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? ['Operator', 'Payments', 'Dashboard', 'User'] : [],
    }),
  }),
})

export const { useOverviewQuery, useRunsQuery, useTransfersQuery, useFundPoolMutation } = operatorApi
