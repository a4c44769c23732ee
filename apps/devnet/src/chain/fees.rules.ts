/**
 * What a transaction costs. Numbers are the main network's: 100 sun per unit of energy, 1,000 sun per byte
 * beyond 600 free bytes a day, 1.1 TRX for the first TRX transfer to a new account. Nothing is staked here.
 */

export const SUN_PER_ENERGY = 100n
export const SUN_PER_BYTE = 1_000n
export const FREE_BYTES = 600
export const NEW_ACCOUNT_FEE = 1_000_000n
export const NEW_ACCOUNT_NET_FEE = 100_000n

/** java-tron counts so many bytes for the result it will add to every transaction. */
export const RESULT_BYTES = 64

const WINDOW_MS = 86_400_000

/** Free bandwidth an account has used: recovers evenly over a day. `at` is a block's time in milliseconds. */
export interface NetUsage {
  readonly bytes: number
  readonly at: number
}

/** What is left of a usage at a later time, in bytes. */
export function usageAt(usage: NetUsage, now: number): number {
  const elapsed = Math.max(0, now - usage.at)
  return elapsed >= WINDOW_MS ? 0 : Math.floor((usage.bytes * (WINDOW_MS - elapsed)) / WINDOW_MS)
}

/** How a transaction of this size is paid: from the free bytes when all of it fits, with TRX otherwise. */
export function bandwidth(usage: NetUsage, size: number, now: number): { used: NetUsage; fee: bigint } {
  const before = usageAt(usage, now)
  if (before + size <= FREE_BYTES) return { used: { bytes: before + size, at: now }, fee: 0n }
  return { used: { bytes: before, at: now }, fee: BigInt(size) * SUN_PER_BYTE }
}

/** What energy costs: sun per unit, and by how much calls take more of it than the EVM counts, in hundredths. */
export interface EnergyTerms {
  readonly price: bigint
  readonly hundredths: bigint
}

/** A factor of one. */
export const HUNDRED = 100n

/** The most energy a call may use: what the fee limit allows and the balance can pay. */
export function energyLimit(balance: bigint, callValue: bigint, feeLimit: bigint, price: bigint): bigint {
  const payable = balance - callValue
  if (payable <= 0n) return 0n
  return (payable < feeLimit ? payable : feeLimit) / price
}

/** What the EVM may count to when a call is charged up to `limit`. */
export function withoutPenalty(limit: bigint, terms: EnergyTerms): bigint {
  return (limit * HUNDRED) / terms.hundredths
}

/** What a call is charged when the EVM counted `used`; never more than the limit it came from. */
export function withPenalty(used: bigint, terms: EnergyTerms): bigint {
  return (used * terms.hundredths + HUNDRED - 1n) / HUNDRED
}

/** Stored form: "bytes at". */
export function writeUsage(usage: NetUsage): string {
  return `${usage.bytes} ${usage.at}`
}

export function readUsage(value: string | null): NetUsage {
  const [bytes, at] = (value ?? '0 0').split(' ').map(Number)
  return { bytes: bytes ?? 0, at: at ?? 0 }
}
