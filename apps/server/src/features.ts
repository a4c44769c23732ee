/** Everything the API serves. */
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { demoRoutes } from './features/demo/demo.routes.ts'
import { genealogyRoutes } from './features/genealogy/genealogy.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { operatorRoutes } from './features/operator/operator.routes.ts'
import { operatorPlanRoutes } from './features/operator/operator-plan.routes.ts'
import { operatorReversalsRoutes } from './features/operator/operator-reversals.routes.ts'
import { operatorRunsRoutes } from './features/operator/operator-runs.routes.ts'
import { paymentsRoutes } from './features/payments/payments.routes.ts'
import { plansRoutes } from './features/plans/plans.routes.ts'
import type { FeatureRoutes } from './http/server.ts'

export const features: readonly FeatureRoutes[] = [
  healthRoutes,
  accountsRoutes,
  genealogyRoutes,
  dashboardRoutes,
  plansRoutes,
  paymentsRoutes,
  operatorRoutes,
  operatorRunsRoutes,
  operatorPlanRoutes,
  operatorReversalsRoutes,
  demoRoutes,
]
