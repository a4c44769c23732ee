import {
  type ContractCall,
  DEVNET,
  depositAddress,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'
import { describe, expect, it } from 'vitest'
import {
  checkTransfer,
  type Limits,
  type OwnKeys,
  type PreparedTransfer,
  type Withdrawal,
} from './signing.rules.ts'
import {
  CHAIN_NOW,
  COLD,
  DEPOSIT,
  HOT,
  LIMITS,
  MINUTE,
  OWN_TRANSFERS,
  STRANGER,
  sweepCall,
  topUpCall,
  transactionOf,
  transferCall,
  USDT,
  XPUB,
} from './testing/fixtures.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2030, 0, 1)
const limits: Limits = { feeLimit: 0n, topUp: 0n }
const wallet = depositAddress(XPUB, 9_000)
const own = (network: string): OwnKeys => ({
  network,
  usdt: DEVNET.usdt,
  hot: HOT,
  cold: COLD,
  depositAddress: () => null,
})

function bytes(timestamp: number, expiration: number): { txid: string; raw: Uint8Array } {
  const raw = transactionOf(transferCall(HOT, wallet, 99n * USDT), { timestamp, expiration })
  return { raw, txid: transactionId(raw) }
}

type Times = readonly [timestamp: number, expiration: number, earlier?: number]

const given = (...operators: bigint[]) => ({ operators, because: null })

/** A correct withdrawal's own row. */
const APPROVED: Withdrawal = {
  id: 1n,
  memberId: 7n,
  state: 'approved',
  wallet,
  amount: 100n * USDT,
  fee: USDT,
  approvalsNeeded: 0,
  isFrozen: false,
  claimsKey: false,
  approvals: { operators: [], because: null },
  others: [],
  unpaid: [],
}
/** A correct transfer of each purpose: its row, and the call in its bytes. */
const PURPOSES = {
  withdrawal: {
    row: { memberId: 7n, from: HOT, to: wallet, amount: 99n * USDT },
    call: transferCall(HOT, wallet, 99n * USDT),
  },
  ...OWN_TRANSFERS,
}
type Purpose = keyof typeof PURPOSES

/** The verdict on a correct withdrawal of these times; `earlier` is the expiration of a signed one in state expired. */
function verdict(
  network: string,
  [timestamp, expiration, earlier]: Times,
  changes: Partial<Withdrawal> | null = {},
): string {
  const others =
    earlier === undefined
      ? []
      : [{ ...bytes(earlier - MINUTE, earlier), state: 'expired', mayBeSigned: true }]
  const transfer: PreparedTransfer = {
    ...bytes(timestamp, expiration),
    ...PURPOSES.withdrawal.row,
    keyIndex: null,
    purpose: 'withdrawal',
    expiresAt: expiration,
    installation: { network, usdt: DEVNET.usdt },
    withdrawal: changes && { ...APPROVED, others, ...changes },
  }
  const result = checkTransfer(transfer, own(network), limits, NOW)
  return result.allowed ? 'signed' : result.refused.code
}

it.each<[string, Times, string, string]>([
  ['of now', [NOW, NOW + 10 * MINUTE], 'signed', 'signed'],
  ['that has expired by our clock', [NOW - 10 * MINUTE, NOW], 'expired', 'signed'],
  ['of tomorrow', [NOW + DAY, NOW + DAY + MINUTE], 'expires_too_late', 'signed'],
  ['that is valid for a day from our clock', [NOW + MINUTE, NOW + DAY], 'signed', 'signed'],
  ['after one that expired a moment ago', [NOW, NOW + MINUTE, NOW - 1], 'signed', 'signed'],
  [
    'after one that expires now',
    [NOW, NOW + MINUTE, NOW],
    'earlier_transfer_valid',
    'earlier_transfer_valid',
  ],
  [
    'with a later timestamp, while another is valid by our clock',
    [NOW + 2 * MINUTE, NOW + 3 * MINUTE, NOW + MINUTE],
    'earlier_transfer_valid',
    'signed',
  ],
])(
  'a transfer %s: checked by our clock, and on the development chain by its own',
  (_name, times, onNile, onDevnet) => {
    expect([verdict('nile', times), verdict('devnet', times)]).toEqual([onNile, onDevnet])
  },
)

// The database checks these, too.
it.each<[string, Partial<Withdrawal> | null, string]>([
  ['there is none', null, 'not_approved'],
  ['it belongs to another member', { memberId: 8n }, 'not_approved'],
  ['its member’s account is frozen', { isFrozen: true }, 'frozen'],
  ...['requested', 'completed', 'cancelled', 'refused', 'failed'].map(
    (state) => [`it is ${state}`, { state }, 'not_approved'] as [string, Partial<Withdrawal>, string],
  ),
  ['its fee is below zero', { amount: 98n * USDT, fee: -USDT }, 'wrong_amount'],
  ['one operator approved twice', { approvalsNeeded: 2, approvals: given(1n, 1n) }, 'approvals_missing'],
  ['two operators approved', { approvalsNeeded: 2, approvals: given(1n, 2n) }, 'signed'],
])('a withdrawal, where %s', (_name, changes, expected) => {
  expect(verdict('nile', [NOW, NOW + MINUTE], changes)).toBe(expected)
})

interface Difference {
  row?: Partial<PreparedTransfer>
  call?: object
  bytes?: Partial<RawTransaction>
  withdrawal?: Partial<Withdrawal>
}

/** The verdict on a correct transfer with these differences: its owner, or the refusal's code. */
function verdictOn(
  purpose: Purpose,
  { row = {}, call = {}, bytes: changed = {}, withdrawal = {} }: Difference = {},
) {
  const correct = PURPOSES[purpose]
  const raw = transactionOf({ ...correct.call, ...call } as ContractCall, changed)
  const transfer: PreparedTransfer = {
    ...correct.row,
    keyIndex: 5n,
    purpose,
    raw,
    txid: transactionId(row.raw ?? raw),
    expiresAt: CHAIN_NOW + MINUTE,
    installation: { network: 'devnet', usdt: DEVNET.usdt },
    withdrawal:
      purpose === 'withdrawal'
        ? { ...APPROVED, approvalsNeeded: 1, approvals: given(1n), ...withdrawal }
        : null,
    ...row,
  }
  const keys = { ...own('devnet'), depositAddress: (id: bigint) => (id === 5n ? DEPOSIT : null) }
  const result = checkTransfer(transfer, keys, LIMITS, NOW)
  if (!result.allowed) expect(result.refused.message).toMatch(/^\w+ .+/)
  return result.allowed ? result : result.refused.code
}

describe('a transfer', () => {
  it.each<[Purpose, string]>([
    ['withdrawal', 'hot'],
    ['sweep', 'deposit'],
    ['surplus', 'hot'],
    ['trx_topup', 'hot'],
  ])('of purpose %s, as prepared, is signed by the key of the %s address', (purpose, owner) => {
    expect(verdictOn(purpose)).toEqual({
      allowed: true,
      owner,
      moment: CHAIN_NOW,
      expiration: CHAIN_NOW + MINUTE,
    })
  })

  const other = { ...bytes(CHAIN_NOW - MINUTE, CHAIN_NOW - 1), state: 'expired', mayBeSigned: true }
  const valid = bytes(CHAIN_NOW, CHAIN_NOW + MINUTE)
  const after = (...others: Withdrawal['others']) => ({ withdrawal: { others } })
  const approvedBy = (...operators: bigint[]) => ({ withdrawal: { approvals: given(...operators) } })
  const paying = (amount: bigint) => ({ row: { amount }, call: { amount } })
  const calling = (to: TronAddress, amount: bigint) => ({ call: transferCall(DEPOSIT, to, amount) })
  const installedFor = (network: string, usdt = DEVNET.usdt) => ({ row: { installation: { network, usdt } } })
  const aboveLimit = { bytes: { feeLimit: LIMITS.feeLimit + 1n } }
  const unreadable = { ...other, raw: Uint8Array.of(255), txid: transactionId(Uint8Array.of(255)) }
  it.each<[Purpose, string, Difference]>([
    ['trx_topup', 'of the most TRX allowed', paying(LIMITS.topUp)],
    ['surplus', 'with the highest fee limit', { bytes: { feeLimit: LIMITS.feeLimit } }],
    ['withdrawal', 'without a fee', { withdrawal: { amount: 99n * USDT, fee: 0n } }],
    ['withdrawal', 'after an expired one', after(other)],
    ['withdrawal', 'after one that nobody signed', after({ ...other, ...valid, mayBeSigned: false }, other)],
  ])('of purpose %s %s is signed', (purpose, _name, difference) => {
    expect(verdictOn(purpose, difference)).toMatchObject({ allowed: true })
  })

  it.each<[Purpose, string, Difference, string]>([
    ['sweep', 'with the txid of other bytes', { row: { txid: 'a'.repeat(64) } }, 'txid_differs'],
    ['sweep', 'of bytes that are no transaction', { row: { raw: Uint8Array.of(255) } }, 'not_canonical'],
    ['sweep', 'of another purpose', { row: { purpose: 'gift' } }, 'unknown_purpose'],
    ['sweep', 'of an index without a deposit address', { row: { keyIndex: 6n } }, 'wrong_sender'],
    ['sweep', 'of an address that was never derived', { row: { keyIndex: null } }, 'wrong_sender'],
    ['sweep', 'of no installation', { row: { installation: null } }, 'other_installation'],
    ['sweep', 'of another network', installedFor('nile'), 'other_installation'],
    ['sweep', 'of another token', installedFor('devnet', STRANGER), 'other_installation'],
    ['sweep', 'whose row takes from another address', { row: { from: HOT } }, 'wrong_sender'],
    ['sweep', 'whose bytes take from another address', { call: { owner: HOT } }, 'wrong_sender'],
    ['sweep', 'whose row goes elsewhere', { row: { to: STRANGER } }, 'wrong_recipient'],
    ['surplus', 'whose row goes elsewhere', { row: { to: STRANGER } }, 'wrong_recipient'],
    ['trx_topup', 'whose bytes go elsewhere', { call: { to: STRANGER } }, 'wrong_recipient'],
    ['trx_topup', 'whose bytes pay another amount', { call: { amount: 1n } }, 'wrong_amount'],
    ['trx_topup', 'that calls the token', { call: transferCall(HOT, DEPOSIT, 30n * USDT) }, 'wrong_call'],
    ['trx_topup', 'of more than is allowed at once', paying(LIMITS.topUp + 1n), 'topup_too_large'],
    ['sweep', 'of TRX', { call: { ...topUpCall, owner: DEPOSIT, to: HOT } }, 'wrong_call'],
    ['sweep', 'by another contract', { call: { contract: STRANGER } }, 'wrong_contract'],
    ['sweep', 'with TRX sent along', { call: { callValue: 1n } }, 'value_attached'],
    ['sweep', 'by another function', { call: { data: '095ea7b3' } }, 'wrong_call'],
    ['sweep', 'with data after the call', { call: { data: `${sweepCall.data}00` } }, 'wrong_call'],
    ['sweep', 'whose call pays another address', calling(COLD, 7n * USDT), 'wrong_recipient'],
    ['sweep', 'whose call pays another amount', calling(HOT, 8n * USDT), 'wrong_amount'],
    ['sweep', 'with a memo', { bytes: { memo: 'ff' } }, 'memo_attached'],
    ['sweep', 'by another permission', { bytes: { permissionId: 2 } }, 'permission_used'],
    ['sweep', 'with too high a fee limit', aboveLimit, 'fee_limit_too_high'],
    ['sweep', 'that expires at another moment', { row: { expiresAt: CHAIN_NOW } }, 'expiration_differs'],
    ['withdrawal', 'to another wallet', { withdrawal: { wallet: STRANGER } }, 'wrong_recipient'],
    ['withdrawal', 'of another amount', { withdrawal: { amount: 101n * USDT } }, 'wrong_amount'],
    ['withdrawal', 'that its member approved', approvedBy(1n, 7n), 'approved_by_its_member'],
    ['withdrawal', 'that lacks an approval', approvedBy(), 'approvals_missing'],
    [
      'withdrawal',
      'beside one that has not expired',
      after(other, { ...other, state: 'signed' }),
      'earlier_transfer_open',
    ],
    [
      'withdrawal',
      'after one whose bytes are still valid',
      after({ ...other, ...valid }, other),
      'earlier_transfer_valid',
    ],
    [
      'withdrawal',
      'after one whose bytes are of another transaction',
      after({ ...other, txid: valid.txid }),
      'earlier_transfer_valid',
    ],
    ['withdrawal', 'after one that cannot be read', after(unreadable), 'earlier_transfer_valid'],
  ])('of purpose %s %s is refused', (purpose, _name, difference, code) => {
    expect(verdictOn(purpose, difference)).toBe(code)
  })
})
