import { client } from '../../api/client.ts'
import { type Coded, decision, live, type Message, operatorList, operatorQuery } from '../shared/calls.ts'

export const QUEUES = ['requested', 'approved', 'closed'] as const
export type Queue = (typeof QUEUES)[number]

export interface WithdrawalRefusal {
  ids: readonly number[]
  reason: string
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalQueue: live(
      operatorList(
        build,
        'queuedWithdrawal',
        ({ state, page }: { state: Queue; page: number }) =>
          `operator/withdrawals/?state=${state}&page=${page}`,
      ),
    ),
    dossier: live(operatorQuery(build, 'withdrawalDossier', (id: number) => `operator/withdrawals/${id}/`)),
    refuseWithdrawals: build.mutation<Message, WithdrawalRefusal & Coded>({
      query: ({ ids, reason, ...coded }) =>
        decision('operator/withdrawals/decide/', coded, { decision: 'refuse', ids, reason }),
      // Where it was refused, another operator may have decided: the queue is stale as well.
      invalidatesTags: ['Operator', 'Withdrawals', 'User', 'Dashboard'],
    }),
  }),
})

export const { useWithdrawalQueueQuery, useDossierQuery, useRefuseWithdrawalsMutation } = withdrawalsApi
