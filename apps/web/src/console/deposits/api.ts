import type { ObservedTransfer, Page } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'

export type Verdict = ObservedTransfer['verdict']

interface DepositsQuery {
  page: number
  verdict: Verdict | null
}

const depositsApi = client.injectEndpoints({
  endpoints: (build) => ({
    deposits: build.query<Page<ObservedTransfer>, DepositsQuery>({
      query: ({ page, verdict }) => ({
        path: `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
        fits: conforms(({ pageOf, observedTransfer }) => pageOf(observedTransfer)),
      }),
      providesTags: ['Operator'],
    }),
  }),
})

export const { useDepositsQuery } = depositsApi
