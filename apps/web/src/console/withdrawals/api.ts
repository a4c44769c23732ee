import type { Page, QueuedWithdrawal, WithdrawalDossier } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { type Coded, decision, type Message } from '../shared/calls.ts'

export const QUEUES = ['requested', 'approved', 'closed'] as const
export type Queue = (typeof QUEUES)[number]

export interface WithdrawalDecision {
  decision: 'approve' | 'refuse'
  ids: readonly number[]
  reason: string
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalQueue: build.query<Page<QueuedWithdrawal>, { state: Queue; page: number }>({
      query: ({ state, page }) => ({
        path: `operator/withdrawals/?state=${state}&page=${page}`,
        fits: conforms(({ pageOf, queuedWithdrawal }) => pageOf(queuedWithdrawal)),
      }),
      providesTags: ['Operator'],
    }),
    dossier: build.query<WithdrawalDossier, number>({
      query: (id) => ({
        path: `operator/withdrawals/${id}/`,
        fits: conforms((contract) => contract.withdrawalDossier),
      }),
      providesTags: ['Operator'],
    }),
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
