/** The development chain by itself: how fast transfers can be signed, handed over and become solid, with nothing beside them. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  blockReference,
  createNodeClient,
  DEVNET,
  devnetAddress,
  devnetKey,
  encodeRaw,
  encodeTransferCall,
  type NodeClient,
  type SignedTransaction,
  signTransaction,
  type TronAddress,
} from '@aval/tron'
import { z } from 'zod'
import { msSince } from './measures.ts'

export interface Payment {
  readonly to: TronAddress
  /** Micro-USDT. */
  readonly amount: bigint
}

export interface ChainFloor {
  readonly transfers: number
  /** From the first signature until the last transfer is solid. */
  readonly ms: number
  /** Of that, what signing took. */
  readonly signingMs: number
}

/** As the gateway has them. */
const IN_FLIGHT = 8
/** Transfers that refer to the same solid block. */
const A_REFERENCE = 500
const LIFETIME_MS = 600_000
const FEE_LIMIT = 30_000_000n
const LOOK_EVERY_MS = 50
const SOLID_WITHIN_MS = 600_000

const status = z.object({ head: z.number(), solid: z.number(), pending: z.number() })

async function statusOf(url: string): Promise<z.output<typeof status>> {
  return status.parse(await (await fetch(`${url}/dev/status`)).json())
}

/** Waits until nothing waits for a block, and the newest block is solid. */
export async function allSolid(url: string): Promise<void> {
  const begun = performance.now()
  let wanted: number | null = null
  while (msSince(begun) < SOLID_WITHIN_MS) {
    const { head, solid, pending } = await statusOf(url)
    if (wanted === null && pending === 0) wanted = head
    if (wanted !== null && solid >= wanted) return
    await pause(LOOK_EVERY_MS)
  }
  throw new Error('the chain does not get to what waits')
}

interface Place {
  readonly refBlockId: string
  readonly headAt: number
}

async function placeOf(node: NodeClient): Promise<Place> {
  const [head, solid] = await Promise.all([node.headBlock(), node.solidBlock()])
  return { refBlockId: solid.id, headAt: head.timestamp.getTime() }
}

function signed({ to, amount }: Payment, { refBlockId, headAt }: Place): SignedTransaction {
  const raw = encodeRaw({
    ...blockReference(refBlockId),
    expiration: headAt + LIFETIME_MS,
    timestamp: headAt,
    feeLimit: FEE_LIMIT,
    memo: '',
    contract: {
      type: 'TriggerSmartContract',
      owner: devnetAddress('demoWallet'),
      contract: DEVNET.usdt,
      callValue: 0n,
      data: encodeTransferCall(to, amount),
    },
    permissionId: 0,
  })
  return signTransaction(raw, devnetKey('demoWallet'))
}

/** Pays all of them from the demo wallet, and waits until the last is solid. Each differs from the others, or it is one. */
export async function payAll(url: string, payments: readonly Payment[]): Promise<ChainFloor> {
  const node = createNodeClient({ url, timeoutMs: 30_000 })
  const begun = performance.now()
  let signingMs = 0
  let next = 0
  let place = placeOf(node)
  const hand = async () => {
    for (let payment = payments[next]; payment !== undefined; payment = payments[next]) {
      next += 1
      if (next % A_REFERENCE === 0) place = placeOf(node)
      const where = await place
      const signing = performance.now()
      const { hex } = signed(payment, where)
      signingMs += msSince(signing)
      const reply = await node.broadcast(hex)
      if (!reply.accepted) throw new Error(`the chain takes no transfer: ${reply.code} ${reply.message}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, hand))
  await allSolid(url)
  return { transfers: payments.length, ms: msSince(begun), signingMs }
}
