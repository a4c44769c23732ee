import { pageOf, supportThread } from '@aval/contract'
import { sqlState } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { suiteFixture } from '../../testing/suite.ts'
import { createSupportFixture, type Writer } from './testing/support-fixture.ts'

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
    expect(first).toAnswer(201)
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
    expect(await ana.get('support/messages/?page=9')).toAnswer(404)
  })

  it('stores a message once, however often its answer is lost', async () => {
    const ana = await support.writer()
    const [first, again] = [
      await support.ask(ana, 'Una vez', {}, 'key-1'),
      await support.ask(ana, 'Una vez', {}, 'key-1'),
    ]
    expect(again).toAnswer(201, first.json())
    expect(await support.ask(ana, 'Otra', {}, 'key-1')).toAnswer(409)
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
    const answer = await ana.post('support/messages/', payload)
    expect(answer).toAnswer(400)
    expect(answer.json()).toContain(sentence)
    expect((await support.seenBy(ana)).count).toBe(0)
  })

  it('sees nothing of what others write', async () => {
    const [ana, luis] = [await support.writer(), await support.writer()]
    await support.ask(ana, 'Solo mío')
    expect(await support.seenBy(luis)).toMatchObject({ count: 0, state: null })
    const { results } = await support.seenBy(ana)
    await luis.post('support/read/', { id: results[0]?.id })
    expect((await support.conversation(ana)).results[0]?.seen).toBe(false)
  })

  it('learns from the answers how many are unread, until they are seen', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    await support.answer(ana, 'Uno')
    await support.answer(ana, 'Dos')
    const { unread, results } = await support.seenBy(ana, '?page_size=2')
    expect([unread, results.map(({ seen }) => seen)]).toEqual([2, [false, false]])
    const read = (id: number | undefined) => ana.post('support/read/', { id })
    expect((await read(results[1]?.id)).json()).toEqual({ unread: 1 })
    // A mark goes no further than what there is, and never back.
    expect((await read(Number.MAX_SAFE_INTEGER)).json()).toEqual({ unread: 0 })
    expect((await read(results[1]?.id)).json()).toEqual({ unread: 0 })
    await support.answer(ana, 'Tres')
    expect((await support.seenBy(ana)).unread).toBe(1)
  })

  it('may have nothing to read', async () => {
    const ana = await support.writer()
    expect((await ana.post('support/read/', { id: 1 })).json()).toEqual({
      unread: 0,
    })
    expect(await ana.post('support/read/', { id: 0 })).toAnswer(400)
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

async function queue(search = '?page_size=100') {
  const answer = await support.operator.get(`operator/support/${search}`)
  return pageOf(supportThread).parse(answer.json()).results
}
const idsIn = async (search: string, among: readonly Writer[]) => {
  const ids = (await queue(`?page_size=100${search}`)).map(({ member_id: id }) => id)
  return ids.filter((id) => among.some((who) => Number(who.id) === id))
}
const numbers = (...who: readonly Writer[]) => who.map(({ id }) => Number(id))

describe('the operators’ queue', () => {
  it('shows who waits longest first, then what was written last', async () => {
    const [ana, luis] = [await support.writer(), await support.writer()]
    const [eva, pia] = [await support.writer(), await support.writer()]
    const people = [ana, luis, eva, pia]
    for (const who of people) await support.ask(who, 'Hola')
    await support.answer(ana, 'Ya está')
    await support.closeConversation(luis)
    await support.ask(eva, 'Sigo aquí')
    expect(await idsIn('', people)).toEqual(numbers(eva, pia, ana, luis))
    expect(await idsIn('&state=open', people)).toEqual(numbers(eva, pia))
    expect(await idsIn('&state=answered', people)).toEqual(numbers(ana))
    expect(await idsIn('&state=closed', people)).toEqual(numbers(luis))
  })

  it('says of each who it is, what it is about, and how much is unread', async () => {
    const ana = await support.writer({ username: 'ana-of-the-queue', email: 'ana-queue@example.com' })
    await support.ask(ana, 'Hola', { topic: 'callback' })
    await support.ask(ana, `Es largo: ${'x'.repeat(300)}`)
    const row = (await queue()).find(({ member_id: id }) => id === Number(ana.id))
    expect(row).toMatchObject({
      username: 'ana-of-the-queue',
      email: 'ana-queue@example.com',
      state: 'open',
      topic: 'callback',
      unread: 2,
    })
    expect(row?.excerpt).toMatch(/^Es largo: x+$/)
    expect(row?.excerpt).toHaveLength(160)
    expect(row?.waiting_since).not.toBeNull()
    expect(row?.waited_seconds).toBeGreaterThanOrEqual(0)
  })
})

describe('an answer', () => {
  it('stands in the conversation without a name, and in the operators’ with one', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    const answer = await support.answer(ana, 'Hola, Ana')
    expect(answer).toAnswer(201)
    expect(answer.json()).toMatchObject({ from: 'support', operator: 'olga', text: 'Hola, Ana', seen: false })
    const seen = await support.seenBy(ana)
    expect(seen).toMatchObject({ state: 'answered', unread: 1 })
    expect(seen.results[0]).not.toHaveProperty('operator')
    expect(seen.results[1]).toMatchObject({ text: 'Hola', seen: true })
    const told = await support.conversation(ana)
    expect(told.results.map(({ operator }) => operator)).toEqual(['olga', null])
    expect(told.thread).toMatchObject({
      state: 'answered',
      waiting_since: null,
      waited_seconds: null,
      unread: 0,
    })
    expect(await support.trail(ana)).toEqual(['support.answer'])
  })

  it('is mailed once with the question, also when it is sent again', async () => {
    const ana = await support.writer({ locale: 'es' })
    await support.ask(ana, 'Hola')
    await support.ask(ana, '¿Y mi pago?')
    const sent = (await support.answer(ana, 'Ya salió', {}, 'a-key')).json()
    expect((await support.answer(ana, 'Ya salió', {}, 'a-key')).json()).toEqual(sent)
    expect((await support.seenBy(ana)).count).toBe(3)
    expect(await support.letters(ana)).toMatchObject([
      {
        template: 'support_answer',
        event: `support:${sent.id}:answer`,
        params: {
          answer: 'Ya salió',
          question: 'Hola\n\n¿Y mi pago?',
          link: 'http://localhost:3000/dashboard?chat=open',
        },
      },
    ])
    expect(await support.trail(ana)).toEqual(['support.answer'])
  })

  it('quotes nothing where nothing was asked since', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    await support.answer(ana, 'Uno')
    await support.answer(ana, 'Dos')
    const letters = await support.letters(ana)
    expect(letters.map(({ params }) => params['question'])).toEqual(['Hola', undefined])
  })

  it('leaves waiting what came while it was written', async () => {
    const ana = await support.writer()
    const first = (await support.ask(ana, 'Hola')).json()
    const second = (await support.ask(ana, 'Y otra cosa')).json()
    await support.answer(ana, 'A lo primero', { seen: first.id })
    const { thread } = await support.conversation(ana)
    expect(thread).toMatchObject({ state: 'open', waiting_since: second.date, unread: 1 })
    expect((await support.letters(ana))[0]?.params['question']).toBe('Hola')
    expect(await idsIn('&state=open', [ana])).toEqual(numbers(ana))
  })

  it('opens nothing that nobody began', async () => {
    const ana = await support.writer()
    for (const answer of [
      await support.answer(ana, 'Hola'),
      await support.closeConversation(ana),
      await support.operator.get(`operator/support/${ana.id}/`),
      await support.operator.post(`operator/support/${ana.id}/read/`, { id: 1 }),
    ])
      expect(answer).toAnswer(404, 'This member has not written to support.')
    expect(await support.letters(ana)).toEqual([])
  })

  it('is text: an empty or endless one is refused', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    expect(await support.answer(ana, '  ')).toAnswer(400)
    expect(await support.answer(ana, 'x'.repeat(2001))).toAnswer(400)
    expect((await support.seenBy(ana)).count).toBe(1)
  })
})

