import type { Problem, WithdrawalTerms } from '@aval/contract'
import { connect } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { usdt } from '../../testing/money-house.ts'
import { accessOf } from '../../testing/server.ts'
import { recordSecurityEvent } from '../identity/security-log/security-log.commands.ts'
import { walletOf } from '../identity/testing/member-fixture.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'
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

describe('what is refused leaves everything where it was, and is in the trail:', () => {
  const refused = async (who: Withdrawer, body: object, code: string, status = 422) => {
    const before = await balances(who)
    const answer = await submit(who, { wallet_address: who.wallet, ...body }, PROBLEM)
    expect((answer.json() as Problem).code).toBe(code)
    expect(answer.statusCode).toBe(status)
    expect(await balances(who)).toEqual(before)
    expect((await trail(who)).at(-1)).toBe(`refused ${code}`)
    return answer.json() as Problem
  }

  it('a code of another member', async () => {
    const [ana, bob] = [await desk.withdrawer('100'), await desk.withdrawer('100')]
    await desk.code(ana)
    await refused(ana, { amount: '50', used_code: await desk.code(bob) }, 'code_wrong')
  })

  it('a code that was used, also in the very same moment', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const body = { amount: '20', wallet_address: ana.wallet, used_code }
    const answers = await Promise.all([submit(ana, body), submit(ana, body)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422])
    await refused(ana, { amount: '20', used_code }, 'code_expired')
    expect((await balances(ana)).held).toBe(usdt('20'))
  })

  it('a code whose ten minutes are over', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    await desk.db
      .updateTable('email_code')
      .set({ made_at: new Date(Date.now() - 700_000), expires_at: new Date(Date.now() - 1) })
      .where('member_id', '=', ana.id)
      .execute()
    await refused(ana, { amount: '50', used_code }, 'code_expired')
  })

  it('another amount than the code was made for', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana, { amount: '40', wallet_address: ana.wallet })
    const problem = await refused(ana, { amount: '40.000001', used_code }, 'code_for_other')
    expect(problem.errors).toMatchObject([{ path: 'used_code' }])
  })

  it('another wallet than the registered one, however right the code', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const theirs = { wallet_address: walletOf(200) }
    await refused(ana, { amount: '40', used_code, ...theirs }, 'wallet_unregistered')
    const made = await desk.call('POST', 'withdrawals/withdrawals/create-code/', ana.headers, {
      amount: '40',
      ...theirs,
    })
    expect(made.statusCode).toBe(422)
    const ours = await depositAddressOf(desk.db, ana.id)
    await desk.db.updateTable('member').set({ usdt_wallet: ours }).where('id', '=', ana.id).execute()
    await refused(ana, { amount: '40', used_code, wallet_address: ours }, 'wallet_ours')
    await desk.db.updateTable('member').set({ usdt_wallet: '' }).where('id', '=', ana.id).execute()
    await refused(ana, { amount: '40', used_code }, 'wallet_missing')
  })

  it('a session that ended after the code was made', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    await desk.db
      .updateTable('session')
      .set({ ended_at: new Date() })
      .where('member_id', '=', ana.id)
      .execute()
    await refused(ana, { amount: '50', used_code }, 'not_signed_in', 401)
  })

  it('a code from another session, or another device', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const other = { ...ana, headers: { authorization: `Bearer ${await accessOf(desk.server, ana.id)}` } }
    await refused(other, { amount: '50', used_code }, 'code_elsewhere')
    const device = { ...ana, headers: { ...ana.headers, 'user-agent': 'Safari' } }
    await refused(device, { amount: '50', used_code }, 'code_elsewhere')
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
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const problem = await refused(ana, { amount, used_code }, code, status)
    expect(problem.errors).toMatchObject([{ path: 'amount' }])
    // The slip did not use the code up.
    expect((await submit(ana, { amount: '100', wallet_address: ana.wallet, used_code })).statusCode).toBe(201)
  })

  it('what is left out', async () => {
    const ana = await desk.withdrawer('100')
    await refused(ana, { amount: '50' }, 'field_required', 400)
    await refused(ana, { amount: '50', used_code: '1', wallet_address: '' }, 'wallet_required', 400)
    const half = await desk.call('POST', 'withdrawals/withdrawals/create-code/', ana.headers, { amount: 5 })
    expect(half.statusCode).toBe(400)
  })

  it('anything while the reserves are being looked at', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const owner = connect(desk.server.database.ownerUrl, 1)
    const stop = (stopped: boolean) => owner.db.updateTable('payout_stop').set({ stopped }).execute()
    await stop(true)
    await refused(ana, { amount: '50', used_code }, 'withdrawals_paused')
    const terms = await desk.call('GET', 'withdrawals/terms/', ana.headers)
    expect((terms.json() as WithdrawalTerms).paused).toBe(true)
    await stop(false)
    await owner.close()
  })

  it('money within a day of a change of what protects it', async () => {
    const ana = await desk.withdrawer('100')
    const used_code = await desk.code(ana)
    const change = {
      memberId: ana.id,
      kind: 'password_changed',
      at: new Date(),
      device: null,
    } as const
    await desk.db.transaction().execute((tx) => recordSecurityEvent(tx, change))
    await refused(ana, { amount: '50', used_code }, 'cooling')
    const terms = (await desk.call('GET', 'withdrawals/terms/', ana.headers)).json() as WithdrawalTerms
    expect(terms.cools_until).toBe(new Date(change.at.getTime() + 86_400_000).toISOString())
  })
})
