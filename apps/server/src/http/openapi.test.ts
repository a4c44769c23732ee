import { readFileSync } from 'node:fs'
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

/** Every schema in a description of an input, under the name of its field. */
function* schemasIn(schema: unknown, name: string): Generator<readonly [string, Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  const own = schema as Schema
  yield [name, own]
  for (const [field, inner] of Object.entries(own.properties ?? {})) yield* schemasIn(inner, field)
  for (const inner of [own.items, own.additionalProperties, ...(own.anyOf ?? []), ...(own.allOf ?? [])])
    yield* schemasIn(inner, name)
}
interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
  readonly [key: string]: unknown
}

const ENDS = ['maxLength', 'pattern', 'enum', 'const', 'format']

describe('what a call takes', () => {
  it('is a text that ends or has a form, in each of its fields', () => {
    const texts = operations.flatMap(([name, { requestBody, parameters = [] }]) => {
      const inputs = [
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => ['body', schema] as const),
        ...parameters.filter((each) => each.in === 'query').map((each) => [each.name, each.schema] as const),
      ]
      return inputs
        .flatMap(([field, schema]) => [...schemasIn(schema, field)])
        .filter(([, schema]) => schema.type === 'string')
        .map(([field, schema]) => ({ name: `${name} ${field}`, ends: ENDS.some((end) => end in schema) }))
    })
    const endless = texts.filter(({ ends }) => !ends).map(({ name }) => name)
    expect(texts.length).toBeGreaterThan(100)
    // Its characters are counted, composed: `newPassword` in the contract.
    expect([...new Set(endless)].filter((each) => !each.endsWith(' password'))).toEqual([])
  })
})

describe('ways in', () => {
  it('are those that are documented, and no others answer tokens', () => {
    const design = readFileSync(new URL('../../../../docs/security/design.md', import.meta.url), 'utf8')
    const answering = operations
      .filter(([, { responses }]) =>
        JSON.stringify(responses['200'] ?? responses['201'] ?? null).includes('"refresh"'),
      )
      .map(([name]) => name)
    const documented = [...design.matchAll(/^\| `(POST [^`]+)` +\| /gm)].map(([, call]) => call)
    expect(answering.length).toBeGreaterThan(3)
    expect(documented.sort()).toEqual(answering.sort())
  })
})
