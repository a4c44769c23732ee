import { operatorReserves, operatorWaiting, reserves } from '@aval/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { countOf, query, queryOne } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { fundPool } from '../../testing/deciding.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { clientOf, operatorClient, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { proposeProrate } from '../payout-runs/pay/decisions.commands.ts'
import { release } from '../payout-runs/pay/pay.commands.ts'
import { lockRun } from '../payout-runs/runs/runs.sql.ts'
import { COLD, HOT } from '../withdrawals/testing/withdrawal-fixture.ts'
import { createCustodyFixture } from './testing/custody-fixture.ts'

const custody = await soundSuiteFixture(createCustodyFixture, '2026-05-03T15:00:00Z')
const { money } = custody
const { db } = money

const ana = await money.member()
const member = await money.client(ana)
const operator = await operatorClient(money.server, { username: 'olga' })
await money.fund('profit', '1000')
await money.invest(ana, '600')
beforeEach(async () => {
  await custody.mine()
  await custody.readAll()
  expect(await custody.check()).toMatchObject({ verdict: 'matched' })
})

const explain = (payload: object, who = operator) =>
  who.decide('operator/reserves/explain/', { reason: 'Destroyed by the issuer.', ...payload }, PROBLEM)
const decide = (payload: object) => operator.decide('operator/withdrawals/decide/', payload, PROBLEM)
const metric = async (name: string) =>
  new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (.+)$`, 'm').exec(
    await money.server.api.metrics.metrics(),
  )?.[1]
/** The last run of passive profit. */
const lastRun = () =>
  queryOne<{ id: bigint; state: string }>(db)`
    SELECT id, state FROM payout_run WHERE kind = 'passive' ORDER BY id DESC LIMIT 1`
const capital = () => guardedBalance(db, 'company:capital')

describe('while the reserves do not match', () => {
  it('no run is released, and it goes on by itself when they do', async () => {
    await custody.readAndCheck(HOT, -1n)
    await money.payDay()
    expect((await lastRun()).state).toBe('sealed')
    await money.resume()
    expect((await lastRun()).state).toBe('sealed')
    await custody.readAndCheck(HOT, 0n)
    const rows = await query(db)`SELECT FROM graphile_worker.jobs WHERE key = 'payout_runs.resume'`
    expect(rows).toHaveLength(1)
    await money.resume()
    expect((await lastRun()).state).toBe('done')
  })

  it('a run that is released already is posted no further', async () => {
    await custody.readAndCheck(HOT, -1n)
    await money.payDay()
    await custody.readAndCheck(HOT, 0n)
    const { id } = await lastRun()
    await money.within(async (tx) => {
      const run = await lockRun(tx, id)
      if (run !== undefined) await release(tx, run, money.now)
    })
    await custody.readAndCheck(HOT, -1n)
    const balance = await money.balanceOf(ana)
    await money.resume()
    expect((await lastRun()).state).toBe('released')
    expect(await money.balanceOf(ana)).toBe(balance)
    await custody.readAndCheck(HOT, 0n)
    await money.resume()
    expect((await lastRun()).state).toBe('done')
    expect(await money.balanceOf(ana)).toBeGreaterThan(balance)
  })

  it('nobody’s withdrawal is taken, prepared or signed', async () => {
    const who = await money.withdrawer('120')
    const approved = await custody.withdrawal(who, await money.operator())
    await custody.readAll()
    await custody.readAndCheck(HOT, -1n)
    expect(await money.ask(who, '20')).toAnswer(422, expect.stringContaining('paused'))
    expect(await money.sign(approved)).toBe('stopped')
    await custody.prepare('surplus', HOUSE, '1').catch(() => undefined)
    const rows = await query(db)`SELECT FROM outgoing_transfer WHERE purpose = 'surplus'`
    expect(rows).toEqual([])
  })

  it('no withdrawal is approved, and one that is refused gives its money back all the same', async () => {
    const who = await money.withdrawer('60')
    const id = await money.place(who, '20')
    await custody.readAll()
    await custody.readAndCheck(HOT, -1n)
    expect(await money.approve(id, await money.operator())).toBe('stopped')
    expect((await money.balancesOf(who.id)).held).toBe(usdt('20'))
    expect(await decide({ decision: 'refuse', ids: [Number(id)], reason: 'Ask again.' })).toAnswer(200)
    expect(await money.balancesOf(who.id)).toMatchObject({ balance: usdt('60'), held: 0n })
  })

  it('no run is paid pro rata', async () => {
    await custody.readAndCheck(HOT, -1n)
    const decision = { runId: 1n, operatorId: 1n, note: '', now: money.now }
    await expect(money.within((tx) => proposeProrate(tx, decision))).rejects.toThrow('payouts_stopped')
  })
})

describe('members', () => {
  it('see the last comparison, open it, and what it covers', async () => {
    await money.receive(HOUSE, '10')
    await custody.readAndCheck(HOT, -1n)
    const shown = reserves.parse((await member.get('reserves/')).json())
    expect(shown).toMatchObject({ verdict: 'unexplained', checked_at: custody.at.toISOString() })
    expect(shown.wallets.map(({ role, address }) => [role, address])).toEqual([
      ['hot', HOT],
      ['cold', COLD],
      ['deposits', null],
    ])
    expect(shown.wallets[0]?.amount).toBe('999.999999')
    const [owed, held] = [usdt(shown.owed.total), usdt(shown.custody)]
    expect(shown.coverage).toBe(Number((held * 10_000n) / owed) / 100)
    expect(await clientOf(money.server).get('reserves/')).toAnswer(401)
    // Nothing new can be said, and everything is stopped still.
    const [now, { to }] = [custody.at, { to: custody.block + 9n }]
    await custody.read(HOT, 0n, { from: custody.block, to })
    custody.at = new Date(now.getTime() + 600_000)
    await custody.check()
    expect((await member.get('reserves/')).json().verdict).toBe('unexplained')
    custody.at = now
  })
})

describe('machines', () => {
  it('see drift, stop, custody and debt', async () => {
    await custody.readAndCheck(COLD, usdt('2'))
    expect(await metric('aval_reserves_drift_micro')).toBe('2000000')
    expect(await metric('aval_reserves_stopped')).toBe('1')
    expect(await metric('aval_custody_micro{wallet="cold"}')).toBe('502000000')
    expect(await metric('aval_hot_wallet_trx_sun')).toBe('7000000')
    expect(await metric('aval_chain_lag_blocks')).toBe('0')
    expect(await metric('aval_withdrawals_open{state="requested"}')).toBe('0')
    expect(Number(await metric('aval_withdrawal_approved_timestamp_seconds'))).toBeGreaterThan(0)
    expect(await metric('aval_payout_runs{state="held"}')).toBe('0')
    expect(Number(await metric('aval_chain_read_timestamp_seconds'))).toBeGreaterThan(0)
    expect(Number(await metric('aval_owed_micro'))).toBeGreaterThan(600_000_000)
    await custody.readAll()
    await custody.check()
    expect(await metric('aval_reserves_stopped')).toBe('0')
  })
})

describe('nodes that are not asked', () => {
  const NODES = [
    ['b.example', 'other_network'],
    ['c.example', 'key_refused'],
    ['d.example', 'over_budget'],
    ['e.example', 'away'],
  ] as const
  it('are told to machines, to the console by name, and to what supervises the process, which need not restart it', async () => {
    const ready = async () => (await member.get('health/ready')).json()
    expect(await ready()).toEqual({ status: 'ok' })
    await query(custody.money.owner)`
      INSERT INTO gateway_node SELECT place, name, state, 'why', now() - interval '1 hour', current_date, 950, 1000, now()
      FROM unnest(${NODES.map(([name]) => name)}::text[], ${NODES.map(([, state]) => state)}::text[]) WITH ORDINALITY AS n (name, state, place)`
    expect(await ready()).toEqual({ status: 'degraded', nodes: ['key_refused', 'other_network'] })
    const { failing } = operatorWaiting.parse((await operator.get('operator/waiting/')).json())
    expect(failing.flatMap(({ what, detail }) => (what.startsWith('node_') ? [[what, detail]] : []))).toEqual(
      [
        ['node_other_network', 'b.example'],
        ['node_key_refused', 'c.example'],
        ['node_limited', 'd.example'],
      ],
    )
    for (const state of NODES.map(([, each]) => each))
      expect([state, await metric(`aval_chain_nodes{state="${state}"}`)]).toEqual([state, '1'])
    expect(await metric('aval_node_calls{node="b.example"}')).toBe('950')
    expect(await metric('aval_node_budget_used_ratio{node="b.example"}')).toBe('0.95')
    await query(custody.money.owner)`DELETE FROM gateway_node`
  })
})

describe('an operator', () => {
  it('sees the address, what it must hold and what was found', async () => {
    await custody.readAndCheck(HOT, -usdt('5'))
    const shown = operatorReserves.parse((await operator.get('operator/reserves/')).json())
    expect(shown).toMatchObject({ stopped: true, reason: 'missing' })
    expect(shown.addresses[0]).toMatchObject({
      address: HOT,
      role: 'hot',
      expected: '1000.00',
      found: '995.00',
      difference: '-5.00',
      trx: '7.00',
      waits: false,
    })
    expect(shown.addresses.slice(0, 3).map(({ role }) => role)).toEqual(['hot', 'cold', 'deposit'])
    expect(shown.addresses.slice(1).every(({ difference }) => difference === '0.00')).toBe(true)
    expect(shown.books.map(({ difference }) => difference)).toEqual(['0.00', '0.00', '0.00'])
    expect(shown.checks[0]).toMatchObject({ verdict: 'unexplained', drift: '5.00' })
  })

  it('books a loss against the company’s capital; the comparison that it asks for lifts the stop', async () => {
    const before = await capital()
    await custody.readAndCheck(HOT, -usdt('5'))
    expect(await explain({ address: HOT, difference: '-5.00' })).toAnswer(200, {
      message:
        'Proposed. The difference of −$5.00 is booked against the company capital once operators approve it.',
    })
    // Asked for, it changes nothing.
    expect(await custody.check()).toMatchObject({ verdict: 'unexplained' })
    expect([await custody.stopped(), await capital()]).toEqual([true, before])
    await money.signProposed(`address:${HOT}`)
    expect(await countOf(db)`graphile_worker.jobs WHERE task_identifier = 'reserves.check'`).toBe(1)
    await custody.check()
    expect(await custody.stopped()).toBe(false)
    expect(await capital()).toBe(before - usdt('5'))
    const kept = await db.selectFrom('custody_adjustment').selectAll().execute()
    expect(kept).toMatchObject([{ address: HOT, amount: -usdt('5'), reason: 'Destroyed by the issuer.' }])
    const trail = await query(
      db,
    )`SELECT action, subject, outcome, details->>'difference' AS difference FROM audit_event
      WHERE action LIKE 'reserves.%' ORDER BY id`
    const about = { subject: `address:${HOT}`, outcome: 'done' }
    expect(trail).toEqual([
      { ...about, action: 'reserves.propose', difference: '-5.00' },
      { ...about, action: 'reserves.explain', difference: '-5.000000' },
    ])
    await custody.readAll()
    expect(await custody.check()).toMatchObject({ verdict: 'matched' })
  })

  it('books what was found beside as the company’s', async () => {
    const before = await capital()
    await custody.readAndCheck(await custody.deposit(ana), usdt('0.5'))
    const address = await custody.deposit(ana)
    expect(await explain({ address, difference: '0.50' })).toAnswer(200)
    await money.signProposed(`address:${address}`)
    await custody.check()
    expect([await custody.stopped(), await capital()]).toEqual([false, before + usdt('0.5')])
  })

  it('is refused without a code, for another difference, for none, and beyond the capital', async () => {
    const before = await capital()
    await custody.readAndCheck(HOT, -usdt('5'))
    const loss = { address: HOT, difference: '-5.00' }
    expect(await explain({ ...loss, otp: undefined })).toRefuse(403, 'otp_required')
    expect(await explain({ ...loss, difference: '-4.999999' })).toRefuse(409, 'difference_changed')
    expect(await explain({ ...loss, difference: '5.00' })).toRefuse(409, 'difference_changed')
    expect(await explain({ ...loss, address: COLD })).toRefuse(409, 'difference_none')
    expect(await explain({ ...loss, address: 'TNobody' })).toRefuse(409, 'difference_none')
    expect(await explain({ ...loss, difference: '1e3' })).toRefuse(400, 'amount_invalid')
    expect(await explain({ ...loss, reason: ' ' })).toRefuse(400, 'field_required')
    await fundPool(money.owner, 'profit', before - usdt('4'), 'rest', money.now)
    expect(await explain(loss)).toRefuse(422, 'company_funds_too_small')
    expect([await capital(), await custody.stopped()]).toEqual([usdt('4'), true])
  })

  it('is not booked when the address holds something else by the time it is signed', async () => {
    await custody.readAndCheck(HOT, -usdt('2'))
    const before = await capital()
    expect(await explain({ address: HOT, difference: '-2.00' })).toAnswer(200)
    await custody.readAndCheck(HOT, -usdt('3'))
    await expect(money.signProposed(`address:${HOT}`)).rejects.toThrow('difference_changed')
    expect([await capital(), await custody.stopped()]).toEqual([before, true])
    expect(await explain({ address: HOT, difference: '-3.00' })).toAnswer(200)
    await custody.readAndCheck(HOT, 0n)
    await expect(money.signProposed(`address:${HOT}`)).rejects.toThrow('difference_none')
    expect(await capital()).toBe(before)
  })

  it('books one difference once, however many try at once', async () => {
    const second = await operatorClient(money.server, { username: 'otto' })
    await custody.readAndCheck(COLD, -usdt('1'))
    const before = await capital()
    const body = { address: COLD, difference: '-1.00' }
    const answers = await Promise.all([explain(body), explain(body, second)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    await money.signProposed(`address:${COLD}`)
    await expect(money.signProposed(`address:${COLD}`)).rejects.toThrow('decision_closed')
    expect(await capital()).toBe(before - usdt('1'))
  })
})
