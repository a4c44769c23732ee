import { describe, expect, it } from 'vitest'
import { amountsIn, planSearch } from './search.rules.ts'

const TXID = 'ab'.repeat(32)
const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/** Where a text is looked for. */
function placesOf(text: string): string[] {
  const { amounts, isName, ...rest } = planSearch(text)
  const named = Object.entries(rest).flatMap(([name, value]) => (value === null ? [] : [name]))
  return [...named, ...(amounts.length > 0 ? ['amounts'] : []), ...(isName ? ['name'] : [])]
}

describe('a search', () => {
  it.each([
    ['ana', ['email', 'name']],
    ['ana pérez', ['name']],
    ['ana@example.com', ['email', 'name']],
    [TXID, ['txid']],
    [`0x${TXID.toUpperCase()}`, ['txid']],
    ['ab'.repeat(16), ['invoice']],
    [ADDRESS, ['address']],
    ['2026-11-20', ['day', 'phone', 'email', 'name']],
    ['#17', ['number', 'email', 'name']],
    ['1234567', ['number', 'refCode', 'phone', 'email', 'amounts', 'name']],
    ['+57 300 123-4567', ['phone']],
    ['1.000,50', ['email', 'amounts', 'name']],
    ['50', ['number', 'email', 'amounts', 'name']],
  ])('of %s looks only where such a text can be', (text, places) => {
    expect(placesOf(text)).toEqual(places)
  })

  it('reads an amount as it is written in either language, and both ways where it could be either', () => {
    expect(amountsIn('1,000.50')).toEqual([1_000_500_000n])
    expect(amountsIn('1.000,50')).toEqual([1_000_500_000n])
    expect(amountsIn('1.000')).toEqual([1_000_000n, 1_000_000_000n])
    expect(amountsIn('50,5 USDT')).toEqual([50_500_000n])
    expect(amountsIn('0')).toEqual([])
    expect(amountsIn('1.0000001')).toEqual([])
  })
})
