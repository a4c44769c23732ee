import type {
  BinaryPayment,
  BinaryPoints,
  BinaryStanding,
  DemoState,
  DirectPayment,
  MonthEarnings,
  NotPaid,
  Page,
  PassivePayment,
  PaymentWhy,
} from '@aval/contract'
import { call } from '../../api/browserSession.ts'
import { client } from '../../api/client.ts'
import type { Answer } from '../../api/http.ts'
import { hasFields, isPage } from '../../api/shape.ts'
import type { DayRange } from './statement.ts'

/** A member of many years has a long ledger. */
const STATEMENT_PATIENCE = 120_000

const paymentsApi = client.injectEndpoints({
  endpoints: (build) => {
    const list = <Row>(path: string) =>
      build.query<Page<Row>, number>({
        query: (page) => ({ path: `payments/${path}/?page=${page}`, fits: isPage }),
        providesTags: ['Payments'],
      })
    return {
      directPayments: list<DirectPayment>('direct-payments'),
      passivePayments: list<PassivePayment>('pasive-payments'),
      binaryPayments: list<BinaryPayment>('binary-payments'),
      binaryPoints: list<BinaryPoints>('binary-points-payments'),
      notPaid: list<NotPaid>('not-paid'),
      binaryStanding: build.query<BinaryStanding, void>({
        query: () => ({ path: 'payments/binary-standing/', fits: hasFields('left_points', 'right_points') }),
        providesTags: ['Payments'],
      }),
      why: build.query<PaymentWhy, number>({
        query: (id) => ({
          path: `payments/why/${id}/`,
          fits: hasFields('sentence', 'inputs', 'arithmetic', 'run'),
        }),
        providesTags: ['Payments'],
      }),
      earnings: build.query<MonthEarnings[], number>({
        query: (year) => ({ path: `payments/earnings/${year}/`, fits: Array.isArray }),
        providesTags: ['Payments'],
      }),
      // Payments are dated in business time, which runs ahead of the browser's in the demo.
      businessTime: build.query<DemoState, void>({
        query: () => ({ path: 'demo/' }),
        providesTags: ['Demo'],
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
  useBinaryStandingQuery,
  useWhyQuery,
  useEarningsQuery,
  useBusinessTimeQuery,
} = paymentsApi

/** The file itself; it is kept nowhere, so it does not go through the client's cache. */
export function fetchStatement({ from, to }: DayRange): Promise<Answer<Blob>> {
  return call<Blob>({
    path: `payments/statement/?from=${from}&to=${to}`,
    headers: { Accept: 'text/csv, application/problem+json' },
    reads: 'blob',
    patience: STATEMENT_PATIENCE,
  })
}
