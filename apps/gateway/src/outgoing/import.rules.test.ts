import { DEVNET, decodeRaw, devnetAddress, devnetKey, encodeRaw, signTransaction } from '@aval/tron'
import { expect, it } from 'vitest'
import { importFault, type StoredTransfer } from './import.rules.ts'
import { buildTokenTransfer, buildTrxTransfer } from './transfer-bytes.rules.ts'

const [hot, to, cold] = [devnetAddress('hotWallet'), devnetAddress('faucet'), devnetAddress('coldWallet')]
const pins = { usdt: DEVNET.usdt, hot }
const validity = { refBlockId: 'ab'.repeat(32), timestamp: 1_000, expiration: 61_000 }
const send = (from = hot, receiver = to, amount = 5n, token = DEVNET.usdt) =>
  buildTokenTransfer(token, { from, to: receiver, amount }, validity, 7n).raw
/** The right bytes but for one thing. */
const withChange = (change: object, ofContract: object = {}) => {
  const raw = decodeRaw(send())
  return encodeRaw({ ...raw, ...change, contract: { ...raw.contract, ...ofContract } } as typeof raw)
}

function fault(
  raw: Uint8Array,
  changes: Partial<StoredTransfer> = {},
  signer: 'hotWallet' | 'coldWallet' = 'hotWallet',
) {
  const stored = {
    raw,
    from: hot,
    to,
    amount: 5n,
    offline: true,
    approved: { state: 'approved', to, amount: 5n },
  }
  return importFault(signTransaction(raw, devnetKey(signer)), { ...stored, ...changes }, pins)
}

it('an approved transfer that the hot wallet’s key signed is taken', () => {
  expect(fault(send())).toBeNull()
})

it.each<[string, string, string | null]>([
  ['has another id', '00'.repeat(32), 'txid_differs'],
  ['was never exported', '', 'unknown'],
])('a signature is refused that %s', (_name, txid, expected) => {
  const signed = signTransaction(send(), devnetKey('hotWallet'))
  expect(importFault(txid === '' ? signed : { ...signed, txid }, null, pins)).toBe(expected)
})

it.each<[string, Partial<StoredTransfer>, string]>([
  ['is signed by this machine', { offline: false }, 'not_offline'],
  ['was exported with other bytes', { raw: Uint8Array.of(1) }, 'bytes_differ'],
  ['is of a withdrawal that ended', { approved: { state: 'cancelled', to, amount: 5n } }, 'not_approved'],
  ['goes where nobody approved', { approved: { state: 'approved', to: cold, amount: 5n } }, 'wrong_transfer'],
  ['is of more than was approved', { approved: { state: 'approved', to, amount: 4n } }, 'wrong_transfer'],
  ['is stored as another wallet’s', { from: cold }, 'wrong_transfer'],
])('a transfer is refused that %s', (_name, changes, expected) => {
  expect(fault(send(), changes)).toBe(expected)
})

it('a transfer is refused that another key signed', () => {
  expect(fault(send(), {}, 'coldWallet')).toBe('wrong_signer')
})

it.each<[string, Uint8Array]>([
  ['pay another address', send(hot, cold)],
  ['pay another amount', send(hot, to, 6n)],
  ['take from another wallet', send(cold)],
  ['are of another token', send(hot, to, 5n, cold)],
  ['send TRX', buildTrxTransfer({ from: hot, to, amount: 5n }, validity).raw],
  ['send TRX along', withChange({}, { callValue: 1n })],
  ['call something else', withChange({}, { data: `deadbeef${'0'.repeat(128)}` })],
  ['carry a memo', withChange({ memo: '00' })],
  ['use another permission', withChange({ permissionId: 2 })],
])('bytes are refused that %s', (_name, raw) => {
  expect(fault(raw)).toBe('wrong_transfer')
})
