import type { Dashboard } from '@aval/contract'
import { client } from '../../api/client.ts'
import { isAmount, isNumber, isText, listOf, shaped } from '../../api/shape.ts'

const isDashboard = shaped({
  investment_amount: isNumber,
  total_profit: isNumber,
  daily_payment: isNumber,
  daily_percentage: isNumber,
  days_profit: isNumber,
  investment_progress: isNumber,
  direct_users: isNumber,
  indirect_users: isNumber,
  holdings: shaped({
    total: isAmount,
    available: isAmount,
    invested: isAmount,
    held: isAmount,
    pending: isAmount,
  }),
  awaiting_funding: isNumber,
  in_review: isNumber,
  pending_investments: isNumber,
  term_days: isNumber,
  elapsed_days: isNumber,
  profit_by_kind: shaped({ passive: isNumber, direct: isNumber, binary: isNumber }),
  chart_data: shaped({ labels: listOf(isText), series: listOf(isNumber) }),
  locked: shaped({
    count: isNumber,
    parts: listOf(shaped({ unlocks_at: isText, invested_at: isText, amount: isAmount })),
    amount: isAmount,
  }),
  recent: listOf(shaped({ kind: isText, date: isText, amount: isAmount })),
})

const dashboardApi = client.injectEndpoints({
  endpoints: (build) => ({
    dashboard: build.query<Dashboard, void>({
      query: () => ({ path: 'core/dashboard/', fits: isDashboard }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useDashboardQuery } = dashboardApi
