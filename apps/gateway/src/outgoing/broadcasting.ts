/**
 * Hands signed payments to all nodes, again and again, until they are seen in a block. Only bytes whose signature is stored
 * are ever handed over, and what a node replies is noted and settles nothing: accepted ones vanish, refused ones arrive.
 */
import { encodeSigned, type NodeClient, NodeError } from '@aval/tron'
import { nodeName } from '../chain/nodes.ts'
import { readAhead } from '../chain/read-ahead.ts'
import { findSigned, noteBroadcasts, type OpenPayment, type SignedPayment } from './agenda.sql.ts'
import type { PayoutParts } from './parts.ts'

const IN_FLIGHT = 8
/** The most that are handed over in a round. */
const A_ROUND = 200
const REPLY_LENGTH = 300

export interface Broadcasting {
  /** One round for the open payments. While money is `stopped`, what was never handed over is kept back. */
  round(open: readonly OpenPayment[], stopped: boolean, now: Date): Promise<void>
}

export function createBroadcasting(parts: Pick<PayoutParts, 'db' | 'nodes' | 'pace'>): Broadcasting {
  // Only when to do it again: whoever forgets it hands everything over once more.
  let handedOver = new Map<string, number>()
  return {
    async round(open, stopped, now) {
      const signed = open.filter((each) => each.isSigned)
      handedOver = new Map(
        signed.flatMap(({ txid }) => {
          const at = handedOver.get(txid)
          return at === undefined ? [] : [[txid, at] as const]
        }),
      )
      const due = signed.filter(({ txid, isSeen, broadcasts }) => {
        if (isSeen || (stopped && broadcasts === 0)) return false
        const last = handedOver.get(txid)
        return last === undefined || now.getTime() - last >= parts.pace.rebroadcastMs
      })
      const txids = due.slice(0, A_ROUND).map(({ txid }) => txid)
      const payments = await findSigned(parts.db, txids)
      for (const { txid } of payments) handedOver.set(txid, now.getTime())
      await noteBroadcasts(parts.db, await broadcastAll(parts.nodes.able(), payments), now)
    },
  }
}

async function broadcastAll(nodes: readonly NodeClient[], payments: readonly SignedPayment[]) {
  const notes: { txid: string; reply: string }[] = []
  const replies = readAhead(0, payments.length - 1, IN_FLIGHT, async (place) => {
    const payment = payments[place]
    if (payment === undefined) throw new RangeError('no such payment')
    return { txid: payment.txid, reply: await broadcast(nodes, payment) }
  })
  for await (const note of replies) notes.push(note)
  return notes
}

/** What the nodes said, for people. */
async function broadcast(nodes: readonly NodeClient[], payment: SignedPayment): Promise<string> {
  const { raw, signature } = payment
  const hex = Buffer.from(encodeSigned({ raw, signatures: [signature] })).toString('hex')
  const said = await Promise.all(nodes.map(async (node) => `${nodeName(node)}: ${await replyOf(node, hex)}`))
  return said.join('; ').slice(0, REPLY_LENGTH)
}

async function replyOf(node: NodeClient, hex: string): Promise<string> {
  try {
    const reply = await node.broadcast(hex)
    return reply.accepted ? 'SUCCESS' : `${reply.code} ${reply.message}`.trim()
  } catch (error) {
    if (error instanceof NodeError) return error.message
    throw error
  }
}
