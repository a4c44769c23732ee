import type { Problem, Withdrawal, WithdrawalTerms } from '@aval/contract'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { addressOf } from '../../testing/addresses.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { clientOf, freshCode, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { newTotpSecret } from '../identity/second-factor/totp.ts'
import { assignTotpSecret } from '../identity/second-factor/totp-setup.commands.ts'
import { recordSecurityEvent } from '../identity/security-log/security-log.commands.ts'
import { emailCodeFor, mailsTo, walletOf } from '../identity/testing/member-fixture.ts'
import { createWithdrawalFixture, type Withdrawer } from './testing/withdrawal-fixture.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')

const balances = ({ id }: Withdrawer) => money.balancesOf(id)
const submit = (who: Withdrawer, body: object, headers = {}) =>
  who.post('withdrawals/withdrawals/', body, headers)
const termsOf = async (who: Withdrawer, search = ''): Promise<WithdrawalTerms> =>
  (await who.get(`withdrawals/terms/${search}`)).json()
/** A member with 100, and a code. */
async function withCode() {
  const ana = await money.withdrawer('100')
  return { ana, used_code: await money.code(ana) }
}
/** Changes rows behind every guard. */
const tamper = (statement: string) =>
  money.owner.transaction().execute(async (tx) => {
    await sql.raw(`SET LOCAL session_replication_role = replica; ${statement}`).execute(tx)
  })

/** What is in the trail of a member's requests, oldest first. */
async function trail({ id }: Withdrawer) {
  const rows = await query<{ outcome: string; code: string | null }>(money.db)`
    SELECT outcome, details->>'code' AS code FROM audit_event
    WHERE actor_id = ${id} AND action = 'withdrawal.request' ORDER BY id`
  return rows.map(({ outcome, code }) => (code === null ? outcome : `${outcome} ${code}`))
}

describe('a member who asks for money with a code', () => {
  it('has it held at once, and gets an e-mail', async () => {
    const ana = await money.withdrawer('100')
    const answer = await money.ask(ana, '50')
    expect(answer).toAnswer(201)
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
    const [code, requested] = await mailsTo(money.server, ana.id)
    expect(code).toMatchObject({ template: 'withdrawal_code' })
    expect(code?.params).not.toHaveProperty('amount')
    expect(requested).toMatchObject({
      template: 'withdrawal_requested',
      event: `withdrawal:${withdrawal.id}:requested`,
      params: { amount: '50000000', fee: '1000000', arrives: '49000000', wallet: ana.wallet },
    })
    expect(requested?.params['notMeUrl']).toContain('/auth/not-me#')
    expect(await trail(ana)).toEqual(['done'])
  })

  it('reads it in the list, newest first, and alone', async () => {
    const ana = await money.withdrawer('100')
    const first = await money.asked(ana, '20')
    const second = await money.asked(ana, '30')
    const page = await ana.get('withdrawals/withdrawals/?page_size=1')
    expect(page.json()).toMatchObject({ count: 2, total_pages: 2, results: [{ id: second.id }] })
    const one = await ana.get(`withdrawals/withdrawals/${first.id}/`)
    expect(one.json()).toEqual(first)
    const stranger = await money.withdrawer()
    for (const id of [first.id, 0, 'x', '99999999999999999999'])
      expect(await stranger.get(`withdrawals/withdrawals/${id}/`)).toAnswer(404)
  })

  it('gets the same answer for the same call again, and nothing more is held', async () => {
    const ana = await money.withdrawer('100')
    const body = { amount: '60', wallet_address: ana.wallet, used_code: await money.code(ana) }
    const key = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all([submit(ana, body, key), submit(ana, body, key)])
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.body).toBe(first.body)
    expect(await submit(ana, { ...body, amount: '61' }, key)).toAnswer(409)
    expect((await balances(ana)).held).toBe(usdt('60'))
  })

  it('may have the code made for one amount to one wallet, and the e-mail repeats both', async () => {
    const ana = await money.withdrawer('100')
    const code = await money.code(ana, { amount: 40, wallet_address: ana.wallet })
    const [letter] = await mailsTo(money.server, ana.id)
    expect(letter?.params).toMatchObject({ amount: '40000000', arrives: '39000000', wallet: ana.wallet })
    // "40.00" is the same amount, and spaces of the e-mail do not count.
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await submit(ana, { amount: '40.00', wallet_address: ana.wallet, used_code: typed })).toAnswer(201)
  })

  it('may sign in again, or go on on another device: the code is good for what it was made for, once', async () => {
    const ana = await money.withdrawer('100')
    const used_code = await money.code(ana, { amount: '50', wallet_address: ana.wallet })
    const again = { ...ana, ...(await money.firefox(ana.id)) }
    const inSafari = { ...ana, ...clientOf(money.server, { ...again.headers, 'user-agent': 'Safari' }) }
    const body = { amount: '50', wallet_address: ana.wallet, used_code }
    const codeOf = async (answer: Promise<{ json(): unknown }>) => ((await answer).json() as Problem).code
    expect(await codeOf(submit(inSafari, { ...body, amount: '40' }, PROBLEM))).toBe('code_for_other')
    expect(await submit(inSafari, body)).toAnswer(201)
    expect(await codeOf(submit(again, { ...body, amount: '20' }, PROBLEM))).toBe('code_expired')
  })
})

