import type { Problem, Withdrawal, WithdrawalTerms } from '@aval/contract'
import { connect } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { usdt } from '../../testing/money-house.ts'
import { freshCode } from '../../testing/server.ts'
import { newTotpSecret } from '../identity/second-factor/totp.ts'
import { assignTotpSecret } from '../identity/second-factor/totp-setup.commands.ts'
import { emailCodeFor, mailsTo } from '../identity/testing/member-fixture.ts'
import {
  createWithdrawalFixture,
  type WithdrawalFixture,
  type Withdrawer,
} from './testing/withdrawal-fixture.ts'

let desk: WithdrawalFixture
beforeAll(async () => {
  desk = await createWithdrawalFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterAll(async () => {
  if (desk !== undefined) expect(await desk.faults()).toEqual([])
  await desk?.close()
})

const balances = ({ id }: Withdrawer) => balancesOf(desk.db, id)
const submit = (who: Withdrawer, body: object, headers: object = {}) =>
  desk.call('POST', 'withdrawals/withdrawals/', { ...who.headers, ...headers }, body)
const PROBLEM = { accept: 'application/problem+json' }

/** What is in the trail of a member's requests, oldest first. */
async function trail({ id }: Withdrawer) {
  const { rows } = await sql<{ outcome: string; code: string | null }>`
    SELECT outcome, details->>'code' AS code FROM audit_event
    WHERE actor_id = ${id} AND action = 'withdrawal.request' ORDER BY id`.execute(desk.db)
  return rows.map(({ outcome, code }) => (code === null ? outcome : `${outcome} ${code}`))
}

describe('a member who asks for money with a code', () => {
  it('has it held at once, and is told by e-mail', async () => {
    const ana = await desk.withdrawer('100')
    const answer = await desk.ask(ana, '50')
    expect(answer.statusCode).toBe(201)
    const withdrawal = answer.json() as Withdrawal
    expect(withdrawal).toMatchObject({
      amount: '50.00',
      fee: '1.00',
      arrives: '49.00',
      from_balance: '50.00',
      from_principal: '0.00',
      status: '1',
      stage: 'requested',
      payment_link: null,
      txid: null,
      wallet_address: ana.wallet,
      can_cancel: true,
      timeline: [{ stage: 'requested', at: '2026-05-03T15:00:00.000Z' }],
    })
    expect(await balances(ana)).toMatchObject({ balance: usdt('50'), held: usdt('50') })
    const [code, requested] = await mailsTo(desk.server, ana.id)
    expect(code).toMatchObject({ template: 'withdrawal_code' })
    expect(code?.params).not.toHaveProperty('amount')
    expect(requested).toMatchObject({
      template: 'withdrawal_requested',
      event: `withdrawal:${withdrawal.id}:requested`,
      params: { amount: '50000000', fee: '1000000', arrives: '49000000', wallet: ana.wallet },
    })
    expect(requested?.params['notMeUrl']).toContain('/auth/not-me/')
    expect(await trail(ana)).toEqual(['done'])
  })

  it('reads it in the list, newest first, and alone', async () => {
    const ana = await desk.withdrawer('100')
    const first = await desk.asked(ana, '20')
    const second = await desk.asked(ana, '30')
    const page = await desk.call('GET', 'withdrawals/withdrawals/?page_size=1', ana.headers)
    expect(page.json()).toMatchObject({ count: 2, total_pages: 2, results: [{ id: second.id }] })
    const one = await desk.call('GET', `withdrawals/withdrawals/${first.id}/`, ana.headers)
    expect(one.json()).toEqual(first)
    const stranger = await desk.withdrawer()
    for (const id of [first.id, 0, 'x', '99999999999999999999'])
      expect((await desk.call('GET', `withdrawals/withdrawals/${id}/`, stranger.headers)).statusCode).toBe(
        404,
      )
  })

  it('gets the same answer for the same call again, and nothing more is held', async () => {
    const ana = await desk.withdrawer('100')
    const body = { amount: '60', wallet_address: ana.wallet, used_code: await desk.code(ana) }
    const key = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all([submit(ana, body, key), submit(ana, body, key)])
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.body).toBe(first.body)
    expect((await submit(ana, { ...body, amount: '61' }, key)).statusCode).toBe(409)
    expect((await balances(ana)).held).toBe(usdt('60'))
  })

  it('may have the code made for one amount to one wallet, and the e-mail repeats both', async () => {
    const ana = await desk.withdrawer('100')
    const code = await desk.code(ana, { amount: 40, wallet_address: ana.wallet })
    const [letter] = await mailsTo(desk.server, ana.id)
    expect(letter?.params).toMatchObject({ amount: '40000000', arrives: '39000000', wallet: ana.wallet })
    // "40.00" is the same amount, and spaces of the e-mail do not count.
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(
      (await submit(ana, { amount: '40.00', wallet_address: ana.wallet, used_code: typed })).statusCode,
    ).toBe(201)
  })
})

describe('a member with two-factor', () => {
  it('confirms with a fresh code as well, and neither code is used up by a slip elsewhere', async () => {
    const member = await desk.withdrawer('100')
    await assignTotpSecret(
      desk.server.context,
      member.id,
      newTotpSecret(),
      new Date(Date.now() - 2 * 86_400_000),
    )
    // Every session has ended.
    const ana = { ...member, headers: await desk.bearer(member.id) }
    const terms = (await desk.call('GET', 'withdrawals/terms/', ana.headers)).json() as WithdrawalTerms
    expect(terms.needs_otp).toBe(true)
    const used_code = await desk.code(ana)
    const otp = await freshCode(desk.server, ana.headers)
    const body = { amount: '50', wallet_address: ana.wallet, used_code }
    const codeOf = async (answer: Promise<{ json(): unknown }>) => ((await answer).json() as Problem).code
    expect(await codeOf(submit(ana, body, PROBLEM))).toBe('otp_required')
    expect(await codeOf(submit(ana, { ...body, otp: '000000' }, PROBLEM))).toBe('otp_invalid')
    expect(await codeOf(submit(ana, { ...body, otp, amount: '500' }, PROBLEM))).toBe('balance_too_small')
    expect((await balances(ana)).held).toBe(0n)
    const key = { 'idempotency-key': 'with-otp' }
    const first = await submit(ana, { ...body, otp }, key)
    expect(first.statusCode).toBe(201)
    expect((await submit(ana, { ...body, otp }, key)).body).toBe(first.body)
    const again = { ...body, amount: '20', used_code: await desk.code(ana), otp }
    expect(await codeOf(submit(ana, again, PROBLEM))).toBe('otp_invalid')
  })
})

describe('a balance for one withdrawal', () => {
  it('pays one of a hundred that come at once with the one code', async () => {
    const ana = await desk.withdrawer('50')
    const body = { amount: '50', wallet_address: ana.wallet, used_code: await desk.code(ana) }
    const answers = await Promise.all(Array.from({ length: 100 }, () => submit(ana, body)))
    const counted = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
    expect(counted(201)).toBe(1)
    expect(counted(201) + counted(422) + counted(429)).toBe(100)
    expect(await balances(ana)).toMatchObject({ balance: 0n, held: usdt('50') })
  })

  it('pays one of a hundred where each had a code of its own', async () => {
    const ana = await desk.withdrawer('50')
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => desk.place(ana, '50')))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balances(ana)).toMatchObject({ balance: 0n, held: usdt('50') })
  })
})

