import type { Page, QueuedWithdrawal, WithdrawalDossier } from '@aval/contract'
import { client } from '../../api/client.ts'
import { type Coded, decision, type Message, operatorQuery } from '../shared/calls.ts'

export const QUEUES = ['requested', 'approved', 'closed'] as const
export type Queue = (typeof QUEUES)[number]

export interface WithdrawalDecision {
  decision: 'approve' | 'refuse'
  ids: readonly number[]
  reason: string
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalQueue: operatorQuery<Page<QueuedWithdrawal>, { state: Queue; page: number }>(
      build,
      ({ state, page }) => `operator/withdrawals/?state=${state}&page=${page}`,
      ({ pageOf, queuedWithdrawal }) => pageOf(queuedWithdrawal),
    ),
    dossier: operatorQuery<WithdrawalDossier, number>(
      build,
      (id) => `operator/withdrawals/${id}/`,
      (contract) => contract.withdrawalDossier,
    ),
    decideWithdrawals: build.mutation<Message, WithdrawalDecision & Coded>({
      query: ({ decision: decided, ids, reason, ...coded }) =>
        decision('operator/withdrawals/decide/', coded, {
          decision: decided,
          ids,
          ...(reason === '' ? {} : { reason }),
        }),
      // Where it was refused, another operator may have decided: the queue is stale as well.
      invalidatesTags: ['Operator', 'Withdrawals', 'User', 'Dashboard'],
    }),
  }),
})

export const { useWithdrawalQueueQuery, useDossierQuery, useDecideWithdrawalsMutation } = withdrawalsApi