describe('a member with two-factor', () => {
  it('confirms with a fresh code as well, and neither code is used up by a slip elsewhere', async () => {
    const member = await money.withdrawer('100')
    const before = new Date(Date.now() - 2 * 86_400_000)
    await assignTotpSecret(money.server.context, member.id, newTotpSecret(), before)
    // Every session has ended.
    const ana = { ...member, ...(await money.firefox(member.id)) }
    expect((await termsOf(ana)).needs_otp).toBe(true)
    const used_code = await money.code(ana)
    const otp = await freshCode(money.server, ana.headers)
    const body = { amount: '50', wallet_address: ana.wallet, used_code }
    const codeOf = async (answer: Promise<{ json(): unknown }>) => ((await answer).json() as Problem).code
    expect(await codeOf(submit(ana, body, PROBLEM))).toBe('otp_required')
    expect(await codeOf(submit(ana, { ...body, otp: '000000' }, PROBLEM))).toBe('otp_invalid')
    expect(await codeOf(submit(ana, { ...body, otp, amount: '500' }, PROBLEM))).toBe('balance_too_small')
    expect((await balances(ana)).held).toBe(0n)
    const key = { 'idempotency-key': 'with-otp' }
    const first = await submit(ana, { ...body, otp }, key)
    expect(first).toAnswer(201)
    expect((await submit(ana, { ...body, otp }, key)).body).toBe(first.body)
    const again = { ...body, amount: '20', used_code: await money.code(ana), otp }
    expect(await codeOf(submit(ana, again, PROBLEM))).toBe('otp_invalid')
  })
})

describe('a balance for one withdrawal', () => {
  it('pays one of a hundred that come at once with the one code', async () => {
    const ana = await money.withdrawer('50')
    const body = { amount: '50', wallet_address: ana.wallet, used_code: await money.code(ana) }
    const answers = await Promise.all(Array.from({ length: 100 }, () => submit(ana, body)))
    const counted = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
    expect(counted(201)).toBe(1)
    expect(counted(201) + counted(422) + counted(429)).toBe(100)
    expect(await balances(ana)).toMatchObject({ balance: 0n, held: usdt('50') })
  })

  it('pays one of a hundred where each had a code of its own', async () => {
    const ana = await money.withdrawer('50')
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => money.place(ana, '50')))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balances(ana)).toMatchObject({ balance: 0n, held: usdt('50') })
  })
})

describe('the day’s limit', () => {
  it('counts what was asked for since midnight of the plan, and not what came to nothing', async () => {
    const ana = await money.withdrawer('20000')
    const { id } = await money.asked(ana, '3000')
    await money.asked(ana, '2000')
    expect(await money.ask(ana, '20')).toAnswer(422)
    expect(await ana.post(`withdrawals/withdrawals/${id}/cancel/`)).toAnswer(200)
    expect(await termsOf(ana)).toMatchObject({
      left_today: '3000.00',
      day_turns_at: '2026-05-04T05:00:00.000Z',
    })
    await money.asked(ana, '3000')
    const before = money.now
    money.now = new Date('2026-05-04T05:00:00Z')
    expect(await money.ask(ana, '5000')).toAnswer(201)
    money.now = before
  })

  it('counts what is approved, on its way and completed like what waits', async () => {
    const ana = await money.withdrawer('20000')
    const operator = await money.operator()
    const left = async () => (await termsOf(ana)).left_today
    await money.openWallets('20000')
    const { id } = await money.asked(ana, '900')
    await money.approve(BigInt(id), operator)
    expect(await left()).toBe('4100.00')
    await money.pay(id)
    const [paid] = (await ana.get('withdrawals/withdrawals/')).json().results
    expect(paid).toMatchObject({ id, stage: 'completed' })
    expect(await left()).toBe('4100.00')
    expect(await money.ask(ana, '4100.01')).toAnswer(422)
    expect(await money.ask(ana, '4100')).toAnswer(201)
  })
})

