import type { DemoState } from '@aval/contract'
import { client } from './client.ts'

const timeApi = client.injectEndpoints({
  endpoints: (build) => ({
    businessTime: build.query<DemoState, void>({
      query: () => ({ path: 'demo/' }),
      providesTags: ['Demo'],
    }),
  }),
})

/**
 * The instant that payments are dated by, which runs ahead of the browser's in the demo; undefined until it is known. The browser's own
 * where the server gives none.
 */
export function useBusinessTime(): Date | undefined {
  const { data, isError } = timeApi.useBusinessTimeQuery()
  if (data !== undefined) return new Date(data.now)
  return isError ? new Date() : undefined
}
