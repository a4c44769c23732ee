/** Asks a node something, as its HTTP face does and as a test can without any HTTP. */
import { z } from 'zod'
import type { View } from '../chain/sight.ts'
import type { Silence } from '../node/faults.ts'
import type { ChainNode } from '../node/node.ts'
import { type Answer, complaintJson, flag, Unanswered } from './answers.ts'
import { FULL_NODE_READS, READS } from './reads.ts'
import { TRIALS, WRITES } from './writes.ts'

/** An answer as it goes over the wire, or none. */
export type Reply =
  | { readonly status: number; readonly type: string; readonly body: string }
  | { readonly silence: Silence }

type Fields = Readonly<Record<string, unknown>>

const anyFields = z.record(z.string(), z.unknown()).catch({})

/** The fields of a query string and of a body, which wins. What is no object has none. */
export function fieldsOf(query: unknown, body: unknown): Fields {
  return { ...anyFields.parse(query), ...anyFields.parse(body) }
}

/** Text that is no JSON is no body: the question is answered as one that lacks every field. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const NODES: Readonly<
  Record<string, { readonly view: View; readonly answers: Readonly<Record<string, Answer>> }>
> = {
  wallet: { view: 'head', answers: { ...READS, ...FULL_NODE_READS, ...TRIALS, ...WRITES } },
  walletsolidity: { view: 'solid', answers: { ...READS, ...TRIALS } },
}

/**
 * What the node says at this path, such as "/wallet/getblock"; null when there is nothing.
 * @param fields of the query string and the body
 */
export async function ask(node: ChainNode, path: string, fields: Fields): Promise<Reply | null> {
  const [, prefix = '', name = '', ...rest] = path.split('/')
  const face = Object.hasOwn(NODES, prefix) ? NODES[prefix] : undefined
  const answer = face !== undefined && Object.hasOwn(face.answers, name) ? face.answers[name] : undefined
  if (face === undefined || answer === undefined || rest.length > 0) return null
  return spoiled(node, path, async () => {
    const visible = flag.safeParse(fields['visible'])
    const nodeView = node.view()
    const question = { fields, visible: visible.data === true, view: face.view, node, sight: nodeView.sight }
    try {
      return json(await answer(question))
    } catch (error) {
      return error instanceof Unanswered ? { silence: error.silence } : json(complaintJson(error))
    } finally {
      nodeView.done()
    }
  })
}

/** The answer, or what the node's faults make of it. */
async function spoiled(node: ChainNode, path: string, answer: () => Promise<Reply>): Promise<Reply> {
  const fault = node.spoil(path)
  if (fault === null) return answer()
  switch (fault.as) {
    case 'error_field':
      return json('{"Error":"class java.lang.NullPointerException : null"}')
    case 'text':
      return { status: 200, type: 'text/plain; charset=utf-8', body: 'upstream request failed' }
    case 'html':
      return { status: 200, type: 'text/html; charset=utf-8', body: MAINTENANCE }
    case 'empty':
      return json('{}')
    case 'http500':
      return { status: 500, type: 'text/plain; charset=utf-8', body: 'Internal Server Error' }
    case 'cut_json': {
      const whole = await answer()
      if ('silence' in whole) return whole
      return { ...whole, body: whole.body.slice(0, Math.max(1, Math.floor(whole.body.length / 2))) }
    }
    case 'hang':
    case 'close':
      return { silence: fault.as }
    default:
      return fault.as satisfies never
  }
}

const MAINTENANCE =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

function json(body: string): Reply {
  return { status: 200, type: 'application/json; charset=utf-8', body }
}

/** The part of `fetch` that clients of a node use. */
export type NodeFetch = (url: string, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` that asks a node of this process, without HTTP: what it answers, and when it does not, is the same. Only the
 * node's own API is there (`/wallet/…`, `/walletsolidity/…`); whatever host is named is this node.
 */
export function nodeFetch(node: ChainNode): NodeFetch {
  return async (url, init) => {
    init?.signal?.throwIfAborted()
    const { pathname, searchParams } = new URL(url)
    const body = typeof init?.body === 'string' ? parseJson(init.body) : null
    const reply = await ask(node, pathname, fieldsOf(Object.fromEntries(searchParams), body))
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
