import type { Page, QueuedWithdrawal, WithdrawalDossier } from '@aval/contract'
import { client } from '../../api/client.ts'

export const QUEUES = ['requested', 'approved', 'closed'] as const
export type Queue = (typeof QUEUES)[number]

interface QueueQuery {
  state: Queue
  page: number
}

export interface WithdrawalDecision {
  decision: 'approve' | 'refuse'
  ids: readonly number[]
  reason: string
}

interface CodedDecision extends WithdrawalDecision {
  otp: string
  idempotencyKey: string
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalQueue: build.query<Page<QueuedWithdrawal>, QueueQuery>({
      query: ({ state, page }) => ({ path: `operator/withdrawals/?state=${state}&page=${page}` }),
      providesTags: ['Operator'],
    }),
    dossier: build.query<WithdrawalDossier, number>({
      query: (id) => ({ path: `operator/withdrawals/${id}/` }),
      providesTags: ['Operator'],
    }),
    decideWithdrawals: build.mutation<{ message: string }, CodedDecision>({
      query: ({ decision, ids, reason, otp, idempotencyKey }) => ({
        path: 'operator/withdrawals/decide/',
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { decision, ids, otp, ...(reason === '' ? {} : { reason }) },
      }),
      // Where it was refused, somebody else may have decided: the queue is stale as well.
      invalidatesTags: ['Operator', 'Withdrawals', 'User', 'Dashboard'],
    }),
  }),
})

export const { useWithdrawalQueueQuery, useDossierQuery, useDecideWithdrawalsMutation } = withdrawalsApi
