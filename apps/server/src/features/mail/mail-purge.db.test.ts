import { describe, expect, it } from 'vitest'
import { suiteFixture } from '../../testing/suite.ts'
import { purgeSentMail } from './mail.commands.ts'
import { createMailFixture, NOTICE } from './testing/mail-fixture.ts'

const DAY_MS = 86_400_000

const fixture = await suiteFixture(createMailFixture)

const daysAgo = (days: number) => `now() - interval '${days} days'`
/** A message as it stood that many days ago. */
async function old(state: 'queued' | 'sent' | 'given_up', days: number) {
  const key = await fixture.queue(NOTICE)
  const sent = state === 'sent' ? daysAgo(days) : 'NULL'
  await fixture.asOwner(
    `UPDATE mail_message SET state = '${state}', created_at = ${daysAgo(days)}, sent_at = ${sent} WHERE id = ${key.id}`,
  )
  return key
}
const kept = async () =>
  (await fixture.db.selectFrom('mail_message').select('id').orderBy('id').execute()).map(({ id }) => id)

describe('letters', () => {
  it('are forgotten ninety days after they were sent, and never before they are', async () => {
    const gone = [await old('sent', 91), await old('sent', 400)]
    const stays = [
      await old('sent', 89),
      await old('queued', 400),
      await old('given_up', 400),
      await fixture.queue(NOTICE),
    ]
    expect(await kept()).toHaveLength(gone.length + stays.length)
    expect(await purgeSentMail(fixture.db, new Date())).toBe(2)
    expect(await kept()).toEqual(stays.map(({ id }) => id))
    expect(await purgeSentMail(fixture.db, new Date())).toBe(0)
  })

  it('are not forgotten early by a clock that runs ahead', async () => {
    const before = await kept()
    expect(await purgeSentMail(fixture.db, new Date(Date.now() + 365 * DAY_MS))).toBe(0)
    expect(await kept()).toEqual(before)
  })

  it('of a while ago are kept where the time is a while ago as well', async () => {
    const key = await old('sent', 95)
    expect(await purgeSentMail(fixture.db, new Date(Date.now() - 10 * DAY_MS))).toBe(0)
    expect(await kept()).toContain(key.id)
  })
})
