import type { BinaryStanding, MonthEarnings, Page, Payment, PaymentTotals, PaymentWhy } from '@aval/contract'
import { call } from '../../api/browserSession.ts'
import { client } from '../../api/client.ts'
import { conforms, type SchemaName, type Wire } from '../../api/conforms.ts'
import type { Answer } from '../../api/http.ts'
import type { DayRange, Format } from './earnings.ts'

/** A member of many years has a long ledger. */
const STATEMENT_PATIENCE = 120_000

const paymentsApi = client.injectEndpoints({
  endpoints: (build) => {
    const list = <Row extends SchemaName>(path: string, row: Row) =>
      build.query<Page<Wire<Row>>, number>({
        query: (page) => ({
          path: `payments/${path}/?page=${page}`,
          fits: conforms((contract) => contract.pageOf(contract[row]), 'new'),
        }),
        providesTags: ['Payments'],
      })
    return {
      directPayments: list('direct-payments', 'directPayment'),
      passivePayments: list('pasive-payments', 'passivePayment'),
      binaryPayments: list('binary-payments', 'binaryPayment'),
      binaryPoints: list('binary-points-payments', 'binaryPoints'),
      notPaid: list('not-paid', 'notPaid'),
      payments: build.query<Page<Payment>, { page: number; filter: string }>({
        query: ({ page, filter }) => ({
          path: `payments/all/?page=${page}${filter === '' ? '' : `&${filter}`}`,
          fits: conforms((contract) => contract.pageOf(contract.payment), 'new'),
        }),
        providesTags: ['Payments'],
      }),
      paymentTotals: build.query<PaymentTotals, string>({
        query: (filter) => ({
          path: `payments/totals/${filter === '' ? '' : `?${filter}`}`,
          fits: conforms((contract) => contract.paymentTotals),
        }),
        providesTags: ['Payments'],
      }),
      binaryStanding: build.query<BinaryStanding, void>({
        query: () => ({
          path: 'payments/binary-standing/',
          fits: conforms((contract) => contract.binaryStanding),
        }),
        providesTags: ['Payments'],
      }),
      why: build.query<PaymentWhy, number>({
        query: (id) => ({ path: `payments/why/${id}/`, fits: conforms((contract) => contract.paymentWhy) }),
        providesTags: ['Payments'],
      }),
      earnings: build.query<MonthEarnings[], number>({
        query: (year) => ({
          path: `payments/earnings/${year}/`,
          fits: conforms((contract) => contract.monthEarnings.array()),
        }),
        providesTags: ['Payments'],
      }),
    }
  },
})

export const {
  useDirectPaymentsQuery,
  usePassivePaymentsQuery,
  useBinaryPaymentsQuery,
  useBinaryPointsQuery,
  useNotPaidQuery,
  usePaymentsQuery,
  usePaymentTotalsQuery,
  useBinaryStandingQuery,
  useWhyQuery,
  useEarningsQuery,
} = paymentsApi

/** The file itself; it is kept nowhere, so it does not go through the client's cache. */
export function fetchStatement({ from, to }: DayRange, format: Format): Promise<Answer<Blob>> {
  const [path, type] = format === 'pdf' ? ['statement/pdf', 'application/pdf'] : ['statement', 'text/csv']
  return call<Blob>({
    path: `payments/${path}/?from=${from}&to=${to}`,
    headers: { Accept: `${type}, application/problem+json` },
    reads: 'blob',
    patience: STATEMENT_PATIENCE,
  })
}
