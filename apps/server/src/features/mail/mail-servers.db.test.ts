import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { SmtpServer } from '../../core/mail-settings.ts'
import { type Outcome, sendDue, sendMessage } from './sending.commands.ts'
import { smtpCarrier } from './smtp.ts'
import { createMailDesk, type MailDesk, MINUTE, NEWS, NOBODY } from './testing/mail-desk.ts'
import { refusal } from './testing/mail-server.ts'

let desk: MailDesk
beforeAll(async () => {
  desk = await createMailDesk(inject('ownerUrl'))
})
afterAll(() => desk?.close())
beforeEach(() => desk.reset())

describe('a mail server that is away for an hour', () => {
  it('delays everything, and loses and doubles nothing', async () => {
    const keys = [await desk.queue(NEWS), await desk.queue(NEWS), await desk.queue(NEWS)]
    for (let minute = 0; minute < 60; minute += 1) {
      await sendDue(desk.room(NOBODY))
      // Their own jobs try the rest, which a sweep leaves alone once it has seen that the server is away.
      for (const key of keys) await sendMessage(desk.room(NOBODY), key)
      desk.pass(MINUTE)
    }
    for (const key of keys) {
      const row = await desk.rowOf(key)
      expect(row).toMatchObject({ state: 'queued', claim: null })
      expect(row.last_error).toContain('ECONNREFUSED')
      expect(row.attempts).toBeGreaterThan(8)
      expect(row.attempts).toBeLessThan(15)
      expect(await desk.jobs()).toContainEqual({
        key: `mail:${key.memberId}:${key.id}`,
        run_at: row.next_try_at,
      })
    }
    desk.pass(15 * MINUTE)
    await sendDue(desk.room())
    await sendDue(desk.room())
    expect(new Set(desk.arrived()).size).toBe(3)
    expect(desk.mail.received).toHaveLength(3)
  })

  it('gives up codes that have lapsed meanwhile, and sends those that have not', async () => {
    const [early, late] = [await desk.queue(), await desk.queue()]
    await desk.asOwner(
      `UPDATE mail_message SET created_at = created_at + interval '1 second' WHERE id = ${late.id}`,
    )
    await sendDue(desk.room(NOBODY))
    await sendMessage(desk.room(NOBODY), late)
    desk.pass(10 * MINUTE)
    const outcomes: Outcome[] = []
    await sendDue(desk.room(), (_key, outcome) => outcomes.push(outcome))
    expect(outcomes).toContainEqual({ result: 'given_up', reason: 'its code has lapsed', serverAway: false })
    expect(await desk.rowOf(early)).toMatchObject({
      state: 'given_up',
      claim: null,
      last_error: 'its code has lapsed',
      params: { at: expect.any(String) },
    })
    expect((await desk.rowOf(late)).state).toBe('sent')
    expect(desk.mail.received).toHaveLength(1)
  })

  it('is asked once a sweep, whatever waits', async () => {
    await desk.queue()
    await desk.queue()
    const outcomes: Outcome[] = []
    await sendDue(desk.room(NOBODY), (_key, outcome) => outcomes.push(outcome))
    expect(outcomes).toEqual([expect.objectContaining({ result: 'put_off', serverAway: true })])
  })

  const patience = { connecting: 200, silence: 200, whole: 1000 }
  const away = { result: 'put_off', serverAway: true }

  it('is also one that does not say anything', async () => {
    const silent = smtpCarrier(await mute(), patience)
    expect(await sendMessage(desk.room(silent), await desk.queue())).toMatchObject(away)
  })

  it('is also one that takes our password for somebody else’s', async () => {
    const { server } = await desk.begin({ credentials: 'aval:right' })
    const wrong = { ...server, credentials: { user: 'aval', pass: 'wrong' } }
    expect(await sendMessage(desk.room(wrong), await desk.queue())).toMatchObject(away)
  })
})

/** Takes connections and says nothing. */
async function mute(): Promise<SmtpServer> {
  const silent = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  desk.keep({ close: () => silent.close() })
  const address = silent.address()
  return { ...NOBODY, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}

describe('a mail server that refuses', () => {
  it('for now is asked again, about the same message', async () => {
    const key = await desk.queue()
    desk.mail.refusals.recipient.push(refusal(451, 'greylisted, come back later'))
    desk.mail.refusals.message.push(refusal(452, 'full'))
    expect(await sendMessage(desk.room(), key)).toMatchObject({ result: 'put_off', serverAway: false })
    const { message_id: before, next_try_at: due, last_error: said } = await desk.rowOf(key)
    expect(said).toContain('greylisted')
    expect(due).toEqual(new Date(desk.now.getTime() + 5000))
    expect(await sendMessage(desk.room(), key)).toEqual({ result: 'none' })
    desk.pass(5000)
    expect(await sendMessage(desk.room(), key)).toMatchObject({ result: 'put_off' })
    desk.pass(10_000)
    await sendDue(desk.room())
    expect(desk.arrived()).toEqual([before])
  })

  it.each([
    ['the recipient', 'recipient'],
    ['the message', 'message'],
  ] as const)('%s for good is not asked again, and the others are', async (_name, what) => {
    desk.mail.refusals[what].push(refusal(550, 'no such member here'))
    const key = await desk.queue()
    const other = await desk.queue()
    await sendDue(desk.room())
    expect(await desk.rowOf(key)).toMatchObject({
      state: 'given_up',
      claim: null,
      params: { at: expect.any(String) },
    })
    expect((await desk.rowOf(key)).last_error).toContain('no such member here')
    expect((await desk.rowOf(other)).state).toBe('sent')
    desk.pass(24 * 60 * MINUTE)
    await sendDue(desk.room())
    expect(desk.mail.received).toHaveLength(1)
    const { body } = await desk.server.call({ url: '/api/metrics' })
    expect(body).toContain('mail_messages{state="given_up"} 1')
    expect(body).toContain('mail_messages{state="queued"} 0')
  })

  it('to prove who it is, or to be private, hears nothing of ours', async () => {
    const [forged, open] = [await desk.begin({ secure: true }), await desk.begin()]
    const key = await desk.queue()
    expect(await sendMessage(desk.room(forged.server), key)).toMatchObject({
      result: 'put_off',
      reason: expect.stringMatching(/certificate/i),
    })
    desk.pass(MINUTE)
    expect(await sendMessage(desk.room({ ...open.server, requireTls: true }), key)).toMatchObject({
      result: 'put_off',
    })
    expect([...forged.received, ...open.received]).toEqual([])
  })
})

it('a mail server that wants a password gets it', async () => {
  const closed = await desk.begin({ credentials: 'aval:right' })
  await desk.queue()
  await sendDue(desk.room(closed.server))
  expect(closed.received).toHaveLength(1)
})

describe('a message that cannot be written', () => {
  it('is put off and told, and does not keep the others', async () => {
    const key = await desk.queue()
    await desk.queue()
    await desk.asOwner(`UPDATE mail_message SET template = 'from_the_future' WHERE id = ${key.id}`)
    await sendDue(desk.room())
    expect((await desk.rowOf(key)).last_error).toContain('from_the_future')
    expect(desk.mail.received).toHaveLength(1)
  })
})
