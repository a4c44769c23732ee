import type { AccountSecurity } from '@aval/contract'
import { client } from '../../../api/client.ts'
import { formOf } from '../../../api/form.ts'
import type { MemberProof } from '../../../api/memberProof.ts'
import type { ProfileChange } from './change.ts'

/** Spec's tags for PATCH auth/user/. */
const CHANGED = ['User', 'Dashboard', 'Tree'] as const

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
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED),
    }),
    changePicture: build.mutation<string, File>({
      query: (avatar) => ({ path: 'auth/user/', method: 'PATCH', body: formOf({ avatar }) }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED),
    }),
    /** Where only the member's passkey moves money. */
    changeWallet: build.mutation<string, { usdt_wallet: string; passkey: MemberProof }>({
      query: (body) => ({ path: 'auth/user/wallet/', method: 'POST', body }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED),
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
  useChangeWalletMutation,
  useConfirmEmailMutation,
  useAccountSecurityQuery,
} = profileApi
