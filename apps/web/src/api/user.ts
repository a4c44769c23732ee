import type { CurrentUser } from '@aval/contract'
import { client } from './client.ts'
import { isNumber, isText, shaped } from './shape.ts'

const isUser = shaped({ id: isNumber, username: isText, ref_code: isText, balance: isNumber })

const userApi = client.injectEndpoints({
  endpoints: (build) => ({
    currentUser: build.query<CurrentUser, void>({
      query: () => ({ path: 'auth/user/', fits: isUser }),
      providesTags: ['User'],
    }),
  }),
})

export const { useCurrentUserQuery } = userApi
