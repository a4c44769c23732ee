import type { Withdrawal, WithdrawalStage } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { currentOf, isClosed, stepsOf } from './timeline.ts'

const at = (minute: number) => `2026-11-20T10:0${minute}:00Z`
const reached = (...stages: WithdrawalStage[]) => stages.map((stage, minute) => ({ stage, at: at(minute) }))
const drawn = (stage: WithdrawalStage, ...stages: WithdrawalStage[]) =>
  stepsOf({ stage, timeline: reached(...stages) }).map((step) => `${step.stage} ${step.state}`)

describe('the steps of a withdrawal', () => {
  it('that is requested wait for the approval', () => {
    expect(drawn('requested', 'requested')).toEqual([
      'requested done',
      'approved now',
      'signed next',
      'broadcast next',
      'confirming next',
      'completed next',
    ])
  })

  it('that is confirming are under way there', () => {
    const steps = drawn('confirming', 'requested', 'approved', 'signed', 'broadcast', 'confirming')
    expect(steps.slice(3)).toEqual(['broadcast done', 'confirming now', 'completed next'])
  })

  it('that is completed are all done, each with its time', () => {
    const steps = stepsOf({ stage: 'completed', timeline: reached('requested', 'approved', 'completed') })
    expect(steps.every((step) => step.state === 'done')).toBe(true)
    expect(steps.at(-1)).toEqual({ stage: 'completed', at: at(2), state: 'done' })
  })

  it.each(['cancelled', 'refused', 'failed'] as const)('that is %s end there', (stage) => {
    expect(drawn(stage, 'requested', stage)).toEqual(['requested done', `${stage} ended`])
  })
})

describe('the withdrawal shown above the list', () => {
  const row = (id: number, stage: WithdrawalStage) => ({ id, stage }) as Withdrawal

  it('is the newest open one', () => {
    expect(currentOf([row(3, 'completed'), row(2, 'approved'), row(1, 'requested')], null)?.id).toBe(2)
  })

  it('stays in sight when it ends while it is followed', () => {
    expect(currentOf([row(2, 'completed'), row(1, 'completed')], 2)?.id).toBe(2)
    expect(currentOf([row(2, 'completed')], null)).toBeNull()
    expect(isClosed(row(1, 'failed'))).toBe(true)
  })
})
