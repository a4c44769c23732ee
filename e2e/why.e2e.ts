import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { openAs } from './fixture.ts'

/** What each kind of payment says for itself, and a figure that only its details know. */
const PAYMENTS = [
  {
    what: 'direct',
    who: 'ana',
    tab: 'direct',
    // A level of its own cell: payments of other levels say other things.
    row: /^1$/,
    es: {
      sentence: /5 % de \$.* que .* invirtió el .* nivel 1/,
      rule: /Comisión directa/,
      input: 'Quién invirtió',
    },
    en: { sentence: /5% of \$.* invested by .* level 1/, rule: /Direct commission/, input: 'Who invested' },
  },
  {
    what: 'master',
    who: 'luis',
    tab: 'direct',
    row: /m[aá]ster/i,
    es: { sentence: /1 % de .* código máster/i, rule: /Código máster: 1 %/, input: 'Monto invertido' },
    en: { sentence: /1% of .* by master code at level 4/, rule: /Master code: 1%/, input: 'Invested amount' },
  },
  {
    what: 'passive',
    who: 'ana',
    tab: 'passive',
    row: null,
    es: {
      sentence: /0,3333 % de \$/,
      rule: /Ganancia pasiva: 10 %/,
      input: 'Invertido al empezar el día',
    },
    en: {
      sentence: /0\.3333% of the \$/,
      rule: /Passive profit: 10%/,
      input: 'Invested when the day began',
    },
  },
  {
    what: 'binary',
    who: 'ana',
    tab: 'binary',
    row: null,
    es: { sentence: /10 % de .* puntos emparejados/, rule: /pierna débil/, input: 'Puntos a la izquierda' },
    en: { sentence: /10% of .* points matched/, rule: /weaker leg/, input: 'Points on the left' },
  },
] as const

/** The result of a computation, as each language writes figures. */
const RESULT = { es: /×.*= \d{1,3}(\.\d{3})*,\d{2,6}$/, en: /×.*= \d{1,3}(,\d{3})*\.\d{2,6}$/ }

for (const { what, who, tab, row, ...texts } of PAYMENTS) {
  test(`a ${what} payment opens and says why, in both languages`, async ({ page }) => {
    for (const language of ['es', 'en'] as const) {
      await openAs(page, who, `/payments?tab=${tab}`, language)
      const rows = page.getByRole('row').filter({ has: page.getByRole('button') })
      const wanted =
        row === null
          ? rows.first()
          : rows.filter({ has: page.getByRole('cell').filter({ hasText: row }) }).first()
      await rows.first().waitFor()
      // The first payment of the kind may stand on a later page.
      for (let next = 2; next < 12 && (await wanted.count()) === 0; next += 1) {
        await page.getByRole('button', { name: language === 'es' ? 'Siguiente' : 'Next' }).click()
        await expect(page).toHaveURL(new RegExp(`page=${next}`))
        // The rows of the page before stay until those of the next are there.
        await expect(page.locator('.payment-lists .table-box')).toHaveAttribute('aria-busy', 'false')
      }
      await wanted.getByRole('button').first().click()
      const { sentence, rule, input } = texts[language]
      await expect(page.getByText(sentence).first()).toBeVisible()
      await expect(page.getByText(rule).first()).toBeVisible()
      await expect(page.getByText(input, { exact: true }).first()).toBeVisible()
      await expect(page.locator('.why-arithmetic').getByText(RESULT[language]).first()).toBeVisible()
    }
    // On the narrowest phone, too, nothing lies over a button.
    await page.setViewportSize({ width: 320, height: 640 })
    for (const copy of await page.getByRole('button', { name: /^Copy the proof/ }).all())
      await copy.click({ trial: true })
  })
}

test('what was not paid is listed with its reason', async ({ page }) => {
  await openAs(page, 'luis', '/payments?tab=not-paid')
  await expect(page.getByText('Nada de esta lista se te debe', { exact: false })).toBeVisible()
})

test('the statement comes as a file that adds up', async ({ page }) => {
  await openAs(page, 'ana', '/payments')
  await page.getByRole('button', { name: /estado de cuenta/i }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('CSV', { exact: false }).click()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /descargar/i }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^aval-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines.length).toBeGreaterThan(10)
  const last = lines.at(-1)?.split(',')
  const balance = await page.evaluate(async () => {
    const access = sessionStorage.getItem('access')
    const answer = await fetch('/api/auth/user/', { headers: { authorization: `Bearer ${access}` } })
    return ((await answer.json()) as { balance: number }).balance
  })
  expect(last?.[4]).toBe(balance.toFixed(6).replace(/0{1,4}$/, ''))
})
