import { isDay } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import {
  BLOCK,
  dueMidnights,
  FUNDING,
  isObjected,
  mayBecome,
  RUN_KINDS,
  type RunState,
  UNFINISHED,
} from './runs.rules.ts'

const STATES: readonly RunState[] = [
  'computing',
  'sealed',
  'held',
  'released',
  'posting',
  'done',
  'cancelled',
]

describe('a run', () => {
  it.each<[RunState, readonly RunState[]]>([
    ['computing', ['computing', 'sealed']],
    ['sealed', ['held', 'released', 'cancelled']],
    ['held', ['held', 'released', 'cancelled']],
    ['released', ['posting', 'done']],
    ['posting', ['posting', 'done']],
    ['done', []],
    ['cancelled', []],
  ])('that is %s goes to %j and nowhere else', (from, next) => {
    expect(STATES.filter((to) => mayBecome(from, to))).toEqual(next)
  })

  it('is unfinished while it can go on', () => {
    expect(UNFINISHED).toEqual(STATES.filter((from) => STATES.some((to) => mayBecome(from, to))))
  })

  it.each<[unknown, bigint | null, boolean]>([
    [[{ check: 'run_above_cap' }], null, true],
    [[{ check: 'run_above_cap' }], 3n, false],
    [[], null, false],
    [null, null, false],
  ])('with the objections %j, overruled by %s, is objected: %s', (objections, overruled_by, expected) => {
    expect(isObjected({ objections, overruled_by })).toBe(expected)
  })

  it('of profit is paid by the pool of profit, of commissions by that of commissions', () => {
    expect(RUN_KINDS.map((kind) => Object.values(FUNDING[kind]))).toEqual([
      ['pool:profit', 'due:profit', 'release_profit'],
      ['pool:commission', 'due:commission', 'release_commission'],
      ['pool:commission', 'due:commission', 'release_commission'],
    ])
  })

  it('keeps passive items and carries by blocks whose size the stored rows have', () => {
    expect(BLOCK).toBe(1024)
  })
})

describe('midnights that are due', () => {
  const day = (text: string) => {
    if (!isDay(text)) throw new Error(`${text} is no day`)
    return text
  }
  // In Bogotá it is still the 20th.
  const now = new Date('2026-11-21T04:59:59Z')
  it.each([
    ['none before the first investment', null, null, 9, []],
    ['none on the day of the first investment', null, '2026-11-20T12:00:00Z', 9, []],
    ['that after the first investment', null, '2026-11-19T12:00:00Z', 9, [['2026-11-20', '2026-11-19']]],
    ['none once today was done', '2026-11-20', '2026-01-01T12:00:00Z', 9, []],
    [
      'all since the last, oldest first',
      '2026-11-18',
      '2026-01-01T12:00:00Z',
      9,
      [
        ['2026-11-19', '2026-11-18'],
        ['2026-11-20', '2026-11-19'],
      ],
    ],
    ['no more than asked for', '2026-11-10', null, 1, [['2026-11-11', '2026-11-10']]],
  ])('are %s', (_name, lastDay, first, limit, expected) => {
    const history = {
      lastDay: lastDay === null ? null : day(lastDay),
      firstInvestment: first === null ? null : new Date(first),
    }
    const zones = [{ from: new Date(0), timeZone: 'America/Bogota' }]
    const due = dueMidnights(history, now, zones, limit)
    expect(due.map(({ day, matched }) => [day, matched])).toEqual(expected)
  })
})
