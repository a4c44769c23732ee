import type { CurrentUser } from '@aval/contract'
import { client } from './client.ts'
import { browserRegion, setRegion } from './region.ts'
import { isNumber, isText, shaped } from './shape.ts'
import { browserTimeZone, setTimeZone } from './timeZone.ts'

const isUser = shaped({ id: isNumber, username: isText, ref_code: isText, balance: isNumber })

/** Whose was said: once a page, because one that the server does not know would be sent without end. */
let saidOf: number | null = null

type Where = Partial<Pick<CurrentUser, 'time_zone' | 'region'>>

/** At the first sign-in of a member of whom it is not known: what the browser says. What the server does not know stays unsaid. */
function unsaidOf({ time_zone, region }: CurrentUser): Where {
  const said = browserRegion()
  return {
    ...(time_zone === null && { time_zone: browserTimeZone() }),
    ...(region === null && said !== null && { region: said }),
  }
}

const userApi = client.injectEndpoints({
  endpoints: (build) => ({
    currentUser: build.query<CurrentUser, void>({
      query: () => ({ path: 'auth/user/', fits: isUser }),
      transformResponse: (user: CurrentUser) => {
        // Before anything that shows a time or a figure hears of the answer.
        setTimeZone(user.time_zone)
        setRegion(user.region)
        return user
      },
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null)
        if (answer === null || saidOf === answer.data.id) return
        const unsaid = unsaidOf(answer.data)
        if (Object.keys(unsaid).length === 0) return
        saidOf = answer.data.id
        await dispatch(userApi.endpoints.saveWhere.initiate(unsaid))
      },
      providesTags: ['User'],
    }),
    saveWhere: build.mutation<string, Where>({
      query: (body) => ({ path: 'auth/user/', method: 'PATCH', body }),
    }),
  }),
})

export const { useCurrentUserQuery } = userApi
