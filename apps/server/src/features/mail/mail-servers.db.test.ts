import { createServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SmtpServer } from '../../core/mail-settings.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { type SendOutcome, sendDue, sendMessage } from './sending.commands.ts'
import { smtpTransport } from './smtp.ts'
import { createMailFixture, MINUTE, NOTICE, UNREACHABLE } from './testing/mail-fixture.ts'
import { refusal } from './testing/mail-server.ts'

const fixture = await suiteFixture(createMailFixture)
beforeEach(() => fixture.reset())

describe('a mail server that is away for an hour', () => {
  it('delays everything, and loses and doubles nothing', async () => {
    const keys = [await fixture.queue(NOTICE), await fixture.queue(NOTICE), await fixture.queue(NOTICE)]
    for (let minute = 0; minute < 60; minute += 1) {
      await sendDue(fixture.sender(UNREACHABLE))
      // Their own jobs try the rest, which a sweep leaves alone once it has seen that the server is away.
      for (const key of keys) await sendMessage(fixture.sender(UNREACHABLE), key)
      fixture.pass(MINUTE)
    }
    for (const key of keys) {
      const row = await fixture.rowOf(key)
      expect(row).toMatchObject({ state: 'queued', claim: null })
      expect(row.last_error).toContain('ECONNREFUSED')
      expect(row.attempts).toBeGreaterThan(8)
      expect(row.attempts).toBeLessThan(15)
      expect(await fixture.jobs()).toContainEqual({
        key: `mail:${key.memberId}:${key.id}`,
        run_at: row.next_try_at,
      })
    }
    fixture.pass(15 * MINUTE)
    await sendDue(fixture.sender())
    await sendDue(fixture.sender())
    expect(new Set(fixture.arrived()).size).toBe(3)
    expect(fixture.mail.received).toHaveLength(3)
  })

  it('gives up codes that have lapsed meanwhile, and sends those that have not', async () => {
    const [early, late] = [await fixture.queue(), await fixture.queue()]
    await fixture.asOwner(
      `UPDATE mail_message SET created_at = created_at + interval '1 second' WHERE id = ${late.id}`,
    )
    await sendDue(fixture.sender(UNREACHABLE))
    await sendMessage(fixture.sender(UNREACHABLE), late)
    fixture.pass(10 * MINUTE)
    const outcomes: SendOutcome[] = []
    await sendDue(fixture.sender(), (_key, outcome) => outcomes.push(outcome))
    expect(outcomes).toContainEqual({
      result: 'given_up',
      reason: 'its code has lapsed',
      isServerAway: false,
    })
    expect(await fixture.rowOf(early)).toMatchObject({
      state: 'given_up',
      claim: null,
      last_error: 'its code has lapsed',
      params: { at: expect.any(String) },
    })
    expect((await fixture.rowOf(late)).state).toBe('sent')
    expect(fixture.mail.received).toHaveLength(1)
  })

  it('is asked once a sweep, whatever waits', async () => {
    await fixture.queue()
    await fixture.queue()
    const outcomes: SendOutcome[] = []
    await sendDue(fixture.sender(UNREACHABLE), (_key, outcome) => outcomes.push(outcome))
    expect(outcomes).toEqual([expect.objectContaining({ result: 'put_off', isServerAway: true })])
  })

  const patience = { connecting: 200, silence: 200, whole: 1000 }
  const away = { result: 'put_off', isServerAway: true }

  it('is also one that does not say anything', async () => {
    const silent = smtpTransport(await mute(), patience)
    expect(await sendMessage(fixture.sender(silent), await fixture.queue())).toMatchObject(away)
  })

  it('is also one that takes our password for somebody else’s', async () => {
    const { server } = await fixture.begin({ credentials: 'aval:right' })
    const wrong = { ...server, credentials: { user: 'aval', pass: 'wrong' } }
    expect(await sendMessage(fixture.sender(wrong), await fixture.queue())).toMatchObject(away)
  })
})

/** Takes connections and says nothing. */
async function mute(): Promise<SmtpServer> {
  const silent = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  fixture.keep({ close: () => silent.close() })
  const address = silent.address()
  return { ...UNREACHABLE, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}

describe('a mail server that refuses', () => {
  it('for now is asked again, about the same message', async () => {
    const key = await fixture.queue()
    fixture.mail.refusals.recipient.push(refusal(451, 'greylisted, come back later'))
    fixture.mail.refusals.message.push(refusal(452, 'full'))
    expect(await sendMessage(fixture.sender(), key)).toMatchObject({ result: 'put_off', isServerAway: false })
    const { message_id: before, next_try_at: due, last_error: said } = await fixture.rowOf(key)
    expect(said).toContain('greylisted')
    expect(due).toEqual(new Date(fixture.now.getTime() + 5000))
    expect(await sendMessage(fixture.sender(), key)).toEqual({ result: 'none' })
    fixture.pass(5000)
    expect(await sendMessage(fixture.sender(), key)).toMatchObject({ result: 'put_off' })
    fixture.pass(10_000)
    await sendDue(fixture.sender())
    expect(fixture.arrived()).toEqual([before])
  })

  it.each([
    ['the recipient', 'recipient'],
    ['the message', 'message'],
  ] as const)('%s for good is not asked again, and the others are', async (_name, what) => {
    fixture.mail.refusals[what].push(refusal(550, 'no such member here'))
    const key = await fixture.queue()
    const other = await fixture.queue()
    await sendDue(fixture.sender())
    expect(await fixture.rowOf(key)).toMatchObject({
      state: 'given_up',
      claim: null,
      params: { at: expect.any(String) },
    })
    expect((await fixture.rowOf(key)).last_error).toContain('no such member here')
    expect((await fixture.rowOf(other)).state).toBe('sent')
    fixture.pass(24 * 60 * MINUTE)
    await sendDue(fixture.sender())
    expect(fixture.mail.received).toHaveLength(1)
    const { body } = await fixture.server.call({ url: '/api/metrics' })
    expect(body).toContain('mail_messages{state="given_up"} 1')
    expect(body).toContain('mail_messages{state="queued"} 0')
  })

  it('to prove who it is, or to be private, hears nothing of ours', async () => {
    const [forged, open] = [await fixture.begin({ secure: true }), await fixture.begin()]
    const key = await fixture.queue()
    expect(await sendMessage(fixture.sender(forged.server), key)).toMatchObject({
      result: 'put_off',
      reason: expect.stringMatching(/certificate/i),
    })
    fixture.pass(MINUTE)
    expect(await sendMessage(fixture.sender({ ...open.server, requireTls: true }), key)).toMatchObject({
      result: 'put_off',
    })
    expect([...forged.received, ...open.received]).toEqual([])
  })
})

it('a mail server that wants a password gets it', async () => {
  const closed = await fixture.begin({ credentials: 'aval:right' })
  await fixture.queue()
  await sendDue(fixture.sender(closed.server))
  expect(closed.received).toHaveLength(1)
})

describe('a message that cannot be written', () => {
  it('is put off and told, and does not keep the others', async () => {
    const key = await fixture.queue()
    await fixture.queue()
    await fixture.asOwner(`UPDATE mail_message SET template = 'from_the_future' WHERE id = ${key.id}`)
    await sendDue(fixture.sender())
    expect((await fixture.rowOf(key)).last_error).toContain('from_the_future')
    expect(fixture.mail.received).toHaveLength(1)
  })
})
