/**
 * Sends signed transfers to all nodes, repeatedly, until they are seen in a block. Only bytes with a stored signature are
 * sent. A node's reply is noted and settles nothing: accepted transfers vanish, and refused ones arrive.
 */
import { encodeSigned, type NodeClient, NodeError } from '@aval/tron'
import { nodeName } from '../chain/nodes.ts'
import { mapInOrder } from '../core/in-order.ts'
import type { OutgoingContext } from './context.ts'
import { findSigned, noteBroadcasts, type OpenTransfer, type SignedTransfer } from './outgoing.sql.ts'

const IN_FLIGHT = 8
/** The most that are sent in a round. */
const ROUND_LIMIT = 200
const REPLY_LENGTH = 300

/** One round for the open transfers. While money out is `stopped`, what was never sent stays unsent. */
export type Broadcast = (open: readonly OpenTransfer[], stopped: boolean, now: Date) => Promise<void>

export function createBroadcast({
  db,
  nodes,
  retry,
}: Pick<OutgoingContext, 'db' | 'nodes' | 'retry'>): Broadcast {
  // Only when to repeat: after a restart everything is sent once more.
  let sentAt = new Map<string, number>()
  return async (open, stopped, now) => {
    const signed = open.filter((each) => each.isSigned)
    sentAt = new Map(
      signed.flatMap(({ txid }) => {
        const at = sentAt.get(txid)
        return at === undefined ? [] : [[txid, at] as const]
      }),
    )
    const due = signed.filter(({ txid, isSeen, broadcasts }) => {
      if (isSeen || (stopped && broadcasts === 0)) return false
      const last = sentAt.get(txid)
      return last === undefined || now.getTime() - last >= retry.rebroadcastMs
    })
    const txids = due.slice(0, ROUND_LIMIT).map(({ txid }) => txid)
    const transfers = await findSigned(db, txids)
    for (const { txid } of transfers) sentAt.set(txid, now.getTime())
    await noteBroadcasts(db, await broadcastAll(nodes.available(), transfers), now)
  }
}

async function broadcastAll(nodes: readonly NodeClient[], transfers: readonly SignedTransfer[]) {
  const notes: { txid: string; reply: string }[] = []
  const replies = mapInOrder(transfers, IN_FLIGHT, async (transfer) => ({
    txid: transfer.txid,
    reply: await broadcastOne(nodes, transfer),
  }))
  for await (const note of replies) notes.push(note)
  return notes
}

/** The nodes' replies, for operators. */
async function broadcastOne(
  nodes: readonly NodeClient[],
  { raw, signature }: SignedTransfer,
): Promise<string> {
  const hex = Buffer.from(encodeSigned({ raw, signatures: [signature] })).toString('hex')
  const replies = await Promise.all(
    nodes.map(async (node) => `${nodeName(node)}: ${await replyOf(node, hex)}`),
  )
  return replies.join('; ').slice(0, REPLY_LENGTH)
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
