import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { forgetSent } from './mail.commands.ts'
import { createMailDesk, type MailDesk, NEWS } from './testing/mail-desk.ts'

const DAY_MS = 86_400_000

let desk: MailDesk
beforeAll(async () => {
  desk = await createMailDesk(inject('ownerUrl'))
})
afterAll(() => desk?.close())

const daysAgo = (days: number) => `now() - interval '${days} days'`
/** A message as it stood that many days ago. */
async function old(state: 'queued' | 'sent' | 'given_up', days: number) {
  const key = await desk.queue(NEWS)
  const sent = state === 'sent' ? daysAgo(days) : 'NULL'
  await desk.asOwner(
    `UPDATE mail_message SET state = '${state}', created_at = ${daysAgo(days)}, sent_at = ${sent} WHERE id = ${key.id}`,
  )
  return key
}
const kept = async () =>
  (await desk.db.selectFrom('mail_message').select('id').orderBy('id').execute()).map(({ id }) => id)

describe('letters', () => {
  it('are forgotten ninety days after they were sent, and never before they are', async () => {
    const gone = [await old('sent', 91), await old('sent', 400)]
    const stays = [
      await old('sent', 89),
      await old('queued', 400),
      await old('given_up', 400),
      await desk.queue(NEWS),
    ]
    expect(await kept()).toHaveLength(gone.length + stays.length)
    expect(await forgetSent(desk.db, new Date())).toBe(2)
    expect(await kept()).toEqual(stays.map(({ id }) => id))
    expect(await forgetSent(desk.db, new Date())).toBe(0)
  })

  it('are not forgotten early by a clock that runs ahead', async () => {
    const before = await kept()
    expect(await forgetSent(desk.db, new Date(Date.now() + 365 * DAY_MS))).toBe(0)
    expect(await kept()).toEqual(before)
  })

  it('of a while ago are kept where the time is a while ago as well', async () => {
    const key = await old('sent', 95)
    expect(await forgetSent(desk.db, new Date(Date.now() - 10 * DAY_MS))).toBe(0)
    expect(await kept()).toContain(key.id)
  })
})
