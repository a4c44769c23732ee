/**
 * What this process signed in the last day. The database counts too; but whoever can write there could make it forget, and
 * this memory they cannot reach.
 */
import type { Refused } from './payment.rules.ts'

export interface Signature {
  readonly txid: string
  /** `member/number` of the withdrawal it is for. */
  readonly withdrawal: string
  /** Micro-USDT. */
  readonly amount: bigint
  /** By the chain's clock, in milliseconds. */
  readonly expiration: number
}

export interface Memory {
  /**
   * Holds a place for a signature that is about to be made.
   * @param moment the chain's time, `now` ours, in milliseconds
   */
  reserve(signature: Signature, moment: number, now: number): Refused | null
  /** No signature came of it. */
  release(txid: string): void
}

const DAY_MS = 86_400_000

/** @param cap the most micro-USDT in 24 hours */
export function createMemory(cap: bigint): Memory {
  // In the order of time, because a Map keeps the order of insertion.
  const kept = new Map<string, Signature & { readonly at: number }>()
  const byWithdrawal = new Map<string, Set<string>>()
  let sum = 0n

  const release = (txid: string): void => {
    const entry = kept.get(txid)
    if (entry === undefined) return
    kept.delete(txid)
    sum -= entry.amount
    const others = byWithdrawal.get(entry.withdrawal)
    others?.delete(txid)
    if (others?.size === 0) byWithdrawal.delete(entry.withdrawal)
  }
  const forget = (now: number): void => {
    for (const entry of kept.values()) {
      if (entry.at > now - DAY_MS) return
      release(entry.txid)
    }
  }
  const mayLand = ({ txid, withdrawal }: Signature, moment: number): boolean =>
    [...(byWithdrawal.get(withdrawal) ?? [])].some(
      (other) => other !== txid && (kept.get(other)?.expiration ?? 0) >= moment,
    )
  return {
    release,
    reserve(signature, moment, now) {
      forget(now)
      if (kept.has(signature.txid)) return null
      if (mayLand(signature, moment)) {
        return {
          code: 'earlier_attempt_may_land',
          message: 'this signer signed another one that can still land',
        }
      }
      if (sum + signature.amount > cap) {
        return { code: 'cap_reached', message: 'the day’s limit for withdrawals is reached' }
      }
      kept.set(signature.txid, { ...signature, at: now })
      byWithdrawal.set(
        signature.withdrawal,
        new Set(byWithdrawal.get(signature.withdrawal)).add(signature.txid),
      )
      sum += signature.amount
      return null
    },
  }
}
