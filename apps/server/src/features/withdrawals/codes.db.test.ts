import type { Problem, WithdrawalTerms } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { afterAll, describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { clientOf, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { createEmailCode } from '../identity/email-codes/email-codes.commands.ts'
import { emailCodeFor, mailsTo, startedWith } from '../identity/testing/member-fixture.ts'
import { createWithdrawalFixture, type Withdrawer } from './testing/withdrawal-fixture.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')

const CREATE = 'withdrawals/withdrawals/create-code/'
/** What the answer refuses, or its status. */
const outcomeOf = (answer: { statusCode: number; json(): unknown }) =>
  answer.statusCode < 300 ? answer.statusCode : `${answer.statusCode} ${(answer.json() as Problem).code}`
const submit = async (who: Withdrawer, amount: string, used_code: string) =>
  outcomeOf(
    await who.post('withdrawals/withdrawals/', { amount, wallet_address: who.wallet, used_code }, PROBLEM),
  )

describe('a code that was asked for without an amount', () => {
  it.each([undefined, {}])('is good for one withdrawal to the registered wallet: %j', async (body) => {
    const ana = await money.withdrawer('100')
    const code = await money.code(ana, body)
    const [letter] = await mailsTo(money.server, ana.id)
    expect(letter).toMatchObject({ template: 'withdrawal_code', params: { code, wallet: ana.wallet } })
    expect(letter?.params).not.toHaveProperty('amount')
    expect(await submit(ana, '70', code)).toBe(201)
    expect(await submit(ana, '20', code)).toBe('422 code_expired')
  })

  it('is not made while there is no wallet', async () => {
    const ana = await money.withdrawer('100')
    await money.db.updateTable('member').set({ usdt_wallet: '' }).where('id', '=', ana.id).execute()
    expect(outcomeOf(await ana.post(CREATE, {}, PROBLEM))).toBe('422 wallet_missing')
    expect((await ana.get('withdrawals/terms/')).json()).toMatchObject({ code_first: false })
    expect(await mailsTo(money.server, ana.id)).toEqual([])
  })

  it('is good for the wallet that its e-mail names, and for no later one', async () => {
    const ana = await money.withdrawer('100')
    const code = await money.code(ana)
    const { wallet } = await money.withdrawer()
    await query(money.db)`UPDATE member SET usdt_wallet = ${wallet} WHERE id = ${ana.id}`
    expect(await submit({ ...ana, wallet }, '50', code)).toBe('422 code_for_other')
  })

  it('is refused where the installation makes none, in words, and one made before is good no more', async () => {
    const ana = await money.withdrawer('100')
    const code = await money.code(ana)
    const strict = await startedWith(money.server, { unboundCodes: false })
    const there = { ...ana, ...clientOf(strict, ana.headers) }
    const offered = async (who: Pick<Withdrawer, 'get'>) =>
      ((await who.get('withdrawals/terms/')).json() as WithdrawalTerms).code_first
    expect([await offered(ana), await offered(there)]).toEqual([true, false])
    for (const body of [undefined, {}]) {
      const answer = await there.post(CREATE, body, PROBLEM)
      expect(outcomeOf(answer)).toBe('422 code_unbound_off')
      expect((answer.json() as Problem).detail).toContain('amount and the wallet first')
    }
    expect(await submit(there, '50', code)).toBe('422 code_for_other')
    expect((await money.balancesOf(ana.id)).held).toBe(0n)
    const bound = await money.code(there, { amount: '50', wallet_address: ana.wallet })
    expect(await submit(there, '50', bound)).toBe(201)
    await strict.close()
  })
})

/** Where nothing cools, so that what else keeps money in is seen. */
const warm = await startedWith(money.server, { coolingHours: 0 })
afterAll(() => warm.close())

/** A member with 100 whose e-mail was changed by the code that went to the former one. */
async function moved() {
  const who = await money.withdrawer('100')
  const ana = { ...who, ...clientOf(warm, who.headers) }
  const before = await money.code(ana, { amount: '50', wallet_address: ana.wallet })
  const email = `moved${ana.id}@example.com`
  await change(ana, { email })
  return { ana, before, email }
}
const patch = (who: Withdrawer, payload: object) =>
  warm.call({ method: 'PATCH', url: '/api/auth/user/', headers: { ...who.headers, ...PROBLEM }, payload })
/** Changes the profile with the code that is e-mailed for it. */
async function change(who: Withdrawer, wanted: object): Promise<void> {
  expect(await patch(who, wanted)).toAnswer(200)
  const secret_code = await emailCodeFor(warm, who.id)
  expect(await patch(who, { ...wanted, secret_code })).toAnswer(200)
}
const isProven = async (who: Withdrawer) => (await who.get('auth/user/')).json().email_proven as boolean
const unprove = ({ id }: Withdrawer) =>
  query(money.db)`UPDATE member SET email_proven_at = NULL WHERE id = ${id}`

describe('a mailbox that was never proven', () => {
  it('is proven by the code that withdraws, as any client asks for it', async () => {
    const ana = await money.withdrawer('100')
    await unprove(ana)
    const code = await money.code(ana, {})
    const [letter] = await mailsTo(money.server, ana.id)
    expect(letter?.params).toHaveProperty('unprovenFor')
    expect(await isProven(ana)).toBe(false)
    expect(await submit(ana, '50', code)).toBe(201)
    expect(await isProven(ana)).toBe(true)
    await money.code(ana, {})
    expect((await mailsTo(money.server, ana.id)).at(-1)?.params).not.toHaveProperty('unprovenFor')
  })

  it('stays so where the withdrawal was refused for another reason', async () => {
    const ana = await money.withdrawer('100')
    await unprove(ana)
    expect(await submit(ana, '500', await money.code(ana))).toBe('422 balance_too_small')
    expect(await isProven(ana)).toBe(false)
  })
})

describe('after a change of the e-mail', () => {
  it('no code of the former mailbox lets money out; one that went to the new mailbox does, and proves it', async () => {
    const { ana, before, email } = await moved()
    expect(await submit(ana, '50', before)).toBe('422 email_unproven')
    expect((await money.balancesOf(ana.id)).held).toBe(0n)
    const code = await money.code(ana, { amount: '50', wallet_address: ana.wallet })
    expect((await mailsTo(money.server, ana.id)).at(-1)).toMatchObject({ to: email })
    expect(await submit(ana, '50', code)).toBe(201)
    expect(await isProven(ana)).toBe(true)
  })

  it('one that was on its way to the former mailbox lets no money out either', async () => {
    const { ana } = await moved()
    const binding = JSON.stringify([String(usdt('50')), ana.wallet])
    const late = {
      memberId: ana.id,
      purpose: 'withdrawal',
      to: 'old@example.com',
      binding,
      now: new Date(),
    } as const
    const code = await inTransaction(money.db, (tx) => createEmailCode(warm.context, tx, late))
    expect(await submit(ana, '50', code)).toBe('422 email_unproven')
    expect(await isProven(ana)).toBe(false)
  })

  it('the former mailbox takes it back: the wallet of then is there again, and what was asked for is cancelled', async () => {
    const { ana } = await moved()
    const stolen = (await money.withdrawer()).wallet
    await change(ana, { usdt_wallet: stolen })
    const theirs = { ...ana, wallet: stolen }
    expect(await submit(theirs, '90', await money.code(theirs))).toBe(201)
    const mails = await mailsTo(money.server, ana.id)
    const link = mails.find(({ template }) => template === 'email_changed')?.params['notMeUrl']
    expect(await clientOf(warm).post('auth/not-me/', { token: link?.split('#').at(-1) })).toAnswer(200)
    expect(await money.balancesOf(ana.id)).toMatchObject({ balance: usdt('100'), held: 0n })
    const back = { ...ana, ...clientOf(warm, await money.bearer(ana.id)) }
    expect((await back.get('auth/user/')).json()).toMatchObject({
      usdt_wallet: ana.wallet,
      email_proven: true,
    })
    expect(await submit(back, '50', await money.code(back))).toBe('422 account_locked')
  })
})
