import type { Page, PayoutRun } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { CHANGED_BY_PAYING, type Coded, decision, isOutdated, type Message } from '../shared/calls.ts'
import type { RunDecision } from './runStages.ts'

interface RunsQuery {
  page: number
  /** Only those that are neither done nor cancelled. */
  open: boolean
}

const runsApi = client.injectEndpoints({
  endpoints: (build) => ({
    runs: build.query<Page<PayoutRun>, RunsQuery>({
      query: ({ page, open }) => ({
        path: `operator/runs/?page=${page}${open ? '&state=open' : ''}`,
        fits: conforms(({ pageOf, payoutRun }) => pageOf(payoutRun)),
      }),
      providesTags: ['Operator'],
    }),
    run: build.query<PayoutRun, number>({
      query: (id) => ({ path: `operator/runs/${id}/`, fits: conforms((contract) => contract.payoutRun) }),
      providesTags: ['Operator'],
    }),
    decideRun: build.mutation<Message, { id: number; decision: RunDecision; note: string } & Coded>({
      query: ({ id, decision: decided, note, ...coded }) =>
        decision(`operator/runs/${id}/${decided}/`, coded, note === '' ? {} : { note }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? CHANGED_BY_PAYING : isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

export const { useRunsQuery, useRunQuery, useDecideRunMutation } = runsApi
