import { documentHash } from '@aval/approvals'
import { describe, expect, it } from 'vitest'
import {
  changesOf,
  type Decision,
  decisionBar,
  decisionRows,
  investmentsOf,
  isItsDocument,
  largestIn,
  microIn,
  needsAnother,
  objectionsIn,
} from './decisions.rules.ts'

const base: Decision = {
  id: '3',
  kind: 'run_release',
  statement: { run: '7', sum: '5000000' },
  document: null,
  replaces: null,
  proposedBy: 'olga',
  proposedAt: '2026-11-23T10:00:00Z',
  needed: 1,
  approvals: [],
  waiting: [],
}
const document = '{"passive":{"percentPerPeriod":"9"}}'
const plan: Decision = { ...base, kind: 'plan', statement: { sha256: documentHash(document) }, document }
const olga = { operator: '7', name: 'olga' }

describe('a decision', () => {
  it.each<[string, Decision, Decision | undefined, ReturnType<typeof decisionBar>]>([
    ['that is as it was chosen can be approved', base, base, null],
    ['that is not there any more cannot', base, undefined, 'gone'],
    [
      'whose statement changed cannot',
      base,
      { ...base, statement: { ...base.statement, sum: '6' } },
      'changed',
    ],
    ['of another kind cannot', base, { ...base, kind: 'run_prorate' }, 'changed'],
    ['whose document changed cannot', plan, { ...plan, document: '{}' }, 'changed'],
    [
      'whose document is not the one that is signed cannot',
      { ...plan, document: '{}' },
      { ...plan, document: '{}' },
      'differs',
    ],
    ['that this operator approved cannot again', base, { ...base, approvals: [olga] }, 'approved'],
    ['whose approval by this operator waits cannot', base, { ...base, waiting: [olga] }, 'waiting'],
    ['that another one approved can', base, { ...base, approvals: [{ operator: '8', name: 'otto' }] }, null],
  ])('%s', (_what, shown, fresh, bar) => {
    expect(decisionBar(shown, fresh, '7')).toBe(bar)
  })

  it('without a document is no plan', () => {
    expect(isItsDocument({ ...plan, document: null })).toBe(false)
    expect(isItsDocument(base)).toBe(true)
  })

  it('about a plan needs another operator than who proposed it, whoever else it needs', () => {
    const otto = { operator: '8', name: 'otto' }
    const signed = (approvals: Decision['approvals']) => needsAnother({ ...plan, approvals })
    expect([[], [olga], [olga, otto], [otto]].map(signed)).toEqual([true, true, false, false])
    expect(needsAnother(base)).toBe(false)
  })

  it('is signed by number', () => {
    expect(decisionRows([{ ...base, id: '10' }, base]).map(({ decisionId }) => decisionId)).toEqual([3n, 10n])
  })
})

describe('a plan', () => {
  it('is shown by what it changes, adds and leaves out', () => {
    const before = { timeZone: 'UTC', passive: { percentPerPeriod: '10' }, direct: { levels: ['5', '2'] } }
    const after = {
      timeZone: 'UTC',
      passive: { percentPerPeriod: '9' },
      direct: { levels: ['5'] },
      bonus: {},
    }
    expect(changesOf(before, JSON.stringify(after))).toEqual([
      { path: 'passive.percentPerPeriod', before: '10', after: '9' },
      { path: 'direct.levels.1', before: '2', after: null },
      { path: 'bonus', before: null, after: '{}' },
    ])
  })

  it('that is the same changes nothing', () => {
    expect(changesOf({ a: [1, null, true] }, '{"a":[1,null,true]}')).toEqual([])
  })
})

it('the objections to a run are read, and left as they are where they cannot be', () => {
  expect(objectionsIn('[{"check":"run_above_cap","limit":"5"}]')).toEqual([
    { check: 'run_above_cap', values: { limit: '5' } },
  ])
  for (const text of ['', '[{"check":', '{}', '5']) expect(objectionsIn(text)).toBeNull()
})

it.each([
  ['7', { first: '7', last: '7' }],
  ['1201-1310', { first: '1201', last: '1310' }],
  ['2026-11-23', null],
])('a run of %s pays %j', (period, span) => {
  expect(investmentsOf(period)).toEqual(span)
})

describe('the figures of an act', () => {
  it('are read as micro-USDT, losses with their sign, and what is none as nothing', () => {
    expect([microIn('5'), microIn('-5000000'), microIn(''), microIn('1e3')]).toEqual([
      5n,
      -5_000_000n,
      0n,
      0n,
    ])
  })

  it('name who gives back most', () => {
    expect(largestIn('ana 50.000000, bea 3.333333')).toEqual([
      { name: 'ana', micro: 50_000_000n },
      { name: 'bea', micro: 3_333_333n },
    ])
    expect(largestIn('')).toEqual([])
  })
})
