/** Requests drawn from the server's own description, each with something wrong in it. `FUZZ_RUNS=13000` sends more. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ensureFirstPlan } from '../features/plan-versions/plan-versions.commands.ts'
import { callsIn, type Operation } from '../testing/described-api.ts'
import { accessOf, createTestServer, join } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

/** Of a problem document: its codes. */
interface Schema {
  readonly allOf?: readonly {
    readonly properties?: { readonly code: { readonly enum: readonly string[] } }
  }[]
}

const RUNS = Number(process.env['FUZZ_RUNS'] ?? '1500')

const server = await suiteFixture(createTestServer)
await ensureFirstPlan(server.context.db)
const member = await accessOf(server, await join(server))
const operator = await accessOf(server, await join(server, { isOperator: true }))
const tokens = [member, member, operator, null]
const calls = callsIn((await server.call({ url: '/api/docs/openapi.json' })).body)

/** In the place of a value that belongs there. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    '0',
    '-1',
    1e308,
    '999999999999999999999',
    [],
    {},
    { $gt: '' },
  ),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.string({ minLength: 2000, maxLength: 2100 }),
)
const drawn = fc.record({
  call: fc.nat(),
  token: fc.nat(),
  field: fc.nat(),
  value: junk,
  param: fc.oneof(fc.constantFrom('0', '1', '999999', '%00', 'null', "1'--"), fc.string({ maxLength: 20 })),
  keepsParams: fc.boolean(),
  query: fc.boolean(),
  key: fc.option(fc.string({ minLength: 1, maxLength: 10 })),
})

function mutate(example: unknown, field: number, value: unknown): unknown {
  if (typeof example !== 'object' || example === null) return value
  const names = Object.keys(example)
  const name = names[field % Math.max(1, names.length)]
  return name === undefined ? value : { ...example, [name]: value }
}

/** The codes that the description gives to a status. */
function describedCodes(operation: Operation, status: number): readonly string[] {
  const schema: Schema | undefined =
    operation.responses[status]?.content?.['application/problem+json']?.schema
  return schema?.allOf?.flatMap(({ properties }) => properties?.code.enum ?? []) ?? []
}

it('no mutated request breaks the server, and each refusal is a sentence with a code that is described', async () => {
  const undescribed = new Set<string>()
  const property = fc.asyncProperty(drawn, async (draw) => {
    const call = calls[draw.call % calls.length]
    const token = tokens[draw.token % tokens.length] ?? null
    if (call === undefined || call.path.startsWith('/api/demo/advance')) return
    const { operation, method } = call
    const example = (name: string) => operation.parameters?.find((each) => each.name === name)?.example
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(draw.keepsParams ? String(example(name)) : draw.param),
    )
    const queries = operation.parameters?.filter((each) => each.in === 'query') ?? []
    const query = draw.query ? queries[draw.field % Math.max(1, queries.length)] : undefined
    const search = query === undefined ? '' : `?${query.name}=${encodeURIComponent(draw.param)}`
    const json = operation.requestBody?.content['application/json']
    const answer = await server.call({
      method,
      url: `${path}${search}`,
      headers: {
        accept: 'application/problem+json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(draw.key === null ? {} : { 'idempotency-key': encodeURIComponent(draw.key) }),
      },
      ...(json === undefined
        ? {}
        : { payload: JSON.stringify(mutate(json.example, draw.field, draw.value)) }),
    })
    expect(answer.statusCode, answer.body).toBeLessThan(500)
    if (answer.statusCode < 400) return
    const { detail, code } = answer.json()
    expect(detail).toMatch(/^[A-ZÁÉÍÓÚÑ¿¡«"].+[.!?]$/u)
    if (!describedCodes(operation, answer.statusCode).includes(code))
      undescribed.add(`${method} ${call.path} ${answer.statusCode} ${code}`)
  })
  await fc.assert(property, { numRuns: RUNS, seed: 20261122, endOnFailure: true })
  expect([...undescribed]).toEqual([])
})
