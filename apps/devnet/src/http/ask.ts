/** Asks a node something, as its HTTP face does and as a test can without any HTTP. */
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

export const JSON_TYPE = 'application/json; charset=utf-8'

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
export async function ask(
  node: ChainNode,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Reply | null> {
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
export async function spoiled(node: ChainNode, path: string, answer: () => Promise<Reply>): Promise<Reply> {
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
  return { status: 200, type: JSON_TYPE, body }
}
