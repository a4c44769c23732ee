import type { Reserves } from '@aval/contract'
import { client } from '../../api/client.ts'
import { isAmount, isNumber, isText, listOf, shaped } from '../../api/shape.ts'

const isReserves = shaped({
  verdict: isText,
  custody: isAmount,
  in_flight: isAmount,
  wallets: listOf(shaped({ role: isText, amount: isAmount })),
  owed: shaped({ principal: isAmount, balances: isAmount, held: isAmount, due: isAmount, total: isAmount }),
  coverage: (value) => value === null || isNumber(value),
})

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    // What a member does changes what is owed, and with it what the next comparison says.
    reserves: build.query<Reserves, void>({
      query: () => ({ path: 'reserves/', fits: isReserves }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useReservesQuery } = reservesApi
