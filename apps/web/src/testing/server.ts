import { vi } from 'vitest'

/** A call as it left the page. */
export interface SentCall {
  method: string
  /** Below `/api/`, with its query. */
  path: string
  key: string | null
  body: unknown
}

type Reply = unknown | ((call: SentCall) => unknown)

/** An answer that is no plain JSON with status 200. */
export const refused = (status: number, code: string, detail: string, errors?: object[]) =>
  Response.json(
    { type: 'about:blank', title: code, status, detail, code, ...(errors && { errors }) },
    { status },
  )

/** The connection breaks after the call has left. */
export const lost = () => {
  throw new TypeError('the network failed')
}

const bodyOf = (body: RequestInit['body']): unknown =>
  typeof body === 'string'
    ? JSON.parse(body)
    : body instanceof FormData
      ? Object.fromEntries(body)
      : undefined

export type FakeServer = ReturnType<typeof fakeServer>

/** A server that answers what a test tells it to, and remembers what it was sent. */
export function fakeServer() {
  const replies = new Map<string, Reply>()
  const sent: SentCall[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = String(url).replace(/^\/api\//, '')
    const call: SentCall = {
      method: init.method ?? 'GET',
      path,
      key: new Headers(init.headers).get('Idempotency-Key'),
      body: bodyOf(init.body),
    }
    sent.push(call)
    const line = `${call.method} ${path}`
    const reply = replies.get(line) ?? replies.get(line.replace(/\?.*$/, ''))
    if (reply === undefined) throw new Error(`nobody answers ${line}`)
    const answer = await (typeof reply === 'function' ? reply(call) : reply)
    return answer instanceof Response ? answer.clone() : Response.json(answer)
  })
  return {
    sent,
    /** @param call `POST operator/rates/`; a query may follow or not */
    on: (call: string, reply: Reply) => void replies.set(call, reply),
    /** Calls of one kind, by the beginning of `METHOD path`. */
    calls: (start: string) => sent.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
  }
}

/** An answer that a test gives when it has seen enough. */
export function held(): { reply: () => Promise<unknown>; give: (answer: unknown) => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  return { reply: () => promise, give: resolve }
}
