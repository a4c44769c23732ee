/** The event service, in the shapes of TronGrid's `/v1/…/events`: what tronweb's `event` module asks. */
import { parseAddress, type TronAddress, tryAddressFromHex } from '@aval/tron'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { type Json, writeJson } from '../chain/json.ts'
import { type LogEntry, logsIn, logsOfContract } from '../chain/logs.ts'
import type { Sight } from '../chain/sight.ts'
import { USDT_ABI } from '../contract/usdt.generated.ts'
import type { ChainNode } from '../node/node.ts'
import { flag, wholeNumber } from './answers.ts'
import { JSON_TYPE, spoiled } from './ask.ts'
import { sendReply } from './send-reply.ts'

interface KnownEvent {
  readonly name: string
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly indexed: boolean }[]
}

/** The token's events by first topic; events of other contracts have no names. */
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
export function eventRoutes(app: FastifyInstance, node: ChainNode): void {
  app.get<{ Params: { address: string } }>('/v1/contracts/:address/events', async (request, reply) => {
    const { address } = request.params
    const contract = parseAddress(address) ?? tryAddressFromHex(address)
    const asked = query.safeParse(request.query)
    if (contract === null || !asked.success) return reply.code(400).send(failure('invalid request'))
    const limit = Math.min(200, Math.max(1, asked.data.limit))
    return answer(node, request, reply, (sight) => {
      const logs = ofContract(node.chain, sight, contract, asked.data, limit)
      const next = logs.length < limit ? {} : { fingerprint: String(asked.data.fingerprint + limit) }
      return { logs: logs.flatMap((log) => asSeen(sight, log)), meta: next }
    })
  })

  app.get<{ Params: { txid: string } }>('/v1/transactions/:txid/events', async (request, reply) => {
    const asked = query.safeParse(request.query)
    if (!asked.success) return reply.code(400).send(failure('invalid request'))
    return answer(node, request, reply, (sight) => {
      const { from, to } = blockRange(sight, asked.data)
      const transaction = sight.transaction(request.params.txid.toLowerCase())
      const logs = transaction === null ? [] : logsIn(transaction)
      return { logs: logs.filter((log) => log.block >= from && log.block <= to), meta: {} }
    })
  })

  app.get<{ Params: { number: string } }>('/v1/blocks/:number/events', async (request, reply) => {
    const asked = query.safeParse(request.query)
    const number = wholeNumber.safeParse(request.params.number)
    const isLatest = request.params.number === 'latest'
    if (!asked.success || !(isLatest || number.success))
      return reply.code(400).send(failure('invalid request'))
    return answer(node, request, reply, (sight) => {
      const { from, to } = blockRange(sight, asked.data)
      const block = isLatest ? to : (number.data ?? 0)
      const isThere = block >= from && block <= to
      return { logs: isThere ? sight.transactionsOf(block).flatMap(logsIn).slice(0, 200) : [], meta: {} }
    })
  })
}

type Asked = z.infer<typeof query>

interface Found {
  readonly logs: readonly LogEntry[]
  readonly meta: { readonly fingerprint?: string }
}

function answer(
  node: ChainNode,
  request: FastifyRequest,
  reply: FastifyReply,
  find: (sight: Sight) => Found,
): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?', 1)
  return spoiled(node, path, async () => {
    const { sight, done } = node.view()
    const { logs, meta } = find(sight)
    done()
    const body = writeJson({
      data: logs.map((log) => eventJson(log, log.block > sight.solid.number)),
      success: true,
      meta: { at: node.chain.now(), ...meta, page_size: logs.length },
    })
    return { status: 200, type: JSON_TYPE, body }
  }).then((said) => sendReply(reply, said))
}

function blockRange(sight: Sight, asked: Asked): { from: number; to: number } {
  return {
    from: asked.only_unconfirmed ? sight.solid.number + 1 : 0,
    to: asked.only_confirmed ? sight.solid.number : sight.head.number,
  }
}

function ofContract(
  chain: Chain,
  sight: Sight,
  contract: TronAddress,
  asked: Asked,
  limit: number,
): readonly LogEntry[] {
  const range = blockRange(sight, asked)
  return logsOfContract(chain.ledger.store, {
    contract,
    topic0: asked.event_name === undefined ? null : topicOf(asked.event_name),
    blockFrom: asked.block_number ?? range.from,
    blockTo: Math.min(asked.block_number ?? range.to, range.to),
    timeFrom: asked.min_block_timestamp ?? 0,
    timeTo: asked.max_block_timestamp ?? Number.MAX_SAFE_INTEGER,
    ascending: asked.order_by.endsWith('asc'),
    limit,
    offset: asked.fingerprint,
  })
}

/** A stored log as this sight has it: in another block, without it, or as it is. */
function asSeen(sight: Sight, log: LogEntry): LogEntry[] {
  const transaction = sight.transaction(log.txid)
  return transaction === null ? [] : logsIn(transaction).filter((each) => each.index === log.index)
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
