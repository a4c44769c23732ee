/** The bytes of our transfers, and what they may cost. */
import {
  blockReference,
  type ContractCall,
  encodeRaw,
  encodeTransferCall,
  type Prices,
  type TronAddress,
  transactionId,
} from '@aval/tron'

/** Where on the chain, and how long, a transfer can live. Times are the chain's, milliseconds since 1970. */
export interface Moment {
  /** The id of a solid block: on another history the transfer is void. */
  readonly refBlockId: string
  readonly timestamp: number
  readonly expiration: number
}

export interface Built {
  readonly txid: string
  readonly raw: Uint8Array
}

/** A transfer of the token. `feeLimit` in sun. */
export function buildTokenTransfer(
  token: TronAddress,
  parts: { readonly from: TronAddress; readonly to: TronAddress; readonly amount: bigint },
  moment: Moment,
  feeLimit: bigint,
): Built {
  const data = encodeTransferCall(parts.to, parts.amount)
  const contract = {
    type: 'TriggerSmartContract',
    owner: parts.from,
    contract: token,
    callValue: 0n,
    data,
  } as const
  return build(contract, moment, feeLimit)
}

/** A transfer of TRX; `amount` in sun. */
export function buildTrxTransfer(
  parts: { readonly from: TronAddress; readonly to: TronAddress; readonly amount: bigint },
  moment: Moment,
): Built {
  const contract = {
    type: 'TransferContract',
    owner: parts.from,
    to: parts.to,
    amount: parts.amount,
  } as const
  return build(contract, moment, 0n)
}

function build(contract: ContractCall, moment: Moment, feeLimit: bigint): Built {
  const raw = encodeRaw({
    ...blockReference(moment.refBlockId),
    expiration: moment.expiration,
    timestamp: moment.timestamp,
    feeLimit,
    memo: '',
    contract,
    permissionId: 0,
  })
  return { txid: transactionId(raw), raw }
}

/** What a token transfer takes, in sun. */
export interface Cost {
  /** The most it may burn for energy. */
  readonly feeLimit: bigint
  /** What must be there so that it cannot fail for want of TRX. */
  readonly needed: bigint
}

/** Signed, a token transfer is some 280 bytes, and java-tron counts 64 for its result. */
const TRANSFER_BYTES = 400n

/**
 * How much of what a trial run took is allowed for, in percent. A transfer costs more where the contract's load has grown
 * meanwhile, and nearly twice as much where the token has begun to keep a fee: it must not fail for that. What is allowed to
 * a deposit address has to be sent there first.
 */
export const ALLOWANCE = { generous: 200n, thrifty: 130n } as const

/** By a trial run. Null when even the trial is above `most`, in sun. */
export function costOf(energyUsed: number, prices: Prices, most: bigint, allowance: bigint): Cost | null {
  const tried = BigInt(energyUsed) * prices.energy
  if (tried > most) return null
  const allowed = (tried * allowance) / 100n
  const feeLimit = allowed < most ? allowed : most
  return { feeLimit, needed: feeLimit + TRANSFER_BYTES * prices.byte }
}
