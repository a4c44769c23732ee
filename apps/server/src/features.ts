/** Everything the API serves. */
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { genealogyRoutes } from './features/genealogy/genealogy.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import type { FeatureRoutes } from './http/server.ts'

export const features: readonly FeatureRoutes[] = [healthRoutes, accountsRoutes, genealogyRoutes]
