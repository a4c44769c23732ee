import {
  bytesField,
  DEVNET,
  depositAddress,
  encodeTransferCall,
  message,
  recoverSigner,
  type TronAddress,
  varintField,
} from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { suiteHarness } from '../testing/suite.ts'
import {
  CHAIN_NOW,
  DEPOSIT,
  HOT,
  MINUTE,
  STRANGER,
  transactionOf,
  transferCall,
  USDT,
  XPUB,
} from './testing/fixtures.ts'
import { type ApprovedWithdrawal, createSignerHarness, type SignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)

describe('a correct transfer is signed', () => {
  it.each([
    [
      'a withdrawal, by the hot wallet',
      async () => harness.prepareWithdrawal(await harness.withdrawal()),
      HOT,
    ],
    ['a sweep, by the deposit address', () => harness.prepareOwn('sweep'), DEPOSIT],
    ['fuel, by the hot wallet', () => harness.prepareOwn('trx_topup'), HOT],
    ['a surplus, by the hot wallet', () => harness.prepareOwn('surplus'), HOT],
  ])('%s', async (_name, prepared, by) => {
    const txid = await prepared()
    const reply = await harness.signer.sign(txid)
    const payment = await harness.transfer(txid)
    expect(reply).toEqual({
      signed: true,
      signature: payment?.signature && new Uint8Array(payment.signature),
    })
    expect(recoverSigner(txid, payment?.signature ?? new Uint8Array())).toBe(by)
    expect(payment?.state).toBe('signed')
    expect(await harness.refusals(txid)).toEqual([])
    // An address may have one open sweep.
    await harness.expire(txid)
  })

  it('repeated requests, a hundred at once and to another signer, get the one stored signature', async () => {
    const txid = await harness.prepareWithdrawal(await harness.withdrawal())
    const other = harness.newSigner()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? harness.signer : other).sign(txid)),
    )
    const stored = new Uint8Array((await harness.transfer(txid))?.signature ?? [])
    for (const reply of replies) expect(reply).toEqual({ signed: true, signature: stored })
  })

  it('is signed at once after an earlier one that was never signed', async () => {
    const asked = await harness.withdrawal()
    await harness.expire(await harness.prepareWithdrawal(asked))
    expect(await harness.signer.sign(await harness.prepareWithdrawal(asked))).toMatchObject({ signed: true })
  })
})

type Differences = Parameters<SignerHarness['prepareWithdrawal']>[1]

const net = ({ amount, fee }: ApprovedWithdrawal) => amount - fee
const pays = (to: TronAddress, amount: bigint) => ({ call: { data: encodeTransferCall(to, amount) } })
/** In row and bytes. */
const sends = (to: TronAddress, amount: bigint) => ({ ...pays(to, amount), row: { to_address: to, amount } })
const row = { expires_at: new Date(CHAIN_NOW + MINUTE) }
/** The right bytes with more behind them, and their hash. */
const hiding = (more: Uint8Array) => (asked: ApprovedWithdrawal) => ({
  raw: message(transactionOf(transferCall(HOT, asked.wallet, net(asked))), more),
  row,
})
const owned = { call: { owner: DEPOSIT } }
const ofMember = (member_id: bigint) => ({ row: { member_id } })

/** What else can be wrong with bytes and row is in signing.rules.test.ts: here it is read from the database. */
describe('a withdrawal tampered with by the owner of the database is not signed', () => {
  it.each<[string, string, (withdrawal: ApprovedWithdrawal) => Differences]>([
    ['bytes that pay another address', 'wrong_recipient', (asked) => pays(STRANGER, net(asked))],
    ['row and bytes that pay another address', 'wrong_recipient', (asked) => sends(STRANGER, net(asked))],
    ['row and bytes that pay more', 'wrong_amount', ({ wallet, amount }) => sends(wallet, amount)],
    ['another owner in row and bytes', 'wrong_sender', () => ({ ...owned, row: { from_address: DEPOSIT } })],
    ['a hidden field after the bytes', 'not_canonical', hiding(bytesField(10, Uint8Array.of(1)))],
    ['a field that Tron does not know', 'not_canonical', hiding(varintField(99, 1n))],
    ['another txid', 'txid_differs', () => ({ row: { txid: 'a'.repeat(64) } })],
    ['a withdrawal of another member', 'not_approved', ({ memberId }) => ofMember(memberId + 1_000n)],
  ])('%s: %s', async (_name, code, differences) => {
    const asked = await harness.withdrawal()
    await refuses(await harness.prepareWithdrawal(asked, differences(asked)), code)
  })

  it('of another network or token than the key file', async () => {
    const txid = await harness.prepareWithdrawal(await harness.withdrawal())
    const pin = (network: string, usdt: string) =>
      harness.rows('UPDATE installation SET network = $1, usdt_contract = $2', [network, usdt])
    await pin('nile', DEVNET.usdt)
    await refuses(txid, 'other_installation')
    await pin('devnet', STRANGER)
    expect(await harness.signer.sign(txid)).toMatchObject({ code: 'other_installation' })
    await pin('devnet', DEVNET.usdt)
    expect(await harness.signer.sign(txid)).toMatchObject({ signed: true })
  })
})

describe('a transfer between our own addresses goes nowhere else', () => {
  const stolen = depositAddress(XPUB, 6)

  it.each<[string, string, () => Promise<string>]>([
    [
      'a sweep to another address',
      'wrong_recipient',
      () => harness.prepareOwn('sweep', sends(STRANGER, 7n * USDT)),
    ],
    [
      "a sweep of another member's address",
      'wrong_sender',
      () =>
        harness.prepareOwn('sweep', {
          row: { from_address: stolen },
          call: transferCall(stolen, HOT, 7n * USDT),
        }),
    ],
    [
      'a top-up of another member than it says',
      'wrong_sender',
      () => harness.prepareOwn('trx_topup', { row: { to_address: stolen }, call: { to: stolen } }),
    ],
    [
      'a surplus to another address',
      'wrong_recipient',
      () => harness.prepareOwn('surplus', sends(STRANGER, 9n * USDT)),
    ],
  ])('%s: %s', async (_name, code, prepared) => {
    const txid = await prepared()
    await refuses(txid, code)
    await harness.expire(txid)
  })
})

/** Refused with this code, stored nowhere, and recorded once in the audit trail. */
async function refuses(txid: string, code: string): Promise<void> {
  expect(await harness.signer.sign(txid)).toMatchObject({ signed: false, code })
  expect(await harness.signer.sign(txid)).toMatchObject({ signed: false, code })
  expect(await harness.transfer(txid)).toEqual({ state: 'prepared', signature: null })
  expect(await harness.refusals(txid)).toEqual([code])
  const said = harness.logged.filter((line) => line.includes(txid))
  expect(said).toHaveLength(1)
  expect(JSON.parse(said[0] ?? '')).toMatchObject({
    level: 'warn',
    part: 'signer',
    event: 'sign.refused',
    code,
  })
}
