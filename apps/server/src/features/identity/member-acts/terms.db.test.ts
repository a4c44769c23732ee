/** Fundator and extra points, set by an admin in the console. */

import type { JobHelpers } from 'graphile-worker'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { join, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'
import { jobHandlers } from '../../../worker.ts'
import { mailsTo } from '../testing/member-fixture.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
await money.fund('commission', '5000')
const olga = await operatorClient(server, { username: 'olga' })
const reason = 'Agreed with the directors.'

const post = (id: bigint, act: string, body: object) =>
  olga.decide(`operator/members/${id}/${act}/`, { reason, ...body }, PROBLEM)
const acts = async (id: bigint) => (await olga.get(`operator/members/${id}/acts/`)).json()

/** Signed by another operator; and the job that tells the member. */
async function sign(subject: string, operatorId = server.rootId) {
  await money.signProposed(subject, operatorId)
  const decision = String(
    await queryValue<bigint>(db)`SELECT max(id) FROM decision WHERE subject = ${subject}`,
  )
  const job = jobHandlers(server.worker)['members.terms_changed']
  for (let time = 0; time < 2; time += 1) await job?.({ decision }, {} as JobHelpers)
}

describe('an admin', () => {
  it('makes a fundator, who can then convert referrals to master', async () => {
    const ana = await money.member()
    const luis = await money.member(ana)
    const client = await money.client(ana)
    const promote = () => client.post(`tree/get-referrals/${luis}/activate-master-code/`, {}, PROBLEM)
    expect(await promote()).toRefuse(403, 'not_fundator')
    expect(await post(ana, 'fundator', { fundator: true })).toAnswer(200)
    expect(await promote()).toRefuse(403, 'not_fundator')
    await sign(`fundator:${ana}`)
    expect(await promote()).toAnswer(200)
    expect(await acts(ana)).toMatchObject({ fundator: true, masters: 1 })
    expect((await mailsTo(server, ana)).at(-1)).toMatchObject({
      template: 'terms_changed',
      params: { change: 'fundator_on' },
    })
    expect(await post(ana, 'fundator', { fundator: true })).toRefuse(409, 'fundator_unchanged')
    expect(await post(ana, 'fundator', { fundator: false })).toAnswer(200)
    await sign(`fundator:${ana}`)
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
    expect(await acts(ana)).toMatchObject({ extra_percent: '0' })
    await sign(`extra_percent:${ana}`)
    expect(await acts(ana)).toMatchObject({ extra_percent: '2.5' })
    expect((await mailsTo(server, ana)).at(-1)).toMatchObject({
      params: { change: 'extra_points', percent: '2.5' },
    })
    expect(await post(ana, 'extra-points', { percent: '3', was: '0' })).toRefuse(409, 'extra_points_moved')
    expect(await post(ana, 'extra-points', { percent: '2.5', was: '2.5' })).toRefuse(
      409,
      'extra_points_unchanged',
    )
    expect(await post(ana, 'extra-points', { percent: '21', was: '2.5' })).toRefuse(
      400,
      'extra_points_invalid',
    )
    const changed = { details: { reason, before: { percent: '0' }, after: { percent: '2.5' } } }
    // From the next commissions on.
    const balance = await money.balanceOf(ana)
    await money.invest(luis, '1000')
    const [row] = await query<{ percentage: string }>(db)`SELECT percentage FROM payout_item
      WHERE member_id = ${ana} ORDER BY run_id DESC LIMIT 1`
    expect(Number(row?.percentage)).toBe((Number(flat.would_have_paid) / 2000) * 100 + 2.5)
    expect(await money.balanceOf(ana)).toBeGreaterThan(balance)
    expect(
      await query<object>(db)`SELECT details - 'decision' AS details FROM audit_event
        WHERE action IN ('member.extra_percent', 'member.propose_extra_percent') AND subject = ${`member:${ana}`} AND outcome = 'done'`,
    ).toEqual([changed, changed])
  })

  it('sets neither for themselves', async () => {
    const [{ id }] = (await query<{ id: bigint }>(db)`SELECT id FROM member WHERE username = 'olga'`) as [
      { id: bigint },
    ]
    expect(await post(id, 'fundator', { fundator: true })).toRefuse(403, 'own_account')
    expect(await post(id, 'extra-points', { percent: '5', was: '0' })).toRefuse(403, 'own_account')
  })
})

it('PostgreSQL has no role set either, make a master or move a place; and nobody signs for their own account', async () => {
  const [ana, luis] = [await money.member(), await money.member()]
  for (const forbidden of [
    () => query(db)`SELECT set_fundator(${ana}, true)`,
    () => query(db)`SELECT set_extra_percent(${ana}, '20', ${server.rootId}, now())`,
    () =>
      query(
        db,
      )`INSERT INTO extra_percent (sponsor_id, percent, set_by, at) VALUES (${ana}, '20', 'me', now())`,
    () => query(db)`UPDATE member SET is_fundator = true WHERE id = ${ana}`,
    () => query(db)`INSERT INTO master_code (member_id, sponsor_id, at) VALUES (${luis}, ${ana}, now())`,
    () => query(db)`UPDATE sponsorship SET is_master = true WHERE member_id = ${luis}`,
    () => query(db)`UPDATE placement SET parent_id = ${luis} WHERE member_id = ${ana}`,
  ])
    await expect(forbidden()).rejects.toMatchObject({ code: '42501' })
  await expect(query(db)`SELECT activate_master(${ana}, ${luis}, now())`).rejects.toThrow('a fundator')
  const oscar = await join(server, { operatorRole: 'admin' })
  expect(await post(oscar, 'extra-points', { percent: '5', was: '0' })).toAnswer(200)
  await expect(money.signProposed(`extra_percent:${oscar}`, oscar)).rejects.toThrow('own_account')
  await sign(`extra_percent:${oscar}`)
})

it('V2: extra points and a reversal without its parts move no commission to who asks for them alone', async () => {
  const thief = await money.member()
  await money.invest(thief, '500')
  const kid = await money.member(thief)
  await money.invest(kid, '5000')
  const before = await money.balanceOf(thief)
  const given = { member: String(thief), from: '0', to: '20', reason }
  const propose = (kind: string, what: object) =>
    query(
      db,
    )`SELECT propose_decision(${kind}, ${JSON.stringify(what)}::jsonb, NULL, ${server.rootId}, ${money.now})`
  await propose('set_extra_percent', given)
  const investment = await money.latestInvestment(kid)
  await propose('reverse_investment', { investment: String(investment), reason, parts: '0', members: '0' })
  await money.invest(kid, '5000')
  // 5 % and nothing on top.
  expect(await money.balanceOf(thief)).toBe(before + usdt('250'))
  // Signed in good faith, the reversal takes back what was paid.
  await money.signProposed(`investment:${investment}`)
  expect(await money.balanceOf(thief)).toBe(before)
})
