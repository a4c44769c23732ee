import { createServer } from 'node:net'
import { inTransaction } from '@aval/db'
import { beforeEach, describe, expect, it } from 'vitest'
import { readerOf } from '../../core/messages.ts'
import { query } from '../../core/query.sql.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { purgeSentMail, queueMail, queueNotices } from './mail.commands.ts'
import { secondsOfWaitingCode, withMailState } from './mail.queries.ts'
import type { MessageKey } from './mail.sql.ts'
import { readOutbox } from './outbox.ts'
import { type SendOutcome, sendDue, catchUp as sendInTurns, sendMessage } from './sending.commands.ts'
import { CODE, createMailFixture, MINUTE, NOTICE, UNREACHABLE } from './testing/mail-fixture.ts'
import { refusal } from './testing/mail-server.ts'
import { smtpTransport, type Transport } from './transport.ts'

const fixture = await suiteFixture(createMailFixture)
const { db } = fixture
beforeEach(() => fixture.reset())

type Destination = Parameters<typeof fixture.sender>[0]
const send = (key: MessageKey, to?: Destination) => sendMessage(fixture.sender(to), key)
/** Sends what is due. @returns what became of each message */
async function catchUp(to?: Destination): Promise<SendOutcome[]> {
  const outcomes: SendOutcome[] = []
  await sendDue(fixture.sender(to), (_key, outcome) => outcomes.push(outcome))
  return outcomes
}
const ids = async () =>
  (await db.selectFrom('mail_message').select('id').orderBy('id').execute()).map(({ id }) => id)
const GIVEN_UP = { state: 'given_up', claim: null, params: { at: expect.any(String) } }

describe('while no mail leaves', () => {
  const after = (ms: number) => new Date(fixture.now.getTime() + ms)
  const said = (ms: number) => withMailState(db, readerOf('en', null), 'We sent it.', after(ms))

  it('a code is said to be tried, and for how long, until it has left', async () => {
    expect(await said(0)).toBe('We sent it.')
    const key = await fixture.queue()
    expect(await secondsOfWaitingCode(db, key.memberId, after(90_000))).toBe(90)
    expect(await send(key, UNREACHABLE)).toMatchObject({ result: 'put_off' })
    expect(await said(4 * MINUTE)).toBe(
      'We sent it. Our mail is not getting out at present; we have been trying for 4 min and go on. The message arrives as soon as it can.',
    )
    expect(await withMailState(db, readerOf('es', null), 'Listo.', after(60_000))).toMatch(
      /llevamos 1 min intentándolo/,
    )
    expect(await said(150 * MINUTE)).toContain('we have been trying for 2 hours')
    await query(db)`UPDATE mail_message SET next_try_at = created_at`
    expect(await send(key)).toEqual({ result: 'sent' })
    expect(await said(4 * MINUTE)).toBe('We sent it.')
    expect(await secondsOfWaitingCode(db, key.memberId, after(90_000))).toBeNull()
  })

  it('one message that fails says nothing of the others, and a notice is no code', async () => {
    const failing = await fixture.queue(NOTICE)
    await send(failing, UNREACHABLE)
    fixture.pass(MINUTE)
    await send(await fixture.queue())
    expect(await said(MINUTE)).toBe('We sent it.')
    expect(await secondsOfWaitingCode(db, failing.memberId, after(0))).toBeNull()
  })
})

