/** An operator's stop: nothing is paid from it on, however many press at once, and nothing but its own end lifts it. */

import type { JobHelpers } from 'graphile-worker'
import { describe, expect, it } from 'vitest'
import { query, queryOne, queryValue } from '../../core/query.sql.ts'
import { type Client, operatorClient, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { jobHandlers } from '../../worker.ts'
import { mailsTo } from '../identity/testing/member-fixture.ts'
import { createCustodyFixture } from '../reserves/testing/custody-fixture.ts'
import { HOT } from '../withdrawals/testing/withdrawal-fixture.ts'

const custody = await soundSuiteFixture(createCustodyFixture, '2026-05-03T15:00:00Z')
const { money } = custody
const { db } = money
const olga = await operatorClient(money.server, { username: 'olga', locale: 'en' })
const omar = await operatorClient(money.server, { username: 'omar', locale: 'en' })
const oscar = await operatorClient(money.server, { username: 'oscar' })
const [ana, who] = [await money.member(), await money.withdrawer('200')]
await money.fund('profit', '1000')
await money.invest(ana, '600')
const approved = await custody.withdrawal(who, await money.operator())
await custody.readAll()
await custody.check()

const stop = (by: Client, reason = 'Something looks wrong.') =>
  by.decide('operator/payments/stop/', { reason }, PROBLEM)
const resume = (by: Client, id: number) =>
  by.decide('operator/payments/resume/', { id, reason: 'Looked into it.' }, PROBLEM)
const current = async () => (await olga.get('operator/treasury/')).json().stop
const runState = async () =>
  (
    await queryOne<{ state: string }>(
      db,
    )`SELECT state FROM payout_run WHERE kind = 'passive' ORDER BY id DESC LIMIT 1`
  ).state
const numberOf = async (name: string) =>
  (await queryOne<{ id: bigint }>(db)`SELECT id FROM member WHERE username = ${name}`).id
/** What was proposed about the stop, signed by one operator. */
const sign = async (name: string, id: number) =>
  money.signProposed(`payments_stop:${id}`, await numberOf(name))
/** The system's clock goes on between two comparisons, as it does between two days. */
async function compare(difference = 0n) {
  custody.at = new Date(Date.now() + 60_000)
  await custody.mine()
  await custody.readAll()
  return custody.readAndCheck(HOT, difference)
}

describe('an operator’s stop', () => {
  it('is made once by two who press at one moment; the other hears who was first', async () => {
    const answers = await Promise.all([stop(olga), stop(omar)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const { operator, causes } = await current()
    expect(causes).toEqual(['operator'])
    const refused = answers.find(({ statusCode }) => statusCode === 409)
    expect(refused).toRefuse(409, 'payments_stopped_already')
    expect(refused?.body).toContain(operator.username)
    expect(await query(db)`SELECT FROM payments_stop`).toHaveLength(1)
    const mails = await mailsTo(money.server, await numberOf('omar'))
    expect(JSON.stringify(mails)).toContain('Something looks wrong.')
  })

  it('holds runs, withdrawals, and what was approved before', async () => {
    await money.payDay()
    expect(await runState()).toBe('sealed')
    expect(await money.ask(who, '20')).toAnswer(422, expect.stringContaining('paused'))
    expect(await money.sign(approved)).toBe('stopped')
  })

  it('is lifted by no comparison that matches, and a comparison that does not match stands beside it', async () => {
    expect(await compare()).toMatchObject({ verdict: 'matched' })
    expect((await current()).causes).toEqual(['operator'])
    await compare(-1n)
    expect((await current()).causes).toEqual(['operator', 'reserves'])
    await compare()
    expect((await current()).causes).toEqual(['operator'])
    expect(await custody.stopped()).toBe(true)
  })

  it('ends once, by another operator, and what waited goes on', async () => {
    const { operator } = await current()
    const other = operator.username === 'olga' ? omar : olga
    const answers = await Promise.all([resume(other, operator.id), resume(oscar, operator.id)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect((await current()).operator).not.toBeNull()
    await sign('oscar', operator.id)
    expect(await current()).toBeNull()
    expect(await resume(other, operator.id)).toRefuse(409, 'payments_stop_over')
    await jobHandlers(money.server.worker)['payments.resumed']?.(
      { decision: String(await queryValue<bigint>(db)`SELECT max(id) FROM decision`) },
      {} as JobHelpers,
    )
    const mails = await mailsTo(money.server, await numberOf('omar'))
    expect(JSON.stringify(mails)).toContain('oscar')
    expect(JSON.stringify(mails)).toContain('Looked into it.')
    await money.resume()
    expect(await runState()).toBe('done')
    expect(await money.sign(approved)).toBe('signed')
    const [last] = (await olga.get('operator/treasury/')).json().stops
    expect(last).toMatchObject({ reason: 'Something looks wrong.', resume_reason: 'Looked into it.' })
  })

  it('ends by who made it only after a comparison since, that matched', async () => {
    expect(await stop(olga)).toAnswer(200)
    const { operator } = await current()
    await query(
      money.owner,
    )`UPDATE payments_stop SET stopped_at = now() + interval '5 minutes' WHERE id = ${operator.id}`
    expect(await resume(olga, operator.id)).toAnswer(200)
    await expect(sign('olga', operator.id)).rejects.toThrow('payments_unchecked')
    await query(
      money.owner,
    )`UPDATE payments_stop SET stopped_at = now() - interval '5 minutes' WHERE id = ${operator.id}`
    // As it was signed: when payments were stopped is part of it.
    await expect(sign('olga', operator.id)).rejects.toThrow('decision_changed')
    expect(await resume(olga, operator.id)).toAnswer(200)
    await compare(-1n)
    await expect(sign('olga', operator.id)).rejects.toThrow('payments_unchecked')
    await compare()
    await sign('olga', operator.id)
    expect(await custody.stopped()).toBe(false)
  })

  it('leaves what else stops payments as it is when it ends', async () => {
    await compare(-1n)
    await stop(olga)
    const { operator } = await current()
    expect(await resume(omar, operator.id)).toAnswer(200)
    await sign('omar', operator.id)
    expect((await current()).causes).toEqual(['reserves'])
    await compare()
    expect(await current()).toBeNull()
  })

  it('is in the database for the same roles', async () => {
    await operatorClient(money.server, { username: 'sara', operatorRole: 'support' })
    const [sara, plain] = [await numberOf('sara'), ana]
    for (const id of [sara, plain])
      await expect(query(money.owner)`SELECT stop_payments(${id}, 'because', now())`).rejects.toThrow(
        'role allows it',
      )
  })
})