describe('the terms', () => {
  it('quote an amount, and say why it would be refused', async () => {
    const ana = await money.withdrawer('30')
    expect(await termsOf(ana, '?amount=25.5')).toMatchObject({
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
      code_first: true,
      quote: { amount: '25.50', fee: '1.00', arrives: '24.50', from_balance: '25.50', problem: null },
    })
    const above = await termsOf(ana, '?amount=31')
    expect(above.quote?.problem).toMatchObject({ code: 'balance_too_small' })
    expect(await ana.get('withdrawals/terms/?amount=x')).toAnswer(400)
  })
})

describe('a member who owes something', () => {
  it('can withdraw what is left of the balance, and operators see that', async () => {
    const ana = await money.withdrawer('100')
    await tamper(`INSERT INTO member_receivable VALUES (${ana.id}, 'commission', ${usdt('30')})`)
    expect(await termsOf(ana)).toMatchObject({ balance: '70.00', available: '70.00' })
    await expect(money.place(ana, '70.000001')).rejects.toThrow('balance_too_small')
    const id = await money.place(ana, '70')
    const risks = await queryValue<object[]>(money.db)`SELECT risks FROM withdrawal WHERE id = ${id}`
    expect(risks).toContainEqual({ name: 'receivable', since: null, what: '30.00' })
    await tamper('DELETE FROM member_receivable')
  })
})

describe('a request taken back', () => {
  it('gives everything back, once, and can be asked for again', async () => {
    const ana = await money.withdrawer('100')
    const { id } = await money.asked(ana, '70')
    const cancel = () => ana.post(`withdrawals/withdrawals/${id}/cancel/`)
    const [first] = await Promise.all([cancel(), cancel(), cancel()])
    expect(first.json()).toMatchObject({ stage: 'cancelled', status: '3', can_cancel: false, reason: null })
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
    expect((await mailsTo(money.server, ana.id)).at(-1)).toMatchObject({ template: 'withdrawal_cancelled' })
  })

  it('is nobody else’s to take', async () => {
    const [ana, bob] = [await money.withdrawer('100'), await money.withdrawer()]
    const { id } = await money.asked(ana, '70')
    expect(await bob.post(`withdrawals/withdrawals/${id}/cancel/`)).toAnswer(404)
    expect((await balances(ana)).held).toBe(usdt('70'))
  })

  it('goes with everything else when the member says that it was somebody else', async () => {
    const ana = await money.withdrawer('100')
    await money.asked(ana, '20')
    await money.asked(ana, '30')
    const url = (await mailsTo(money.server, ana.id)).at(-1)?.params['notMeUrl'] ?? ''
    expect(await clientOf(money.server).post('auth/not-me/', { token: url.split('#').at(-1) })).toAnswer(200)
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
    const rows = await query<{ state: string; reason: string }>(money.db)`
      SELECT state, reason FROM withdrawal WHERE member_id = ${ana.id}`
    expect(rows).toEqual(Array(2).fill({ state: 'cancelled', reason: 'not_me' }))
  })
})

it('a code is e-mailed as often as it is asked for, and the last one counts', async () => {
  const ana = await money.withdrawer('100')
  const first = await money.code(ana)
  const second = await money.code(ana)
  expect(await emailCodeFor(money.server, ana.id)).toBe(second)
  const body = { amount: '50', wallet_address: ana.wallet }
  if (first !== second) expect(await submit(ana, { ...body, used_code: first })).toAnswer(422)
  expect(await submit(ana, { ...body, used_code: second })).toAnswer(201)
})

