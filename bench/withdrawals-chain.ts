/** The development chain by itself: how fast transfers can be signed, handed over and become solid, with nothing beside them. */
import {
  blockReference,
  createNodeClient,
  DEVNET,
  devnetAddress,
  devnetKey,
  encodeRaw,
  type NodeClient,
  type SignedTransaction,
  signTransaction,
  type TronAddress,
  transferCall,
} from '@aval/tron'
import { z } from 'zod'
import { forEachAtOnce, msSince, until } from './measures.ts'

export interface Payment {
  readonly to: TronAddress
  /** Micro-USDT. */
  readonly amount: bigint
}

/** As the gateway has them. */
const IN_FLIGHT = 8
/** Transfers that refer to the same solid block. */
const A_REFERENCE = 500
const LIFETIME_MS = 600_000
const FEE_LIMIT = 30_000_000n

const status = z.object({ head: z.number(), solid: z.number(), pending: z.number() })

/** Waits until nothing waits for a block, and the newest block is solid. */
export async function allSolid(url: string): Promise<void> {
  let wanted = Number.POSITIVE_INFINITY
  await until('all transfers in the solid chain', { everyMs: 50, withinMs: 600_000 }, async () => {
    const { head, solid, pending } = status.parse(await (await fetch(`${url}/dev/status`)).json())
    if (pending === 0) wanted = Math.min(wanted, head)
    return solid >= wanted
  })
}

async function placeOf(node: NodeClient) {
  const [head, solid] = await Promise.all([node.headBlock(), node.solidBlock()])
  return { refBlockId: solid.id, headAt: head.timestamp.getTime() }
}
type Place = Awaited<ReturnType<typeof placeOf>>

function signed({ to, amount }: Payment, { refBlockId, headAt }: Place): SignedTransaction {
  const raw = encodeRaw({
    ...blockReference(refBlockId),
    expiration: headAt + LIFETIME_MS,
    timestamp: headAt,
    feeLimit: FEE_LIMIT,
    memo: '',
    contract: transferCall(DEVNET.usdt, devnetAddress('demoWallet'), to, amount),
    permissionId: 0,
  })
  return signTransaction(raw, devnetKey('demoWallet'))
}

/** Pays all of them from the demo wallet, and waits until the last is solid. Each differs from the others, or it is one. */
export async function payAll(url: string, payments: readonly Payment[]) {
  const node = createNodeClient({ url, timeoutMs: 30_000 })
  const begun = performance.now()
  let signingMs = 0
  let place = placeOf(node)
  await forEachAtOnce(payments, IN_FLIGHT, async (payment, index) => {
    if (index % A_REFERENCE === A_REFERENCE - 1) place = placeOf(node)
    const where = await place
    const signing = performance.now()
    const { hex } = signed(payment, where)
    signingMs += msSince(signing)
    const reply = await node.broadcast(hex)
    if (!reply.accepted) throw new Error(`the chain takes no transfer: ${reply.code} ${reply.message}`)
  })
  await allSolid(url)
  const ms = msSince(begun)
  return { transfers: payments.length, ms, signingMs, perSecond: (payments.length * 1000) / ms }
}
