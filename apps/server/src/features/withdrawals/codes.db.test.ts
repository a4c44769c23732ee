import type { Problem } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { clientOf, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { mailsTo, startedWith } from '../identity/testing/member-fixture.ts'
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
