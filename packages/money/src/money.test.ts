import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyRatio,
  formatMicro,
  micro,
  microToJsonNumber,
  parseMicro,
  percent,
  ratio,
  ratioToPercentText,
} from './index.ts'

describe('reading an amount', () => {
  it.each([
    ['1000', 1_000_000_000n],
    ['50.00', 50_000_000n],
    ['0.000001', 1n],
    [1000, 1_000_000_000n],
    [0.1, 100_000n],
    ['0', 0n],
  ])('%j is %s micro', (text, expected) => {
    expect(parseMicro(text)).toBe(expected)
  })

  it.each([
    '0.0000001',
    '1e3',
    1e21,
    1e-7,
    '-1',
    -1,
    '+1',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' 1',
    '1 ',
    '1,000',
    '01',
    '.5',
    '5.',
    '0x10',
    '١',
    null,
    undefined,
    true,
    [],
    ['1'],
    {},
    '9999999999999',
  ])('%j is refused', (text) => {
    expect(parseMicro(text)).toBeNull()
  })

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (value) => {
        expect(parseMicro(formatMicro(micro(value)))).toBe(value)
      }),
    )
  })
})

describe('writing an amount', () => {
  it.each([
    [50_000_000n, '50.00'],
    [3_333_333n, '3.333333'],
    [0n, '0.00'],
    [-500_000n, '-0.50'],
    [1_230_000n, '1.23'],
    [1_234_000n, '1.234'],
  ])('%s micro is %s', (value, expected) => {
    expect(formatMicro(micro(value))).toBe(expected)
  })

  it('is a JSON number where the contract asks for one', () => {
    expect(microToJsonNumber(micro(1_233_210_001n))).toBe(1233.210001)
  })
})

describe('shares', () => {
  it('truncate toward zero and leave the remainder where it was', () => {
    expect(applyRatio(micro(1_000_000_000n), ratio(10n, 3000n))).toBe(3_333_333n)
    expect(applyRatio(micro(-1_000_000_000n), ratio(10n, 3000n))).toBe(-3_333_333n)
  })

  it('are read from percentages and written back', () => {
    expect(applyRatio(micro(1_000_000_000n), percent('0.5'))).toBe(5_000_000n)
    expect(ratioToPercentText(ratio(10n, 3000n))).toBe('0.3333')
    expect(ratioToPercentText(percent('10'))).toBe('10')
    expect(() => percent('ten')).toThrow(RangeError)
  })
})
