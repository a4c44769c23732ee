import { describe, expect, it } from 'vitest'
import { demoClock } from '../../core/context.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { runDue } from '../payout-runs/advance.commands.ts'
import { advanceDay, forgetAdvance, readDemo } from './demo.commands.ts'
import { beginAdvance } from './demo.sql.ts'

const money = await suiteFixture(createMoneyFixture, new Date().toISOString())

/** The same installation as a demo, without a chain that has a clock. */
const { context } = money.server
const demo = {
  ...context,
  clock: demoClock(context.db),
  config: { ...context.config, demo: true, devnetUrl: null },
}

describe('advancing the demo by a day', () => {
  it('goes to the next morning and comes back when its run rests', async () => {
    await money.fund('profit', '100')
    const member = await money.member()
    await money.invest(member, '600')
    const before = await demo.clock.now()
    const state = await advanceDay(demo, async () => {
      await runDue(demo.db, await demo.clock.now())
      return true
    })
    const hours = (new Date(state.now).getTime() - before.getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(8)
    expect(hours).toBeLessThan(34)
    expect(state.advancing).toBe(false)
    const paid = context.db.selectFrom('posting').select('amount').where('member_id', '=', member)
    expect(await paid.where('kind', '=', 'passive').execute()).toEqual([{ amount: 2_000_000n }])
  })

  it('happens once at a time, and after a killed one the next start frees it', async () => {
    await beginAdvance(demo.db, new Date())
    await expect(advanceDay(demo, async () => false)).rejects.toThrow('demo_busy')
    await forgetAdvance(demo)
    expect((await readDemo(demo)).advancing).toBe(false)
  })
})

it('where there is no demo time is the system’s, and nobody can advance it', async () => {
  const { call } = money.server
  const state = { enabled: false, advancing: false, mail: null }
  expect((await call({ url: '/api/demo/' })).json()).toMatchObject(state)
  await expect(advanceDay(context, async () => false)).rejects.toThrow('demo_only')
  expect(await call({ method: 'POST', url: '/api/demo/advance-day/' })).toAnswer(401)
})
