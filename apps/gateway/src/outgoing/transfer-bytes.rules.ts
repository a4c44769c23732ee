/** Builds the bytes of our transfers, and computes what they may cost. */
import {
  blockReference,
  type ContractCall,
  encodeRaw,
  type Prices,
  type Resources,
  type TronAddress,
  transactionId,
  transferCall,
} from '@aval/tron'

/** Where on the chain, and how long, a transfer is valid. Times are the chain's, milliseconds since 1970. */
export interface Validity {
  /** The id of a solid block: on another history the transfer is void. */
  readonly refBlockId: string
  readonly timestamp: number
  readonly expiration: number
}

export interface Built {
  readonly txid: string
  readonly raw: Uint8Array
}

interface Route {
  readonly from: TronAddress
  readonly to: TronAddress
  readonly amount: bigint
}

/** A transfer of the token. `feeLimit` in sun. */
export function buildTokenTransfer(
  token: TronAddress,
  { from, to, amount }: Route,
  validity: Validity,
  feeLimit: bigint,
): Built {
  return build(transferCall(token, from, to, amount), validity, feeLimit)
}

/** A transfer of TRX; `amount` in sun. */
export function buildTrxTransfer({ from, to, amount }: Route, validity: Validity): Built {
  return build({ type: 'TransferContract', owner: from, to, amount }, validity, 0n)
}

function build(contract: ContractCall, validity: Validity, feeLimit: bigint): Built {
  const raw = encodeRaw({
    ...blockReference(validity.refBlockId),
    expiration: validity.expiration,
    timestamp: validity.timestamp,
    feeLimit,
    memo: '',
    contract,
    permissionId: 0,
  })
  return { txid: transactionId(raw), raw }
}

/** The cost of a token transfer, in sun. */
export interface Cost {
  /** The most it may burn for energy. */
  readonly feeLimit: bigint
  /** What the sender must hold so that it cannot fail for lack of TRX. */
  readonly needed: bigint
}

/** Signed, a token transfer is some 280 bytes, and java-tron counts 64 for its result. */
const TRANSFER_BYTES = 400n

/**
 * How much energy is allowed, in percent of what a trial run used. A transfer costs more where the contract's load has
 * grown meanwhile, and nearly twice as much where the token has begun to take a fee: it must not fail for that. Sweeps are
 * allowed less, because a deposit address must first be sent its TRX.
 */
export const ALLOWANCE = { generous: 200n, thrifty: 130n } as const

/**
 * The cost by a trial run. Null when it is above `most`, in sun.
 * @param tooLittle the fee limit with which the sender's last transfer ran out of energy; the next has twice as much. Once all of `most`
 * has burnt for nothing, there is no next one until a trial takes less than half of it, or `most` is raised.
 */
export function costOf(
  energyUsed: number,
  prices: Prices,
  most: bigint,
  allowance: bigint,
  tooLittle = 0n,
): Cost | null {
  const tried = BigInt(energyUsed) * prices.energy
  if (tried > most || (most <= tooLittle && 2n * tried >= tooLittle)) return null
  const allowed = max((tried * allowance) / 100n, 2n * tooLittle)
  const feeLimit = allowed < most ? allowed : most
  return { feeLimit, needed: feeLimit + TRANSFER_BYTES * prices.byte }
}

const max = (one: bigint, other: bigint) => (one > other ? one : other)

/** What the sender can pay fees with: TRX, and what it need not burn because it has energy and bytes; in sun. */
export function fuelOf(trx: bigint, { energy, bytes }: Resources, prices: Prices): bigint {
  return trx + energy * prices.energy + (bytes / TRANSFER_BYTES) * TRANSFER_BYTES * prices.byte
}

const DAY_MS = 86_400_000

/** How long after its last failure a sender is left alone: not at all after the first, then six times longer each time, a day at most. */
export function restAfter(failures: number, firstMs: number): number {
  return failures < 2 ? 0 : Math.min(firstMs * 6 ** Math.min(failures - 2, 10), DAY_MS)
}
