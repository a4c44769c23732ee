/** Two operators, one member, and runs that wait for a decision. */
import { type PayoutRun, pageOf, payoutRun } from '@aval/contract'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import type { Headers } from '../../../testing/server.ts'

export async function createRunsFixture(adminUrl: string) {
  const money = await createMoneyFixture(adminUrl, '2026-05-03T15:00:00Z')
  const { db } = money
  const memberId = await money.joined('ana')
  const member = await money.client(memberId)
  const olga = await money.joined('olga', undefined, true)
  const operator = await money.client(olga)
  const second = await money.client(await money.joined('otto', undefined, true))

  const runs = async (search = '') =>
    pageOf(payoutRun).parse((await operator.get(`operator/runs/${search}`)).json())
  /** The run of a kind and period that was not cancelled. */
  const runOf = async (kind: string, period: string): Promise<PayoutRun> => {
    const { results } = await runs('?page_size=100')
    const live = results.filter(({ state }) => state !== 'cancelled')
    const found = live.find((run) => run.kind === kind && run.period === period)
    if (found === undefined) throw new Error(`no ${kind} run of ${period}`)
    return found
  }
  /** Invests, and lives through the next midnight. */
  const dayOf = async (amount: string) => {
    await money.invest(memberId, amount)
    await money.payDay()
  }
  return {
    money,
    db,
    faults: money.faults,
    close: money.close,
    /** Called olga, and otto. */
    operator,
    second,
    /** ana, who invests. */
    memberId,
    member,
    get: (path: string, who = operator, more: Headers = {}) => who.get(`operator/${path}`, more),
    decide: (id: number | string, decision: string, who = operator, payload = {}, more: Headers = {}) =>
      who.decide(`operator/runs/${id}/${decision}/`, payload, more),
    /** What was proposed about a run, as if operators had approved it. @throws with the name of what speaks against it */
    approve: (id: number) => money.signProposed(`run:${id}`, olga),
    runs,
    runOf,
    dayOf,
    /** What the jobs do after a decision. */
    resume: money.resume,
    balance: () => money.balanceOf(memberId),
    /** A day whose passive run comes to 4,000, twice that of the day before, and is held for it. */
    doubledDay: async () => {
      await money.fund('profit', '100000')
      await dayOf('600000')
      await dayOf('600000')
      return runOf('passive', '2026-05-05')
    },
    /** A day whose pool holds 1,000 of the 2,000 that its passive run needs. */
    shortDay: async () => {
      await money.fund('profit', '1000')
      await dayOf('600000')
      return runOf('passive', '2026-05-04')
    },
  }
}
