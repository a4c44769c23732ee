import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Api } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry
  }
}

/** Seconds; the dashboard is to answer within 15 ms. */
const BUCKETS = [0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Counts and times every answer, by route and not by address, so that the number of series stays bounded. */
export function measure(app: Api): void {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  app.decorate('metrics', registry)
  app.addHook('onReady', async () => collectDefaultMetrics({ register: registry }))
  app.addHook('onClose', async () => registry.clear())
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}
