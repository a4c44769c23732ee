import type { Dashboard } from '@aval/contract'
import { client } from '../../api/client.ts'

const dashboardApi = client.injectEndpoints({
  endpoints: (build) => ({
    dashboard: build.query<Dashboard, void>({
      query: () => ({ path: 'core/dashboard/' }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useDashboardQuery } = dashboardApi
