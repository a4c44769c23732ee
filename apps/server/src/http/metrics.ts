import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Api } from './api.ts'
import { bareHeaders } from './policy.ts'

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
    // How long a client keeps an open answer says nothing of the server.
    if (request.routeOptions.config.route?.staysOpen) return
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

/**
 * Answers `GET /metrics` on this machine alone, apart from what the internet reaches: the figures say what the company has
 * and owes, and one answer is a few hundred kilobytes.
 * @param port 0: any that is free
 */
export async function serveMetrics({ metrics }: Api, port: number) {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(bareHeaders(''))) response.setHeader(name, value)
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    return metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Figures by name; of one with a label, by the label's values. One that is not known is left out. */
export type Figures = Readonly<Record<string, number | Readonly<Record<string, number>> | null>>

/**
 * Figures that are looked up together, once, whenever the metrics are read. While they cannot be looked up they are absent:
 * an old figure would look like a quiet one.
 */
export function measureFigures(
  app: Api,
  figures: readonly { readonly name: string; readonly help: string; readonly label?: string }[],
  read: () => Promise<Figures>,
): void {
  let reading: Promise<Figures> | null = null
  const once = () => {
    reading ??= read()
      .catch(() => ({}))
      .finally(() => {
        reading = null
      })
    return reading
  }
  for (const { name, help, label } of figures) {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [app.metrics],
      async collect() {
        const figure = (await once())[name] ?? null
        if (label === undefined) this.remove()
        else this.reset()
        if (typeof figure === 'number') this.set(figure)
        else for (const [value, its] of Object.entries(figure ?? {})) this.set({ [label ?? '']: value }, its)
      },
    })
  }
}

/** One figure by state. */
export function measureStates(
  app: Api,
  { name, help }: { readonly name: string; readonly help: string },
  read: () => Promise<Readonly<Record<string, number>>>,
): void {
  measureFigures(app, [{ name, help, label: 'state' }], async () => ({ [name]: await read() }))
}
