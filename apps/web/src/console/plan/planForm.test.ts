import { percent, ratio } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { planVersion } from '../../testing/figures.ts'
import { formatsFor } from '../../ui/format.ts'
import { isAbove, placeOf, plainPercent, planDiff, trimmedDecimal, valueAt } from './planFields.ts'
import { documentFrom, formFrom, type PlanForm, plainText } from './planForm.ts'

/** One operator from the first amount on, two from the second. */
const approvals = (...amounts: string[]) => amounts.map((from, index) => ({ from, operators: index + 1 }))
const document = {
  ...planVersion.document,
  investment: { ...planVersion.document.investment, topUpMinimum: '1.234' },
  withdrawals: { ...planVersion.document.withdrawals, approvals: approvals('0', '1000') },
}

const show = formatsFor('es')
const formOf = (base: unknown): PlanForm => formFrom(base, '2026-12-01', show)
const back = (form: PlanForm, base: unknown = document) => documentFrom(form, { base, region: 'es-CO', show })

describe('a plan as a form', () => {
  it('shows amounts with thousands apart, and no cap as nothing', () => {
    const form = formOf(document)
    expect(form.investment.largest).toBe('100.000.000,00')
    expect(form.investment.lockDays).toBe('365')
    expect(form.passive.capMultiple).toBe('')
    expect(form.direct.levels).toEqual([{ percent: '5' }, { percent: '2' }, { percent: '1' }])
    expect(form.withdrawals.approvals).toEqual([
      { from: '0,00', operators: '1' },
      { from: '1.000,00', operators: '2' },
    ])
  })

  it('gives back to the letter what nobody touched', () => {
    expect(back(formOf(document))).toEqual(document)
  })

  it('gives back what was typed as plain decimals and whole numbers', () => {
    const form = formOf(document)
    form.investment.firstMinimum = '1.250,50'
    form.investment.lockDays = '180'
    form.passive.capMultiple = '2,5'
    form.passive.weekdaysOnly = true
    form.direct.levels = [{ percent: '5' }, { percent: '0,5' }]
    form.withdrawals.approvals[1] = { from: '2.500,50', operators: '3' }
    expect(back(form)).toEqual({
      ...document,
      withdrawals: {
        ...document.withdrawals,
        approvals: [
          { from: '0.00', operators: 1 },
          { from: '2500.50', operators: 3 },
        ],
      },
      investment: { ...document.investment, firstMinimum: '1250.50', lockDays: 180 },
      passive: { ...document.passive, capMultiple: '2.5', weekdaysOnly: true },
      direct: { ...document.direct, levels: ['5', '0.5'] },
    })
  })

  it('takes a cap away again', () => {
    const capped = { ...document, passive: { ...document.passive, capMultiple: '3' } }
    const form = formOf(capped)
    expect(form.passive.capMultiple).toBe('3')
    form.passive.capMultiple = ''
    expect(back(form, capped)).toEqual(document)
  })

  it('keeps what this form does not know', () => {
    const newer = { ...document, passive: { ...document.passive, newRule: { deep: 1 } }, extra: 'x' }
    expect(back(formOf(newer), newer)).toEqual(newer)
  })

  it('fills in what an older document lacks', () => {
    const { guards: _guards, binary: _binary, ...older } = document
    const form = formOf(older)
    expect(form.guards.runMost).toBe('')
    form.binary = { percent: '8', dailyCap: '2000' }
    expect(back(form, older)).toMatchObject({ binary: { percent: '8', dailyCap: '2000' } })
  })

  it.each([
    ['amount', '1,250.50', '1250.50'],
    ['amount', 'x', null],
    ['percent', '0,5', '0.5'],
    ['multiple', '3×', '3'],
    ['days', '30', '30'],
    ['days', '0', null],
    ['days', '1.5', null],
    ['zone', ' Europe/Madrid ', 'Europe/Madrid'],
    ['zone', '', null],
  ] as const)('reads the %s %j as %j', (kind, typed, plain) => {
    expect(plainText(kind, typed, 'en-US')).toBe(plain)
  })
})