describe('the day’s limit', () => {
  it('counts what was asked for since midnight of the plan, and not what came to nothing', async () => {
    const ana = await desk.withdrawer('20000')
    const { id } = await desk.asked(ana, '3000')
    await desk.asked(ana, '2000')
    expect((await desk.ask(ana, '20')).statusCode).toBe(422)
    expect((await desk.call('POST', `withdrawals/withdrawals/${id}/cancel/`, ana.headers)).statusCode).toBe(
      200,
    )
    const terms = (await desk.call('GET', 'withdrawals/terms/', ana.headers)).json() as WithdrawalTerms
    expect(terms).toMatchObject({ left_today: '3000.00', day_turns_at: '2026-05-04T05:00:00.000Z' })
    await desk.asked(ana, '3000')
    const before = desk.now
    desk.now = new Date('2026-05-04T05:00:00Z')
    expect((await desk.ask(ana, '5000')).statusCode).toBe(201)
    desk.now = before
  })
})

describe('the terms', () => {
  it('quote an amount, and say why it would be refused', async () => {
    const ana = await desk.withdrawer('30')
    const terms = (await desk.call('GET', 'withdrawals/terms/?amount=25.5', ana.headers)).json()
    expect(terms).toMatchObject({
      balance: '30.00',
      unlocked_principal: '0.00',
      principal_unlocks_at: null,
      available: '30.00',
      minimum: '20.00',
      fee: '1.00',
      daily_limit: '5000.00',
      cools_until: null,
      wallet_address: ana.wallet,
      needs_otp: false,
      quote: { amount: '25.50', fee: '1.00', arrives: '24.50', from_balance: '25.50', problem: null },
    })
    const above = (await desk.call('GET', 'withdrawals/terms/?amount=31', ana.headers)).json()
    expect(above.quote.problem).toMatchObject({ code: 'balance_too_small' })
    expect((await desk.call('GET', 'withdrawals/terms/?amount=x', ana.headers)).statusCode).toBe(400)
  })
})

