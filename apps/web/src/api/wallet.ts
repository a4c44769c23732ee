/** The wallet that withdrawals go to: registered on the way to the first one, or changed in the profile. */
import { client } from './client.ts'
import { formOf } from './form.ts'
import type { MemberProof } from './memberProof.ts'

/** Spec's tags for PATCH auth/user/. */
export const CHANGED_WITH_USER = ['User', 'Dashboard', 'Tree'] as const

const walletApi = client.injectEndpoints({
  endpoints: (build) => ({
    /** With the code from the e-mail, and of the app where two-factor is on. Without them a code is sent. */
    registerWallet: build.mutation<string, { usdt_wallet: string; secret_code?: string; otp?: string }>({
      query: (body) => ({ path: 'auth/user/', method: 'PATCH', body: formOf(body) }),
      invalidatesTags: (answer, _error, { secret_code }) =>
        answer === undefined || secret_code === undefined ? [] : CHANGED_WITH_USER,
    }),
    /** Where only the member's passkey moves money. */
    changeWallet: build.mutation<string, { usdt_wallet: string; passkey: MemberProof }>({
      query: (body) => ({ path: 'auth/user/wallet/', method: 'POST', body }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_WITH_USER),
    }),
  }),
})

export const { useRegisterWalletMutation, useChangeWalletMutation } = walletApi
