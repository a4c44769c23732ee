import { client } from '../../api/client.ts'
import { operatorList } from './calls.ts'

interface Writing {
  member: number
  text: string
  idempotencyKey: string
}

const notesApi = client.injectEndpoints({
  endpoints: (build) => ({
    notes: operatorList(
      build,
      'memberNote',
      ({ member, page }: { member: number; page: number }) =>
        `operator/members/${member}/notes/?page=${page}`,
    ),
    writeNote: build.mutation<null, Writing>({
      query: ({ member, text, idempotencyKey }) => ({
        path: `operator/members/${member}/notes/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { text },
      }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? ['Operator'] : []),
    }),
  }),
})

export const { useNotesQuery, useWriteNoteMutation } = notesApi
