import type { InvestmentEntry, InvoiceStatus, investmentPayment, investmentTerms, Page } from '@aval/contract'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { isText } from '../../api/shape.ts'

type Schema<Of extends { _zod: { output: unknown } }> = Of['_zod']['output']

export type Terms = Schema<typeof investmentTerms>
export type CreatedInvoice = Schema<typeof investmentPayment>['result']

interface CreateInvestment {
  /** Plain decimal. */
  amount: string
  payPasive: boolean
  idempotencyKey: string
}

interface EndInvoice {
  txnId: string
  how: 'complete' | 'cancel'
  idempotencyKey: string
}

/** An invoice to pay, or a sentence when the balance paid at once. */
export type CreateAnswer = { result: CreatedInvoice } | { message: string }

const investmentsApi = client.injectEndpoints({
  endpoints: (build) => ({
    terms: build.query<Terms, void>({
      query: () => ({ path: 'plans/terms/', fits: conforms((contract) => contract.investmentTerms) }),
      // The minimum of a first investment differs from that of the next.
      providesTags: ['InvestmentHistory'],
    }),
    createInvestment: build.mutation<CreateAnswer, CreateInvestment>({
      query: ({ amount, payPasive, idempotencyKey }) => ({
        path: 'plans/create-investment-payment/',
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: payPasive ? { amount, payPasive } : { amount },
        fits: conforms(({ messageObject, investmentPayment }) =>
          payPasive ? messageObject : investmentPayment,
        ),
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_BY_INVESTING),
    }),
    verifyInvestment: build.mutation<string, string>({
      query: (txnId) => ({
        path: 'plans/verify-investment-amount/',
        method: 'POST',
        body: { txn_id: txnId },
        fits: isText,
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : CHANGED_BY_INVESTING),
    }),
    /** What the member has not finished paying, oldest first. */
    invoices: build.query<InvoiceStatus[], void>({
      query: () => ({
        path: 'plans/invoices/',
        fits: conforms(({ invoiceStatus }) => invoiceStatus.array()),
      }),
      providesTags: ['InvestmentHistory', 'Deposits'],
    }),
    /** Completes an invoice from the balance, or cancels it. */
    endInvoice: build.mutation<{ message: string }, EndInvoice>({
      query: ({ txnId, how, idempotencyKey }) => ({
        path: `plans/invoices/${encodeURIComponent(txnId)}/${how}/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: {},
        fits: conforms((contract) => contract.messageObject),
      }),
      // Whatever the answer: a refusal says that it has ended meanwhile.
      invalidatesTags: CHANGED_BY_INVESTING,
    }),
    invoiceStatus: build.query<InvoiceStatus, string>({
      query: (txnId) => ({
        path: `plans/invoices/${encodeURIComponent(txnId)}/`,
        fits: conforms((contract) => contract.invoiceStatus),
      }),
      keepUnusedDataFor: 0,
      providesTags: ['InvestmentHistory', 'Deposits'],
    }),
    investmentHistory: build.query<Page<InvestmentEntry>, number>({
      query: (page) => ({
        path: `plans/history/?page=${page}`,
        fits: conforms(({ pageOf, investmentEntry }) => pageOf(investmentEntry), 'new'),
      }),
      providesTags: ['InvestmentHistory'],
    }),
  }),
})

export const {
  useTermsQuery,
  useCreateInvestmentMutation,
  useVerifyInvestmentMutation,
  useInvoicesQuery,
  useLazyInvoicesQuery,
  useEndInvoiceMutation,
  useInvoiceStatusQuery,
  useInvestmentHistoryQuery,
} = investmentsApi
