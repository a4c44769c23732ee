import { client } from '../../api/client.ts'
import { operatorQuery } from '../shared/calls.ts'

const searchApi = client.injectEndpoints({
  endpoints: (build) => ({
    searchEverywhere: operatorQuery(
      build,
      'searchAnswer',
      (q: string) => `operator/search/?q=${encodeURIComponent(q)}`,
    ),
  }),
})

export const { useSearchEverywhereQuery } = searchApi
