import { fileURLToPath } from 'node:url'
import { REFUSALS } from '@aval/contract'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import type { Context } from '../core/context.ts'
import { features, parts } from '../features.ts'
import { testConfig } from '../testing/server.ts'
import { buildServer } from './server.ts'

interface Operation {
  operationId: string
  summary: string
  security: object[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content?: Record<string, { example?: unknown; schema: object }> }>
}

async function describedText(): Promise<string> {
  const api = await buildServer(
    { config: testConfig('postgres://nobody@127.0.0.1:1/none') } as Context,
    features,
    parts,
  )
  const { body } = await api.inject({ url: '/api/docs/openapi.json' })
  await api.close()
  return body
}

const text = await describedText()
const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(text)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
)

describe('the description of the API', () => {
  it('passes redocly lint', async () => {
    const config = await loadConfig({
      configPath: fileURLToPath(new URL('../../redocly.yaml', import.meta.url)),
    })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const told = problems.map(
      ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`,
    )
    expect(told).toEqual([])
  })

  it('gives every operation an id of its own', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([])
    expect(operations.length).toBeGreaterThan(70)
  })

  it.each(operations)('%s has a summary, examples, and its errors in both forms', (_name, operation) => {
    expect(operation.summary).toMatch(/\w{3}/)
    for (const content of Object.values(operation.requestBody?.content ?? {}))
      expect(content).toHaveProperty('example')
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    expect(errors.length).toBeGreaterThan(1)
    for (const [status, { content }] of errors) {
      expect(content?.['application/json']?.example).toEqual(expect.stringMatching(/^[A-Z].+\.$/))
      const example = content?.['application/problem+json']?.example as {
        status: number
        code: keyof typeof REFUSALS
      }
      expect(REFUSALS[example.code]).toBe(Number(status))
    }
    if (operation.security.length > 0) expect(Object.keys(operation.responses)).toContain('401')
  })
})
