import { NOT_PAID_REASONS, PAYMENT_KINDS, PAYMENT_STATES, type PaymentState } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import {
  brokenDayRule,
  drawnParts,
  FIRST_YEAR,
  hasBinary,
  POINTS_TONES,
  presetsOf,
  REMEDIES,
  shareOfStronger,
  shownTabs,
  statementName,
  sumsOf,
  TABS,
  thisYear,
  WAITING_TONES,
  waitingState,
  yearFrom,
} from './earnings.ts'
import en from './locales/en.json'
import es from './locales/es.json'

const month = (passive: string, direct: string, binary: string, amount: string) => ({
  month: 1,
  summed_percentage: '10',
  passive,
  direct,
  binary,
  amount,
})

describe('yearFrom', () => {
  it.each([null, '', '0', 'x', '2026.5', '-2026', '02026', '1999', '2027', '9999'])(
    'takes %j for the current year',
    (text) => {
      expect(yearFrom(text, 2026)).toBe(2026)
    },
  )

  it('takes a year from the first to the current', () => {
    expect(yearFrom(String(FIRST_YEAR), 2026)).toBe(FIRST_YEAR)
    expect(yearFrom('2025', 2026)).toBe(2025)
    expect(yearFrom('2026', 2026)).toBe(2026)
  })
})

describe('sumsOf', () => {
  it('adds up to the micro, where doubles would not', () => {
    const months = [month('0.10', '0.00', '0.00', '0.10'), month('0.20', '0.000001', '0.00', '0.200001')]
    expect(sumsOf(months)).toEqual({
      passive: '0.30',
      direct: '0.000001',
      binary: '0.00',
      amount: '0.300001',
    })
  })

  it('takes off what was taken back', () => {
    expect(sumsOf([month('5.00', '-2.00', '0.00', '3.00')])).toMatchObject({
      direct: '-2.00',
      amount: '3.00',
    })
  })

  it('is nothing for no months', () => {
    expect(sumsOf([])).toEqual({ passive: '0.00', direct: '0.00', binary: '0.00', amount: '0.00' })
  })
})

describe('drawnParts', () => {
  it('are drawn from the bottom up, nothing below it', () => {
    expect(drawnParts(month('100.50', '-3.00', '0.25', '97.75'))).toEqual([100.5, 0, 0.25])
  })
})

describe('shareOfStronger', () => {
  it.each([
    ['50.00', '200.00', 25],
    ['200.00', '50.00', 100],
    ['10.00', '10.00', 100],
    ['0.00', '0.00', 0],
    ['0.00', '5.00', 0],
    ['-5.00', '5.00', 0],
    ['5.00', '-5.00', 100],
    ['3333.333333', '9999999.99', 0],
    ['1.00', '3.00', 33.3],
  ])('%s beside %s is drawn at %d percent', (points, other, share) => {
    expect(shareOfStronger(points, other)).toBe(share)
  })
})

describe('hasBinary', () => {
  const nothing = {
    as_of: null,
    left_points: '0.00',
    right_points: '0.00',
    qualified: false,
    lacking: [],
    percentage: '10',
    daily_cap: '1000.00',
  }

  it('does not before anything happened', () => {
    expect(hasBinary(nothing)).toBe(false)
  })

  it.each([{ as_of: '2026-11-20' }, { left_points: '0.000001' }, { right_points: '-5.00' }])(
    'does with %j',
    (change) => {
      expect(hasBinary({ ...nothing, ...change })).toBe(true)
    },
  )
})

describe('shownTabs', () => {
  it('shows all of them to a member with binary points', () => {
    expect(shownTabs('direct', true)).toEqual([...TABS])
  })

  it('leaves the binary ones out where there is nothing', () => {
    expect(shownTabs('direct', false)).toEqual(['direct', 'passive', 'all', 'not-paid'])
  })

  it('keeps them for an address that asks for them', () => {
    expect(shownTabs('points', false)).toEqual([...TABS])
    expect(shownTabs('binary', undefined)).toEqual(['direct', 'passive', 'all', 'binary', 'points'])
  })

  it('holds back what may move until it is known', () => {
    expect(shownTabs('passive', undefined)).toEqual(['direct', 'passive', 'all'])
    expect(shownTabs('not-paid', undefined)).toEqual(['direct', 'passive', 'all', 'not-paid'])
  })
})

describe('the statement', () => {
  it('begins with this year, by the member’s own calendar', () => {
    expect(thisYear(new Date(2026, 10, 20, 23, 59))).toEqual({ from: '2026-01-01', to: '2026-11-20' })
    expect(thisYear(new Date(2027, 0, 1, 0, 1))).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  })

  it('offers the month so far, whole months before it, and the year so far', () => {
    expect(presetsOf(new Date(2028, 2, 31, 23, 59)).map(({ name, from, to }) => [name, from, to])).toEqual([
      ['thisMonth', '2028-03-01', '2028-03-31'],
      ['lastMonth', '2028-02-01', '2028-02-29'],
      ['month', '2028-01-01', '2028-01-31'],
      ['month', '2027-12-01', '2027-12-31'],
      ['month', '2027-11-01', '2027-11-30'],
      ['month', '2027-10-01', '2027-10-31'],
      ['thisYear', '2028-01-01', '2028-03-31'],
    ])
  })

  it('is named by its days', () => {
    const days = { from: '2026-01-01', to: '2026-11-20' }
    expect(statementName(days, 'csv')).toBe('aval-2026-01-01-2026-11-20.csv')
    expect(statementName(days, 'pdf')).toBe('aval-2026-01-01-2026-11-20.pdf')
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

describe.each([
  ['Spanish', es],
  ['English', en],
])('the words in %s', (_language, texts) => {
  it('name every kind of payment, and every state but the one that needs no word', () => {
    expect(Object.keys(texts.kind)).toEqual([...PAYMENT_KINDS])
    expect(Object.keys(texts.state).sort()).toEqual(Object.keys(WAITING_TONES).sort())
    expect(['paid', ...Object.keys(texts.state)].sort()).toEqual([...PAYMENT_STATES].sort())
    expect(Object.keys(texts.points.state)).toEqual(Object.keys(POINTS_TONES))
  })

  it('name every reason, and what to do about it', () => {
    expect(Object.keys(texts.reason).sort()).toEqual([...NOT_PAID_REASONS].sort())
    expect(Object.keys(REMEDIES).sort()).toEqual([...NOT_PAID_REASONS].sort())
    expect(Object.keys(texts.remedy).sort()).toEqual([...new Set(Object.values(REMEDIES))].sort())
  })

  it('call nothing guaranteed', () => {
    expect(JSON.stringify(texts)).not.toMatch(/garant|guarant/i)
  })
})

describe('waitingState', () => {
  it('is none for what arrived', () => {
    expect(waitingState('paid')).toBeNull()
  })

  it('is the state itself, and under way for one that only a newer server knows', () => {
    expect(waitingState('in_review')).toBe('in_review')
    expect(waitingState('paused' as PaymentState)).toBe('posting')
  })
})
