/**
 * What may be signed. The database says what is wanted, and everybody who can write to it can ask for anything. So everything
 * that can be known without it is checked against our own keys, and the rest must be consistent.
 */
import {
  decodeRaw,
  decodeTransferCall,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'
import type { JournalFault } from './journal/faults.rules.ts'

/** Another transfer of the same withdrawal. */
export interface OtherTransfer {
  readonly txid: string
  readonly state: string
  readonly raw: Uint8Array
  /** Whether a signature was ever stored, or may exist on another machine. */
  readonly mayBeSigned: boolean
}

/** A prepared transfer and what the database says about it. Amounts are micro-USDT, sun for a top-up; times milliseconds. */
export interface PreparedTransfer {
  readonly txid: string
  readonly purpose: string
  readonly memberId: bigint
  /** Of the deposit address that is swept or topped up; null where there is none, or it was never derived. */
  readonly keyIndex: bigint | null
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly raw: Uint8Array
  readonly expiresAt: number
  readonly installation: { readonly network: string; readonly usdt: string } | null
  readonly withdrawal: Withdrawal | null
}

export interface Withdrawal {
  readonly id: bigint
  readonly memberId: bigint
  readonly state: string
  readonly wallet: string
  readonly amount: bigint
  readonly fee: bigint
  readonly approvalsNeeded: number
  /** By the database, whose word stops a payment and never lets one go. */
  readonly isFrozen: boolean
  /** By the database, a key of the member alone moves money. Only the journal is believed; where it says nothing, nothing is paid. */
  readonly claimsKey: boolean
  /** Who approved exactly this, by the signer's own journal, and why others do not count. */
  readonly approvals: ApprovalsGiven
  /** All other transfers ever prepared for it. */
  readonly others: readonly OtherTransfer[]
  /** Those that may be signed of the member's withdrawals that ended unpaid: the member may have that money again. */
  readonly unpaid: readonly OtherTransfer[]
}

export interface ApprovalsGiven {
  readonly operators: readonly bigint[]
  /** What is said where operators are too few. */
  readonly because: Refused | null
}

/** What the key file says, which cannot be changed from outside. */
export interface OwnKeys {
  readonly network: string
  readonly usdt: TronAddress
  readonly hot: TronAddress
  readonly cold: TronAddress
  /** The deposit address of this index by our own key; null for a number that has none. */
  readonly depositAddress: (index: bigint) => TronAddress | null
}

export interface Limits {
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
  /** The most TRX that a deposit address is given at once, in sun. */
  readonly topUp: bigint
}

export type SignerRefusal =
  | 'not_found'
  | 'closed'
  | 'other_installation'
  | 'txid_differs'
  | 'not_canonical'
  | 'unknown_purpose'
  | 'wrong_sender'
  | 'wrong_recipient'
  | 'wrong_amount'
  | 'wrong_contract'
  | 'wrong_call'
  | 'value_attached'
  | 'memo_attached'
  | 'permission_used'
  | 'fee_limit_too_high'
  | 'expiration_differs'
  | 'expired'
  | 'expires_too_late'
  | 'topup_too_large'
  | 'not_approved'
  | 'frozen'
  | 'approvals_missing'
  | 'approval_unknown'
  | 'list_differs'
  | 'row_differs'
  | 'approver_unknown'
  | 'approved_by_its_member'
  | 'earlier_transfer_open'
  | 'earlier_transfer_valid'
  | EarlierRefusal
  | 'cap_reached'
  | 'hour_cap_reached'
  | 'member_cap_reached'
  | 'new_wallet_cap_reached'
  | MemberProofRefusal
  | JournalFault
  | 'stopped'
  | 'signer_failed'

/** Why a withdrawal of a member whose passkey alone moves money is not paid. */
export type MemberProofRefusal =
  | 'member_key_missing'
  | 'member_key_differs'
  | 'member_key_unknown'
  | 'member_key_cooling'
  | 'member_proof_missing'
  | 'member_proof_invalid'
  | 'member_proof_expired'
  | 'member_proof_used'
  | 'members_origin_missing'

/** Why it does not count as shown that an earlier transfer can arrive no more. */
export type EarlierRefusal =
  /** It is being read. */
  | 'earlier_transfer_unread'
  | 'earlier_transfer_arrived'
  | 'nodes_missing'
  | 'nodes_disagree'
  | 'nodes_lag'
  | 'nodes_away'
  | 'nodes_limit_us'
  | 'nodes_refuse_key'
  | 'nodes_unreadable'
  | 'nodes_of_other_network'

export interface Refused {
  readonly code: SignerRefusal
  readonly message: string
}

/** Where the money comes from, and by which key it leaves. */
export type Owner = 'hot' | 'deposit'

export type Verdict =
  | { readonly allowed: true; readonly owner: Owner; readonly moment: number; readonly expiration: number }
  | { readonly allowed: false; readonly refused: Refused }

const DAY_MS = 86_400_000
type Check = Refused | null

/**
 * Whether this transfer may be signed.
 *
 * `now` counts on public networks. The development chain's clock may be days from ours: there, the transfer's own
 * timestamp is used.
 */
export function checkTransfer(
  transfer: PreparedTransfer,
  own: OwnKeys,
  limits: Limits,
  now: number,
): Verdict {
  const transaction = readTransaction(transfer)
  if ('code' in transaction) return { allowed: false, refused: transaction }
  const route = routeOf(transfer, own)
  if ('code' in route) return { allowed: false, refused: route }
  const { timestamp, expiration } = transaction
  const clock = own.network === 'devnet' ? timestamp : now
  const moment = Math.min(timestamp, clock)
  const refused =
    checkInstallation(transfer, own) ??
    checkEnds(transfer, transaction, route) ??
    checkCall(transfer, transaction, own) ??
    checkExtras(transaction, limits) ??
    checkTime(transfer, transaction, moment, clock) ??
    (transfer.purpose === 'trx_topup' && transfer.amount > limits.topUp
      ? no('topup_too_large', 'it gives a deposit address more TRX than is allowed at once')
      : null) ??
    (transfer.purpose === 'withdrawal' ? checkWithdrawal(transfer, moment) : null)
  return refused === null
    ? { allowed: true, owner: route.owner, moment, expiration }
    : { allowed: false, refused }
}

export function no(code: SignerRefusal, message: string): Refused {
  return { code, message }
}

function readTransaction({ raw, txid }: PreparedTransfer): RawTransaction | Refused {
  if (transactionId(raw) !== txid) return no('txid_differs', 'its bytes are of another transaction')
  try {
    return decodeRaw(raw)
  } catch {
    return no('not_canonical', 'its bytes are no canonical transaction of a kind we make')
  }
}

interface Route {
  readonly owner: Owner
  readonly from: TronAddress
  /** Null: the withdrawal says where to. */
  readonly to: TronAddress | null
}

/** From where to where money of this purpose may go, by our own keys. */
function routeOf({ purpose, keyIndex }: PreparedTransfer, own: OwnKeys): Route | Refused {
  const { hot, cold } = own
  if (purpose === 'withdrawal') return { owner: 'hot', from: hot, to: null }
  if (purpose === 'surplus') return { owner: 'hot', from: hot, to: cold }
  if (purpose !== 'sweep' && purpose !== 'trx_topup')
    return no('unknown_purpose', 'nothing is signed for this purpose')
  const deposit = keyIndex === null ? null : own.depositAddress(keyIndex)
  if (deposit === null) return no('wrong_sender', 'the deposit address was never derived')
  return purpose === 'sweep'
    ? { owner: 'deposit', from: deposit, to: hot }
    : { owner: 'hot', from: hot, to: deposit }
}

function checkInstallation({ installation }: PreparedTransfer, own: OwnKeys): Check {
  return installation?.network === own.network && installation.usdt === own.usdt
    ? null
    : no('other_installation', 'the database is of another network or token than the key file')
}

/** The row's sender and recipient are what its purpose allows, and the bytes' owner is the row's. */
function checkEnds(transfer: PreparedTransfer, { contract }: RawTransaction, route: Route): Check {
  if (transfer.from !== route.from || contract.owner !== route.from) {
    return no('wrong_sender', 'it takes from an address that money of this purpose does not come from')
  }
  return route.to === null || transfer.to === route.to
    ? null
    : no('wrong_recipient', 'it goes to an address that money of this purpose does not go to')
}

/** The bytes move exactly what the row says to exactly where it says. */
function checkCall(transfer: PreparedTransfer, { contract }: RawTransaction, own: OwnKeys): Check {
  if (transfer.purpose === 'trx_topup') {
    if (contract.type !== 'TransferContract') return no('wrong_call', 'it is no transfer of TRX')
    return compare(transfer, contract.to, contract.amount)
  }
  if (contract.type !== 'TriggerSmartContract') return no('wrong_call', 'it is no call of the token')
  if (contract.contract !== own.usdt) return no('wrong_contract', 'it calls another contract than our USDT')
  if (contract.callValue !== 0n) return no('value_attached', 'it sends TRX along')
  const call = decodeTransferCall(contract.data)
  return call === null
    ? no('wrong_call', 'it calls something else than transfer')
    : compare(transfer, call.to, call.value)
}

function compare(transfer: PreparedTransfer, to: TronAddress, amount: bigint): Check {
  if (to !== transfer.to) return no('wrong_recipient', 'its bytes pay another address')
  return amount === transfer.amount ? null : no('wrong_amount', 'its bytes pay another amount')
}

function checkExtras({ memo, permissionId, feeLimit }: RawTransaction, limits: Limits): Check {
  if (memo !== '') return no('memo_attached', 'it carries a memo')
  if (permissionId !== 0) return no('permission_used', 'it is signed by another permission than the owner')
  return feeLimit > limits.feeLimit ? no('fee_limit_too_high', 'it may burn more TRX than is allowed') : null
}

/** `expiresAt` decides when a transfer expires: it must be the bytes' own expiration. */
function checkTime(
  transfer: PreparedTransfer,
  { expiration }: RawTransaction,
  moment: number,
  clock: number,
): Check {
  if (transfer.expiresAt !== expiration) {
    return no('expiration_differs', 'its bytes expire at another moment than the database says')
  }
  if (expiration <= clock) return no('expired', 'it has expired')
  return expiration - moment > DAY_MS ? no('expires_too_late', 'it would be valid for more than a day') : null
}

function checkWithdrawal(transfer: PreparedTransfer, moment: number): Check {
  const { withdrawal } = transfer
  if (withdrawal === null || withdrawal.memberId !== transfer.memberId || withdrawal.state !== 'approved') {
    return no('not_approved', 'its withdrawal is not approved')
  }
  if (withdrawal.isFrozen) return no('frozen', 'its member’s account is frozen')
  if (withdrawal.wallet !== transfer.to) return no('wrong_recipient', 'the withdrawal is to another wallet')
  if (withdrawal.fee < 0n || withdrawal.amount - withdrawal.fee !== transfer.amount) {
    return no('wrong_amount', 'the withdrawal is of another amount')
  }
  return checkApprovals(withdrawal) ?? checkOthers(withdrawal.others, moment)
}

function checkApprovals({ approvals: { operators, because }, memberId, approvalsNeeded }: Withdrawal): Check {
  if (operators.includes(memberId)) {
    return no('approved_by_its_member', 'the member approved a withdrawal of their own')
  }
  return new Set(operators).size < approvalsNeeded
    ? (because ?? no('approvals_missing', 'it lacks approvals by different operators'))
    : null
}

/**
 * Two signed transfers of one withdrawal are never valid at the same time: even where the database says expired, a
 * transfer's own bytes must be past their expiration before another is signed. One that nobody signed cannot arrive.
 */
function checkOthers(others: readonly OtherTransfer[], moment: number): Check {
  if (others.some(({ state }) => state !== 'expired')) {
    return no('earlier_transfer_open', 'another transfer of this withdrawal has not expired')
  }
  const last = Math.max(...others.filter(({ mayBeSigned }) => mayBeSigned).map(expirationOf), 0)
  return last < moment
    ? null
    : no('earlier_transfer_valid', 'an earlier transfer of this withdrawal is still valid')
}

/** By its own bytes; one that cannot be decoded never expires. */
export function expirationOf({ raw, txid }: OtherTransfer): number {
  try {
    return transactionId(raw) === txid ? decodeRaw(raw).expiration : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
