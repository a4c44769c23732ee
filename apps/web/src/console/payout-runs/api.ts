import type { RunItemView, RunReplay } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import {
  CHANGED_BY_PAYING,
  type Coded,
  decision,
  isMessage,
  isOutdated,
  live,
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

/** What the list of a run's items is asked for; empty texts for nothing. */
interface ItemsQuery {
  id: number
  view: RunItemView
  member: string
  after: string
}

const runsApi = client.injectEndpoints({
  endpoints: (build) => ({
    runs: live(
      operatorList(
        build,
        'payoutRun',
        ({ page, open }: RunsQuery) => `operator/runs/?page=${page}${open ? '&state=open' : ''}`,
      ),
    ),
    run: live(operatorQuery(build, 'payoutRun', (id: number) => `operator/runs/${id}/`)),
    runDigest: operatorQuery(build, 'runDigest', (id: number) => `operator/runs/${id}/digest/`),
    runItems: operatorQuery(build, 'runItems', ({ id, ...asked }: ItemsQuery) => {
      const search = Object.entries(asked).filter(([, value]) => value !== '')
      return `operator/runs/${id}/items/?${new URLSearchParams(search)}`
    }),
    runCalendar: operatorQuery(
      build,
      'runCalendar',
      (month: string | null) => `operator/runs/calendar/${month === null ? '' : `?month=${month}`}`,
    ),
    memberWhy: operatorQuery(
      build,
      'paymentWhy',
      ({ member, payment }: { member: number; payment: number }) =>
        `operator/members/${member}/payments/${payment}/why/`,
    ),
    replays: build.query<RunReplay[], number>({
      query: (id) => ({
        path: `operator/runs/${id}/replays/`,
        fits: conforms((contract) => contract.runReplay.array()),
      }),
      providesTags: ['Operator'],
    }),
    replayRun: build.mutation<Message, number>({
      query: (id) => ({ path: `operator/runs/${id}/replays/`, method: 'POST', fits: isMessage() }),
      // Refused, somebody else was faster: theirs is shown.
      invalidatesTags: ['Operator'],
    }),
    decideRun: build.mutation<Message, { id: number; decision: RunDecision; note: string } & Coded>({
      query: ({ id, decision: decided, note, ...coded }) =>
        decision(`operator/runs/${id}/${decided}/`, coded, note === '' ? {} : { note }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? CHANGED_BY_PAYING : isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

export const {
  useRunsQuery,
  useRunQuery,
  useDecideRunMutation,
  useRunDigestQuery,
  useRunItemsQuery,
  useRunCalendarQuery,
  useMemberWhyQuery,
  useReplaysQuery,
  useReplayRunMutation,
} = runsApi