describe('a conversation that is set aside', () => {
  it('opens again with the next message', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Gracias')
    expect((await support.closeConversation(ana)).json()).toEqual({ message: 'The conversation is closed.' })
    expect(await support.closeConversation(ana, {})).toAnswer(200)
    expect((await support.seenBy(ana)).state).toBe('closed')
    expect(await support.trail(ana)).toEqual(['support.close'])
    expect(await support.letters(ana)).toEqual([])
    await support.ask(ana, 'Una cosa más')
    expect((await support.conversation(ana)).thread.state).toBe('open')
  })

  it('hides no message that the operator had not seen', async () => {
    const ana = await support.writer()
    const first = (await support.ask(ana, 'Hola')).json()
    await support.ask(ana, 'Es urgente')
    const refused = await support.closeConversation(ana, { seen: first.id })
    expect(refused).toAnswer(409)
    expect(refused.json()).toContain('has written more')
    expect((await support.conversation(ana)).thread.state).toBe('open')
  })

  it('can be read by operators, which the member sees', async () => {
    const ana = await support.writer()
    const { id } = (await support.ask(ana, 'Hola')).json()
    const read = await support.operator.post(`operator/support/${ana.id}/read/`, { id })
    expect(read.json()).toEqual({ unread: 0 })
    expect((await support.seenBy(ana)).results[0]?.seen).toBe(true)
  })
})