describe('a queued message', () => {
  const mail = { to: 'a@b.co', locale: 'es', ...CODE }
  it('is one an event and member, with one job, however often it is asked for', async () => {
    const ask = (memberId: bigint, event: string) =>
      inTransaction(db, (tx) => queueMail(tx, { memberId, event, ...mail }, fixture.now))
    await Promise.all([1n, 1n, 1n, 2n].map((memberId) => ask(memberId, 'reset:1')))
    await ask(1n, 'reset:2')
    await ask(1n, 'reset:1')
    expect(await ids()).toHaveLength(3)
    expect(await fixture.jobs()).toHaveLength(3)
  })

  it('is none where the transaction that asked for it came to nothing', async () => {
    const undone = inTransaction(db, async (tx) => {
      await queueMail(tx, { memberId: 5n, event: 'x', ...mail }, fixture.now)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await ids()).toEqual([])
    expect(await fixture.jobs()).toEqual([])
  })

  it('with a code goes before notices', async () => {
    const notice = await fixture.queue(NOTICE)
    const code = await fixture.queue()
    const rows = await query<{ id: string }>(db)`
      SELECT payload->>'id' AS id FROM graphile_worker._private_jobs ORDER BY priority, run_at`
    expect(rows.map(({ id }) => BigInt(id))).toEqual([code.id, notice.id])
  })

  it('that can wait is sent with all others by one job, and once, whatever asks for it again', async () => {
    const notices = (event: string) =>
      [1n, 2n, 3n].map((memberId) => ({
        ...{ memberId, event, locale: 'es', ...NOTICE },
        to: memberId === 2n ? 'nobody' : `m${memberId}@example.com`,
      }))
    const ask = (event: string) => inTransaction(db, (tx) => queueNotices(tx, notices(event), fixture.now))
    await ask('one')
    await Promise.all([ask('one'), ask('two')])
    expect(await ids()).toHaveLength(6)
    const jobs = await query(db)`SELECT key, priority, queue_name FROM graphile_worker.jobs`
    expect(jobs).toEqual([{ key: 'mail.catch_up', priority: 10, queue_name: 'mail' }])
    expect(await catchUp()).toHaveLength(4)
    expect(await catchUp()).toEqual([])
    const states = await db.selectFrom('mail_message').select('state').orderBy('id').execute()
    expect(states.filter(({ state }) => state === 'given_up')).toHaveLength(2)
  })

  it('arrives once, readable as text and as HTML, and its secrets are gone', async () => {
    const params = {
      subject: 'Pago de José: ¿$1.000,00?',
      text: 'Línea con eñes, 日本語 y 🙂\n.\n..punto',
    }
    const alerted = await fixture.queue({ template: 'operator_alert', params })
    const coded = await fixture.queue()
    expect(await catchUp()).toEqual([{ result: 'sent' }, { result: 'sent' }])
    expect(await catchUp()).toEqual([])
    for (const key of [alerted, coded]) expect(await send(key)).toEqual({ result: 'none' })
    expect(fixture.mail.received).toHaveLength(2)
    const [alert, reset] = fixture.mail.received
    expect(alert).toMatchObject({
      subject: params.subject,
      from: { name: 'Aval', address: 'no-reply@localhost' },
      to: [{ address: 'ana@example.com', name: '' }],
      date: '2026-05-03T15:00:00.000Z',
      envelope: { from: 'no-reply@localhost', to: ['ana@example.com'] },
    })
    for (const body of [alert?.text, alert?.html]) expect(body).toContain('Línea con eñes, 日本語 y 🙂')
    expect(alert?.text).toContain('\n.\n\n..punto\n')
    expect(alert?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(reset?.subject).toBe('Tu código para crear una contraseña nueva')
    expect(reset?.html).toContain('1234567')
    expect(reset?.messageId).toMatch(/^<aval-[0-9a-f-]{36}@localhost>$/)
    expect(new Set(fixture.arrived()).size).toBe(2)
    const row = await fixture.rowOf(coded)
    const sent = { state: 'sent', attempts: 1, sent_at: fixture.now, claim: null }
    expect(row).toMatchObject({ ...sent, message_id: reset?.messageId })
    expect(row.params).toEqual({ at: '2026-05-03T15:00:00.000Z' })
  })

  it('that is sent is never touched again', async () => {
    const { id } = await fixture.queue()
    await catchUp()
    const again = db.updateTable('mail_message').set({ state: 'queued', sent_at: null }).where('id', '=', id)
    await expect(again.execute()).rejects.toThrow('refused')
    await expect(db.deleteFrom('mail_message').execute()).rejects.toThrow('permission denied')
  })

  it('that cannot be written is put off with the reason, and does not keep the others', async () => {
    const key = await fixture.queue()
    await fixture.queue()
    await fixture.asOwner(`UPDATE mail_message SET template = 'from_the_future' WHERE id = ${key.id}`)
    await catchUp()
    expect((await fixture.rowOf(key)).last_error).toContain('from_the_future')
    expect(fixture.mail.received).toHaveLength(1)
  })
})

describe('a catch-up', () => {
  it('stops after a second, so that a code has its turn, and says that more is due', async () => {
    for (let n = 0; n < 4; n += 1) await fixture.queue(NOTICE)
    const slow: Transport = {
      async deliver(mail) {
        fixture.pass(600)
        await smtpTransport(fixture.mail.server).deliver(mail)
      },
    }
    expect(await sendDue(fixture.sender(slow))).toBe(true)
    expect(fixture.mail.received).toHaveLength(2)
    await query(db)`SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs`
    await sendInTurns(fixture.sender({ deliver: async () => void fixture.pass(1_100) }))
    const next = { key: 'mail.catch_up', run_at: new Date(fixture.now.getTime() + 1_000) }
    expect(await fixture.jobs()).toEqual([next])
    expect(await sendDue(fixture.sender())).toBe(false)
    expect(fixture.mail.received).toHaveLength(3)
  })

  it('says nothing of more while the server is away', async () => {
    for (let n = 0; n < 101; n += 1) await fixture.queue(NOTICE)
    expect(await sendDue(fixture.sender(UNREACHABLE))).toBe(false)
    expect(await sendDue(fixture.sender({ deliver: async () => undefined }))).toBe(true)
  })
})

describe('two workers', () => {
  it('at the same messages deliver each once', async () => {
    for (let n = 0; n < 6; n += 1) await fixture.queue()
    await Promise.all([catchUp(), catchUp(), catchUp()])
    expect(fixture.mail.received).toHaveLength(6)
    expect(new Set(fixture.arrived()).size).toBe(6)
  })

  it('leave a message alone that a slow server still has', async () => {
    const key = await fixture.queue()
    let taken = 0
    const slow: Transport = {
      async deliver(mail) {
        taken += 1
        fixture.pass(100_000)
        expect(await send(key, slow)).toEqual({ result: 'none' })
        await smtpTransport(fixture.mail.server).deliver(mail)
      },
    }
    await send(key, slow)
    expect([taken, fixture.mail.received.length]).toEqual([1, 1])
  })
})

describe('a message that the server has and we have not marked', () => {
  it('is sent again when its claim has lapsed, under the same Message-ID', async () => {
    const key = await fixture.queue()
    await fixture.failTheMark('XX000')
    await expect(send(key)).rejects.toThrow('marking failed')
    await fixture.letItMark()
    const claimed = { state: 'queued', claim: expect.any(String), attempts: 1 }
    expect(await fixture.rowOf(key)).toMatchObject(claimed)
    fixture.pass(119_000)
    await catchUp()
    expect(fixture.mail.received).toHaveLength(1)
    fixture.pass(1000)
    await catchUp()
    expect(fixture.mail.received).toHaveLength(2)
    expect(new Set(fixture.arrived()).size).toBe(1)
    expect(await fixture.rowOf(key)).toMatchObject({ state: 'sent', attempts: 2, claim: null })
  })

  it('is marked as soon as the database is back, and not sent again', async () => {
    const key = await fixture.queue()
    await fixture.failTheMark('57P01')
    let pauses = 0
    const pause = async () => {
      pauses += 1
      if (pauses === 3) await fixture.letItMark()
    }
    expect(await sendMessage({ ...fixture.sender(), pause }, key)).toEqual({ result: 'sent' })
    fixture.pass(10 * MINUTE)
    await catchUp()
    expect([pauses, fixture.mail.received.length]).toEqual([3, 1])
  })
})

describe('the recipient', () => {
  it.each([
    ['ana@example.com\r\nBcc: thief@example.com'],
    ['ana@example.com, thief@example.com'],
    ['ana@example.com>\r\nRCPT TO:<thief@example.com'],
    [''],
  ])('is never %j, and what asked for the message goes on', async (to) => {
    const key = await fixture.queue(CODE, to)
    expect(await fixture.rowOf(key)).toMatchObject({ ...GIVEN_UP, last_error: 'this is no address' })
    expect(await fixture.jobs()).toEqual([])
    await catchUp()
    expect(fixture.mail.received).toEqual([])
  })

  it('is one address, whatever the words inside say', async () => {
    const subject = 'Alerta\r\nBcc: thief@example.com\r\n\r\nhola'
    await fixture.queue({ template: 'operator_alert', params: { subject, text: subject } })
    await catchUp()
    const [received] = fixture.mail.received
    expect(received?.envelope.to).toEqual(['ana@example.com'])
    expect(received?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(received?.subject).toBe('Alerta Bcc: thief@example.com hola')
  })

  it('may be in another script', async () => {
    await fixture.queue(CODE, 'josé@correo.example')
    await catchUp()
    expect(fixture.mail.received[0]?.envelope.to).toEqual(['josé@correo.example'])
  })
})

it('without a mail server a message is one file, also when it is delivered twice', async () => {
  const key = await fixture.queue()
  await fixture.failTheMark('XX000')
  await expect(send(key, null)).rejects.toThrow('marking failed')
  await fixture.letItMark()
  fixture.pass(2 * MINUTE)
  await catchUp(null)
  const [file, ...more] = await readOutbox(fixture.server.context.config.dataDir, 10)
  expect(more).toEqual([])
  const name = `20260503T150000000Z-${key.memberId}-${key.id}`
  expect(file).toMatchObject({ name, to: 'ana@example.com' })
  expect(file?.messageId).toBe((await fixture.rowOf(key)).message_id)
  expect(file?.text).toContain('1234567')
})

describe('a mail server that is away for an hour', () => {
  it('delays everything, and loses and doubles nothing', async () => {
    const keys = [await fixture.queue(NOTICE), await fixture.queue(NOTICE), await fixture.queue(NOTICE)]
    for (let minute = 0; minute < 60; minute += 1) {
      await catchUp(UNREACHABLE)
      // Their own jobs try the rest, which a catch-up leaves alone once it has seen that the server is away.
      for (const key of keys) await send(key, UNREACHABLE)
      fixture.pass(MINUTE)
    }
    for (const key of keys) {
      const row = await fixture.rowOf(key)
      expect(row).toMatchObject({ state: 'queued', claim: null })
      expect(row.last_error).toContain('ECONNREFUSED')
      expect(row.attempts).toBeGreaterThan(8)
      expect(row.attempts).toBeLessThan(15)
      const job = { key: `mail:${key.memberId}:${key.id}`, run_at: row.next_try_at }
      expect(await fixture.jobs()).toContainEqual(job)
    }
    fixture.pass(15 * MINUTE)
    await catchUp()
    await catchUp()
    expect(new Set(fixture.arrived()).size).toBe(3)
    expect(fixture.mail.received).toHaveLength(3)
  })

  it('gives up codes that have lapsed meanwhile, and sends those that have not', async () => {
    const [early, late] = [await fixture.queue(), await fixture.queue()]
    await fixture.asOwner(
      `UPDATE mail_message SET created_at = created_at + interval '1 second' WHERE id = ${late.id}`,
    )
    await catchUp(UNREACHABLE)
    await send(late, UNREACHABLE)
    fixture.pass(10 * MINUTE)
    const reason = 'its code has lapsed'
    expect(await catchUp()).toContainEqual({ result: 'given_up', reason, isServerAway: false })
    expect(await fixture.rowOf(early)).toMatchObject({ ...GIVEN_UP, last_error: reason })
    expect((await fixture.rowOf(late)).state).toBe('sent')
    expect(fixture.mail.received).toHaveLength(1)
  })

  it('is asked once a catch-up, whatever waits', async () => {
    await fixture.queue()
    await fixture.queue()
    const putOff = expect.objectContaining({ result: 'put_off', isServerAway: true })
    expect(await catchUp(UNREACHABLE)).toEqual([putOff])
  })

  it('is also one that does not say anything', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    fixture.keep({ close: () => mute.close() })
    const address = mute.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const timeouts = { connecting: 200, silence: 200, whole: 1000 }
    const silent = smtpTransport({ ...UNREACHABLE, port }, timeouts)
    const outcome = await send(await fixture.queue(), silent)
    expect(outcome).toMatchObject({ result: 'put_off', isServerAway: true })
  })

  it('is also one that refuses our password; one that takes it gets the mail', async () => {
    const closed = await fixture.begin({ credentials: 'aval:right' })
    const key = await fixture.queue()
    const wrong = { ...closed.server, credentials: { user: 'aval', pass: 'wrong' } }
    expect(await send(key, wrong)).toMatchObject({ result: 'put_off', isServerAway: true })
    fixture.pass(MINUTE)
    await catchUp(closed.server)
    expect(closed.received).toHaveLength(1)
  })
})

describe('a mail server that refuses', () => {
  it('for now is asked again, about the same message', async () => {
    const key = await fixture.queue()
    fixture.mail.refusals.recipient.push(refusal(451, 'greylisted, come back later'))
    fixture.mail.refusals.message.push(refusal(452, 'full'))
    expect(await send(key)).toMatchObject({ result: 'put_off', isServerAway: false })
    const { message_id: before, next_try_at: due, last_error: said } = await fixture.rowOf(key)
    expect(said).toContain('greylisted')
    expect(due).toEqual(new Date(fixture.now.getTime() + 5000))
    expect(await send(key)).toEqual({ result: 'none' })
    fixture.pass(5000)
    expect(await send(key)).toMatchObject({ result: 'put_off' })
    fixture.pass(10_000)
    await catchUp()
    expect(fixture.arrived()).toEqual([before])
  })

  it.each(['recipient', 'message'] as const)(
    'the %s for good is not asked again, and the others are',
    async (what) => {
      fixture.mail.refusals[what].push(refusal(550, 'no such member here'))
      const key = await fixture.queue()
      const other = await fixture.queue()
      await catchUp()
      const row = await fixture.rowOf(key)
      expect(row).toMatchObject(GIVEN_UP)
      expect(row.last_error).toContain('no such member here')
      expect((await fixture.rowOf(other)).state).toBe('sent')
      fixture.pass(24 * 60 * MINUTE)
      await catchUp()
      expect(fixture.mail.received).toHaveLength(1)
      const body = await fixture.server.api.metrics.metrics()
      expect(body).toContain('mail_messages{state="given_up"} 1')
      expect(body).toContain('mail_messages{state="queued"} 0')
    },
  )

  it('to prove who it is, or to be private, gets nothing of ours', async () => {
    const [forged, open] = [await fixture.begin({ secure: true }), await fixture.begin()]
    const key = await fixture.queue()
    const reason = expect.stringMatching(/certificate/i)
    expect(await send(key, forged.server)).toMatchObject({ result: 'put_off', reason })
    fixture.pass(MINUTE)
    expect(await send(key, { ...open.server, requireTls: true })).toMatchObject({ result: 'put_off' })
    expect([...forged.received, ...open.received]).toEqual([])
  })
})

describe('the purge of mail', () => {
  const DAY_MS = 86_400_000
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
  const daysAgo = (days: number) => `now() - interval '${days} days'`
  /** A message as it stood that many days ago. */
  async function old(state: 'queued' | 'sent' | 'given_up', days: number): Promise<bigint> {
    const { id } = await fixture.queue(NOTICE)
    const sent = state === 'sent' ? daysAgo(days) : 'NULL'
    await fixture.asOwner(
      `UPDATE mail_message SET state = '${state}', created_at = ${daysAgo(days)}, sent_at = ${sent} WHERE id = ${id}`,
    )
    return id
  }

  it('takes what was sent ninety days ago, and nothing that was not sent', async () => {
    await old('sent', 91)
    await old('sent', 400)
    const stays = [await old('sent', 89), await old('queued', 400), await old('given_up', 400)]
    stays.push((await fixture.queue(NOTICE)).id)
    expect(await purgeSentMail(db, new Date())).toBe(2)
    expect(await ids()).toEqual(stays)
    expect(await purgeSentMail(db, new Date())).toBe(0)
  })

  it.each([
    ['of a clock that runs ahead', 89, 365],
    ['of a clock that is behind', 95, -10],
  ])('takes nothing early because %s', async (_name, age, ahead) => {
    const id = await old('sent', age)
    expect(await purgeSentMail(db, inDays(ahead))).toBe(0)
    expect(await ids()).toEqual([id])
  })
})
