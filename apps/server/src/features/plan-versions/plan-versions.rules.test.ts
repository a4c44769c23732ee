import { DEFAULT_PLAN, parsePlan } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { completeDocument } from './plan-versions.rules.ts'

const complete = (document: object) => completeDocument(document, parsePlan(document))

describe('a stored document, made complete,', () => {
  it('stands to the letter where it says something', () => {
    expect(complete(DEFAULT_PLAN)).toEqual(DEFAULT_PLAN)
    const written = {
      ...DEFAULT_PLAN,
      passive: { percentPerPeriod: '9.50', periodDays: 30, capMultiple: '2.00' },
    }
    expect(complete(written)).toMatchObject({
      passive: { percentPerPeriod: '9.50', periodDays: 30, capMultiple: '2.00', weekdaysOnly: false },
    })
  })

  it('says the rest as a plan reads it, so that both mean the same', () => {
    const { binary: _, guards: __, withdrawals: ___, ...bare } = DEFAULT_PLAN
    const full = complete(bare)
    expect(full).toMatchObject({
      binary: { percent: '10', dailyCap: '1000.00' },
      guards: { changePercent: '50' },
      withdrawals: {
        minimum: '20.00',
        approvals: [
          { from: '0.00', operators: 1 },
          { from: '1000.00', operators: 2 },
        ],
      },
    })
    expect(parsePlan(full)).toEqual(parsePlan(bare))
  })
})
