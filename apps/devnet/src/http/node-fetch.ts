/** A `fetch` that asks a node of this process, without HTTP: what it answers, and when it does not, is the same. */
import type { ChainNode } from '../node/node.ts'
import { ask } from './ask.ts'
import { isRecord, parseJson } from './fields.ts'

/** The part of `fetch` that clients of a node use. */
export type NodeFetch = (url: string, init?: RequestInit) => Promise<Response>

/** Only the node's own API is there (`/wallet/…`, `/walletsolidity/…`); whatever host is named is this node. */
export function nodeFetch(node: ChainNode): NodeFetch {
  return async (url, init) => {
    init?.signal?.throwIfAborted()
    const { pathname, searchParams } = new URL(url)
    const body = typeof init?.body === 'string' ? parseJson(init.body) : null
    const fields = { ...Object.fromEntries(searchParams), ...(isRecord(body) ? body : {}) }
    const reply = await ask(node, pathname, fields)
    if (reply === null) return new Response('{"error":"there is nothing here"}', { status: 404 })
    if (!('silence' in reply)) {
      return new Response(reply.body, { status: reply.status, headers: { 'content-type': reply.type } })
    }
    if (reply.silence === 'close')
      throw new TypeError('fetch failed', { cause: new Error('other side closed') })
    return untilAborted(init?.signal)
  }
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
