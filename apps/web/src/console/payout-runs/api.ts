import { client } from '../../api/client.ts'
import {
  CHANGED_BY_PAYING,
  type Coded,
  decision,
  isOutdated,
  type Message,
  operatorList,
  operatorQuery,
} from '../shared/calls.ts'
import type { RunDecision } from './runStages.ts'

interface RunsQuery {
  page: number
  /** Only those that are neither done nor cancelled. */
  open: boolean
}

const runsApi = client.injectEndpoints({
  endpoints: (build) => ({
    runs: operatorList(
      build,
      'payoutRun',
      ({ page, open }: RunsQuery) => `operator/runs/?page=${page}${open ? '&state=open' : ''}`,
    ),
    run: operatorQuery(build, 'payoutRun', (id: number) => `operator/runs/${id}/`),
    decideRun: build.mutation<Message, { id: number; decision: RunDecision; note: string } & Coded>({
      query: ({ id, decision: decided, note, ...coded }) =>
        decision(`operator/runs/${id}/${decided}/`, coded, note === '' ? {} : { note }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? CHANGED_BY_PAYING : isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

export const { useRunsQuery, useRunQuery, useDecideRunMutation } = runsApi
