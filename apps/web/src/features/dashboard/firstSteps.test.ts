import { describe, expect, it } from 'vitest'
import { isNewcomer, stepsOf } from './firstSteps.ts'

const NOBODY = { email_proven: false, usdt_wallet: '', two_factor: false }
const NOTHING = { investment_amount: 0, total_profit: 0, direct_users: 0 }
const holdings = { total: '0.00', available: '0.00', invested: '0.00', held: '0.00', pending: '0.00' }
const done = (user: Partial<typeof NOBODY>, data: Partial<typeof NOTHING>) =>
  stepsOf({ ...NOBODY, ...user }, { ...NOTHING, ...data }).flatMap(({ step, isDone }) =>
    isDone ? [step] : [],
  )

describe('the first steps', () => {
  it('begin with a proven mailbox, and none is done at first', () => {
    expect(stepsOf(NOBODY, NOTHING).map(({ step }) => step)).toEqual([
      'email',
      'invest',
      'wallet',
      'twoFactor',
      'invite',
    ])
    expect(done({}, {})).toEqual([])
  })

  it('are ticked off by what there is', () => {
    expect(done({ email_proven: true, usdt_wallet: 'T…' }, {})).toEqual(['email', 'wallet'])
    expect(done({ two_factor: true }, { investment_amount: 100, direct_users: 1 })).toEqual([
      'invest',
      'twoFactor',
      'invite',
    ])
  })

  it('stay done for who took an investment out again', () => {
    expect(done({}, { total_profit: 3.33 })).toEqual(['invest'])
  })

  it('are shown in the place of zeros until any money has come', () => {
    expect(isNewcomer({ ...NOTHING, holdings })).toBe(true)
    expect(isNewcomer({ ...NOTHING, holdings: { ...holdings, total: '0.000001' } })).toBe(false)
    expect(isNewcomer({ ...NOTHING, total_profit: 1, holdings })).toBe(false)
  })
})
