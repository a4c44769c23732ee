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
import { type Contract, conforms, type Schema } from '../../api/conforms.ts'
import type { Answer } from '../../api/http.ts'
import type { DayRange } from './earnings.ts'

/** A member of many years has a long ledger. */
const STATEMENT_PATIENCE = 120_000

const paymentsApi = client.injectEndpoints({
  endpoints: (build) => {
    const ask = <Data, Argument>(
      path: (argument: Argument) => string,
      schemaOf: (contract: Contract) => Schema,
    ) =>
      build.query<Data, Argument>({
        query: (argument) => ({ path: `payments/${path(argument)}`, fits: conforms(schemaOf) }),
        providesTags: ['Payments'],
      })
    const list = <Row>(path: string, rowOf: (contract: Contract) => Schema) =>
      ask<Page<Row>, number>(
        (page) => `${path}/?page=${page}`,
        (contract) => contract.pageOf(rowOf(contract)),
      )
    return {
      directPayments: list<DirectPayment>('direct-payments', (contract) => contract.directPayment),
      passivePayments: list<PassivePayment>('pasive-payments', (contract) => contract.passivePayment),
      binaryPayments: list<BinaryPayment>('binary-payments', (contract) => contract.binaryPayment),
      binaryPoints: list<BinaryPoints>('binary-points-payments', (contract) => contract.binaryPoints),
      notPaid: list<NotPaid>('not-paid', (contract) => contract.notPaid),
      binaryStanding: ask<BinaryStanding, void>(
        () => 'binary-standing/',
        (contract) => contract.binaryStanding,
      ),
      why: ask<PaymentWhy, number>(
        (id) => `why/${id}/`,
        (contract) => contract.paymentWhy,
      ),
      earnings: ask<MonthEarnings[], number>(
        (year) => `earnings/${year}/`,
        (contract) => contract.monthEarnings.array(),
      ),
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

/** The instant that payments are dated by; undefined until it is known. The browser's own where the server gives none. */
export function useBusinessTime(): Date | undefined {
  const { data, isError } = useBusinessTimeQuery()
  if (data !== undefined) return new Date(data.now)
  return isError ? new Date() : undefined
}
