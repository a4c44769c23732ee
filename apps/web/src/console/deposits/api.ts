import type { DepositFate, ObservedTransfers } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { newIdempotencyKey } from '../../api/idempotency.ts'
import { isMessage, live, type Message } from '../shared/calls.ts'

export interface DepositFilter {
  page: number
  fate: DepositFate | null
  search: string
  from: string | null
  to: string | null
  open: boolean
}

/** What the filter asks for, as it travels. @param page null for all of them */
export function depositQuery({
  page,
  fate,
  search,
  from,
  to,
  open,
}: Omit<DepositFilter, 'page'> & { page: number | null }): string {
  const query = new URLSearchParams()
  const given = {
    page: page === null ? null : String(page),
    fate,
    search: search === '' ? null : search,
    from,
    to,
    open: open ? '1' : null,
  }
  for (const [name, value] of Object.entries(given)) if (value !== null) query.set(name, value)
  return query.toString()
}

const depositsApi = client.injectEndpoints({
  endpoints: (build) => ({
    deposits: live(
      build.query<ObservedTransfers, DepositFilter>({
        query: (filter) => ({
          path: `operator/transfers/?${depositQuery(filter)}`,
          fits: conforms((contract) => contract.observedTransfers),
        }),
      }),
    ),
    reviewDeposit: build.mutation<Message, { txid: string; position: number; note: string }>({
      query: ({ txid, position, note }) => ({
        path: `operator/transfers/${txid}/${position}/review/`,
        method: 'POST' as const,
        headers: { 'Idempotency-Key': newIdempotencyKey() },
        body: { note },
        fits: isMessage(),
      }),
      // Refused, somebody was faster.
      invalidatesTags: ['Operator'],
    }),
  }),
})

export const { useDepositsQuery, useReviewDepositMutation } = depositsApi
