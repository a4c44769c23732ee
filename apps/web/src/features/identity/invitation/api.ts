import { client } from '../../../api/client.ts'
import { conforms, type Wire } from '../../../api/conforms.ts'

type Offer = Wire<'offeredRole'>

const invitationApi = client.injectEndpoints({
  endpoints: (build) => ({
    invitation: build.query<Offer, string>({
      query: (token) => ({
        path: 'auth/operator-invitation/',
        method: 'POST',
        body: { token },
        fits: conforms((contract) => contract.offeredRole),
      }),
      providesTags: ['Security'],
      keepUnusedDataFor: 0,
    }),
    acceptInvitation: build.mutation<Wire<'messageObject'>, Wire<'acceptInvitationBody'>>({
      query: (body) => ({ path: 'auth/operator-invitation/accept/', method: 'POST', body }),
    }),
  }),
})

export const { useInvitationQuery, useAcceptInvitationMutation } = invitationApi
