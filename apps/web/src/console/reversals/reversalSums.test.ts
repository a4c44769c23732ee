import { describe, expect, it } from 'vitest'
import { reversalSums } from './reversalSums.ts'

describe('the sums of a reversal', () => {
  it('add up to the micro', () => {
    const part = { member: 'ana', pool: 'profit' as const }
    const parts = [
      { ...part, amount: '0.000001', from_balance: '0.00', owed: '0.000001' },
      { ...part, amount: '10.50', from_balance: '10.50', owed: '0.00' },
    ]
    expect(reversalSums(parts)).toEqual({ amount: '10.500001', from_balance: '10.50', owed: '0.000001' })
    expect(reversalSums([])).toEqual({ amount: '0.00', from_balance: '0.00', owed: '0.00' })
  })
})
