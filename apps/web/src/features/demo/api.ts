import type { DemoState } from '@aval/contract'
import { client, OTHER_TAGS, TAGS } from '../../api/client.ts'

/** A day of a whole network is paid before the answer comes. */
const PATIENCE = 180_000

const demoApi = client.injectEndpoints({
  endpoints: (build) => ({
    demo: build.query<DemoState, void>({
      query: () => ({ path: 'demo/' }),
      providesTags: ['Demo'],
    }),
    advanceDay: build.mutation<DemoState, void>({
      query: () => ({ path: 'demo/advance-day/', method: 'POST', body: {}, patience: PATIENCE }),
      invalidatesTags: (answer) => (answer === undefined ? [] : [...TAGS, ...OTHER_TAGS]),
    }),
  }),
})

export const { useDemoQuery, useAdvanceDayMutation } = demoApi
