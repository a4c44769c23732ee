import { afterEach, describe, expect, it, vi } from 'vitest'
import { signIn } from './api.ts'

vi.mock('../../../api/browserSession.ts', () => ({ session: { open: () => undefined } }))
vi.mock('./solveProof.ts', () => ({ solveProof: async () => null }))

const credentials = { email: 'ana', password: 'p' }
const proof = { challenge: 'c', bits: 4, parts: 1, expires_at: '2026-01-01T00:00:00Z' }
const solved = { challenge: 'c', solution: [7] }
const tokens = { access: 'a1', refresh: 'r1' }
const refused = () => Response.json({ detail: 'Wait.', code: 'too_many_requests', proof }, { status: 429 })

/** Answers in this order. @returns the bodies that were sent */
function answers(...responses: Response[]): unknown[] {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)))
    return responses[sent.length - 1]
  })
  return sent
}

afterEach(() => vi.unstubAllGlobals())

describe('a sign-in while the name is being guessed at', () => {
  it('does the work that the server asks for, says so, and is sent again with it', async () => {
    const sent = answers(refused(), Response.json(tokens))
    const onWork = vi.fn()
    expect(await signIn(credentials, onWork, async () => solved)).toEqual({ state: 'open' })
    expect(sent).toEqual([credentials, { ...credentials, proof: solved }])
    expect(onWork).toHaveBeenCalledOnce()
  })

  it('is refused where the work is not to be done, or does not help', async () => {
    answers(refused(), refused())
    const failed = { state: 'failed', failure: { status: 429, detail: 'Wait.' } }
    expect(await signIn(credentials, undefined, async () => null)).toMatchObject(failed)
    const sent = answers(refused(), refused())
    expect(await signIn(credentials, undefined, async () => solved)).toMatchObject(failed)
    expect(sent).toHaveLength(2)
  })

  it('does none where none is asked for', async () => {
    const onWork = vi.fn()
    answers(Response.json('Wait.', { status: 429 }))
    expect(await signIn(credentials, onWork)).toMatchObject({ state: 'failed' })
    expect(onWork).not.toHaveBeenCalled()
  })
})
