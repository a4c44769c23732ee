/** The development calls: mining, the clock, money for nothing, faults of the chain and of this node. Errors are 400 or 409 with a sentence. */
import { DEVNET, DEVNET_ROLES } from '@aval/tron'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { ailments } from '../chain/conditions.ts'
import { DevRefusal, type DevWallet, KeyReused } from '../chain/dev-wallet.ts'
import { FAULTS, runFault, UnknownFault } from '../chain/faults.ts'
import { addressText as address, positiveAmountText as amount, plainUnits } from '../chain/fields.ts'
import { type FaultKind, NODE_FAULTS } from '../node/faults.ts'
import type { ChainNode } from '../node/node.ts'

/** A hundred years: beyond it a date is a typing error. */
const MAX_OFFSET_MS = 100 * 365 * 86_400_000

const role = z.enum(DEVNET_ROLES)
const key = z.string().min(1).max(200)

const mineBody = z.strictObject({
  blocks: z.int().min(0).max(100_000).optional(),
  solidify: z.boolean().default(false),
})
const clockBody = z.strictObject({
  offset_ms: z.int().min(-MAX_OFFSET_MS).max(MAX_OFFSET_MS),
  rewind: z.boolean().default(false),
})
const faucetBody = z.strictObject({ address, usdt: amount.optional(), trx: amount.optional() })
const payBody = z.strictObject({ to: address, amount, from: role.default('demoWallet'), key: key.optional() })
const faultBody = z.looseObject({ kind: z.string() })
const clearBody = z.strictObject({ clear: z.literal(true) })
const offBody = z.strictObject({ kind: z.string(), off: z.literal(true) })

export function devRoutes(app: FastifyInstance, node: ChainNode, wallet: DevWallet, blockMs: number): void {
  const { chain } = node
  app.get('/dev/status', async () => status(chain, blockMs))

  app.post('/dev/mine', async (request) => {
    const { blocks, solidify } = mineBody.parse(request.body ?? {})
    await chain.mine((blocks ?? (solidify ? 0 : 1)) + (solidify ? solidifyCount(chain) : 0))
    return status(chain, blockMs)
  })

  app.post('/dev/clock', async (request, reply) => {
    const { offset_ms, rewind } = clockBody.parse(request.body)
    const before = chain.offsetMs
    chain.setOffset(offset_ms)
    if (rewind && !(await chain.rewind())) {
      chain.setOffset(before)
      return reply.code(409).send({ error: 'the chain has transactions: it can only go forward' })
    }
    return status(chain, blockMs)
  })

  app.post('/dev/faucet', async (request, reply) => {
    const asked = faucetBody.parse(request.body)
    if (asked.trx === undefined && asked.usdt === undefined) {
      return reply.code(400).send({ error: 'usdt or trx is needed' })
    }
    const txids: string[] = []
    if (asked.trx !== undefined) {
      const transfer = { type: 'TransferContract', to: asked.address, amount: asked.trx } as const
      txids.push(await wallet.send('faucet', transfer))
    }
    if (asked.usdt !== undefined) txids.push(await wallet.pay('demoWallet', asked.address, asked.usdt))
    return { txid: txids.at(-1), txids }
  })

  app.post('/dev/pay', async (request) => {
    const asked = payBody.parse(request.body)
    const header = request.headers['idempotency-key']
    const once = asked.key ?? (typeof header === 'string' ? key.parse(header) : undefined)
    return { txid: await wallet.pay(asked.from, asked.to, asked.amount, once) }
  })

  app.get('/dev/fault', async () => listOf(FAULTS))

  app.post('/dev/fault', async (request) => {
    const asked = faultBody.parse(request.body)
    return runFault(asked.kind, asked, wallet)
  })

  app.get('/dev/node-fault', async () => ({ on: faultsOn(node), faults: listOf(NODE_FAULTS) }))

  app.post('/dev/node-fault', async (request) => {
    if (clearBody.safeParse(request.body).success) {
      node.clear()
      return { on: faultsOn(node) }
    }
    const { kind } = faultBody.parse(request.body)
    if (!isKind(kind)) throw new UnknownFault(Object.keys(NODE_FAULTS))
    if (!offBody.safeParse(request.body).success) return { ...node.fault(request.body), on: faultsOn(node) }
    node.clear(kind)
    return { on: faultsOn(node) }
  })
}

const isKind = (kind: string): kind is FaultKind => Object.hasOwn(NODE_FAULTS, kind)

const listOf = (faults: Readonly<Record<string, { readonly about: string; readonly takes: string }>>) =>
  Object.entries(faults).map(([kind, { about, takes }]) => ({ kind, about, takes }))

/** Those of a node that are on; `left` is for how many answers more. */
function faultsOn(node: ChainNode): object[] {
  return node.faults.list().map(({ fault, fork, phantom, left }) => ({
    ...Object.fromEntries(Object.entries(fault).map(([key, value]) => [key, plain(value)])),
    ...(fork === null ? {} : { from: fork.from }),
    ...(phantom === null ? {} : { txid: phantom.txid, block: phantom.block }),
    ...(left === null ? {} : { left }),
  }))
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? plainUnits(value) : value)

/** The HTTP status and sentence for an error of a development call; null when it is none of theirs. */
export function devError(error: unknown): { status: number; error: string } | null {
  if (error instanceof DevRefusal) return { status: 409, error: `${error.refusal.code}: ${error.message}` }
  if (error instanceof UnknownFault) return { status: 400, error: error.message }
  if (error instanceof KeyReused) return { status: 409, error: error.message }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return { status: 400, error: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() }
  }
  return null
}

/** How many blocks make what is the head now solid. */
function solidifyCount(chain: Chain): number {
  return chain.ledger.pendingCount() > 0 ? chain.solidLag + 1 : chain.solidLag
}

function status(chain: Chain, blockMs: number): object {
  const head = chain.head()
  return {
    head: head.number,
    solid: chain.solid().number,
    head_time: new Date(head.timestamp).toISOString(),
    time: new Date(chain.now()).toISOString(),
    offset_ms: chain.offsetMs,
    usdt: DEVNET.usdt,
    chain: DEVNET.chain,
    genesis: chain.ledger.block(0)?.id,
    pending: chain.ledger.pendingCount(),
    faults: ailments(chain.conditions),
    block_ms: blockMs,
    solid_lag: chain.solidLag,
  }
}
