import { afterEach, describe, expect, it, vi } from 'vitest'
import { http } from './http.ts'

const answers = (response: Response) => vi.stubGlobal('fetch', async () => response)

afterEach(() => vi.unstubAllGlobals())

describe('http', () => {
  it('reads JSON', async () => {
    answers(Response.json({ count: 1 }))
    expect(await http({ path: 'x/' }, null)).toEqual({ data: { count: 1 } })
  })

  it('carries the access token where there is one, and the language', async () => {
    const headers: unknown[] = []
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      headers.push(init.headers)
      return Response.json({})
    })
    await http({ path: 'x/' }, 'a1')
    await http({ path: 'x/' }, null)
    expect(headers[0]).toMatchObject({ Authorization: 'Bearer a1', 'Accept-Language': 'es' })
    expect(headers[1]).not.toHaveProperty('Authorization')
  })

  it('says that an answer took too long', async () => {
    vi.stubGlobal(
      'fetch',
      (_url: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')))
        }),
    )
    expect(await http({ path: 'x/', patience: 5 }, null)).toEqual({ error: { status: 'TIMEOUT_ERROR' } })
  })

  it('knows an answer that is no JSON', async () => {
    answers(new Response('<html>'))
    expect(await http({ path: 'x/' }, null)).toEqual({ error: { status: 'PARSING_ERROR' } })
  })

  it.each([
    ['nothing', new Response('')],
    ['another shape', Response.json({ rows: 1 })],
  ])('knows an answer with %s where a shape was promised', async (_name, response) => {
    answers(response)
    const fits = (body: unknown) => Array.isArray(body)
    expect(await http({ path: 'x/', fits }, null)).toEqual({ error: { status: 'PARSING_ERROR' } })
  })

  it('takes no content for an answer where none was promised', async () => {
    answers(new Response(null, { status: 204 }))
    expect(await http({ path: 'x/', method: 'POST' }, null)).toEqual({ data: null })
  })

  it('knows a failure without a body, and with a damaged one, by its status', async () => {
    answers(new Response('', { status: 500 }))
    expect(await http({ path: 'x/' }, null)).toEqual({ error: { status: 500 } })
    answers(new Response('<h1>Bad gateway', { status: 502 }))
    expect(await http({ path: 'x/' }, null)).toEqual({ error: { status: 502 } })
  })

  it('hands over a file byte for byte, with the mark that spreadsheets look for', async () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61])
    answers(new Response(bytes))
    const answer = await http<Blob>({ path: 'x/', reads: 'blob' }, null)
    const got = 'data' in answer ? new Uint8Array(await answer.data.arrayBuffer()) : null
    expect(got).toEqual(bytes)
  })

  it('reads a refusal as JSON even where a file was wanted', async () => {
    answers(Response.json({ detail: 'No' }, { status: 400 }))
    expect(await http({ path: 'x/', reads: 'blob' }, null)).toEqual({ error: { status: 400, detail: 'No' } })
  })

  it('says that nobody answered', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await http({ path: 'x/' }, null)).toEqual({ error: { status: 'FETCH_ERROR' } })
  })
})

describe('a read that came too soon after others', () => {
  const refusals = (times: number, retryAfter: string, then: Response) => {
    const sent: string[] = []
    vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
      sent.push(method ?? '')
      const wait = { status: 429, headers: { 'retry-after': retryAfter } }
      return sent.length > times ? then : Response.json('Wait.', wait)
    })
    return sent
  }
  const asked = async (request: Parameters<typeof http>[0]) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const answer = http(request, 'a1')
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    return answer
  }

  it('waits as long as it is told, and asks again', async () => {
    const sent = refusals(2, '1', Response.json({ count: 1 }))
    expect(await asked({ path: 'x/' })).toEqual({ data: { count: 1 } })
    expect(sent).toHaveLength(3)
  })

  it('is told at last', async () => {
    const sent = refusals(99, '1', Response.json({}))
    expect(await asked({ path: 'x/' })).toEqual({ error: { status: 429, detail: 'Wait.' } })
    expect(sent).toHaveLength(4)
  })

  it.each([
    ['a wait of a minute', { path: 'x/' }, '60'],
    ['no word of when', { path: 'x/' }, ''],
    ['what changes something', { path: 'x/', method: 'POST' as const }, '1'],
  ])('is not asked again for %s', async (_what, request, retryAfter) => {
    const sent = refusals(1, retryAfter, Response.json({}))
    expect(await asked(request)).toMatchObject({ error: { status: 429 } })
    expect(sent).toHaveLength(1)
  })
})
