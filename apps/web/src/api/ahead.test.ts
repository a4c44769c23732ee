import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askAhead, forgetAhead, takeAhead } from './ahead.ts'

const sent: [url: string, token: string | null][] = []
let answer: () => Response

beforeEach(() => {
  sent.length = 0
  answer = () => Response.json({ id: 1 })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push([url, new Headers(init.headers).get('authorization')])
    return answer()
  })
})
afterEach(() => {
  forgetAhead()
  vi.unstubAllGlobals()
})

const QUESTION = { path: 'auth/user/' }

describe('a question asked ahead', () => {
  it('is answered once, without being asked again', async () => {
    askAhead(['auth/user/'], 'token')
    expect(await takeAhead(QUESTION)).toEqual({ data: { id: 1 } })
    expect(await takeAhead(QUESTION)).toBeNull()
    expect(sent).toEqual([['/api/auth/user/', 'Bearer token']])
  })

  it.each([
    ['another path', { path: 'core/dashboard/' }],
    ['a change', { path: 'auth/user/', method: 'POST' }],
    ['a file', { path: 'auth/user/', reads: 'blob' }],
    ['a question in other words', { path: 'auth/user/', headers: { 'Accept-Language': 'en' } }],
  ] as const)('does not answer %s', async (_what, request) => {
    askAhead(['auth/user/'], null)
    expect(await takeAhead(request)).toBeNull()
  })

  it('says what went wrong, but for a token that was not taken: then it is to be asked again', async () => {
    answer = () => new Response('', { status: 500 })
    askAhead(['auth/user/'], null)
    expect(await takeAhead(QUESTION)).toMatchObject({ error: { status: 500 } })
    answer = () => Response.json({}, { status: 401 })
    askAhead(['auth/user/'], null)
    expect(await takeAhead(QUESTION)).toBeNull()
  })

  it('whose answer has another shape is damaged', async () => {
    askAhead(['auth/user/'], null)
    const request = { ...QUESTION, fits: () => false }
    expect(await takeAhead(request)).toEqual({ error: { status: 'PARSING_ERROR' } })
  })

  it('is forgotten with the session it was asked in, and when nobody came for it', async () => {
    askAhead(['auth/user/'], 'token')
    forgetAhead()
    expect(await takeAhead(QUESTION)).toBeNull()
    askAhead(['auth/user/'], 'token', 0)
    expect(await takeAhead(QUESTION, 30_001)).toBeNull()
  })
})
