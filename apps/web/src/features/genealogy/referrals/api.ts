import type { Page, Referral } from '@aval/contract'
import { client } from '../../../api/client.ts'
import { conforms } from '../../../api/conforms.ts'
import { pathOf, type ReferralsWanted } from './questions.ts'

const referralsApi = client.injectEndpoints({
  endpoints: (build) => ({
    referrals: build.query<Page<Referral>, ReferralsWanted>({
      query: (wanted) => ({
        path: pathOf(wanted),
        fits: conforms(({ pageOf, referral }) => pageOf(referral)),
      }),
      providesTags: ['Tree'],
    }),
    /** `shown` is the list that shows the referral now. */
    activateMaster: build.mutation<{ message: string }, { id: number; shown: ReferralsWanted }>({
      query: ({ id }) => ({
        path: `tree/get-referrals/${id}/activate-master-code/`,
        method: 'POST',
        body: {},
        fits: conforms((contract) => contract.messageObject),
      }),
      // Where it was refused, the list may be older than what the server knows.
      invalidatesTags: ['Tree'],
      // The row says so at once, and not when the list has come again.
      async onQueryStarted({ id, shown }, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => null)
        if (answer === null) return
        dispatch(
          referralsApi.util.updateQueryData('referrals', shown, (list) => {
            const row = list.results.find((referral) => referral.id === id)
            if (row !== undefined) row.is_master_code = true
          }),
        )
      },
    }),
  }),
})

export const { useReferralsQuery, useActivateMasterMutation } = referralsApi
