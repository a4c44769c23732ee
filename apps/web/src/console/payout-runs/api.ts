import type { Page, PayoutRun } from '@aval/contract'
import { client } from '../../api/client.ts'
import { CHANGED_BY_PAYING, type Coded, isOutdated, keyed } from '../shared/calls.ts'
import type { Decision } from './runStages.ts'

interface RunQuery {
  page: number
  /** Only those that are neither done nor cancelled. */
  open: boolean
}

interface RunDecision extends Coded {
  id: number
  decision: Decision
  note: string
}

interface Said {
  message: string
}

const runsApi = client.injectEndpoints({
  endpoints: (build) => ({
    runs: build.query<Page<PayoutRun>, RunQuery>({
      query: ({ page, open }) => ({ path: `operator/runs/?page=${page}${open ? '&state=open' : ''}` }),
      providesTags: ['Operator'],
    }),
    run: build.query<PayoutRun, number>({
      query: (id) => ({ path: `operator/runs/${id}/` }),
      providesTags: ['Operator'],
    }),
    decideRun: build.mutation<Said, RunDecision>({
      query: ({ id, decision, note, otp, idempotencyKey }) => ({
        path: `operator/runs/${id}/${decision}/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: note === '' ? { otp } : { note, otp },
      }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? CHANGED_BY_PAYING : isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

export const { useRunsQuery, useRunQuery, useDecideRunMutation } = runsApi
