/**
 * What may be signed. The database says what is wanted, and anybody who can write to it can want anything: so everything
 * that can be known without it is compared with our own keys, and the rest has to agree with itself.
 */
import {
  decodeRaw,
  decodeTransferCall,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'

export interface Attempt {
  readonly txid: string
  readonly state: string
  readonly raw: Uint8Array
  /** Whether a signature was ever stored, or may exist on another machine. */
  readonly mayBeSigned: boolean
}

/** A prepared transfer and what the database says about it. Amounts are micro-USDT, of `fuel` sun; times milliseconds. */
export interface Payment {
  readonly txid: string
  readonly purpose: string
  readonly memberId: bigint
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
  /** Who approved it. */
  readonly operators: readonly bigint[]
  /** All other transfers ever prepared for it. */
  readonly attempts: readonly Attempt[]
}

/** What the key file says, which nobody changes from outside. */
export interface Ours {
  readonly network: string
  readonly usdt: TronAddress
  readonly hot: TronAddress
  readonly cold: TronAddress
  /** The member's deposit address by our own key; null for a number that has none. */
  readonly depositAddress: (memberId: bigint) => TronAddress | null
}

export interface Limits {
  /** Micro-USDT for withdrawals in 24 hours. */
  readonly dailyCap: bigint
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
  /** The most TRX that a deposit address is given at once, in sun. */
  readonly fuel: bigint
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
  | 'fuel_too_large'
  | 'not_approved'
  | 'approvals_missing'
  | 'approved_by_its_member'
  | 'earlier_attempt_lives'
  | 'earlier_attempt_may_land'
  | 'cap_reached'
  | 'stopped'
  | 'signer_failed'

export interface Refused {
  readonly code: SignerRefusal
  readonly message: string
}

/** Where the money comes from, and by which key it leaves. */
export type Owner = 'hot' | 'deposit'

export type Verdict =
  | { readonly may: true; readonly owner: Owner; readonly moment: number; readonly expiration: number }
  | { readonly may: false; readonly refused: Refused }

const DAY_MS = 86_400_000
type Check = Refused | null

/**
 * Whether this transfer may be signed.
 *
 * `now` counts on public networks. The development chain's clock may run days from ours: there, what the transfer says
 * about itself has to do.
 */
export function judgePayment(payment: Payment, ours: Ours, limits: Limits, now: number): Verdict {
  const transaction = readTransaction(payment)
  if ('code' in transaction) return { may: false, refused: transaction }
  const route = routeOf(payment, ours)
  if ('code' in route) return { may: false, refused: route }
  const { timestamp, expiration } = transaction
  const clock = ours.network === 'devnet' ? timestamp : now
  const moment = Math.min(timestamp, clock)
  const refused =
    checkInstallation(payment, ours) ??
    checkEnds(payment, transaction, route) ??
    checkCall(payment, transaction, ours) ??
    checkExtras(transaction, limits) ??
    checkTime(payment, transaction, moment, clock) ??
    (payment.purpose === 'trx_topup' && payment.amount > limits.fuel
      ? no('fuel_too_large', 'it gives a deposit address more TRX than is allowed at once')
      : null) ??
    (payment.purpose === 'withdrawal' ? checkWithdrawal(payment, moment) : null)
  return refused === null ? { may: true, owner: route.owner, moment, expiration } : { may: false, refused }
}

function no(code: SignerRefusal, message: string): Refused {
  return { code, message }
}

function readTransaction({ raw, txid }: Payment): RawTransaction | Refused {
  if (transactionId(raw) !== txid) return no('txid_differs', 'its bytes are of another transaction')
  try {
    return decodeRaw(raw)
  } catch {
    return no('not_canonical', 'its bytes are no transaction of ours, or hide something')
  }
}

interface Route {
  readonly owner: Owner
  readonly from: TronAddress
  /** Null: the withdrawal says where to. */
  readonly to: TronAddress | null
}

/** From where to where money of this purpose may go at all, by our own keys. */
function routeOf({ purpose, memberId }: Payment, ours: Ours): Route | Refused {
  const { hot, cold } = ours
  if (purpose === 'withdrawal') return { owner: 'hot', from: hot, to: null }
  if (purpose === 'surplus') return { owner: 'hot', from: hot, to: cold }
  if (purpose !== 'sweep' && purpose !== 'trx_topup')
    return no('unknown_purpose', 'nothing is signed for this purpose')
  const deposit = ours.depositAddress(memberId)
  if (deposit === null) return no('wrong_sender', 'no deposit address has this number')
  return purpose === 'sweep'
    ? { owner: 'deposit', from: deposit, to: hot }
    : { owner: 'hot', from: hot, to: deposit }
}

function checkInstallation({ installation }: Payment, ours: Ours): Check {
  return installation?.network === ours.network && installation.usdt === ours.usdt
    ? null
    : no('other_installation', 'the database is of another network or token than the key file')
}

/** The row's ends are what its purpose allows, and the bytes' owner is the row's. */
function checkEnds(payment: Payment, { contract }: RawTransaction, route: Route): Check {
  if (payment.from !== route.from || contract.owner !== route.from) {
    return no('wrong_sender', 'it takes from an address that money of this purpose does not come from')
  }
  return route.to === null || payment.to === route.to
    ? null
    : no('wrong_recipient', 'it goes to an address that money of this purpose does not go to')
}

/** The bytes move exactly what the row says to exactly where it says. */
function checkCall(payment: Payment, { contract }: RawTransaction, ours: Ours): Check {
  if (payment.purpose === 'trx_topup') {
    if (contract.type !== 'TransferContract') return no('wrong_call', 'it is no transfer of TRX')
    return compare(payment, contract.to, contract.amount)
  }
  if (contract.type !== 'TriggerSmartContract') return no('wrong_call', 'it is no call of the token')
  if (contract.contract !== ours.usdt) return no('wrong_contract', 'it calls another contract than our USDT')
  if (contract.callValue !== 0n) return no('value_attached', 'it sends TRX along')
  const transfer = decodeTransferCall(contract.data)
  return transfer === null
    ? no('wrong_call', 'it calls something else than transfer')
    : compare(payment, transfer.to, transfer.value)
}

function compare(payment: Payment, to: TronAddress, amount: bigint): Check {
  if (to !== payment.to) return no('wrong_recipient', 'its bytes pay somebody else')
  return amount === payment.amount ? null : no('wrong_amount', 'its bytes pay another amount')
}

function checkExtras({ memo, permissionId, feeLimit }: RawTransaction, limits: Limits): Check {
  if (memo !== '') return no('memo_attached', 'it carries a memo')
  if (permissionId !== 0) return no('permission_used', 'it is signed by another permission than the owner')
  return feeLimit > limits.feeLimit ? no('fee_limit_too_high', 'it may burn more TRX than is allowed') : null
}

/** `expiresAt` decides when a transfer is given up as dead: it has to be the bytes' own. */
function checkTime(payment: Payment, { expiration }: RawTransaction, moment: number, clock: number): Check {
  if (payment.expiresAt !== expiration) {
    return no('expiration_differs', 'its bytes live to another moment than the database says')
  }
  if (expiration <= clock) return no('expired', 'it is too late for it')
  return expiration - moment > DAY_MS ? no('expires_too_late', 'it would live for more than a day') : null
}

function checkWithdrawal(payment: Payment, moment: number): Check {
  const { withdrawal } = payment
  if (withdrawal === null || withdrawal.memberId !== payment.memberId || withdrawal.state !== 'approved') {
    return no('not_approved', 'its withdrawal is not approved')
  }
  if (withdrawal.wallet !== payment.to) return no('wrong_recipient', 'the withdrawal is to another wallet')
  if (withdrawal.fee < 0n || withdrawal.amount - withdrawal.fee !== payment.amount) {
    return no('wrong_amount', 'the withdrawal is of another amount')
  }
  return checkApprovals(withdrawal) ?? checkAttempts(withdrawal.attempts, moment)
}

function checkApprovals({ operators, memberId, approvalsNeeded }: Withdrawal): Check {
  if (operators.includes(memberId)) {
    return no('approved_by_its_member', 'the member approved a withdrawal of their own')
  }
  return new Set(operators).size < approvalsNeeded
    ? no('approvals_missing', 'it lacks approvals by different operators')
    : null
}

/**
 * Two signed transfers of one withdrawal are never valid at the same time: whatever the database calls dead, its own bytes
 * have to be past their expiration before another is signed. One that nobody signed cannot land.
 */
function checkAttempts(attempts: readonly Attempt[], moment: number): Check {
  if (attempts.some(({ state }) => state !== 'expired')) {
    return no('earlier_attempt_lives', 'another transfer of this withdrawal is not dead')
  }
  const last = Math.max(...attempts.filter(({ mayBeSigned }) => mayBeSigned).map(expirationOf), 0)
  return last < moment
    ? null
    : no('earlier_attempt_may_land', 'an earlier transfer of this withdrawal can still land')
}

/** By its own bytes; one that cannot be read never expires. */
function expirationOf({ raw, txid }: Attempt): number {
  try {
    return transactionId(raw) === txid ? decodeRaw(raw).expiration : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
