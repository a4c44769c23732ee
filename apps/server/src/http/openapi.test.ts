import { fileURLToPath } from 'node:url'
import { REFUSALS } from '@aval/contract'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { callsIn, describeApi } from '../testing/described-api.ts'

const text = await describeApi()
const operations = callsIn(text).map(
  ({ method, path, operation }) => [`${method} ${path}`, operation] as const,
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
