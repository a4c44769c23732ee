import { decision, pageOf } from '@aval/contract'
import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { operatorClient } from '../../testing/server.ts'
import { soundTestFixture } from '../../testing/suite.ts'
import { createRunsFixture } from '../payout-runs/testing/runs-fixture.ts'

const fixture = soundTestFixture(createRunsFixture)
const listed = async (search = '') =>
  pageOf(decision).parse((await fixture.get(`decisions/${search}`)).json()).results
const withdraw = (id: number | string, who = fixture.operator) =>
  who.decide(`operator/decisions/${id}/withdraw/`)

describe('what was proposed', () => {
  it('is listed with what operators sign, newest first, and who approved it', async () => {
    const run = await fixture.shortDay()
    await fixture.decide(run.id, 'prorate', fixture.operator, { note: 'no money this week' })
    await fixture.operator.decide('operator/plans/', { starts_on: '2026-06-01', document: DEFAULT_PLAN })
    const [plan, prorate] = await listed()
    expect(plan).toMatchObject({
      kind: 'plan',
      subject: 'plan:2026-06-01',
      statement: { starts_on: '2026-06-01', starts_at: '2026-06-01T05:00:00Z' },
      state: 'open',
      proposed_by: 'olga',
      approvals: [],
    })
    expect(prorate).toMatchObject({
      kind: 'run_prorate',
      statement: {
        run: String(run.id),
        sum: '2000000000',
        pool: '1000000000',
        items_hash: run.items_hash,
        note: 'no money this week',
      },
      ended_at: null,
    })
    await fixture.approve(run.id)
    expect((await listed()).map(({ state }) => state)).toEqual(['open', 'accepted'])
    expect((await listed('?state=open')).map(({ kind }) => kind)).toEqual(['plan'])
  })

  it('is taken back by any operator while it waits, and can be proposed again', async () => {
    const run = await fixture.shortDay()
    await fixture.decide(run.id, 'prorate')
    const [proposed] = await listed()
    const id = proposed?.id ?? 0
    expect(await withdraw(id, await operatorClient(fixture.money.server))).toAnswer(200, {
      message: 'The proposal was taken back.',
    })
    expect((await listed())[0]).toMatchObject({ id, state: 'withdrawn' })
    const second = await withdraw(id)
    expect(second).toAnswer(409)
    expect(second.json()).toMatch(/^This decision no longer waits for approval\. member\d+ withdrew it on /)
    await expect(fixture.approve(run.id)).rejects.toThrow('decision_closed')
    expect(await fixture.decide(run.id, 'prorate')).toAnswer(200)
    for (const none of ['0', '-1', '999999', '9'.repeat(40), 'text'])
      expect(await withdraw(none), none).toAnswer(404, 'There is no such decision.')
  })

  it('ends with its run, and says why', async () => {
    const run = await fixture.doubledDay()
    await fixture.decide(run.id, 'release')
    await fixture.decide(run.id, 'cancel')
    expect((await listed())[0]).toMatchObject({ state: 'refused', refusal: 'run_not_held' })
  })
})
