/**
 * What this process signed in the last day. The database counts too; but an attacker who can write there could delete
 * rows, and cannot reach this memory.
 */
import type { Refused } from './signing.rules.ts'

export interface Signature {
  readonly txid: string
  /** `member/number` of the withdrawal it is for. */
  readonly withdrawal: string
  /** Micro-USDT. */
  readonly amount: bigint
  /** By the chain's clock, in milliseconds. */
  readonly expiration: number
}

export interface RecentSignatures {
  /**
   * Counts a signature that is about to be made; or why it may not be.
   * @param moment the chain's time, `now` ours, in milliseconds
   */
  reserve(signature: Signature, moment: number, now: number): Refused | null
  /** The signature was not made after all. */
  release(txid: string): void
}

const DAY_MS = 86_400_000

/** @param cap the most micro-USDT in 24 hours */
export function createRecentSignatures(cap: bigint): RecentSignatures {
  // Ordered by time, because a Map keeps the order of insertion.
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
  const removeOld = (now: number): void => {
    for (const entry of kept.values()) {
      if (entry.at > now - DAY_MS) return
      release(entry.txid)
    }
  }
  const mayStillArrive = ({ txid, withdrawal }: Signature, moment: number): boolean =>
    [...(byWithdrawal.get(withdrawal) ?? [])].some(
      (other) => other !== txid && (kept.get(other)?.expiration ?? 0) >= moment,
    )
  return {
    release,
    reserve(signature, moment, now) {
      removeOld(now)
      if (kept.has(signature.txid)) return null
      if (mayStillArrive(signature, moment)) {
        return {
          code: 'earlier_transfer_valid',
          message: 'this signer signed another transfer of it that is still valid',
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
