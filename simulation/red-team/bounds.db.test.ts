/**
 * What one stolen process is worth, measured: the figures of "In USDT" in docs/security/threats.md. A thief has three accounts, each the
 * sponsor of the next, and somebody below them who has 1,000 in the balance; everybody else works honestly.
 */
import { readFileSync } from 'node:fs'
import { connect, type Database } from '@aval/db'
import { checkLimits } from '@aval/gateway/src/signer/limits.rules.ts'
import { newPolicy } from '@aval/gateway/src/signer/policy.rules.ts'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../apps/server/src/core/query.sql.ts'
import { advanceRun } from '../../apps/server/src/features/payout-runs/advance.commands.ts'
import { computeDirect } from '../../apps/server/src/features/payout-runs/calculate/calculate.commands.ts'
import { writeItems } from '../../apps/server/src/features/payout-runs/pay/pay.commands.ts'
import { openBatches } from '../../apps/server/src/features/payout-runs/runs/runs.commands.ts'
import { type Run, selectRun } from '../../apps/server/src/features/payout-runs/runs/runs.sql.ts'
import { createMoneyFixture } from '../../apps/server/src/testing/money-fixture.ts'
import { suiteFixture } from '../../apps/server/src/testing/suite.ts'

const MICRO = 1_000_000n
const THOUSAND = 1_000n * MICRO
const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db, server } = money
await money.fund('commission', '10000')

/** The accounts of the thief, who is below the last of them, and who has nothing to do with any. */
async function cast() {
  const first = await money.investor('600')
  const second = await money.investor('600', first)
  const third = await money.investor('600', second)
  const below = await money.member(third)
  const beside = await money.member(await money.investor('600'))
  for (const id of [below, beside]) await money.receive(id, '1000')
  return { own: [first, second, third], third, below, beside }
}
type Cast = Awaited<ReturnType<typeof cast>>

/** What these accounts have in all, USDT. */
const inAll = async (accounts: readonly bigint[]): Promise<bigint> =>
  (await queryValue<bigint>(db)`
    SELECT sum(principal + balance + held)::bigint FROM member_balance WHERE member_id = ANY(${accounts}::bigint[])`) /
  MICRO

const refused = (...attempts: readonly PromiseLike<unknown>[]) =>
  Promise.all(attempts.map((attempt) => expect(attempt).rejects.toThrow()))

interface Theft {
  readonly url: string
  /** What has moved money once, and what still does. */
  steal(role: Database, cast: Cast): Promise<unknown>
}

const thefts: Readonly<Record<string, Theft>> = {
  API: {
    url: server.database.apiUrl,
    async steal(role, { third, below, beside }) {
      for (const id of [below, beside])
        await query(role)`SELECT invest_balance(${id}, 'mine', ${THOUSAND}, 1, ${money.now})`
      const invested = await money.latestInvestment(below)
      await refused(
        query(role)`SELECT set_extra_percent(${third}, '20', ${server.rootId}, ${money.now})`,
        query(role)`SELECT reverse_investment(${invested}, 'mistake', ${server.rootId}, ${money.now})`,
        query(role)`SELECT fund_pool('commission', ${MICRO}, 'mine', ${money.now}, ${server.rootId}, 'mine')`,
        query(role)`INSERT INTO deposit_address (address, member_id) VALUES ('mine', ${third})`,
        query(role)`UPDATE sponsorship SET sponsor_id = ${third} WHERE member_id = ${beside}`,
      )
    },
  },
  Worker: {
    url: server.database.workerUrl,
    async steal(role, { third, beside }) {
      await money.reinvest(beside, '1000')
      const [id = 0n] = await openBatches(role)
      const computed = await computeDirect(role, (await selectRun(role, id)) as Run)
      // As much as a plan can pay, to somebody else: nothing but a second computation finds it.
      const items = computed.items.slice(0, 1).map((item) => ({ ...item, memberId: third }))
      await writeItems(role, id, { ...computed, items })
      expect(await queryValue(role)`SELECT release_payout_run(${id}, ${money.now})`).toBe('waiting')
      await refused(query(role)`SELECT record_payout_audit(${id}, NULL, NULL, NULL, '[]', 'mine', '1')`)
      expect(await queryValue(role)`SELECT post_payout_batch(${id}, ${money.now})`).toBe(false)
    },
  },
  Gateway: {
    url: server.database.gatewayUrl,
    // Who is below is of the thief's, too: what no chain had is recorded by the role's own function, and credited by the worker.
    steal: (_role, { below }) => money.investOnly(below, '1000'),
  },
  Approvals: {
    url: server.database.approvalsUrl,
    steal: (role, { third }) =>
      refused(
        query(role)`SELECT accept_approval(1)`,
        query(role)`SELECT accept_decision_approval(1, '{1}')`,
        query(role)`SELECT propose_decision('fund_pool', '{}', NULL, ${server.rootId}, ${money.now})`,
        query(role)`UPDATE member_balance SET balance = balance + ${MICRO} WHERE member_id = ${third}`,
      ),
  },
  Auditor: {
    url: server.database.auditorUrl,
    async steal(role, { beside }) {
      await money.reinvest(beside, '1000')
      const [id = 0n] = await openBatches(db)
      await advanceRun(db, id, money.now)
      const wrong = query(
        role,
      )`SELECT record_payout_audit(${id}, ${'0'.repeat(64)}, 1, ${MICRO}, '[]', NULL, '1') AS said`
      expect(await wrong).toEqual([{ said: 'differs' }])
      await refused(query(role)`SELECT release_payout_run(${id}, ${money.now})`)
    },
  },
}

/** What leaves in a day under the limits of a new key file, if everything is approved that is asked for: each hour by ten new members. */
function leavesInADay(): bigint {
  const { limits } = newPolicy('mainnet')
  let day = 0n
  for (let hour = 0; hour < 24; hour += 1) {
    let inHour = 0n
    for (let member = 0; member < 10; member += 1) {
      const sums = { day, hour: inHour, memberDay: 0n, newWallet: 0n }
      if (checkLimits(THOUSAND, sums, limits) !== null) continue
      day += THOUSAND
      inHour += THOUSAND
    }
  }
  return day / MICRO
}

const document = readFileSync(new URL('../../docs/security/threats.md', import.meta.url), 'utf8')
const written = [...document.matchAll(/^\| (\w+) +\| +([\d,]+) +\| +([\d,]+) +\|/gm)].map(
  ([, part = '', alone = '', approved = '']) => ({
    part,
    alone: alone.replaceAll(',', ''),
    approved: approved.replaceAll(',', ''),
  }),
)

describe('what one stolen process is worth', () => {
  it('is written down for each that has a role', () => {
    expect(written.map(({ part }) => part)).toEqual(Object.keys(thefts))
  })

  it.each(written)('$part: $alone USDT of each 1,000, as the document says', async ({ part, alone }) => {
    const theft = thefts[part]
    if (theft === undefined) throw new Error(`nobody steals the ${part}`)
    const players = await cast()
    const before = await inAll([...players.own, players.below])
    const role = connect(theft.url, 5)
    await theft.steal(role.db, players).finally(() => role.close())
    await money.payAllDirect()
    expect(String((await inAll([...players.own, players.below])) - before)).toBe(alone)
  })

  it.each(written)('$part: $approved USDT leave in a day, however much is approved', ({ part, approved }) => {
    const asks = part === 'API' || part === 'Gateway'
    expect(String(asks ? leavesInADay() : newPolicy('mainnet').codes.perDay)).toBe(approved)
  })
})
