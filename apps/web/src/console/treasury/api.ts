import type { PoolName } from '@aval/contract'
import { client } from '../../api/client.ts'
import {
  CHANGED_BY_PAYING,
  type Coded,
  decision,
  live,
  type Message,
  operatorList,
  operatorQuery,
} from '../shared/calls.ts'

const treasuryApi = client.injectEndpoints({
  endpoints: (build) => ({
    treasury: live(operatorQuery(build, 'operatorTreasury', () => 'operator/treasury/')),
    poolFundings: operatorList(
      build,
      'poolFunding',
      ({ page }: { page: number }) => `operator/pools/fundings/?page=${page}`,
    ),
    /** The amount is a plain decimal. */
    fundPool: build.mutation<
      Message,
      { pool: PoolName; amount: string; was: string; reason: string } & Coded
    >({
      query: ({ pool, amount, was, reason, ...coded }) =>
        decision(`operator/pools/${pool}/fund/`, coded, { amount, was, reason }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? CHANGED_BY_PAYING : ['Operator']),
    }),
    stopPayments: build.mutation<Message, { reason: string } & Coded>({
      query: ({ reason, ...coded }) => decision('operator/payments/stop/', coded, { reason }),
      // Refused, somebody was faster: what is shown is out of date as well.
      invalidatesTags: ['Operator'],
    }),
    resumePayments: build.mutation<Message, { id: number; reason: string } & Coded>({
      query: ({ id, reason, ...coded }) => decision('operator/payments/resume/', coded, { id, reason }),
      invalidatesTags: [...CHANGED_BY_PAYING],
    }),
  }),
})

export const {
  useTreasuryQuery,
  usePoolFundingsQuery,
  useFundPoolMutation,
  useStopPaymentsMutation,
  useResumePaymentsMutation,
} = treasuryApi
