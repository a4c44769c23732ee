import type { Dashboard } from '@aval/contract'
import { client } from '../../api/client.ts'
import { hasFields } from '../../api/shape.ts'

/** Everything that the page reaches into. */
const isDashboard = hasFields('investment_amount', 'total_profit', 'profit_by_kind', 'chart_data', 'recent')

const dashboardApi = client.injectEndpoints({
  endpoints: (build) => ({
    dashboard: build.query<Dashboard, void>({
      query: () => ({ path: 'core/dashboard/', fits: isDashboard }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useDashboardQuery } = dashboardApi