describe('a member who owes something', () => {
  it('can withdraw what is left of the balance, and operators see that', async () => {
    const ana = await desk.withdrawer('100')
    const owner = connect(desk.server.database.ownerUrl, 1)
    await owner.db.transaction().execute(async (tx) => {
      await sql.raw('SET LOCAL session_replication_role = replica').execute(tx)
      await sql`INSERT INTO member_receivable VALUES (${ana.id}, 'commission', ${usdt('30')})`.execute(tx)
    })
    const terms = (await desk.call('GET', 'withdrawals/terms/', ana.headers)).json() as WithdrawalTerms
    expect(terms).toMatchObject({ balance: '70.00', available: '70.00' })
    await expect(desk.place(ana, '70.000001')).rejects.toThrow('balance_too_small')
    const id = await desk.place(ana, '70')
    const { rows } = await sql<{ risks: string[] }>`SELECT risks FROM withdrawal WHERE id = ${id}`.execute(
      desk.db,
    )
    expect(rows[0]?.risks).toContain('receivable')
    await owner.db.transaction().execute(async (tx) => {
      await sql.raw('SET LOCAL session_replication_role = replica; DELETE FROM member_receivable').execute(tx)
    })
    await owner.close()
  })
})

describe('a request taken back', () => {
  it('gives everything back, once, and can be asked for again', async () => {
    const ana = await desk.withdrawer('100')
    const { id } = await desk.asked(ana, '70')
    const cancel = () => desk.call('POST', `withdrawals/withdrawals/${id}/cancel/`, ana.headers)
    const [first] = await Promise.all([cancel(), cancel(), cancel()])
    expect(first.json()).toMatchObject({ stage: 'cancelled', status: '3', can_cancel: false, reason: null })
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
    expect((await mailsTo(desk.server, ana.id)).at(-1)).toMatchObject({ template: 'withdrawal_cancelled' })
  })

  it('is nobody else’s to take', async () => {
    const [ana, bob] = [await desk.withdrawer('100'), await desk.withdrawer()]
    const { id } = await desk.asked(ana, '70')
    expect((await desk.call('POST', `withdrawals/withdrawals/${id}/cancel/`, bob.headers)).statusCode).toBe(
      404,
    )
    expect((await balances(ana)).held).toBe(usdt('70'))
  })

  it('goes with everything else when the member says that it was somebody else', async () => {
    const ana = await desk.withdrawer('100')
    await desk.asked(ana, '20')
    await desk.asked(ana, '30')
    const url = (await mailsTo(desk.server, ana.id)).at(-1)?.params['notMeUrl'] ?? ''
    const said = await desk.call('POST', 'auth/not-me/', {}, { token: url.split('/').at(-1) })
    expect(said.statusCode).toBe(200)
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
    const { rows } = await sql<{ state: string; reason: string }>`
      SELECT state, reason FROM withdrawal WHERE member_id = ${ana.id}`.execute(desk.db)
    expect(rows).toEqual(Array(2).fill({ state: 'cancelled', reason: 'not_me' }))
  })
})

it('a code is e-mailed as often as it is asked for, and the last one counts', async () => {
  const ana = await desk.withdrawer('100')
  const first = await desk.code(ana)
  const second = await desk.code(ana)
  expect(await emailCodeFor(desk.server, ana.id)).toBe(second)
  const body = { amount: '50', wallet_address: ana.wallet }
  if (first !== second) expect((await submit(ana, { ...body, used_code: first })).statusCode).toBe(422)
  expect((await submit(ana, { ...body, used_code: second })).statusCode).toBe(201)
})
