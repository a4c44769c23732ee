import type { OperatorSupportMessage, SupportState } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { isMessage, type Message, operatorList, operatorQuery } from '../shared/calls.ts'

export const THREAD_QUEUES = ['open', 'answered', 'closed'] as const satisfies readonly SupportState[]

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

/** As much of a conversation as is read in one go. */
const MESSAGES = 50

const supportApi = client.injectEndpoints({
  endpoints: (build) => ({
    supportThreads: operatorList(
      build,
      'supportThread',
      ({ state, page }: { state: SupportState; page: number }) =>
        `operator/support/?state=${state}&page=${page}`,
    ),
    supportConversation: operatorQuery(
      build,
      'supportConversation',
      ({ member, page }: { member: number; page: number }) =>
        `operator/support/${member}/?page_size=${MESSAGES}&page=${page}`,
    ),
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
    markThreadSeen: build.mutation<{ unread: number }, SeenUpTo>({
      query: ({ member, id }) => ({ path: `operator/support/${member}/read/`, method: 'POST', body: { id } }),
    }),
  }),
})

export const {
  useSupportThreadsQuery,
  useSupportConversationQuery,
  useAnswerMemberMutation,
  useCloseThreadMutation,
  useMarkThreadSeenMutation,
} = supportApi
