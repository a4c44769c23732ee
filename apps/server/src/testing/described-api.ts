import type { Context } from '../core/context.ts'
import { features, parts } from '../features.ts'
import { buildServer } from '../http/server.ts'
import { testConfig } from './server.ts'

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly parameters?: readonly { name: string; in: string; schema?: object; example?: unknown }[]
  readonly requestBody?: { content: Record<string, { example?: unknown; schema?: object }> }
  readonly responses: Record<string, { content?: Record<string, { example?: unknown; schema: object }> }>
}

export interface DescribedCall {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly operation: Operation
}

/** The description of the whole API, as the server gives it; no database is needed. */
export async function describeApi(): Promise<string> {
  const config = testConfig('postgres://nobody@127.0.0.1:1/none')
  const api = await buildServer({ config } as Context, features, parts)
  const { body } = await api.inject({ url: '/api/docs/openapi.json' })
  await api.close()
  return body
}

/** Every call in a description, so that a new one is tested from its first day. */
export function callsIn(description: string): DescribedCall[] {
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(description)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as DescribedCall['method'],
      path,
      operation,
    })),
  )
}
