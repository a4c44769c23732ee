import type { CurrentUser } from '@aval/contract'
import { client } from './client.ts'
import { hasFields } from './shape.ts'

const userApi = client.injectEndpoints({
  endpoints: (build) => ({
    currentUser: build.query<CurrentUser, void>({
      query: () => ({ path: 'auth/user/', fits: hasFields('id', 'username', 'ref_code', 'balance') }),
      providesTags: ['User'],
    }),
  }),
})

export const { useCurrentUserQuery } = userApi
