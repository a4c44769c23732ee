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

export interface DevnetCalls {
  /** How far the chain's time runs from the system's. */
  setClock(offsetMs: bigint): Promise<void>
  /** Pays USDT (decimal text) from the demo wallet, once per key; answers the txid. */
  pay(to: string, amount: string, key: string): Promise<string>
  /** Mines until what was sent is solidified. */
  solidify(): Promise<void>
  /** Makes something that must never be credited. */
  odd(kind: 'wrong_token' | 'zero_transfer' | 'failed_transfer', to: string, amount?: string): Promise<void>
}

export function devnetCalls(devnetUrl: string): DevnetCalls {
  return {
    async setClock(offsetMs) {
      await call(devnetUrl, 'clock', { offset_ms: Number(offsetMs) })
    },
    async pay(to, amount, key) {
      return paidAnswer.parse(await call(devnetUrl, 'pay', { to, amount, key })).txid
    },
    async solidify() {
      await call(devnetUrl, 'mine', { solidify: true })
    },
    async odd(kind, to, amount) {
      await call(devnetUrl, 'fault', { kind, to, ...(amount === undefined ? {} : { amount }) })
    },
  }
}
