/** Ready texts for answers, in both languages. */
import { supportFilledTemplates, supportTemplate, supportTemplates } from '@aval/contract'
import { expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { type Client, operatorClient, PROBLEM } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { createSupportFixture } from './testing/support-fixture.ts'

const support = await suiteFixture(createSupportFixture)
const { server, operator: olga } = support
const omar = await operatorClient(server, { username: 'omar' })
await omar.decide('operator/elevation/')

const WELCOME = {
  name: 'Bienvenida',
  text_es: 'Hola, {first_name}: ya lo revisamos.',
  text_en: 'Hello {first_name}, we looked into it.',
}
const add = async (texts: object = WELCOME) =>
  supportTemplate.parse((await olga.post('operator/support/templates/', texts)).json())
const change = (who: Client, id: number, body: object) =>
  who.post(`operator/support/templates/${id}/`, body, PROBLEM)
const listed = async (path = '') =>
  supportTemplates.parse((await olga.get(`operator/support/templates/${path}`)).json()).results

it('is put in with the member’s name, in the member’s language', async () => {
  const { id } = await add()
  const ana = await support.writer({ locale: 'es', firstName: 'Ana' })
  const bob = await support.writer({ locale: 'en', firstName: '', username: 'bob' })
  const filledFor = async ({ id: member }: { id: bigint }) => {
    const answer = await olga.get(`operator/support/${member}/templates/`)
    return supportFilledTemplates.parse(answer.json())
  }
  const textIn = ({ results }: Awaited<ReturnType<typeof filledFor>>) =>
    results.find((each) => each.id === id)?.text
  expect((await filledFor(ana)).locale).toBe('es')
  expect(textIn(await filledFor(ana))).toBe('Hola, Ana: ya lo revisamos.')
  expect(textIn(await filledFor(bob))).toBe('Hello bob, we looked into it.')
})

it('is changed with its history, and the trail has before and after', async () => {
  const { id, version } = await add()
  const next = { ...WELCOME, text_en: 'Hi {username}.' }
  expect(await change(omar, id, { ...next, version })).toAnswer(200)
  expect((await listed(`${id}/`)).map((each) => [each.version, each.operator, each.text_en])).toEqual([
    [2, 'omar', 'Hi {username}.'],
    [1, 'olga', WELCOME.text_en],
  ])
  const trail = await query<{ action: string; details: unknown }>(server.context.db)`
    SELECT action, details FROM audit_event WHERE subject = ${`support_template:${id}`} ORDER BY id`
  expect(trail).toMatchObject([
    { action: 'support_template.add', details: { before: null, after: WELCOME } },
    { action: 'support_template.change', details: { before: WELCOME, after: next } },
  ])
})

it('that two change at once is changed by one, and the other hears by whom', async () => {
  const { id, version } = await add()
  const answers = await Promise.all(
    [olga, omar].map((who) => change(who, id, { ...WELCOME, name: 'Otra', version })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const second = answers.find(({ statusCode }) => statusCode === 409)
  const [newest] = await listed(`${id}/`)
  expect(second?.json().detail).toContain(`${newest?.operator} changed this template`)
})

it('that was removed is offered no more, and what it said stays', async () => {
  const { id, version } = await add()
  expect(await olga.post(`operator/support/templates/${id}/remove/`, { version })).toAnswer(200)
  expect((await listed()).some((each) => each.id === id)).toBe(false)
  expect((await listed(`${id}/`)).map(({ removed }) => removed)).toEqual([true, false])
  expect(await change(olga, id, { ...WELCOME, version: 2 })).toAnswer(409)
})

it('names nothing that nothing stands for', async () => {
  const refused = await olga.post(
    'operator/support/templates/',
    { ...WELCOME, text_en: 'Hello {name}' },
    PROBLEM,
  )
  expect(refused.json()).toMatchObject({
    code: 'support_placeholder_unknown',
    errors: [{ path: 'text_en', code: 'support_placeholder_unknown' }],
  })
  expect(refused.json().detail).toContain('“name”')
  expect(await change(olga, 999_999, { ...WELCOME, version: 1 })).toAnswer(404)
})