describe('what a new version changes', () => {
  it('is nothing for the same plan, however it is written', () => {
    const written = {
      ...document,
      binary: { percent: '10.0', dailyCap: '1000.00' },
      direct: { ...document.direct, levels: ['5.0', '2', '1'] },
      withdrawals: { ...document.withdrawals, approvals: approvals('0.00', '1000.00') },
    }
    expect(planDiff(document, written)).toEqual([])
  })

  it('is nothing where a switch is off or a cap is none, said or unsaid', () => {
    const { weekdaysOnly: _days, capMultiple: _cap, ...passive } = document.passive
    expect(planDiff({ ...document, passive }, document)).toEqual([])
  })

  it('is listed setting by setting, in the order of the screen', () => {
    const form = formOf(document)
    form.guards.runMost = '5'
    form.passive.weekdaysOnly = true
    form.direct.levels.push({ percent: '0.5' })
    form.timeZone = 'America/Lima'
    form.withdrawals.approvals.pop()
    expect(planDiff(document, back(form))).toEqual([
      { path: 'passive.weekdaysOnly', kind: 'toggle', before: false, after: true },
      { path: 'timeZone', kind: 'zone', before: 'America/Bogota', after: 'America/Lima' },
      { path: 'direct.levels', kind: 'levels', before: ['5', '2', '1'], after: ['5', '2', '1', '0.5'] },
      { path: 'withdrawals.approvals', kind: 'approvals', before: ['0 1', '1000 2'], after: ['0.00 1'] },
      { path: 'guards.runMost', kind: 'amount', before: '100000000', after: '5' },
    ])
  })
})

describe('a refused path', () => {
  it.each([
    ['document.passive.capMultiple', { field: 'passive.capMultiple' }],
    ['binary.dailyCap', { field: 'binary.dailyCap' }],
    ['direct.levels.2', { field: 'direct.levels.2.percent' }],
    ['direct.levels', { section: 'direct' }],
    ['document.withdrawals.approvals.1.from', { field: 'withdrawals.approvals.1.from' }],
    ['withdrawals.approvals', { section: 'withdrawals' }],
    ['/document/investment', { section: 'investment' }],
    ['timeZone', { field: 'timeZone' }],
    ['starts_on', { field: 'startsOn' }],
    ['document', null],
    ['', null],
  ])('%s has its place in the form', (path, place) => {
    expect(placeOf(path)).toEqual(place)
  })
})

describe('a setting', () => {
  it('is read from whatever came over the wire', () => {
    expect(valueAt(document, 'investment.lockDays')).toBe('365')
    expect(valueAt(document, 'passive.capMultiple')).toBeNull()
    expect(valueAt({ passive: 'junk' }, 'passive.periodDays')).toBeUndefined()
    expect(valueAt(null, 'timeZone')).toBeUndefined()
  })
})

describe('a typed percentage', () => {
  it.each([
    ['0.25', '0.25'],
    ['0,25', '0.25'],
    [' .25 %', '0.25'],
    ['00.5', '0.5'],
    ['0', '0'],
    ['100', '100'],
    ['1,234', '1.234'],
    ['0.333333', '0.333333'],
  ])('%s is %s', (typed, plain) => {
    expect(plainPercent(typed)).toBe(plain)
  })

  it.each(['', '%', '-1', '1.2.3', '1,2,3', '1e2', '0.1234567', '1000', 'a', '5.'])('%j is none', (typed) => {
    expect(plainPercent(typed)).toBeNull()
  })
})

describe('percentages', () => {
  it('are compared exactly', () => {
    const third = ratio(10n, 100n * 30n)
    expect(isAbove(percent('0.333333'), third)).toBe(false)
    expect(isAbove(percent('0.333334'), third)).toBe(true)
    expect(isAbove(percent('10'), percent('10'))).toBe(false)
  })

  it('are the same with and without zeros that say nothing', () => {
    expect(['10.00', '10', '010.0'].map(trimmedDecimal)).toEqual(['10', '10', '10'])
    expect(trimmedDecimal('0.50')).toBe('0.5')
  })
})
