import { pageOf, supportThread } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { suiteFixture } from '../../testing/suite.ts'
import { createSupportFixture, type Writer } from './testing/support-fixture.ts'

const support = await suiteFixture(createSupportFixture)

async function queue(search = '?page_size=100') {
  const answer = await support.call('GET', `operator/support/${search}`, support.operator)
  return pageOf(supportThread).parse(answer.json()).results
}
const idsIn = async (search: string, among: readonly Writer[]) => {
  const ids = (await queue(`?page_size=100${search}`)).map(({ member_id: id }) => id)
  return ids.filter((id) => among.some((who) => Number(who.id) === id))
}
const numbers = (...who: readonly Writer[]) => who.map(({ id }) => Number(id))

describe('the operators’ queue', () => {
  it('shows who waits longest first, then what was written last', async () => {
    const people = [
      await support.writer(),
      await support.writer(),
      await support.writer(),
      await support.writer(),
    ]
    const [ana, luis, eva, pia] = people as [Writer, Writer, Writer, Writer]
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
  })

  it('is for operators alone', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    for (const path of ['operator/support/', `operator/support/${ana.id}/`])
      expect((await support.call('GET', path, ana.headers)).statusCode).toBe(403)
    for (const verb of ['answer', 'close', 'read']) {
      const path = `operator/support/${ana.id}/${verb}/`
      expect((await support.call('POST', path, ana.headers, { text: 'x', id: 1 })).statusCode).toBe(403)
      expect((await support.call('POST', path, {}, { text: 'x', id: 1 })).statusCode).toBe(401)
    }
    expect((await support.conversation(ana)).count).toBe(1)
  })
})

describe('an answer', () => {
  it('stands in the conversation without a name, and in the operators’ with one', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    const answer = await support.answer(ana, 'Hola, Ana')
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ from: 'support', operator: 'olga', text: 'Hola, Ana', seen: false })
    const seen = await support.seenBy(ana)
    expect(seen).toMatchObject({ state: 'answered', unread: 1 })
    expect(seen.results[0]).not.toHaveProperty('operator')
    expect(seen.results[1]).toMatchObject({ text: 'Hola', seen: true })
    const told = await support.conversation(ana)
    expect(told.results.map(({ operator }) => operator)).toEqual(['olga', null])
    expect(told.thread).toMatchObject({ state: 'answered', waiting_since: null, unread: 0 })
    expect(await support.trail(ana)).toEqual(['support.answer'])
  })

  it('is mailed once with the question, also when it is sent again', async () => {
    const ana = await support.writer({ locale: 'es' })
    await support.ask(ana, 'Hola')
    await support.ask(ana, '¿Y mi pago?')
    const sent = [
      await support.answer(ana, 'Ya salió', {}, 'a-key'),
      await support.answer(ana, 'Ya salió', {}, 'a-key'),
    ]
    expect(sent[1]?.json()).toEqual(sent[0]?.json())
    expect((await support.seenBy(ana)).count).toBe(3)
    expect(await support.letters(ana)).toMatchObject([
      {
        template: 'support_answer',
        event: `support:${sent[0]?.json().id}:answer`,
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
      await support.call('GET', `operator/support/${ana.id}/`, support.operator),
      await support.call('POST', `operator/support/${ana.id}/read/`, support.operator, { id: 1 }),
    ]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toBe('This member has not written to support.')
    }
    expect(await support.letters(ana)).toEqual([])
  })

  it('is text: an empty or endless one is refused', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Hola')
    expect((await support.answer(ana, '  ')).statusCode).toBe(400)
    expect((await support.answer(ana, 'x'.repeat(2001))).statusCode).toBe(400)
    expect((await support.seenBy(ana)).count).toBe(1)
  })
})

describe('a conversation that is set aside', () => {
  it('opens again with the next message', async () => {
    const ana = await support.writer()
    await support.ask(ana, 'Gracias')
    expect((await support.closeConversation(ana)).json()).toEqual({ message: 'The conversation is closed.' })
    expect((await support.closeConversation(ana, {})).statusCode).toBe(200)
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
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toContain('has written more')
    expect((await support.conversation(ana)).thread.state).toBe('open')
  })

  it('can be read by operators, which the member sees', async () => {
    const ana = await support.writer()
    const { id } = (await support.ask(ana, 'Hola')).json()
    const read = await support.call('POST', `operator/support/${ana.id}/read/`, support.operator, { id })
    expect(read.json()).toEqual({ unread: 0 })
    expect((await support.seenBy(ana)).results[0]?.seen).toBe(true)
  })
})
