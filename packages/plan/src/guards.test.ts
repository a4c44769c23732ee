import { type Micro, parseMicro, percent, ratio } from '@aval/money'
import { expect, it } from 'vitest'
import { DEFAULT_PLAN, objections, parsePlan, type SealedRun } from './index.ts'

const usd = (text: string): Micro => parseMicro(text) as Micro
const plan = parsePlan(DEFAULT_PLAN)
const run: SealedRun = { sum: usd('2000'), largest: usd('100000'), rate: null, comparison: null }
const compared = (now: string, before: string) => ({ comparison: { now: usd(now), before: usd(before) } })
/** Commissions on 20,000 USD. */
const byRate = (now: string, before: string) => ({
  comparison: { ...compared(now, before).comparison, invested: usd('20000') },
})

it.each<[string, Partial<SealedRun>, readonly object[]]>([
  ['of what members may get at most', { sum: usd('100000000') }, []],
  ['at the rate of the plan', { rate: ratio(1n, 300n) }, []],
  [
    'at a rate above the plan’s',
    { rate: percent('0.333334') },
    [{ check: 'rate_above_plan', rate: '0.333334' }],
  ],
  ['that grew by half', compared('1500', '1000'), []],
  [
    'that grew by more than half',
    compared('1500.000001', '1000'),
    [{ check: 'change_too_large', now: usd('1500.000001'), before: usd('1000') }],
  ],
  ['that fell by half', compared('500', '1000'), []],
  [
    'that fell by more than half',
    compared('499.999999', '1000'),
    [{ check: 'change_too_large', now: usd('499.999999'), before: usd('1000') }],
  ],
  ['that grew tenfold, both below what is compared', compared('999.999999', '99'), []],
  [
    'that grew tenfold up to what is compared',
    compared('1000', '100'),
    [{ check: 'change_too_large', now: usd('1000'), before: usd('100') }],
  ],
  [
    'that fell to nothing',
    compared('0', '1000'),
    [{ check: 'change_too_large', now: 0n, before: usd('1000') }],
  ],
  ['of commissions or matches that fell to nothing from little', compared('0', '999.999999'), []],
  [
    'of passive profit that fell to nothing from the floor on',
    { ...compared('0', '1000'), rate: ratio(1n, 300n) },
    [{ check: 'change_too_large', now: 0n, before: usd('1000') }],
  ],
  [
    'of passive profit that fell to nothing from below it',
    { ...compared('0', '999.999999'), rate: ratio(1n, 300n) },
    [],
  ],
  ['that is nothing as the one before', compared('0', '0'), []],
  ['that begins small after nothing', compared('999.999999', '0'), []],
  [
    'that begins large after nothing',
    compared('1000', '0'),
    [{ check: 'change_too_large', now: usd('1000'), before: 0n }],
  ],
  ['of commissions at half as much again', byRate('1500', '1000'), []],
  [
    'of commissions at another rate',
    byRate('1500.01', '1000'),
    [{ check: 'direct_rate_changed', now: '7.5', before: '5' }],
  ],
  [
    'of commissions that pay nothing',
    byRate('0', '1000'),
    [{ check: 'direct_rate_changed', now: '0', before: '5' }],
  ],
  ['of few commissions at another rate', byRate('999', '200'), []],
  [
    'of which one member gets too much',
    { largest: usd('100000.000001') },
    [{ check: 'member_above_cap', largest: usd('100000.000001'), limit: usd('100000') }],
  ],
  [
    'of too much in all',
    { sum: usd('100000000.000001') },
    [{ check: 'run_above_cap', limit: usd('100000000') }],
  ],
])('a run %s meets these objections', (_name, changes, expected) => {
  expect(objections(plan, { ...run, ...changes })).toEqual(expected)
})
