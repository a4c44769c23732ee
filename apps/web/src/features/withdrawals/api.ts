import type { Page, Withdrawal, WithdrawalTerms } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import type { MemberProof } from '../../api/memberProof.ts'
import { isText } from '../../api/shape.ts'
import { isSome } from '../../ui/amount.ts'
import { known } from './timeline.ts'

/** What money that left, or comes back, changes. */
const CHANGED_BY_WITHDRAWING = ['User', 'Withdrawals', 'Dashboard', 'InvestmentHistory'] as const

/** What a request changes: the balance and the list; and the investment, where the balance was not enough. */
const changedBy = ({ from_principal }: Withdrawal) =>
  isSome(from_principal) ? CHANGED_BY_WITHDRAWING : (['User', 'Withdrawals'] as const)

/** By the names on the wire; amounts as plain decimals. */
interface WithdrawalCodeRequest {
  amount: string
  wallet_address: string
}
interface WithdrawalRequest extends WithdrawalCodeRequest {
  used_code?: string
  otp?: string
  /** In the place of the codes, where only the member's passkey moves money. */
  passkey?: MemberProof
}

const withdrawalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    withdrawalTerms: build.query<WithdrawalTerms, void>({
      query: () => ({ path: 'withdrawals/terms/', fits: conforms((contract) => contract.withdrawalTerms) }),
      // A wallet or a password that changed, and money that came in, change what can leave.
      providesTags: ['Withdrawals', 'User', 'Dashboard'],
    }),
    withdrawals: build.query<Page<Withdrawal>, number>({
      query: (page) => ({
        path: `withdrawals/withdrawals/?page=${page}`,
        fits: conforms(({ pageOf, withdrawal }) => pageOf(withdrawal), 'new'),
      }),
      transformResponse: (page: Page<Withdrawal>) => ({ ...page, results: page.results.map(known) }),
      providesTags: ['Withdrawals'],
    }),
    /** Null: a code for any amount to the registered wallet, where the terms say that there are such. */
    createWithdrawalCode: build.mutation<string, WithdrawalCodeRequest | null>({
      query: (pair) => ({
        path: 'withdrawals/withdrawals/create-code/',
        method: 'POST',
        body: pair ?? {},
        fits: isText,
      }),
    }),
    createWithdrawal: build.mutation<Withdrawal, { body: WithdrawalRequest; idempotencyKey: string }>({
      query: ({ body, idempotencyKey }) => ({
        path: 'withdrawals/withdrawals/',
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body,
        fits: conforms((contract) => contract.withdrawal),
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : changedBy(answer)),
    }),
    cancelWithdrawal: build.mutation<Withdrawal, number>({
      query: (id) => ({
        path: `withdrawals/withdrawals/${id}/cancel/`,
        method: 'POST',
        body: {},
        fits: conforms((contract) => contract.withdrawal),
      }),
      // Where it was refused, an operator approved it meanwhile: the list is stale as well.
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
