/** Fundator and extra points, set by an admin in the console. */
import { constraintOf } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import { join, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'
import { mailsTo } from '../testing/member-fixture.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
await money.fund('commission', '5000')
const olga = await operatorClient(server, { username: 'olga' })
const reason = 'Agreed with the directors.'

const post = (id: bigint, act: string, body: object) =>
  olga.decide(`operator/members/${id}/${act}/`, { reason, ...body }, PROBLEM)
const acts = async (id: bigint) => (await olga.get(`operator/members/${id}/acts/`)).json()

describe('an admin', () => {
  it('makes a fundator, who can then convert referrals to master', async () => {
    const ana = await money.member()
    const luis = await money.member(ana)
    const client = await money.client(ana)
    const promote = () => client.post(`tree/get-referrals/${luis}/activate-master-code/`, {}, PROBLEM)
    expect(await promote()).toRefuse(403, 'not_fundator')
    expect(await post(ana, 'fundator', { fundator: true })).toAnswer(200)
    expect(await promote()).toAnswer(200)
    expect(await acts(ana)).toMatchObject({ fundator: true, masters: 1 })
    expect((await mailsTo(server, ana)).at(-1)).toMatchObject({
      template: 'terms_changed',
      params: { change: 'fundator_on' },
    })
    expect(await post(ana, 'fundator', { fundator: true })).toRefuse(409, 'fundator_unchanged')
    expect(await post(ana, 'fundator', { fundator: false })).toAnswer(200)
    expect(await acts(ana)).toMatchObject({ fundator: false })
  })

  it('sees what extra points would have cost, and sets those that nobody changed meanwhile', async () => {
    const ana = await money.member()
    await money.invest(ana, '1000')
    const luis = await money.member(ana)
    await money.invest(luis, '2000')
    const preview = async (percent: string) =>
      (await olga.get(`operator/members/${ana}/extra-points/?percent=${percent}`)).json()
    const flat = await preview('0')
    expect(flat).toMatchObject({ commissions: 1, basis: '2000.00', difference: '0.00' })
    expect(await preview('2.5')).toMatchObject({ percent: '2.5', difference: '50.00', paid: flat.paid })
    expect(await post(ana, 'extra-points', { percent: '2.5', was: '0' })).toAnswer(200)
    expect(await acts(ana)).toMatchObject({ extra_percent: '2.5' })
    expect(await post(ana, 'extra-points', { percent: '3', was: '0' })).toRefuse(409, 'extra_points_moved')
    expect(await post(ana, 'extra-points', { percent: '2.5', was: '2.5' })).toRefuse(
      409,
      'extra_points_unchanged',
    )
    expect(await post(ana, 'extra-points', { percent: '21', was: '2.5' })).toRefuse(
      400,
      'extra_points_invalid',
    )
    // From the next commissions on.
    const balance = await money.balanceOf(ana)
    await money.invest(luis, '1000')
    const [row] = await query<{ percentage: string }>(db)`SELECT percentage FROM payout_item
      WHERE member_id = ${ana} ORDER BY run_id DESC LIMIT 1`
    expect(Number(row?.percentage)).toBe((Number(flat.would_have_paid) / 2000) * 100 + 2.5)
    expect(await money.balanceOf(ana)).toBeGreaterThan(balance)
    expect(
      (await query<object>(db)`SELECT details FROM audit_event WHERE action = 'member.extra_percent'`)[0],
    ).toEqual({ details: { reason, before: { percent: '0' }, after: { percent: '2.5' } } })
  })

  it('sets neither for themselves', async () => {
    const [{ id }] = (await query<{ id: bigint }>(db)`SELECT id FROM member WHERE username = 'olga'`) as [
      { id: bigint },
    ]
    expect(await post(id, 'fundator', { fundator: true })).toRefuse(403, 'own_account')
    expect(await post(id, 'extra-points', { percent: '5', was: '0' })).toRefuse(403, 'own_account')
  })
})

it('PostgreSQL lets nobody but another admin set either, and no role write the points itself', async () => {
  const ana = await money.member()
  const compliance = await join(server, { operatorRole: 'compliance' })
  for (const by of [compliance, ana]) {
    const fundator = query(db)`SELECT set_fundator(${ana}, true, ${by})`
    expect(await fundator.then(() => null, constraintOf)).toBe('terms_by_another_admin')
    const points = query(db)`SELECT set_extra_percent(${ana}, '20', ${by}, now())`
    expect(await points.then(() => null, constraintOf)).toBe('terms_by_another_admin')
  }
  await expect(
    query(db)`INSERT INTO extra_percent (sponsor_id, percent, set_by, at) VALUES (${ana}, '20', 'me', now())`,
  ).rejects.toMatchObject({ code: '42501' })
})
