import type { Page, Withdrawal, WithdrawalTerms } from '@aval/contract'
import { client } from '../../api/client.ts'

/** What money that leaves, or comes back, changes. */
export const CHANGED_BY_WITHDRAWING = ['User', 'Withdrawals', 'Dashboard', 'InvestmentHistory'] as const

interface CodeFor {
  /** Plain decimal. */
  amount: string
  wallet: string
}

interface WithdrawalRequest extends CodeFor {
  code: string
  otp: string
  idempotencyKey: string
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalTerms: build.query<WithdrawalTerms, void>({
      query: () => ({ path: 'withdrawals/terms/' }),
      // A wallet or a password that changed, and money that came in, change what can leave.
      providesTags: ['Withdrawals', 'User', 'Dashboard'],
    }),
    withdrawals: build.query<Page<Withdrawal>, number>({
      query: (page) => ({ path: `withdrawals/withdrawals/?page=${page}` }),
      providesTags: ['Withdrawals'],
    }),
    createWithdrawalCode: build.mutation<string, CodeFor>({
      query: ({ amount, wallet }) => ({
        path: 'withdrawals/withdrawals/create-code/',
        method: 'POST',
        body: { amount, wallet_address: wallet },
      }),
    }),
    createWithdrawal: build.mutation<Withdrawal, WithdrawalRequest>({
      query: ({ amount, wallet, code, otp, idempotencyKey }) => ({
        path: 'withdrawals/withdrawals/',
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { amount, wallet_address: wallet, used_code: code, ...(otp === '' ? {} : { otp }) },
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_BY_WITHDRAWING),
    }),
    cancelWithdrawal: build.mutation<Withdrawal, number>({
      query: (id) => ({ path: `withdrawals/withdrawals/${id}/cancel/`, method: 'POST', body: {} }),
      // Where it was refused, somebody approved it meanwhile: the list is stale as well.
      invalidatesTags: CHANGED_BY_WITHDRAWING,
    }),
  }),
})

export const {
  useWithdrawalTermsQuery,
  useWithdrawalsQuery,
  useCreateWithdrawalCodeMutation,
  useCreateWithdrawalMutation,
  useCancelWithdrawalMutation,
} = withdrawalsApi
