import { DEVNET, decodeRaw, decodeTransferCall, devnetAddress, transactionId } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import {
  ALLOWANCE,
  buildTokenTransfer,
  buildTrxTransfer,
  costOf,
  fuelOf,
  restAfter,
} from './transfer-bytes.rules.ts'

const [from, to] = [devnetAddress('hotWallet'), devnetAddress('coldWallet')]
const validity = {
  refBlockId: `${'0'.repeat(12)}abcd${'12'.repeat(24)}`,
  timestamp: 1_000,
  expiration: 61_000,
}

describe('a transfer', () => {
  it('of the token calls transfer and nothing else, on the history of its reference block', () => {
    const built = buildTokenTransfer(DEVNET.usdt, { from, to, amount: 5n }, validity, 7n)
    expect(built.txid).toBe(transactionId(built.raw))
    const raw = decodeRaw(built.raw)
    expect(raw).toMatchObject({
      refBlockBytes: 'abcd',
      refBlockHash: '12'.repeat(8),
      timestamp: 1_000,
      expiration: 61_000,
      feeLimit: 7n,
      memo: '',
      permissionId: 0,
      contract: { type: 'TriggerSmartContract', owner: from, contract: DEVNET.usdt, callValue: 0n },
    })
    const data = raw.contract.type === 'TriggerSmartContract' ? raw.contract.data : ''
    expect(decodeTransferCall(data)).toEqual({ to, value: 5n })
  })

  it('of TRX transfers TRX', () => {
    const { contract, feeLimit } = decodeRaw(buildTrxTransfer({ from, to, amount: 5n }, validity).raw)
    expect(contract).toEqual({ type: 'TransferContract', owner: from, to, amount: 5n })
    expect(feeLimit).toBe(0n)
  })
})

describe('what a transfer may cost', () => {
  const prices = { energy: 100n, byte: 1_000n }
  it.each([
    ['allows more energy than the trial used', 30_000, 100_000_000n, ALLOWANCE.generous, 6_000_000n],
    ['allows less for a sweep', 30_000, 100_000_000n, ALLOWANCE.thrifty, 3_900_000n],
    ['never exceeds the fee limit', 30_000, 4_000_000n, ALLOWANCE.generous, 4_000_000n],
  ])('%s', (_name, energy, most, allowance, feeLimit) => {
    const cost = costOf(energy, prices, most, allowance)
    expect(cost).toEqual({ feeLimit, needed: feeLimit + 400_000n })
  })

  it.each([
    ['twice what was too little', 100_000_000n, 8_000_000n, 16_000_000n],
    ['all that is allowed, where twice is more', 10_000_000n, 8_000_000n, 10_000_000n],
    ['nothing, where all that is allowed was too little', 8_000_000n, 5_999_999n + 1n, null],
    ['all again, once a trial takes less than half of it', 8_000_000n, 8_000_000n, 8_000_000n],
  ])('after energy ran out is %s', (_name, most, tooLittle, feeLimit) => {
    const energy = feeLimit === null ? 40_000 : 30_000
    const cost = costOf(energy, prices, feeLimit === null ? tooLittle : most, ALLOWANCE.generous, tooLittle)
    expect(cost?.feeLimit ?? null).toBe(feeLimit)
  })

  it('is paid with TRX, with energy of one’s own, and with bytes for whole transfers', () => {
    expect(fuelOf(5n, { energy: 30_000n, bytes: 399n }, prices)).toBe(3_000_005n)
    expect(fuelOf(5n, { energy: 0n, bytes: 1_100n }, prices)).toBe(800_005n)
  })

  it('for nothing several times in a row is not risked again soon', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((failures) => restAfter(failures, 600_000) / 60_000)).toEqual([
      0, 0, 10, 60, 360, 1_440, 1_440,
    ])
  })

  it('is null when the trial alone exceeds the fee limit', () => {
    expect(costOf(30_001, prices, 3_000_000n, ALLOWANCE.generous)).toBeNull()
  })
})
