import { reserves } from '@aval/contract'
import type { FeatureRoutes } from '../../http/api.ts'
import { measureFigures } from '../../http/metrics.ts'
import { route, routes } from '../../http/route.ts'
import { presentReserves, presentWatched, WATCHED } from './reserves.presenter.ts'
import { readReserves, readWatched } from './reserves.queries.ts'

export const reservesRoutes = routes(
  route({
    method: 'GET',
    path: '/reserves/',
    operationId: 'readReserves',
    summary: 'The last comparison of the chain with the books, and what it covers',
    tags: ['reserves'],
    access: 'member',
    response: { 200: reserves },
    handler: async (_input, { config, db }) => presentReserves(config, await readReserves(db)),
  }),
)

/** The reserves among the metrics. */
export const reservesMetrics: FeatureRoutes = (api, { db }) => {
  measureFigures(api, WATCHED, async () => presentWatched(await readWatched(db)))
}