describe('what is refused leaves everything where it was, and is in the trail:', () => {
  const refused = async (who: Withdrawer, body: object, code: string, status = 422) => {
    const before = await balances(who)
    const answer = await submit(who, { wallet_address: who.wallet, ...body }, PROBLEM)
    expect((answer.json() as Problem).code).toBe(code)
    expect(answer).toAnswer(status)
    expect(await balances(who)).toEqual(before)
    expect((await trail(who)).at(-1)).toBe(`refused ${code}`)
    return answer.json() as Problem
  }

  it.each(['5\u00000', '\ud800'])('an amount that no database can store: %j', async (amount) => {
    const { ana, used_code } = await withCode()
    await refused(ana, { amount, used_code }, 'amount_invalid', 400)
  })

  it('a code of another member', async () => {
    const [ana, bob] = [await money.withdrawer('100'), await money.withdrawer('100')]
    await money.code(ana)
    await refused(ana, { amount: '50', used_code: await money.code(bob) }, 'code_wrong')
  })

  it('a code that was used, also in the very same moment', async () => {
    const { ana, used_code } = await withCode()
    const body = { amount: '20', wallet_address: ana.wallet, used_code }
    const answers = await Promise.all([submit(ana, body), submit(ana, body)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422])
    await refused(ana, { amount: '20', used_code }, 'code_expired')
    expect((await balances(ana)).held).toBe(usdt('20'))
  })

  it('a code whose ten minutes are over', async () => {
    const { ana, used_code } = await withCode()
    await query(
      money.db,
    )`UPDATE email_code SET made_at = now() - interval '701 seconds', expires_at = now() - interval '1 second'
      WHERE member_id = ${ana.id}`
    await refused(ana, { amount: '50', used_code }, 'code_expired')
  })

  it('another amount than the code was made for', async () => {
    const ana = await money.withdrawer('100')
    const used_code = await money.code(ana, { amount: '40', wallet_address: ana.wallet })
    const problem = await refused(ana, { amount: '40.000001', used_code }, 'code_for_other')
    expect(problem.errors).toMatchObject([{ path: 'used_code' }])
  })

  it('another wallet than the registered one, however right the code', async () => {
    const { ana, used_code } = await withCode()
    const theirs = { wallet_address: walletOf(200) }
    await refused(ana, { amount: '40', used_code, ...theirs }, 'wallet_unregistered')
    expect(await ana.post('withdrawals/withdrawals/create-code/', { amount: '40', ...theirs })).toAnswer(422)
    const ours = await addressOf(money.db, ana.id)
    await money.db.updateTable('member').set({ usdt_wallet: ours }).where('id', '=', ana.id).execute()
    await refused(ana, { amount: '40', used_code, wallet_address: ours }, 'wallet_ours')
    await money.db.updateTable('member').set({ usdt_wallet: '' }).where('id', '=', ana.id).execute()
    await refused(ana, { amount: '40', used_code }, 'wallet_missing')
  })

  it('a session that ended after the code was made', async () => {
    const { ana, used_code } = await withCode()
    await query(money.db)`UPDATE session SET ended_at = now() WHERE member_id = ${ana.id}`
    await refused(ana, { amount: '50', used_code }, 'not_signed_in', 401)
  })

  it.each([
    ['50.0000001', 'amount_invalid', 400],
    ['5e1', 'amount_invalid', 400],
    [-50, 'amount_invalid', 400],
    ['0', 'amount_invalid', 400],
    ['19.999999', 'withdrawal_too_small', 422],
    ['100.000001', 'balance_too_small', 422],
    ['5000.000001', 'withdrawal_daily_limit', 422],
  ])('an amount of %s', async (amount, code, status) => {
    const { ana, used_code } = await withCode()
    const problem = await refused(ana, { amount, used_code }, code, status)
    expect(problem.errors).toMatchObject([{ path: 'amount' }])
    // The slip did not use the code up.
    expect(await submit(ana, { amount: '100', wallet_address: ana.wallet, used_code })).toAnswer(201)
  })

  it('what is left out', async () => {
    const ana = await money.withdrawer('100')
    await refused(ana, { amount: '50' }, 'field_required', 400)
    await refused(ana, { amount: '50', used_code: '1', wallet_address: '' }, 'wallet_required', 400)
    expect(await ana.post('withdrawals/withdrawals/create-code/', { amount: 5 })).toAnswer(400)
  })

  it('anything while the reserves are being looked at', async () => {
    const { ana, used_code } = await withCode()
    const stop = (stopped: boolean) => money.owner.updateTable('payout_stop').set({ stopped }).execute()
    await stop(true)
    await refused(ana, { amount: '50', used_code }, 'withdrawals_paused')
    expect((await termsOf(ana)).paused).toBe(true)
    await stop(false)
  })

  it('money within a day of a change of what protects it', async () => {
    const { ana, used_code } = await withCode()
    const change = { memberId: ana.id, kind: 'password_changed', at: new Date(), device: null } as const
    await money.within((tx) => recordSecurityEvent(tx, change))
    await refused(ana, { amount: '50', used_code }, 'cooling')
    expect((await termsOf(ana)).cools_until).toBe(new Date(change.at.getTime() + 86_400_000).toISOString())
  })
})
