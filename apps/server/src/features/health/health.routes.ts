import { z } from 'zod'
import { route, routes } from '../../http/route.ts'
import { findNodeFaults } from './health.queries.ts'

const ok = z.object({ status: z.literal('ok') })
/** It answers, so nothing has to restart it; and a person has to see to a node. Which one, the console says. */
const degraded = z.object({
  status: z.literal('degraded'),
  nodes: z.array(z.enum(['other_network', 'key_refused'])),
})
const probe = { access: 'public', tags: ['health'], response: { 200: ok } } as const

/** For what supervises the process. */
export const healthRoutes = routes({
  checkLive: route({
    ...probe,
    call: 'GET /health/live',
    summary: 'The process runs',
    handler: () => ({ status: 'ok' as const }),
  }),
  checkReady: route({
    ...probe,
    response: { 200: z.union([ok, degraded]) },
    call: 'GET /health/ready',
    summary:
      'The process can serve; `degraded` where it can and a node is of another network or refuses our key',
    handler: async (_input, { db }) => {
      const nodes = await findNodeFaults(db)
      return nodes.length === 0 ? { status: 'ok' as const } : { status: 'degraded' as const, nodes }
    },
  }),
})
