import type { SupportMessage, SupportMessages, SupportTopic } from '@aval/contract'
import { call } from '../../api/browserSession.ts'
import { client } from '../../api/client.ts'
import type { Answer } from '../../api/http.ts'

export const PAGE_SIZE = 30

const supportApi = client.injectEndpoints({
  endpoints: (build) => ({
    /** How many answers are unread: the smallest page says it as well. */
    supportUnread: build.query<number, void>({
      query: () => ({ path: 'support/messages/?page_size=1' }),
      transformResponse: ({ unread }: SupportMessages) => unread,
    }),
    supportMessages: build.query<SupportMessages, number>({
      query: (page) => ({ path: `support/messages/?page_size=${PAGE_SIZE}&page=${page}` }),
      keepUnusedDataFor: 0,
    }),
    readSupport: build.mutation<{ unread: number }, number>({
      query: (id) => ({ path: 'support/read/', method: 'POST', body: { id } }),
      async onQueryStarted(_id, { dispatch, queryFulfilled }) {
        try {
          const { data } = await queryFulfilled
          dispatch(supportApi.util.updateQueryData('supportUnread', undefined, () => data.unread))
        } catch {
          // The next look says again what is unread.
        }
      },
    }),
  }),
})

export const {
  useSupportUnreadQuery,
  useSupportMessagesQuery,
  useLazySupportMessagesQuery,
  useReadSupportMutation,
} = supportApi

export interface Outgoing {
  /** The same message under the same key is stored once. */
  key: string
  text: string
  topic: SupportTopic | null
}

/** Not a mutation of the client's: it goes on when the chat is closed over it. */
export function sendMessage({ key, text, topic }: Outgoing): Promise<Answer<SupportMessage>> {
  return call<SupportMessage>({
    path: 'support/messages/',
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: topic === null ? { text } : { text, topic },
  })
}
