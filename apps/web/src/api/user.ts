import type { CurrentUser } from '@aval/contract'
import { client } from './client.ts'
import { isNumber, isText, shaped } from './shape.ts'
import { browserTimeZone, setTimeZone } from './timeZone.ts'

const isUser = shaped({ id: isNumber, username: isText, ref_code: isText, balance: isNumber })

/** Whose was said: once a page, because one that the server does not know would be sent without end. */
let saidOf: number | null = null

const userApi = client.injectEndpoints({
  endpoints: (build) => ({
    currentUser: build.query<CurrentUser, void>({
      query: () => ({ path: 'auth/user/', fits: isUser }),
      transformResponse: (user: CurrentUser) => {
        // Before anything that shows a time hears of the answer.
        setTimeZone(user.time_zone)
        return user
      },
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null)
        if (answer?.data.time_zone !== null || saidOf === answer.data.id) return
        saidOf = answer.data.id
        await dispatch(userApi.endpoints.saveTimeZone.initiate())
      },
      providesTags: ['User'],
    }),
    /** At the first sign-in of a member of whom none is known: the browser's. One that the server does not know stays unsaid. */
    saveTimeZone: build.mutation<string, void>({
      query: () => ({ path: 'auth/user/', method: 'PATCH', body: { time_zone: browserTimeZone() } }),
    }),
  }),
})

export const { useCurrentUserQuery } = userApi
