import type { Context } from '../core/context.ts'
import { features, parts } from '../features.ts'
import type { FeatureRoutes } from '../http/api.ts'
import type { Described } from '../http/route.ts'
import { buildServer } from '../http/server.ts'
import { testConfig } from './server.ts'

/** Every route as it declares itself, hidden ones too. */
export async function declaredRoutes(): Promise<Described[]> {
  const found: Described[] = []
  const listening: FeatureRoutes[] = features.map((feature) => (api, context) => {
    api.addHook('onRoute', ({ method, config }) => {
      if (config?.route !== undefined && method !== 'HEAD') found.push(config.route)
    })
    return feature(api, context)
  })
  const config = testConfig('postgres://nobody@127.0.0.1:1/none')
  const api = await buildServer({ config } as Context, listening, parts)
  await api.ready()
  await api.close()
  return found
}
