import type { ObservedTransfer, Page } from '@aval/contract'
import { client } from '../../api/client.ts'

export type Verdict = ObservedTransfer['verdict']

interface TransferQuery {
  page: number
  verdict: Verdict | null
}

const depositsApi = client.injectEndpoints({
  endpoints: (build) => ({
    transfers: build.query<Page<ObservedTransfer>, TransferQuery>({
      query: ({ page, verdict }) => ({
        path: `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
      }),
      providesTags: ['Operator'],
    }),
  }),
})

export const { useTransfersQuery } = depositsApi
