import { inTransaction } from '@aval/db'
import type { JobHelpers } from 'graphile-worker'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { enqueue } from './core/jobs.sql.ts'
import { countOf, query } from './core/query.sql.ts'
import { queueMail } from './features/mail/mail.commands.ts'
import { readOutbox } from './features/mail/outbox.ts'
import { audit } from './testing/audited.ts'
import { createMoneyFixture, type MoneyFixture, usdt } from './testing/money-fixture.ts'
import { jobHandlers, startWorker } from './worker.ts'

let money: MoneyFixture
let worker: Awaited<ReturnType<typeof startWorker>> | null = null
beforeEach(async () => {
  money = await createMoneyFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterEach(async () => {
  await worker?.stop()
  worker = null
  await money.close()
})

const begin = async () => {
  worker = await startWorker(money.server.worker)
}
const MAIL = {
  ...{ memberId: 1n, to: 'ana@example.com', locale: 'es' },
  ...({ template: 'password_reset_code', params: { code: '1234567', at: new Date() } } as const),
}
const PATIENT = { timeout: 240_000, interval: 50 }

/** Jobs with a payload. The others find in the rows what there is to do. */
const WITH_PAYLOAD = [
  'custody.book_opening',
  'deposits.credit',
  'identity.send_password_reset',
  'mail.send',
  'members.terms_changed',
  'outgoing_transfers.settle',
  'payments.resumed',
]

/** Once the auditor has said what it has to. */
async function isPaid(memberId: bigint, amount: string): Promise<void> {
  await audit(money.db)
  expect(await money.balanceOf(memberId)).toBe(usdt(amount))
}

describe('the worker', () => {
  it('has the rights that each of its jobs needs', async () => {
    await money.invest(await money.member(), '500')
    const jobs = Object.entries(jobHandlers(money.server.worker)).filter(
      ([name]) => !WITH_PAYLOAD.includes(name),
    )
    const refused: string[] = []
    for (const [name, work] of jobs)
      await Promise.resolve(work?.({}, {} as JobHelpers)).catch((error) => refused.push(`${name}: ${error}`))
    expect(refused).toEqual([])
  })

  it('credits what arrives as soon as it is recorded, and what a lost job left behind', async () => {
    const member = await money.member()
    await money.arrive(member, '3')
    await query(money.db)`DELETE FROM graphile_worker._private_jobs`
    await begin()
    await vi.waitFor(async () => expect(await money.balanceOf(member)).toBe(usdt('3')), PATIENT)
    await money.arrive(member, '4')
    await vi.waitFor(async () => expect(await money.balanceOf(member)).toBe(usdt('7')), PATIENT)
  })

  it('starts, and does everybody else’s work, whatever cannot be done for one', async () => {
    const [unlucky, lucky] = [await money.member(), await money.member()]
    await query(money.owner)`
      ALTER TABLE deposit_credit ADD CONSTRAINT broken CHECK (member_id <> ${sql.lit(Number(unlucky))})`
    await money.arrive(unlucky, '3')
    await money.arrive(lucky, '4')
    await query(money.db)`DELETE FROM graphile_worker._private_jobs`
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await begin()
    await vi.waitFor(async () => expect(await money.balanceOf(lucky)).toBe(usdt('4')), PATIENT)
    await vi.waitFor(() => expect(String(said.mock.calls)).toContain('broken'), PATIENT)
  })

  it('pays the commissions of an investment whose job was lost', async () => {
    const sponsor = await money.member()
    await money.invest(sponsor, '500')
    await money.fund('commission', '1000')
    const investor = await money.member(sponsor)
    await money.receive(investor, '800')
    const client = await money.client(investor)
    await client.post('plans/create-investment-payment/', { amount: 600, payPasive: true })
    await query(money.db)`DELETE FROM graphile_worker._private_jobs`
    await begin()
    await vi.waitFor(() => isPaid(sponsor, '30'), PATIENT)
  })

  it('sends what is queued, and what a lost job left behind', async () => {
    const { dataDir } = money.server.context.config
    const ask = (event: string) => inTransaction(money.db, (tx) => queueMail(tx, { ...MAIL, event }))
    await ask('first')
    await query(money.db)`DELETE FROM graphile_worker._private_jobs`
    await begin()
    await vi.waitFor(async () => expect(await readOutbox(dataDir, 9)).toHaveLength(1), PATIENT)
    await ask('second')
    await vi.waitFor(async () => expect(await readOutbox(dataDir, 9)).toHaveLength(2), PATIENT)
  })

  it('forgets every day what has expired', async () => {
    await query(money.db)`
      INSERT INTO spent_captcha (challenge, expires_at) VALUES ('old', now() - interval '1 day')`
    await begin()
    const known = async () =>
      await query<{ task: string }>(money.db)`
        SELECT identifier AS task FROM graphile_worker._private_known_crontabs`
    await vi.waitFor(async () => expect(await known()).toContainEqual({ task: 'sessions.purge' }), PATIENT)
    await inTransaction(money.db, (tx) => enqueue(tx, 'sessions.purge', {}, 'sessions.purge'))
    const left = () => money.db.selectFrom('spent_captcha').select('challenge').execute()
    await vi.waitFor(async () => expect(await left()).toEqual([]), PATIENT)
  })

  it('leaves alone what another worker is doing, and goes on with what a dead one left locked', async () => {
    const [left, slow, next] = [await money.member(), await money.member(), await money.member()]
    await money.arrive(left, '4')
    await query(
      money.owner,
    )`UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now(), attempts = 1`
    await money.arrive(slow, '3')
    const underWay = () =>
      query(money.db)`SELECT id, locked_by, attempts FROM graphile_worker.jobs
        WHERE task_identifier = 'deposits.credit' AND locked_by IS NOT NULL`
    const second = await inTransaction(money.owner, async (holding) => {
      await query(holding)`SELECT FROM member WHERE id = ${slow} FOR UPDATE`
      await begin()
      await vi.waitFor(async () => expect(await money.balanceOf(left)).toBe(usdt('4')), PATIENT)
      await vi.waitFor(async () => expect(await underWay()).toHaveLength(1), PATIENT)
      const before = await underWay()
      const another = await startWorker(money.server.worker)
      expect(await underWay()).toEqual(before)
      return another
    })
    await worker?.stop()
    worker = second
    await money.arrive(next, '5')
    await vi.waitFor(async () => expect(await money.balanceOf(next)).toBe(usdt('5')), PATIENT)
    expect(await money.balanceOf(slow)).toBe(usdt('3'))
  })

  it('shares the jobs with another one, and each is done once', async () => {
    const { dataDir } = money.server.context.config
    await begin()
    const second = await startWorker(money.server.worker)
    for (let index = 0; index < 12; index += 1)
      await inTransaction(money.db, (tx) => queueMail(tx, { ...MAIL, event: `event ${index}` }))
    await vi.waitFor(
      async () => expect(await countOf(money.db)`mail_message WHERE sent_at IS NULL`).toBe(0),
      PATIENT,
    )
    await Promise.all([second.stop(), worker?.stop()])
    worker = null
    expect(await readOutbox(dataDir, 20)).toHaveLength(12)
  })

  it('credits while a run takes longer than the minutes between its ticks', async () => {
    await money.fund('profit', '1000')
    const member = await money.member()
    await money.invest(member, '600')
    await query(money.db)`SELECT close_period('2026-05-04T05:00:00Z')`
    await query(money.owner)`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
      VALUES ('passive', '2026-05-04', '2026-05-04T05:00:00Z', 1, 'computing', '2026-05-04T05:00:00Z')`
    await inTransaction(money.owner, async (slow) => {
      await query(slow)`SELECT FROM payout_run FOR UPDATE`
      await begin()
      const running = () => countOf(money.db)`graphile_worker.jobs
        WHERE task_identifier = 'payout_runs.daily' AND locked_at IS NOT NULL`
      for (let tick = 1; tick <= 6; tick += 1) {
        await query(money.db)`
          SELECT graphile_worker.add_job('payout_runs.daily', queue_name => 'payouts', job_key => 'payout_runs.daily',
          job_key_mode => 'preserve_run_at')`
        await vi.waitFor(async () => expect(await running()).toBeGreaterThan(0), PATIENT)
      }
      await money.arrive(member, '4')
      await vi.waitFor(async () => expect(await money.balanceOf(member)).toBe(usdt('4')), PATIENT)
      expect(await running()).toBe(1)
    })
    await vi.waitFor(() => isPaid(member, '6'), PATIENT)
  })
})
