import type { Reserves } from '@aval/contract'
import { client } from '../../api/client.ts'

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    // What a member does changes what is owed, and with it what the next comparison says.
    reserves: build.query<Reserves, void>({
      query: () => ({ path: 'reserves/' }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useReservesQuery } = reservesApi
