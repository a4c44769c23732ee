/** Two operators, one member, and runs that wait for a decision. */
import { type PayoutRun, pageOf, payoutRun } from '@aval/contract'
import { balancesOf } from '../../../ledger/ledger.queries.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import { freshCode, join } from '../../../testing/server.ts'
import { resumeRuns, runDue } from '../advance.commands.ts'

type Headers = Readonly<Record<string, string>>

export type RunsFixture = Awaited<ReturnType<typeof createRunsFixture>>

export async function createRunsFixture(adminUrl: string) {
  const money = await createMoneyFixture(adminUrl, '2026-05-03T15:00:00Z')
  const { db } = money.server.context
  const joined = (username: string, isOperator = false) =>
    join(money.server, { username, isOperator }, money.server.rootId, money.now)
  const memberId = await joined('ana')
  const member = await money.bearer(memberId)
  const operator = await money.bearer(await joined('olga', true))
  const second = await money.bearer(await joined('otto', true))

  const call = (method: 'GET' | 'POST', path: string, headers: Headers, payload?: object) =>
    money.server.call({
      method,
      url: `/api/operator/${path}`,
      headers: { 'accept-language': 'en', ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  const runs = async (search = '') =>
    pageOf(payoutRun).parse((await call('GET', `runs/${search}`, operator)).json())
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
    money.now = new Date(money.now.getTime() + 86_400_000)
    return runDue(db, money.now)
  }
  return {
    money,
    db,
    /** Called olga, and otto. */
    operator,
    second,
    /** ana, who invests. */
    memberId,
    member,
    get: (path: string, headers: Headers = operator) => call('GET', path, headers),
    /** POST operator/runs/{id}/{decision}/, with a fresh code. */
    decide: async (id: number | string, decision: string, headers: Headers = operator, payload?: object) =>
      call('POST', `runs/${id}/${decision}/`, headers, {
        otp: await freshCode(money.server, headers),
        ...payload,
      }),
    runs,
    runOf,
    dayOf,
    /** What the jobs do after a decision. */
    resume: () => resumeRuns(db, money.now),
    balance: async () => (await balancesOf(db, memberId)).balance,
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
