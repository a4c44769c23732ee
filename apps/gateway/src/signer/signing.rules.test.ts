import { DEVNET, depositAddress, transactionId } from '@aval/tron'
import { expect, it } from 'vitest'
import {
  checkTransfer,
  type Limits,
  type OwnKeys,
  type PreparedTransfer,
  type Withdrawal,
} from './signing.rules.ts'
import { COLD, HOT, MINUTE, transactionOf, transferCall, USDT, XPUB } from './testing/fixtures.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2030, 0, 1)
const limits: Limits = { dailyCap: 0n, feeLimit: 0n, topUp: 0n }
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
    purpose: 'withdrawal',
    memberId: 7n,
    from: HOT,
    to: wallet,
    amount: 99n * USDT,
    expiresAt: expiration,
    installation: { network, usdt: DEVNET.usdt },
    withdrawal: changes && {
      id: 1n,
      memberId: 7n,
      state: 'approved',
      wallet,
      amount: 100n * USDT,
      fee: USDT,
      approvalsNeeded: 0,
      operators: [],
      others,
      ...changes,
    },
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
  ...['requested', 'completed', 'cancelled', 'refused', 'failed'].map(
    (state) => [`it is ${state}`, { state }, 'not_approved'] as [string, Partial<Withdrawal>, string],
  ),
  ['its fee is below zero', { amount: 98n * USDT, fee: -USDT }, 'wrong_amount'],
  ['one operator approved twice', { approvalsNeeded: 2, operators: [1n, 1n] }, 'approvals_missing'],
  ['two operators approved', { approvalsNeeded: 2, operators: [1n, 2n] }, 'signed'],
])('a withdrawal, where %s', (_name, changes, expected) => {
  expect(verdict('nile', [NOW, NOW + MINUTE], changes)).toBe(expected)
})
