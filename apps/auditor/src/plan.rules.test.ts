import { expect, it } from 'vitest'
import { readPlan } from './plan.rules.ts'

const document = {
  timeZone: 'America/Bogota',
  investment: { firstMinimum: '500', lockDays: 365 },
  passive: { percentPerPeriod: '10', periodDays: 30 },
  direct: { levels: ['5', '2.5'], masterPercent: '1' },
}

it('a plan is read in millionths, with what older documents do not say', () => {
  expect(readPlan(document)).toMatchObject({
    plan: {
      passive: { percentPerPeriod: 10_000_000n, periodDays: 30n, weekdaysOnly: false, capMultiple: null },
      direct: { levels: [5_000_000n, 2_500_000n], masterPercent: 1_000_000n, compression: false },
      binary: { percent: 10_000_000n, dailyCap: 1_000_000_000n },
    },
  })
})

it.each([
  [{ bonus: {} }, 'bonus'],
  [{ passive: { ...document.passive, tiers: [] } }, 'passive.tiers'],
  [{ direct: { ...document.direct, levels: ['5', '1.2345678'] } }, 'direct.levels.1'],
  [{ binary: { percent: '10', dailyCap: '1000', ratio: '1:2' } }, 'binary.ratio'],
  [{ passive: { percentPerPeriod: '10' } }, 'passive.periodDays'],
])('what it does not know of a plan is named: %j', (changes, unknown) => {
  expect(readPlan({ ...document, ...changes })).toEqual({ unknown })
})

it('what decides no payout may say anything', () => {
  const changes = { investment: { anything: 1 }, guards: { more: '1' }, withdrawals: { later: [] } }
  expect(readPlan({ ...document, ...changes })).toHaveProperty('plan')
})
