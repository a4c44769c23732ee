import { client } from '../../api/client.ts'
import { type Coded, decision, type Message } from './calls.ts'

const membersApi = client.injectEndpoints({
  endpoints: (build) => ({
    elevate: build.mutation<Message, Coded>({
      query: (coded) => decision('operator/elevation/', coded, {}),
    }),
    endSessionsOfMember: build.mutation<Message, { member: number; reason: string } & Coded>({
      query: ({ member, reason, ...coded }) =>
        decision(`operator/members/${member}/end-sessions/`, coded, { reason }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? ['Operator'] : []),
    }),
  }),
})

export const { useElevateMutation, useEndSessionsOfMemberMutation } = membersApi
