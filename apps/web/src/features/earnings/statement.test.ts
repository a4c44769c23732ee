import { describe, expect, it } from 'vitest'
import { brokenDayRule, statementName, thisYear } from './statement.ts'

describe('the statement', () => {
  it('begins with this year, by the member’s own calendar', () => {
    expect(thisYear(new Date(2026, 10, 20, 23, 59))).toEqual({ from: '2026-01-01', to: '2026-11-20' })
    expect(thisYear(new Date(2027, 0, 1, 0, 1))).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  })

  it('is named by its days', () => {
    expect(statementName({ from: '2026-01-01', to: '2026-11-20' })).toBe('aval-2026-01-01-2026-11-20.csv')
  })

  it.each([
    [{ from: '2026-01-01', to: '2026-11-20' }, null, null],
    [{ from: '2026-11-20', to: '2026-11-20' }, null, null],
    [{ from: '2026-11-21', to: '2026-11-20' }, null, 'order'],
    [{ from: '', to: '2026-11-20' }, 'required', null],
    [{ from: '2026-01-01', to: '' }, null, 'required'],
    [{ from: '', to: '' }, 'required', 'required'],
    [{ from: '2026-01-01', to: '2099-12-31' }, null, null],
  ] as const)('of %j breaks %s and %s', (range, from, to) => {
    expect(brokenDayRule('from', range)).toBe(from)
    expect(brokenDayRule('to', range)).toBe(to)
  })
})
