/** The statement on paper, read back from the file. */
import { randomUUID } from 'node:crypto'
import { formatAmount } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { MESSAGES } from '../../core/messages.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { readPdf } from '../../testing/pdf-text.ts'
import { join } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { readRange, readStatement } from './statement.queries.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
await money.fund('commission', '5000')
await money.fund('profit', '5000')
const person = { username: 'munoz', firstName: 'Begoña', lastName: 'Muñoz', email: 'munoz@example.org' }
const top = await join(money.server, person, money.server.rootId, money.now)
await money.invest(top, '2000')
const left = await money.investor('1500.5', top)
await money.payDay(40)
await money.invest(left, '700')
await money.reverseLatest(left)
await money.payDay(20)

const client = await money.client(top)
const get = (days: string, language = 'es') =>
  client.get(`payments/statement/pdf/${days}`, { 'accept-language': language })
const pdf = async (days = '', language = 'es') => readPdf((await get(days, language)).rawPayload)
const WHOLE = '?from=2026-05-01&to=2026-07-31'

/** An amount as it is written in Spanish. */
function read(text: string): bigint {
  const amount = usdt(text.replaceAll('.', '').replace(',', '.').replace(/[+$−]/g, ''))
  return text.startsWith('−') ? -amount : amount
}

const isChange = (text: string | undefined) => /^[+−]/.test(text ?? '')

/** The figures of every line of a statement's table; a change that is nothing is left out on paper. */
function linesIn(text: string) {
  const lines = text.split(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/m).slice(1)
  return lines.map((line) => {
    const figures = [...line.matchAll(/^[+−]?\$[\d.,]+$/gm)].map(([figure]) => figure)
    const change = () => read(isChange(figures.at(-1)) ? (figures.pop() ?? '0') : '0')
    const principal = read(figures.pop() ?? '')
    const principalChange = change()
    const balance = read(figures.pop() ?? '')
    return { balance, balanceChange: change(), principal, principalChange }
  })
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)

