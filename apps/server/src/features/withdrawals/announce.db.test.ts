import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { timeZoneOf } from '../identity/members/members.queries.ts'
import { mailsTo } from '../identity/testing/member-fixture.ts'
import { mailSender, sendDue } from '../mail/sending.commands.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { smtpTransport } from '../mail/transport.ts'
import { announceStages } from './announce.commands.ts'
import { createWithdrawalFixture, type Withdrawer } from './testing/withdrawal-fixture.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
await money.openWallets('10000')
const operatorId = await money.operator()
const { context } = money.server

const announce = () => announceStages(context, money.moment())
const told = async ({ id }: Withdrawer) =>
  (await mailsTo(money.server, id))
    .map(({ template }) => template)
    .filter((name) => name !== 'withdrawal_code')
async function approved() {
  const ana = await money.withdrawer('80')
  const id = await money.place(ana, '50')
  await money.approve(id, operatorId)
  return { ana, id }
}
const addressOf = async ({ id }: Withdrawer) =>
  (await query<{ email: string }>(money.db)`SELECT email FROM member WHERE id = ${id}`)[0]?.email

describe('the member of a withdrawal', () => {
  it('hears of every stage once: asked for, approved, on its way, completed', async () => {
    const { ana, id } = await approved()
    expect(await told(ana)).toEqual(['withdrawal_requested'])
    await announce()
    await Promise.all([announce(), announce()])
    expect(await told(ana)).toEqual(['withdrawal_requested', 'withdrawal_approved'])
    const txid = await money.prepare(id)
    await money.sign(txid)
    await announce()
    expect(await told(ana)).toHaveLength(2)
    await money.broadcast(txid)
    for (let turn = 0; turn < 3; turn += 1) await announce()
    await money.settle(txid)
    await announce()
    const stages = ['requested', 'approved', 'sent', 'completed'].map((stage) => `withdrawal_${stage}`)
    expect(await told(ana)).toEqual(stages)
    const letter = (await mailsTo(money.server, ana.id)).find(
      ({ template }) => template === 'withdrawal_sent',
    )
    expect(letter).toMatchObject({
      to: await addressOf(ana),
      event: `withdrawal:${id}:sent`,
      params: { amount: '50000000', fee: '1000000', arrives: '49000000', number: String(id) },
    })
  })

  it('hears of it at once: approving and sending each add the job, one for all that wait', async () => {
    const waiting = async () => {
      const jobs = await query<{ key: string }>(money.db)`
        SELECT key FROM graphile_worker.jobs WHERE task_identifier = 'withdrawals.announce'`
      await query(money.owner)`DELETE FROM graphile_worker._private_jobs`
      return jobs.length
    }
    await waiting()
    const { id } = await approved()
    const other = await approved()
    expect(await waiting()).toBe(1)
    const txid = await money.prepare(id)
    await money.sign(txid)
    expect(await waiting()).toBe(0)
    await money.broadcast(txid)
    expect(await waiting()).toBe(1)
    await money.broadcast(txid)
    expect(await waiting()).toBe(0)
    await announce()
    expect(await told(other.ana)).toContain('withdrawal_approved')
  })

  it('is not told of a stage that is over, nor twice of a second transfer', async () => {
    const { ana, id } = await approved()
    const txid = await money.prepare(id)
    await money.sign(txid)
    await money.broadcast(txid)
    await announce()
    expect(await told(ana)).toEqual(['withdrawal_requested', 'withdrawal_sent'])
    await money.expire(txid)
    await announce()
    expect(await told(ana)).toHaveLength(2)
  })

  it('is told nothing of what was approved long ago, whatever became of the mail about it', async () => {
    const { ana } = await approved()
    const systemNow = new Date()
    await announceStages(context, { now: new Date(systemNow.getTime() + 25 * 3_600_000), systemNow })
    expect(await told(ana)).toEqual(['withdrawal_requested'])
  })

  it('reads it in the own language, with amounts as in the own region and times in the own zone', async () => {
    const { ana } = await approved()
    await query(
      money.owner,
    )`UPDATE member SET time_zone = 'America/Bogota', region = 'es-MX', locale = 'es' WHERE id = ${ana.id}`
    await query(money.owner)`DELETE FROM mail_message`
    await announce()
    const address = await addressOf(ana)
    const smtp = await startMailServer()
    const sender = mailSender(context, async (id) => (await timeZoneOf(money.db, id)) ?? 'UTC')
    // A clock that stands still: one turn sends all, however long that takes.
    const at = new Date()
    await sendDue({ ...sender, transport: smtpTransport(smtp.server), now: () => at })
    await smtp.close()
    const mail = smtp.received.find(({ envelope }) => envelope.to[0] === address)
    expect(mail?.subject).toBe('Aprobamos tu retiro de $50.00')
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain('$49.00')
      expect(body).toContain('Las horas son de America/Bogota, GMT-5.')
    }
  })
})
