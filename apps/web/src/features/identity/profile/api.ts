import type { AccountSecurity } from '@aval/contract'
import { client } from '../../../api/client.ts'
import { formOf } from '../../../api/form.ts'
import { CHANGED_WITH_USER } from '../../../api/wallet.ts'
import type { ProfileChange } from './change.ts'

const profileApi = client.injectEndpoints({
  endpoints: (build) => ({
    /** With the code from the e-mail, and of the app where two-factor is on; empty while there is none. */
    changeProfile: build.mutation<string, { change: ProfileChange; code: string; otp?: string }>({
      query: ({ change, code, otp = '' }) => ({
        path: 'auth/user/',
        method: 'PATCH',
        body: formOf({
          ...change,
          ...(code !== '' && { secret_code: code }),
          ...(otp !== '' && { otp }),
        }),
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_WITH_USER),
    }),
    changePicture: build.mutation<string, File>({
      query: (avatar) => ({ path: 'auth/user/', method: 'PATCH', body: formOf({ avatar }) }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_WITH_USER),
    }),
    /** With the code from the e-mail; empty: one is sent. */
    confirmEmail: build.mutation<string, string>({
      query: (code) => ({
        path: 'auth/user/confirm-email/',
        method: 'POST',
        body: code === '' ? {} : { secret_code: code },
      }),
      invalidatesTags: (answer, _error, code) => (answer === undefined || code === '' ? [] : ['User']),
    }),
    accountSecurity: build.query<AccountSecurity, void>({
      query: () => ({ path: 'auth/security/' }),
      providesTags: ['User'],
    }),
  }),
})

export const {
  useChangeProfileMutation,
  useChangePictureMutation,
  useConfirmEmailMutation,
  useAccountSecurityQuery,
} = profileApi
