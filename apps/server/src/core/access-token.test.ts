import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ACCESS_MINUTES, readAccess, signAccess } from './access-token.ts'

const KEY = new Uint8Array(32).fill(1)
const CLAIMS = { memberId: 5n, sessionId: '6f0e8a52-3f0f-4c59-9d5e-0c7b1f8f9a11' }
const START = new Date('2026-11-20T12:00:00Z')
const END = new Date(START.getTime() + ACCESS_MINUTES * 60_000)

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: START }))
afterEach(() => vi.useRealTimers())

describe('an access token', () => {
  it('says the same as often as it is shown, until its time is over', async () => {
    const token = await signAccess(KEY, CLAIMS, START)
    expect(await readAccess(KEY, token)).toEqual({ ...CLAIMS, accessUntil: END.getTime() })
    vi.setSystemTime(END.getTime() - 1)
    expect(await readAccess(KEY, token)).toEqual({ ...CLAIMS, accessUntil: END.getTime() })
    vi.setSystemTime(END)
    expect(await readAccess(KEY, token)).toBeNull()
  })

  it('is forged with one character changed or under another key, also when the true one is known', async () => {
    const token = await signAccess(KEY, CLAIMS, START)
    expect(await readAccess(KEY, token)).toEqual({ ...CLAIMS, accessUntil: END.getTime() })
    const [head = '', payload = '', signature = ''] = token.split('.')
    const other = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
    for (const forged of [
      `${head}.${payload}.${other(signature)}`,
      `${head}.${other(payload)}.${signature}`,
      `${head}.${payload}.`,
    ])
      expect(await readAccess(KEY, forged)).toBeNull()
    expect(await readAccess(new Uint8Array(32).fill(2), token)).toBeNull()
  })
})
