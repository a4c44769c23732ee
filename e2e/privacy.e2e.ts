import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { mailTo, PASSWORD, register } from '../tools/testing/client.ts'
import { until } from '../tools/testing/until.ts'
import { axeFaults, overflow } from './axe.ts'
import { openAs, openIn, product } from './fixture.ts'
import { deviceOf, personAt } from './person.ts'

const WORDS = {
  es: {
    json: 'Descargar en JSON',
    csv: 'Descargar en CSV',
    download: 'Descargar',
    current: 'Contraseña actual',
    close: 'Cerrar mi cuenta…',
    left: 'Todavía no se puede cerrar',
    balance: /en tu saldo: retíralos/,
    username: /Escribe tu nombre de usuario/,
    forGood: 'Cerrar para siempre',
    years: /10 años/,
    closed: 'Tu cuenta quedó cerrada',
    read: 'Leer',
    who: 'Quién ve qué de ti',
    hidden: /l•••@g•••\.com/,
    sessions: /Dispositivo y dirección IP de cada sesión: 90 días/,
    understood: 'Entendido',
  },
  en: {
    json: 'Download as JSON',
    csv: 'Download as CSV',
    download: 'Download',
    current: 'Current password',
    close: 'Close my account…',
    left: 'It cannot be closed yet',
    balance: /in your balance: withdraw it/,
    username: /Type your username/,
    forGood: 'Close for good',
    years: /10 (more )?years/,
    closed: 'Your account is closed',
    read: 'Read',
    who: 'Who sees what of you',
    hidden: /l•••@g•••\.com/,
    sessions: /Device and IP address of each session: 90 days/,
    understood: 'Understood',
  },
} as const

/** Checks a whole dialog at once. */
async function expectAccessible(page: Page): Promise<void> {
  expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
}

for (const [language, width] of [
  ['es', 1280],
  ['en', 390],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    test.use(deviceOf(width))
    const say = WORDS[language]

    test('the terms say who sees what, and how long it is kept', async ({ page }) => {
      const person = personAt(page, language, width)
      await openIn(page, language, '/auth/register/0')
      await person.press(page.getByRole('button', { name: say.read, exact: true }))
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(say.who)).toBeVisible()
      await expect(dialog.getByText(say.hidden)).toBeVisible()
      await expect(dialog.getByText(say.sessions)).toBeVisible()
      await expect(dialog.getByText(say.years)).toBeVisible()
      await expectAccessible(page)
    })

    test('a member downloads all own data, and closes the account', async ({ page }) => {
      const { press } = personAt(page, language, width)
      const member = await register(product.url)
      const { username } = member
      await openAs(page, member, '/security', language)
      const dialog = page.getByRole('dialog')

      for (const kind of ['json', 'csv'] as const) {
        await press(page.getByRole('button', { name: say[kind] }))
        await dialog.getByLabel(say.current).fill(PASSWORD)
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          press(dialog.getByRole('button', { name: say.download, exact: true })),
        ])
        const bytes = await readFile(await file.path())
        if (kind === 'json') expect(JSON.parse(bytes.toString())).toMatchObject({ profile: [{ username }] })
        else
          expect([file.suggestedFilename(), bytes.toString('latin1', 0, 2)]).toEqual([
            expect.stringMatching(/^aval-.*\.zip$/),
            'PK',
          ])
        await expect(dialog).toBeHidden()
      }

      await press(page.getByRole('button', { name: say.close }))
      await expect(dialog.getByText(say.years)).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel(say.username).fill('somebody-else')
      await dialog.getByLabel(say.current).fill(PASSWORD)
      await press(dialog.getByRole('button', { name: say.forGood }))
      await expect(dialog.getByLabel(say.username)).toBeFocused()
      await dialog.getByLabel(say.username).fill(username)
      await press(dialog.getByRole('button', { name: say.forGood }))
      await page.waitForURL('**/auth/closed**')
      await expect(page.getByRole('heading', { name: say.closed })).toBeVisible()
      await expect(page.getByText(say.years)).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate<string | null>("localStorage.getItem('refresh')")).toBeNull()
      expect((await member.get('auth/user/')).status).toBe(401)
      const mail = await until('the mail about it', async () => {
        const mails = await mailTo(product, `${username}@example.com`)
        return mails.find(({ subject }) => /cerrada|closed/.test(subject)) ?? null
      })
      expect(mail.text).toMatch(/10 (años|years)/)
    })

    test('an account with money stays open, and says what is left', async ({ page }) => {
      const { press } = personAt(page, language, width)
      await openAs(page, 'mateod', '/security', language)
      await press(page.getByRole('button', { name: say.close }))
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(say.left)).toBeVisible()
      await expect(dialog.getByText(say.balance)).toBeVisible()
      await expectAccessible(page)
      await press(dialog.getByRole('button', { name: say.understood }))
      await expect(dialog).toBeHidden()
    })
  })
