import { sqlState } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { LIMITS } from '../../core/limits.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { createSupportFixture } from './testing/support-fixture.ts'

const support = await suiteFixture(createSupportFixture)

const texts = ({ results }: { results: readonly { text: string }[] }) => results.map(({ text }) => text)

describe('a member who writes to support', () => {
  it('has no conversation before the first message', async () => {
    const ana = await support.writer()
    expect(await support.seenBy(ana)).toMatchObject({ count: 0, results: [], state: null, unread: 0 })
  })

  it('finds what was written, newest first, as it was typed', async () => {
    const ana = await support.writer()
    const first = await support.ask(ana, '  <b>Hola</b>\r\n¿están?  ', { topic: 'payment' })
    expect(first.statusCode).toBe(201)
    expect(first.json()).toMatchObject({
      from: 'member',
      topic: 'payment',
      text: '<b>Hola</b>\n¿están?',
      seen: false,
    })
    await support.ask(ana, 'Otra cosa')
    const seen = await support.seenBy(ana)
    expect(texts(seen)).toEqual(['Otra cosa', '<b>Hola</b>\n¿están?'])
    expect(seen).toMatchObject({ count: 2, total_pages: 1, state: 'open', unread: 0 })
  })

  it('turns pages', async () => {
    const ana = await support.writer()
    for (const text of ['1', '2', '3']) await support.ask(ana, text)
    expect(texts(await support.seenBy(ana, '?page_size=2'))).toEqual(['3', '2'])
    expect(texts(await support.seenBy(ana, '?page_size=2&page=2'))).toEqual(['1'])
    expect((await support.call('GET', 'support/messages/?page=9', ana.headers)).statusCode).toBe(404)
  })

  it('stores a message once, however often its answer is lost', async () => {
    const ana = await support.writer()
    const [first, again] = [
      await support.ask(ana, 'Una vez', {}, 'key-1'),
      await support.ask(ana, 'Una vez', {}, 'key-1'),
    ]
    expect(again.statusCode).toBe(201)
    expect(again.json()).toEqual(first.json())
    expect((await support.ask(ana, 'Otra', {}, 'key-1')).statusCode).toBe(409)
    expect(texts(await support.seenBy(ana))).toEqual(['Una vez'])
  })

  it('stores all that is sent at once, each under a number of its own', async () => {
    const ana = await support.writer()
    const sent = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(sent.map((text) => support.ask(ana, text, {}, `key-${text}`)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(texts(await support.seenBy(ana)).sort()).toEqual(sent)
  })

  it.each([
    ['nothing', {}, 'Please fill in: message.'],
    ['blanks', { text: ' \n ' }, 'Please fill in: message.'],
    ['too much', { text: 'x'.repeat(2001) }, 'up to 2,000 characters'],
    ['a topic of their own', { text: 'a', topic: 'gossip' }, 'not valid'],
  ])('is refused %s', async (_what, payload, sentence) => {
    const ana = await support.writer()
    const answer = await support.call('POST', 'support/messages/', ana.headers, payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toContain(sentence)
    expect((await support.seenBy(ana)).count).toBe(0)
  })

  it('sees nothing of what others write', async () => {
    const [ana, luis] = [await support.writer(), await support.writer()]
    await support.ask(ana, 'Solo mío')
    expect(await support.seenBy(luis)).toMatchObject({ count: 0, state: null })
    const { results } = await support.seenBy(ana)
    await support.call('POST', 'support/read/', luis.headers, { id: results[0]?.id })
    expect((await support.conversation(ana)).results[0]?.seen).toBe(false)
  })

  it('is told by the answers how many are unread, until they are seen', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    await support.answer(ana, 'Uno')
    await support.answer(ana, 'Dos')
    const { unread, results } = await support.seenBy(ana, '?page_size=2')
    expect([unread, results.map(({ seen }) => seen)]).toEqual([2, [false, false]])
    const read = (id: number | undefined) => support.call('POST', 'support/read/', ana.headers, { id })
    expect((await read(results[1]?.id)).json()).toEqual({ unread: 1 })
    // A mark goes no further than what there is, and never back.
    expect((await read(Number.MAX_SAFE_INTEGER)).json()).toEqual({ unread: 0 })
    expect((await read(results[1]?.id)).json()).toEqual({ unread: 0 })
    await support.answer(ana, 'Tres')
    expect((await support.seenBy(ana)).unread).toBe(1)
  })

  it('may have nothing to read', async () => {
    const ana = await support.writer()
    expect((await support.call('POST', 'support/read/', ana.headers, { id: 1 })).json()).toEqual({
      unread: 0,
    })
    expect((await support.call('POST', 'support/read/', ana.headers, { id: 0 })).statusCode).toBe(400)
  })
})

describe('whoever writes too often', () => {
  it('is asked to wait, and told for how long', async () => {
    const limits = { ...LIMITS.devnet, supportMessages: { points: 2, seconds: 60 } }
    const strict = await createSupportFixture(inject('ownerUrl'), { limits })
    try {
      const [ana, luis] = [await strict.writer(), await strict.writer()]
      await strict.ask(ana, '1')
      await strict.ask(ana, '2')
      const refused = await strict.ask(ana, '3')
      expect(refused.statusCode).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused.json()).toContain('seconds')
      expect((await strict.ask(luis, '1')).statusCode).toBe(201)
      expect((await strict.seenBy(ana)).count).toBe(2)
    } finally {
      await strict.server.close()
    }
  })
})

describe('what was written', () => {
  it.each([
    ['changed', "UPDATE support_message SET text = 'x'"],
    ['deleted', 'DELETE FROM support_message'],
    ['forgotten with its conversation', 'DELETE FROM support_thread'],
  ])('is never %s by the server', async (_what, statement) => {
    const refusal = await sql
      .raw(statement)
      .execute(support.server.context.db)
      .catch((error: unknown) => sqlState(error))
    expect(refusal).toBe('42501')
  })
})
