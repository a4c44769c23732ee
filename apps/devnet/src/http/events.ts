/** The event service, in the shapes of TronGrid's `/v1/…/events`: what tronweb's `event` module asks. */
import { parseAddress, tryAddressFromHex } from '@aval/tron'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { type Json, writeJson } from '../chain/json.ts'
import { type LogEntry, logsOfBlock, logsOfContract, logsOfTransaction } from '../chain/logs.ts'
import { USDT_ABI } from '../contract/usdt.generated.ts'
import { flag, wholeNumber } from './answers.ts'

interface KnownEvent {
  readonly name: string
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly indexed: boolean }[]
}

/** The token's events by first topic; events of other contracts are told without names. */
const EVENTS: ReadonlyMap<string, KnownEvent> = new Map(
  USDT_ABI.flatMap((entry): [string, KnownEvent][] => {
    if (entry.type !== 'event') return []
    const signature = `${entry.name}(${entry.inputs.map((input) => input.type).join(',')})`
    return [[bytesToHex(keccak_256(utf8ToBytes(signature))), { name: entry.name, inputs: entry.inputs }]]
  }),
)

const query = z.object({
  event_name: z.string().max(64).optional(),
  block_number: wholeNumber.optional(),
  only_confirmed: flag.default(false),
  only_unconfirmed: flag.default(false),
  min_block_timestamp: wholeNumber.optional(),
  max_block_timestamp: wholeNumber.optional(),
  order_by: z.enum(['block_timestamp,asc', 'block_timestamp,desc']).default('block_timestamp,desc'),
  limit: wholeNumber.default(20),
  fingerprint: wholeNumber.default(0),
})

/** Adds the event service's routes. */
export function eventRoutes(app: FastifyInstance, chain: Chain): void {
  app.get<{ Params: { address: string } }>('/v1/contracts/:address/events', async (request, reply) => {
    const { address } = request.params
    const contract = parseAddress(address) ?? tryAddressFromHex(address)
    const asked = query.safeParse(request.query)
    if (contract === null || !asked.success) return reply.code(400).send(failure('invalid request'))
    const range = blockRange(chain, asked.data)
    const limit = Math.min(200, Math.max(1, asked.data.limit))
    const offset = asked.data.fingerprint
    const logs = logsOfContract(chain.ledger.store, {
      contract,
      topic0: asked.data.event_name === undefined ? null : topicOf(asked.data.event_name),
      blockFrom: asked.data.block_number ?? range.from,
      blockTo: Math.min(asked.data.block_number ?? range.to, range.to),
      timeFrom: asked.data.min_block_timestamp ?? 0,
      timeTo: asked.data.max_block_timestamp ?? Number.MAX_SAFE_INTEGER,
      ascending: asked.data.order_by.endsWith('asc'),
      limit,
      offset,
    })
    const next = logs.length < limit ? {} : { fingerprint: String(offset + limit) }
    return send(reply, chain, logs, next)
  })

  app.get<{ Params: { txid: string } }>('/v1/transactions/:txid/events', async (request, reply) => {
    const asked = query.safeParse(request.query)
    if (!asked.success) return reply.code(400).send(failure('invalid request'))
    const { from, to } = blockRange(chain, asked.data)
    const logs = logsOfTransaction(chain.ledger.store, request.params.txid.toLowerCase())
    return send(
      reply,
      chain,
      logs.filter((log) => log.block >= from && log.block <= to),
      {},
    )
  })

  app.get<{ Params: { number: string } }>('/v1/blocks/:number/events', async (request, reply) => {
    const asked = query.safeParse(request.query)
    const number = wholeNumber.safeParse(request.params.number)
    const isLatest = request.params.number === 'latest'
    if (!asked.success || !(isLatest || number.success))
      return reply.code(400).send(failure('invalid request'))
    const { from, to } = blockRange(chain, asked.data)
    const block = isLatest ? to : (number.data ?? 0)
    const logs = block >= from && block <= to ? logsOfBlock(chain.ledger.store, block, 200) : []
    return send(reply, chain, logs, {})
  })
}

function blockRange(chain: Chain, asked: z.infer<typeof query>): { from: number; to: number } {
  const solid = chain.solid().number
  return {
    from: asked.only_unconfirmed ? solid + 1 : 0,
    to: asked.only_confirmed ? solid : chain.head().number,
  }
}

function send(
  reply: { header(name: string, value: string): { send(body: string): unknown } },
  chain: Chain,
  logs: readonly LogEntry[],
  meta: { readonly fingerprint?: string },
): unknown {
  const solid = chain.solid().number
  const body = writeJson({
    data: logs.map((log) => eventJson(log, log.block > solid)),
    success: true,
    meta: { at: chain.now(), ...meta, page_size: logs.length },
  })
  return reply.header('content-type', 'application/json').send(body)
}

function failure(error: string): { success: false; error: string; statusCode: number } {
  return { success: false, error, statusCode: 400 }
}

function topicOf(name: string): string {
  for (const [topic, event] of EVENTS) if (event.name === name) return topic
  return ''
}

function eventJson(log: LogEntry, isUnconfirmed: boolean): Json {
  const event = EVENTS.get(log.topics[0] ?? '')
  const common = {
    block_number: log.block,
    block_timestamp: log.timestamp,
    caller_contract_address: log.contract,
    contract_address: log.contract,
    event_index: log.index,
    transaction_id: log.txid,
    ...(isUnconfirmed ? { _unconfirmed: true } : {}),
  }
  if (event === undefined) return { ...common, event_name: '', result: {}, result_type: {}, event: '' }
  return { ...common, event_name: event.name, ...namedFields(event, log) }
}

function namedFields(event: KnownEvent, log: LogEntry): { [key: string]: Json } {
  const result: { [key: string]: Json } = {}
  const types: { [key: string]: Json } = {}
  let topic = 1
  let word = 0
  event.inputs.forEach((input, position) => {
    const raw = input.indexed ? (log.topics[topic++] ?? '') : log.data.slice(64 * word, 64 * ++word)
    const value = input.type === 'address' ? `0x${raw.slice(24)}` : BigInt(`0x${raw || '0'}`).toString()
    result[String(position)] = value
    result[input.name] = value
    types[input.name] = input.type
  })
  const parameters = event.inputs.map(
    (input) => `${input.type}${input.indexed ? ' indexed' : ''} ${input.name}`,
  )
  return { result, result_type: types, event: `${event.name}(${parameters.join(', ')})` }
}
