/** The development chain's own calls: its clock, its mine, its demo wallet. */
import { z } from 'zod'
import { Refusal } from '../../core/refusal.ts'

const TIMEOUT_MS = 20_000
const paidAnswer = z.looseObject({ txid: z.string().regex(/^[0-9a-f]{64}$/) })

async function call(devnetUrl: string, path: string, body: object): Promise<unknown> {
  let answer: Response
  try {
    answer = await fetch(`${devnetUrl}/dev/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new Refusal('unavailable')
  }
  if (!answer.ok)
    throw new Error(`the development chain answered ${answer.status} to ${path}: ${await answer.text()}`)
  return answer.json()
}

export type DevnetCalls = ReturnType<typeof devnetCalls>

export const devnetCalls = (devnetUrl: string) => ({
  /** How far the chain's time runs from the system's. */
  setClock: (offsetMs: bigint) => call(devnetUrl, 'clock', { offset_ms: Number(offsetMs) }),
  /** Pays USDT (decimal text) from the demo wallet, once per key. @returns the txid */
  pay: async (to: string, amount: string, key: string) =>
    paidAnswer.parse(await call(devnetUrl, 'pay', { to, amount, key })).txid,
  /** Mines until what was sent is solidified. */
  solidify: () => call(devnetUrl, 'mine', { solidify: true }),
  /** Makes a transfer that must never be credited. */
  odd: (kind: 'wrong_token' | 'zero_transfer' | 'failed_transfer', to: string, amount?: string) =>
    call(devnetUrl, 'fault', { kind, to, ...(amount === undefined ? {} : { amount }) }),
})
