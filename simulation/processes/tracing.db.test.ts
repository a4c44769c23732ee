/** A withdrawal of a running product is one trace, from the member's press to the block and the mail; and nothing in it says whose it is. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../../tools/testing/until.ts'
import { type Member, newMember } from './people.ts'
import { approve, newRequest, sendUntilAnswered, stateOf, transfersOf } from './request.ts'
import { type Fixture, openFixture } from './withdrawals.ts'

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
  }),
})
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(attribute).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
})

interface Span {
  readonly service: string
  readonly name: string
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const textOf = ({ value }: z.output<typeof attribute>) => value.stringValue ?? value.intValue ?? value
const namesOf = (attributes: readonly z.output<typeof attribute>[]) =>
  Object.fromEntries(attributes.map((each) => [each.key, textOf(each)]))

const spans: Span[] = []
/** As they arrived. */
const bodies: string[] = []
const keys = new Set<string | undefined>()
let collector: Server
let fixture: Fixture
let member: Member
let txid: string

function take(body: string): void {
  bodies.push(body)
  for (const { resource, scopeSpans } of exported.parse(JSON.parse(body)).resourceSpans) {
    const service = String(namesOf(resource.attributes)['service.name'])
    for (const { traceId, spanId, parentSpanId = '', name, attributes } of scopeSpans.flatMap(
      (each) => each.spans,
    ))
      spans.push({
        service,
        name,
        trace: traceId,
        id: spanId,
        parent: parentSpanId,
        attributes: namesOf(attributes),
      })
  }
}

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    keys.add(request.headers['x-key']?.toString())
    if (request.url === '/v1/traces') take(Buffer.concat(parts).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as { port: number }
  fixture = await openFixture({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=planted%20key',
  })
  const { product, operator } = fixture
  member = await newMember(product, 'rastreada')
  const id = await sendUntilAnswered(await newRequest(product, member, '20.25'))
  await approve(product, operator, id)
  await until('its completion', async () => (await stateOf(product, id)) === 'completed')
  txid = (await transfersOf(product, id))[0]?.txid ?? ''
  await until('the mail about it', async () => {
    const sent = await product.query("SELECT FROM mail_message WHERE event = $1 AND state = 'sent'", [
      `withdrawal:${id}:completed`,
    ])
    return sent.length > 0
  })
  // What is left is sent when a process ends.
  await product.stop()
})
afterAll(async () => {
  collector?.close()
  await fixture?.product.remove()
})

it('goes from the press through the API, the gateway and the worker to the mail', () => {
  const press = spans.find(({ name }) => name === 'POST /api/withdrawals/withdrawals/')
  const trace = spans.filter((each) => each.trace === press?.trace)
  const seen = trace.map(({ service, name }) => `${service}: ${name}`)
  expect(new Set(seen)).toEqual(
    new Set([
      'aval-api: POST /api/withdrawals/withdrawals/',
      'aval-gateway: outgoing.prepare',
      'aval-gateway: outgoing.sign',
      'aval-gateway: outgoing.broadcast',
      'aval-gateway: outgoing.settle',
      'aval-worker: job outgoing_transfers.settle',
      'aval-worker: job mail.send',
    ]),
  )
  const of = (name: string) => trace.find((each) => each.name === name)
  for (const name of ['outgoing.prepare', 'outgoing.sign', 'outgoing.broadcast', 'outgoing.settle'])
    expect(of(name), name).toMatchObject({ parent: press?.id, attributes: { 'aval.txid': txid } })
  expect(of('outgoing.sign')?.attributes['aval.signer']).toBe('signed')
  expect(Number(of('outgoing.settle')?.attributes['aval.block'])).toBeGreaterThan(0)
  const mails = trace.filter(({ name }) => name === 'job mail.send').map(({ parent }) => parent)
  expect(mails).toEqual(expect.arrayContaining([press?.id, of('job outgoing_transfers.settle')?.id]))
})

it('a deposit is credited in the trace in which its block was read', () => {
  const credited = spans.filter(({ name }) => name === 'job deposits.credit')
  expect(credited.length).toBeGreaterThan(0)
  for (const { trace } of credited)
    expect(spans).toContainEqual(
      expect.objectContaining({ trace, service: 'aval-gateway', name: 'ingest.record' }),
    )
})

it('a job of the clock begins a trace of its own', () => {
  expect(spans).toContainEqual(expect.objectContaining({ name: 'job reserves.check', parent: '' }))
})

it('has the collector’s key, and nobody’s name, address, amount, code or token', () => {
  expect([...keys]).toEqual(['planted key'])
  const text = bodies.join('\n')
  const secrets = [
    member.email,
    'rastreada',
    member.wallet,
    '20.25',
    '20250000',
    'Bearer',
    'eyJ',
    'postgres://',
    'planted',
  ]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(new Set(spans.map(({ service }) => service))).toEqual(
    new Set(['aval-api', 'aval-worker', 'aval-gateway']),
  )
})
