import { addressFromHex, type RawTransaction } from '@aval/tron'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeBlock, nextTimestamp } from './block.rules.ts'
import { bandwidth, energyLimit, FREE_BYTES, usageAt, withoutPenalty, withPenalty } from './fees.rules.ts'
import { formatUnits, parseUnits, plainUnits } from './fields.ts'
import { writeJson } from './json.ts'
import { checkExpiration, checkReference, referredNumber } from './submit.rules.ts'

const HOUR = 3_600_000
const transaction = (overrides: Partial<RawTransaction>): RawTransaction => ({
  refBlockBytes: '0000',
  refBlockHash: '00'.repeat(8),
  expiration: 0,
  timestamp: 0,
  feeLimit: 0n,
  memo: '',
  permissionId: 0,
  contract: {
    type: 'TransferContract',
    owner: addressFromHex('11'.repeat(20)),
    to: addressFromHex('22'.repeat(20)),
    amount: 1n,
  },
  ...overrides,
})
const headAt = (number: number, timestamp = 1_000_000) => ({
  ...makeBlock({ number: number - 1, id: '00'.repeat(32) }, timestamp, []),
})

describe('blocks', () => {
  it('have ids that begin with their number and depend on everything in them', () => {
    const parent = { number: 41, id: 'ab'.repeat(32) }
    const block = makeBlock(parent, 5, [])
    expect(block.id).toMatch(/^000000000000002a[0-9a-f]{48}$/)
    expect(makeBlock(parent, 6, []).id).not.toBe(block.id)
    expect(makeBlock(parent, 5, [Uint8Array.of(1)]).id).not.toBe(block.id)
    expect(makeBlock({ ...parent, id: 'ac'.repeat(32) }, 5, []).id).not.toBe(block.id)
  })

  it('take the clock’s time, but never one that is not after their parent', () => {
    expect(nextTimestamp(500, 100)).toBe(500)
    expect(nextTimestamp(100, 500)).toBe(501)
  })
})

describe('an expiration', () => {
  it.each([
    ['equal to the newest block’s time', 0, 'TRANSACTION_EXPIRATION_ERROR'],
    ['before it', -1, 'TRANSACTION_EXPIRATION_ERROR'],
    ['a millisecond later', 1, undefined],
    ['a day later', 24 * HOUR, undefined],
    ['more than a day later', 24 * HOUR + 1, 'TRANSACTION_EXPIRATION_ERROR'],
  ])('%s is judged as java-tron does', (_name, distance, code) => {
    const head = headAt(7)
    expect(checkExpiration(transaction({ expiration: head.timestamp + distance }), head)?.code).toBe(code)
  })
})

describe('a block reference', () => {
  it('means the newest block whose number ends in its two bytes', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(0xffff), (number, low) => {
        const bytes = low.toString(16).padStart(4, '0')
        const referred = referredNumber(transaction({ refBlockBytes: bytes }), headAt(number))
        if (referred === null) expect(low).toBeGreaterThan(number)
        else {
          expect(referred & 0xffff).toBe(low)
          expect(number - referred).toBeLessThan(0x10000)
          expect(referred).toBeLessThanOrEqual(number)
        }
      }),
    )
  })

  it('holds only with that block’s own id', () => {
    const block = headAt(9)
    expect(checkReference(transaction({ refBlockHash: block.id.slice(16, 32) }), block)).toBeNull()
    expect(checkReference(transaction({}), block)?.code).toBe('TAPOS_ERROR')
    expect(checkReference(transaction({}), null)?.code).toBe('TAPOS_ERROR')
  })
})

describe('fees', () => {
  it('let an account send 600 bytes a day for nothing and charge every byte of what is above', () => {
    const first = bandwidth({ bytes: 0, at: 0 }, 345, 0)
    expect(first).toEqual({ used: { bytes: 345, at: 0 }, fee: 0n })
    expect(bandwidth(first.used, 345, HOUR)).toMatchObject({ fee: 345_000n })
    expect(bandwidth(first.used, 345, 24 * HOUR)).toMatchObject({ fee: 0n })
  })

  it('give bandwidth back evenly over a day', () => {
    expect(usageAt({ bytes: FREE_BYTES, at: 0 }, 12 * HOUR)).toBe(FREE_BYTES / 2)
    expect(usageAt({ bytes: FREE_BYTES, at: HOUR }, 0)).toBe(FREE_BYTES)
  })

  it('never let a call use more energy than its limit or its balance pays', () => {
    expect(energyLimit(10_000n, 0n, 5_000n, 100n)).toBe(50n)
    expect(energyLimit(3_000n, 0n, 5_000n, 100n)).toBe(30n)
    expect(energyLimit(3_000n, 3_001n, 5_000n, 100n)).toBe(0n)
    expect(energyLimit(10_000n, 0n, 5_000n, 250n)).toBe(20n)
  })
})

describe('an energy factor', () => {
  it('never charges more than the limit that the call was counted against', () => {
    const property = fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 10n }),
      fc.bigInt({ min: 100n, max: 100_000n }),
      (limit, hundredths) => {
        const terms = { price: 100n, hundredths }
        const counted = withoutPenalty(limit, terms)
        expect(counted).toBeLessThanOrEqual(limit)
        expect(withPenalty(counted, terms)).toBeLessThanOrEqual(limit)
      },
    )
    fc.assert(property)
    expect(withPenalty(10_001n, { price: 100n, hundredths: 250n })).toBe(25_003n)
  })
})

describe('amounts', () => {
  it('read back as they were written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (units) => {
        expect(parseUnits(plainUnits(units))).toBe(units)
      }),
    )
    expect(formatUnits(1_005_000_000n)).toBe('1,005.00')
    expect(formatUnits(1_234_567_333_333n)).toBe('1,234,567.333333')
  })

  it.each(['', '-1', '+1', '1.', '.5', '1.0000001', '1e3', '1,000.00', 'NaN', ' 1', '0x10', '9'.repeat(14)])(
    'are not read from %j',
    (text) => {
      expect(parseUnits(text)).toBeNull()
    },
  )
})

describe('answers in JSON', () => {
  it('hold whole numbers of any length exactly', () => {
    expect(writeJson({ a: 2n ** 63n - 1n, b: [1, 'x"', true, null] })).toBe(
      '{"a":9223372036854775807,"b":[1,"x\\"",true,null]}',
    )
  })
})
