import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { suiteFixture } from '../../testing/suite.ts'
import { queueMail } from './mail.commands.ts'
import { readOutbox } from './outbox.ts'
import { type SendOutcome, sendDue, sendMessage } from './sending.commands.ts'
import { smtpTransport } from './smtp.ts'
import { CODE, createMailFixture, MINUTE } from './testing/mail-fixture.ts'
import type { Transport } from './transport.ts'

const fixture = await suiteFixture(createMailFixture)
beforeEach(() => fixture.reset())

describe('a queued message', () => {
  it('is one an event and member, with one job, however often it is asked for', async () => {
    const ask = (memberId: bigint, event: string) =>
      inTransaction(fixture.db, (tx) =>
        queueMail(tx, { memberId, to: 'a@b.co', locale: 'es', event, ...CODE }, fixture.now),
      )
    await Promise.all([
      ask(1n, 'reset:1'),
      ask(1n, 'reset:1'),
      ask(1n, 'reset:1'),
      ask(2n, 'reset:1'),
      ask(1n, 'reset:2'),
    ])
    await ask(1n, 'reset:1')
    expect(await fixture.db.selectFrom('mail_message').select('id').execute()).toHaveLength(3)
    expect(await fixture.jobs()).toHaveLength(3)
  })

  it('is none where the transaction that asked for it came to nothing', async () => {
    const undone = inTransaction(fixture.db, async (tx) => {
      await queueMail(tx, { memberId: 5n, to: 'a@b.co', locale: 'es', event: 'x', ...CODE }, fixture.now)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await fixture.db.selectFrom('mail_message').select('id').execute()).toEqual([])
    expect(await fixture.jobs()).toEqual([])
  })

  it('goes before those that only tell where somebody waits for its code', async () => {
    const alert = {
      template: 'operator_alert',
      params: { subject: 'Reserves', text: 'They match.' },
    } as const
    const told = await fixture.queue(alert)
    const code = await fixture.queue()
    const { rows } = await sql<{ id: string }>`
      SELECT payload->>'id' AS id FROM graphile_worker._private_jobs ORDER BY priority, run_at`.execute(
      fixture.db,
    )
    expect(rows.map(({ id }) => BigInt(id))).toEqual([code.id, told.id])
  })

  it('arrives once, readable as text and as HTML, and its secrets are gone', async () => {
    const params = {
      subject: 'Pago de José: ¿1,000.00 USD?',
      text: 'Línea con eñes, 日本語 y 🙂\n.\n..punto',
    }
    const keys = [await fixture.queue({ template: 'operator_alert', params }), await fixture.queue()]
    const outcomes: SendOutcome[] = []
    await sendDue(fixture.sender(), (_key, outcome) => outcomes.push(outcome))
    await sendDue(fixture.sender())
    for (const key of keys) expect(await sendMessage(fixture.sender(), key)).toEqual({ result: 'none' })
    expect(outcomes).toEqual([{ result: 'sent' }, { result: 'sent' }])
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
    const row = await fixture.rowOf(keys[1] ?? { memberId: 0n, id: 0n })
    expect(row).toMatchObject({
      state: 'sent',
      attempts: 1,
      sent_at: fixture.now,
      claim: null,
      message_id: reset?.messageId,
    })
    expect(row.params).toEqual({ at: '2026-05-03T15:00:00.000Z' })
  })

  it('that is sent is never touched again, whoever tries', async () => {
    const { id } = await fixture.queue()
    await sendDue(fixture.sender())
    await expect(
      fixture.db
        .updateTable('mail_message')
        .set({ state: 'queued', sent_at: null })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow('refused')
    await expect(fixture.db.deleteFrom('mail_message').execute()).rejects.toThrow('permission denied')
  })
})

describe('two workers', () => {
  it('at the same messages hand each over once', async () => {
    for (let n = 0; n < 6; n += 1) await fixture.queue()
    await Promise.all([sendDue(fixture.sender()), sendDue(fixture.sender()), sendDue(fixture.sender())])
    expect(fixture.mail.received).toHaveLength(6)
    expect(new Set(fixture.arrived()).size).toBe(6)
  })

  it('leave a message alone that a slow server still has', async () => {
    const key = await fixture.queue()
    let taken = 0
    const slow: Transport = {
      async deliver(parcel) {
        taken += 1
        fixture.pass(100_000)
        expect(await sendMessage(fixture.sender(slow), key)).toEqual({ result: 'none' })
        await smtpTransport(fixture.mail.server).deliver(parcel)
      },
    }
    await sendMessage(fixture.sender(slow), key)
    expect([taken, fixture.mail.received.length]).toEqual([1, 1])
  })
})

describe('a message that the server has and we have not marked', () => {
  it('is sent again when its claim has lapsed, under the same Message-ID', async () => {
    const key = await fixture.queue()
    await fixture.failTheMark('XX000')
    await expect(sendMessage(fixture.sender(), key)).rejects.toThrow('marking failed')
    await fixture.letItMark()
    expect(await fixture.rowOf(key)).toMatchObject({
      state: 'queued',
      claim: expect.any(String),
      attempts: 1,
    })
    fixture.pass(119_000)
    await sendDue(fixture.sender())
    expect(fixture.mail.received).toHaveLength(1)
    fixture.pass(1000)
    await sendDue(fixture.sender())
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
    expect(await sendMessage(fixture.sender(fixture.mail.server, pause), key)).toEqual({ result: 'sent' })
    fixture.pass(10 * MINUTE)
    await sendDue(fixture.sender())
    expect([pauses, fixture.mail.received.length]).toEqual([3, 1])
  })
})

describe('what stands on the envelope', () => {
  it.each([
    ['ana@example.com\r\nBcc: thief@example.com'],
    ['ana@example.com, thief@example.com'],
    ['ana@example.com>\r\nRCPT TO:<thief@example.com'],
    [''],
  ])('is never %j, and what asked for the message goes on', async (to) => {
    const key = await fixture.queue(CODE, to)
    expect(await fixture.rowOf(key)).toMatchObject({
      state: 'given_up',
      last_error: 'this is no address',
      params: { at: expect.any(String) },
    })
    expect(await fixture.jobs()).toEqual([])
    await sendDue(fixture.sender())
    expect(fixture.mail.received).toEqual([])
  })

  it('is one address, whatever the words inside say', async () => {
    const subject = 'Alerta\r\nBcc: thief@example.com\r\n\r\nhola'
    await fixture.queue({ template: 'operator_alert', params: { subject, text: subject } })
    await sendDue(fixture.sender())
    const [received] = fixture.mail.received
    expect(received?.envelope.to).toEqual(['ana@example.com'])
    expect(received?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(received?.subject).toBe('Alerta Bcc: thief@example.com hola')
  })

  it('may be in another script', async () => {
    await fixture.queue(CODE, 'josé@correo.example')
    await sendDue(fixture.sender())
    expect(fixture.mail.received[0]?.envelope.to).toEqual(['josé@correo.example'])
  })
})

describe('without a mail server', () => {
  it('a message is one file, also when it is handed over twice', async () => {
    const { dataDir } = fixture.server.context.config
    const kept = fixture.sender(null)
    const key = await fixture.queue()
    await fixture.failTheMark('XX000')
    await expect(sendMessage(kept, key)).rejects.toThrow('marking failed')
    await fixture.letItMark()
    fixture.pass(2 * MINUTE)
    await sendDue(kept)
    const [file, ...more] = await readOutbox(dataDir, 10)
    expect(more).toEqual([])
    expect(file).toMatchObject({
      name: `20260503T150000000Z-${key.memberId}-${key.id}`,
      to: 'ana@example.com',
    })
    expect(file?.messageId).toBe((await fixture.rowOf(key)).message_id)
    expect(file?.text).toContain('1234567')
  })
})
