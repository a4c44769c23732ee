/** How a transfer of ours ended, by the solid block that has it. Nothing but the chain settles one. */
import type { TronAddress } from '@aval/tron'
import type { Movement, Outcome } from '../ingest/movements.rules.ts'

export type Purpose = 'withdrawal' | 'sweep' | 'trx_topup' | 'surplus'

/** A transfer of ours that may still happen. */
export interface LivePayment {
  readonly txid: string
  readonly purpose: Purpose
  readonly from: string
  readonly to: string
  /** Micro-USDT, of `fuel` sun. */
  readonly amount: bigint
}

export interface Settlement {
  readonly txid: string
  readonly purpose: Purpose
  readonly block: number
  readonly at: Date
  readonly success: boolean
  /** java-tron's word, or NO_TRANSFER where it calls a success what moved nothing. */
  readonly result: string
  /** What the recipient got: less than was sent where the token keeps a fee. Null when it failed. */
  readonly arrived: bigint | null
  /** In sun. */
  readonly fee: bigint
}

/**
 * USDT's `transfer` returns false on success and a receipt tells nothing of amounts, so a transfer has happened only where
 * the receipt is a success and the pinned token's own event says from whom to whom.
 */
export function settlementOf(
  payment: LivePayment,
  block: { readonly number: number; readonly at: Date; readonly movements: readonly Movement[] },
  outcome: Outcome,
  usdt: TronAddress,
): Settlement {
  const { txid, purpose, from, to, amount } = payment
  const seen = { txid, purpose, block: block.number, at: block.at, fee: outcome.fee }
  if (!outcome.success) return { ...seen, success: false, result: outcome.result, arrived: null }
  if (purpose === 'trx_topup') return { ...seen, success: true, result: outcome.result, arrived: amount }
  const arrived = block.movements
    .filter((each) => each.txid === txid && each.nature === 'event' && each.contract === usdt)
    .filter((each) => each.from === from && each.to === to)
    .reduce((sum, each) => sum + each.value, 0n)
  if (arrived === 0n) return { ...seen, success: false, result: 'NO_TRANSFER', arrived: null }
  return { ...seen, success: true, result: outcome.result, arrived }
}