describe('a statement as a PDF', () => {
  it('is a file of that kind, named by its days', async () => {
    const { headers, rawPayload } = await get(WHOLE)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toBe('attachment; filename="aval-2026-05-01-2026-07-31.pdf"')
    expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('says whose it is, of which days, in which time zone, once, and numbers its pages', async () => {
    const pages = await pdf(WHOLE)
    expect(pages.length).toBeGreaterThan(1)
    const [first = ''] = pages
    expect(first).toContain('Estado de cuenta')
    expect(first).toContain('Begoña Muñoz\n@munoz')
    expect(first).toContain('1 de mayo de 2026 al 31 de julio de 2026')
    expect(pages.join('\n').match(/zona horaria/g)).toHaveLength(1)
    for (const [at, page] of pages.entries()) expect(page).toContain(`Página ${at + 1} de ${pages.length}`)
  })

  it.each([WHOLE, '?from=2026-06-01&to=2026-06-30'])(
    'of %s has every line of the CSV, and opening plus lines is closing',
    async (days) => {
      const text = (await pdf(days)).join('\n')
      const standing = (word: string) => read(new RegExp(`${word}\n(.*)\n`).exec(text)?.[1] ?? '')
      const lines = linesIn(text)
      const changes = {
        balance: sum(lines.map((line) => line.balanceChange)),
        principal: sum(lines.map((line) => line.principalChange)),
      }
      expect(standing('Saldo inicial') + changes.balance).toBe(standing('Saldo final'))
      expect(standing('Inversión inicial') + changes.principal).toBe(standing('Inversión final'))
      expect(standing('Saldo final')).toBeGreaterThan(0n)
      const csv = (await client.get(`payments/statement/${days}`)).body.trimEnd().split('\r\n').slice(2)
      const inCsv = csv.map((line) => line.split(',')).map((cells) => [cells.at(-3), cells.at(-1)])
      expect(lines.length).toBeGreaterThan(20)
      expect(lines.map((line) => [formatAmount(line.balance), formatAmount(line.principal)])).toEqual(inCsv)
    },
  )

  it('of later days begins where the days before ended', async () => {
    const closing = /Saldo final\n(.*)\n/.exec((await pdf('?from=2026-05-01&to=2026-05-31')).join('\n'))?.[1]
    const opening = /Saldo inicial\n(.*)\n/.exec(
      (await pdf('?from=2026-06-01&to=2026-06-30')).join('\n'),
    )?.[1]
    expect(opening).toBe(closing)
  })

  it('writes amounts and days as the reader does', async () => {
    expect((await pdf(WHOLE)).join('\n')).toContain('$2.000,00')
    const english = (await pdf(WHOLE, 'en')).join('\n')
    expect(english).toContain('Account statement')
    expect(english).toContain('$2,000.00')
    expect(english).toMatch(/^05\/03\/2026 10:00$/m)
    expect(english).toContain('Page 1 of')
  })

  it('writes large amounts whole', async () => {
    const rich = await money.client(await money.investor('9999999.123456', top))
    const answer = await rich.get('payments/statement/pdf/', { 'accept-language': 'es' })
    const text = (await readPdf(answer.rawPayload)).join('\n')
    expect(text.match(/^\+?\$9\.999\.999,123456$/gm)).toHaveLength(4)
  })

  /** Letters as they are shown; a font may turn and join them. */
  const lettersOf = (text: string) =>
    [...text.normalize('NFD').replace(/\s|\p{Default_Ignorable_Code_Point}/gu, '')].sort()

  it.each([
    ['Cyrillic', 'Иван Петров'],
    ['Ukrainian', 'Їжак Ґалаґан'],
    ['Greek', 'Ωμέγα Άλφα'],
    ['Arabic', 'محمد رضا'],
    ['Persian, with a joiner', 'پروانه می‌خواهم'],
    ['Hebrew', 'דוד כהן'],
    ['Chinese', '王小明'],
    ['Japanese', '佐藤 さくら カナ'],
    ['Korean', '김철수'],
    ['Devanagari', 'प्रिया शर्मा'],
    ['Thai', 'สมชาย ใจดี'],
    ['Vietnamese', 'Nguyễn Thị Đặng'],
    ['emoji', 'Ana 😀👩‍👧'],
    ['Bengali', 'বাংলা'],
    ['several at once', 'Ana محمد 王 (Ωμ)'],
  ])('prints a name in %s', async (script, firstName) => {
    const username = `own.${script.replace(/\W/g, '').slice(0, 12)}`
    const person = { username, firstName, email: `${randomUUID()}@example.org` }
    const id = await join(money.server, person, money.server.rootId, money.now)
    const answer = await (await money.client(id)).get('payments/statement/pdf/', {
      'accept-language': 'es',
    })
    const [page = ''] = readPdf(answer.rawPayload)
    const [name = ''] = page.split(/^Miembro$/m)[1]?.split('@own') ?? []
    expect(lettersOf(name)).toEqual(lettersOf(firstName))
    // Of a font only what is shown is in the file.
    expect(answer.rawPayload.length).toBeLessThan(60_000)
  })

  it('prints rare letters of usernames wherever one stands', async () => {
    const of = (username: string) => ({ username, email: `${randomUUID()}@example.org` })
    const id = await join(money.server, of('ɐnɐ.ꝁ'), money.server.rootId, money.now)
    await money.invest(id, '2000')
    await money.invest(await join(money.server, of('ꝁɐrl'), id, money.now), '1000')
    const answer = await (await money.client(id)).get('payments/statement/pdf/', { 'accept-language': 'es' })
    const page = readPdf(answer.rawPayload).join('').replaceAll('\n', '')
    expect(page.match(/@ɐnɐ\.ꝁ/g)).toHaveLength(2 * readPdf(answer.rawPayload).length)
    expect(page).toContain('nivel 1, ꝁɐrl')
  })

  it('has names from right to left in their order among others', async () => {
    const person = { username: 'rtl', firstName: 'محمد', lastName: 'Ana', email: 'rtl@example.org' }
    const client = await money.client(await join(money.server, person, money.server.rootId, money.now))
    const [page = ''] = readPdf(
      (await client.get('payments/statement/pdf/', { 'accept-language': 'es' })).rawPayload,
    )
    const [name = ''] = page.split(/^Miembro\n/m)[1]?.split('@rtl') ?? []
    // Letters from left to right, as they are seen.
    expect(name.replaceAll('\n', '')).toBe(`${[...'محمد'].reverse().join('')} Ana`)
  })

  it('with more lines than it may have is refused, and says what to do', async () => {
    const days = readRange({ from: '2026-05-01', to: '2026-07-31' }, money.now, 'America/Bogota')
    await expect(readStatement(money.db, top, days, 20)).rejects.toMatchObject({
      code: 'statement_too_long',
      params: { most: 20 },
    })
    expect(MESSAGES.es.statement_too_long).toMatch(/Elige menos días o descarga el CSV\.$/)
  })

  it('without movements says so', async () => {
    const pages = await pdf('?from=2026-01-01&to=2026-01-31')
    expect(pages).toHaveLength(1)
    expect(pages[0]).toContain('Sin movimientos en estos días.')
  })

  it.each(['?from=2026-06-01&to=2026-05-01', '?from=x', '?to=2026-13-01'])(
    'of %s is refused',
    async (days) => {
      expect(await get(days)).toAnswer(400)
    },
  )
})
