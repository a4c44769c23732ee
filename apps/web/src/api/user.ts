import type { CurrentUser } from '@aval/contract'
import { client } from './client.ts'

const userApi = client.injectEndpoints({
  endpoints: (build) => ({
    currentUser: build.query<CurrentUser, void>({
      query: () => ({ path: 'auth/user/' }),
      providesTags: ['User'],
    }),
  }),
})

export const { useCurrentUserQuery } = userApi
