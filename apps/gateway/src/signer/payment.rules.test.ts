import { DEVNET, depositAddress, encodeRaw, transactionId } from '@aval/tron'
import { expect, it } from 'vitest'
import { judgePayment, type Limits, type Ours, type Payment, type Withdrawal } from './payment.rules.ts'
import { COLD, HOT, MINUTE, transferCall, USDT, XPUB } from './testing/facts.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2030, 0, 1)
const limits: Limits = { dailyCap: 0n, feeLimit: 0n, fuel: 0n }
const wallet = depositAddress(XPUB, 9_000)
const ours = (network: string): Ours => ({
  network,
  usdt: DEVNET.usdt,
  hot: HOT,
  cold: COLD,
  depositAddress: () => null,
})

function bytes(timestamp: number, expiration: number): { txid: string; raw: Uint8Array } {
  const raw = encodeRaw({
    refBlockBytes: '0102',
    refBlockHash: '0102030405060708',
    timestamp,
    expiration,
    feeLimit: 0n,
    memo: '',
    permissionId: 0,
    contract: transferCall(HOT, wallet, 99n * USDT),
  })
  return { raw, txid: transactionId(raw) }
}

type Times = readonly [timestamp: number, expiration: number, earlier?: number]

/** A right withdrawal of these times; `earlier` is the expiration of a signed one that is called dead. */
function judged(
  network: string,
  [timestamp, expiration, earlier]: Times,
  changes: Partial<Withdrawal> | null = {},
): string {
  const attempts =
    earlier === undefined
      ? []
      : [{ ...bytes(earlier - MINUTE, earlier), state: 'expired', mayBeSigned: true }]
  const payment: Payment = {
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
      attempts,
      ...changes,
    },
  }
  const verdict = judgePayment(payment, ours(network), limits, NOW)
  return verdict.may ? 'signed' : verdict.refused.code
}

it.each<[string, Times, string, string]>([
  ['of now', [NOW, NOW + 10 * MINUTE], 'signed', 'signed'],
  ['that ended by our clock', [NOW - 10 * MINUTE, NOW], 'expired', 'signed'],
  ['of a day to come', [NOW + DAY, NOW + DAY + MINUTE], 'expires_too_late', 'signed'],
  ['that lives a day from our clock', [NOW + MINUTE, NOW + DAY], 'signed', 'signed'],
  ['after one that ended a moment ago', [NOW, NOW + MINUTE, NOW - 1], 'signed', 'signed'],
  [
    'after one that ends now',
    [NOW, NOW + MINUTE, NOW],
    'earlier_attempt_may_land',
    'earlier_attempt_may_land',
  ],
  [
    'that says it is of later, while one lives by our clock',
    [NOW + 2 * MINUTE, NOW + 3 * MINUTE, NOW + MINUTE],
    'earlier_attempt_may_land',
    'signed',
  ],
])('a transfer %s: judged by our clock where the chain has no other', (_name, times, onNile, onDevnet) => {
  expect([judged('nile', times), judged('devnet', times)]).toEqual([onNile, onDevnet])
})

// The database asks for these itself, too.
it.each<[string, Partial<Withdrawal> | null, string]>([
  ['there is none', null, 'not_approved'],
  ['it is somebody else’s', { memberId: 8n }, 'not_approved'],
  ...['requested', 'completed', 'cancelled', 'refused', 'failed'].map(
    (state) => [`it is ${state}`, { state }, 'not_approved'] as [string, Partial<Withdrawal>, string],
  ),
  ['its fee is below zero', { amount: 98n * USDT, fee: -USDT }, 'wrong_amount'],
  ['one operator approved twice', { approvalsNeeded: 2, operators: [1n, 1n] }, 'approvals_missing'],
  ['two did', { approvalsNeeded: 2, operators: [1n, 2n] }, 'signed'],
])('a withdrawal, where %s', (_name, changes, expected) => {
  expect(judged('nile', [NOW, NOW + MINUTE], changes)).toBe(expected)
})
