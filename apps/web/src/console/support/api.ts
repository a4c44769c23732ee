import type { OperatorSupportMessage, SupportQueue } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { isMessage, live, type Message, operatorList, operatorQuery } from '../shared/calls.ts'

export const THREAD_QUEUES = [
  'open',
  'mine',
  'unassigned',
  'answered',
  'closed',
] as const satisfies readonly SupportQueue[]

interface SupportAnswer {
  member: number
  text: string
  /** The newest message that was read. */
  seen: number
  idempotencyKey: string
}

interface SeenUpTo {
  member: number
  id: number
}

interface Assigning {
  member: number
  /** Who gets it; null for nobody. */
  operator: string | null
  /** Who had it, as it was shown. */
  from: string | null
}

/** As much of a conversation as is read in one go. */
const MESSAGES = 50

const reading = client.injectEndpoints({
  endpoints: (build) => ({
    supportThreads: live(
      operatorList(
        build,
        'supportThread',
        ({ state, page }: { state: SupportQueue; page: number }) =>
          `operator/support/?state=${state}&page=${page}`,
      ),
    ),
    supportConversation: live(
      operatorQuery(
        build,
        'supportConversation',
        ({ member, page }: { member: number; page: number }) =>
          `operator/support/${member}/?page_size=${MESSAGES}&page=${page}`,
      ),
    ),
    supportAssignees: operatorQuery(build, 'supportAssignees', () => 'operator/support/assignees/'),
    supportTimes: operatorQuery(build, 'supportTimes', () => 'operator/support/times/'),
    supportAbout: live(
      operatorQuery(build, 'supportAbout', (member: number) => `operator/support/${member}/about/`),
    ),
  }),
})

const writing = client.injectEndpoints({
  endpoints: (build) => ({
    answerMember: build.mutation<OperatorSupportMessage, SupportAnswer>({
      query: ({ member, text, seen, idempotencyKey }) => ({
        path: `operator/support/${member}/answer/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { text, seen },
        fits: conforms((contract) => contract.operatorSupportMessage),
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : ['Operator']),
    }),
    closeThread: build.mutation<Message, SeenUpTo>({
      query: ({ member, id }) => ({
        path: `operator/support/${member}/close/`,
        method: 'POST',
        body: { seen: id },
        fits: isMessage(),
      }),
      // Where it was refused, the member has written more: what is shown is stale as well.
      invalidatesTags: ['Operator'],
    }),
    assignThread: build.mutation<Message, Assigning>({
      query: ({ member, ...body }) => ({
        path: `operator/support/${member}/assign/`,
        method: 'POST',
        body,
        fits: isMessage(),
      }),
      // Where it was refused, another operator was faster: what is shown is stale as well.
      invalidatesTags: ['Operator'],
    }),
    markThreadSeen: build.mutation<{ unread: number }, SeenUpTo>({
      query: ({ member, id }) => ({ path: `operator/support/${member}/read/`, method: 'POST', body: { id } }),
    }),
  }),
})

export const {
  useSupportThreadsQuery,
  useSupportConversationQuery,
  useSupportAssigneesQuery,
  useSupportTimesQuery,
  useSupportAboutQuery,
} = reading

export const {
  useAnswerMemberMutation,
  useCloseThreadMutation,
  useMarkThreadSeenMutation,
  useAssignThreadMutation,
} = writing
