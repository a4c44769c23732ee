import { expect, type Locator, type Route, test } from '@playwright/test'
import { axeFaults, overflow } from './axe.ts'
import {
  closed,
  fillSignIn,
  follow,
  heading,
  holdBack,
  LAPTOP,
  openAs,
  PHONE,
  speak,
  wholePage,
  withoutStream,
} from './fixture.ts'
import { wordsIn } from './words.ts'

const GREETING = wordsIn('es')('greeting')

/** A thing reached and pressed without a mouse. */
async function press(thing: Locator): Promise<void> {
  await thing.focus()
  await thing.press('Enter')
}

test('a fundator converts a referral to master with the keyboard alone, and others cannot', async ({
  page,
}) => {
  await openAs(page, 'luis', '/referrals')
  await expect(page.getByRole('heading', { name: 'Mis referidos' })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText([
    'Usuario',
    'Teléfono',
    'Fecha de registro',
    'Estado',
    'Invirtió',
    'Su equipo trajo',
    'Te generó',
    'Acciones',
  ])
  await expect(page.getByText('Sin teléfono').first()).toBeVisible()
  const convert = page.getByRole('button', { name: /^Convertir en máster/ })
  const before = await convert.count()
  const row = page.getByRole('row').filter({ has: convert }).first()
  const username = (await row.locator('bdi').first().textContent()) ?? ''

  await press(convert.first())
  const dialog = page.getByRole('alertdialog', { name: '¿Seguro que quieres convertirlo en máster?' })
  const wayOut = dialog.getByRole('button', { name: 'Cancelar' })
  await expect(wayOut).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(convert.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(wayOut).toBeFocused()
  await page.keyboard.press('Tab')
  // It goes after two seconds: looked for from before it comes.
  const toastWidth = page
    .locator('.toast-of-dialog', { hasText: '¡Código máster activado!' })
    // The style, not the box: the toast still grows into its place.
    .evaluate((toast) => toast.ownerDocument.defaultView?.getComputedStyle(toast).width)
  await page.keyboard.press('Enter')
  expect(await toastWidth).toBe('360px')
  await expect(page.getByRole('row').filter({ hasText: username })).toContainText('¡Código máster activado!')
  await expect(convert).toHaveCount(before - 1)

  await test.step('in English, on a telephone, the question reads as agreed', async () => {
    await page.setViewportSize(PHONE)
    await speak(page, 'en')
    await page
      .getByRole('button', { name: /^Convert to master/ })
      .first()
      .click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure to convert in master?' })
    await expect(question).toContainText('You will not be able to recover this action!')
    await expect(question.getByRole('button', { name: "Yes, i'm sure!" })).toBeVisible()
    expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Master code activated!').first()).toBeVisible()
  })

  await test.step('the search and the order are in the address', async () => {
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Earned you most')
    await expect(page).toHaveURL(/sort=-earned/)
    await page.getByRole('searchbox').fill(username.slice(0, 4))
    await expect(page).toHaveURL(/q=/)
    await expect(page.getByRole('row').filter({ hasText: username })).toHaveCount(1)
    await page.getByRole('searchbox').fill('')
    await expect(page).not.toHaveURL(/q=/)
    // Rows that are about to be replaced are pale.
    await expect(page.locator('.table-box[aria-busy="false"]')).toBeVisible()
    expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
    await page.goto('/referrals')
  })

  await test.step('the filter and the page are in the address', async () => {
    await page.getByRole('button', { name: 'Inactive', exact: true }).click()
    await expect(page).toHaveURL(/status=inactive/)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Inactive', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.goto('/referrals?page=999')
    await page.getByRole('button', { name: 'Go to the first' }).click()
    await expect(page).toHaveURL(/referrals$/)
  })

  await test.step('who is no fundator has nothing to press', async () => {
    await openAs(page, 'ana', '/referrals')
    await expect(page.getByRole('row').nth(1)).toContainText('@')
    await expect(page.getByRole('columnheader', { name: 'Acciones' })).toHaveCount(0)
    await expect(convert).toHaveCount(0)
  })
})

/** Ways in which an answer can be bad, and what a member then reads. */
type BadAnswer = readonly [kind: string, sentence: string, answer: (route: Route) => Promise<void>]
const BAD: readonly [BadAnswer, ...BadAnswer[]] = [
  ['an empty failure', 'Tuvimos un problema', (route) => route.fulfill({ status: 500, body: '' })],
  [
    'damaged JSON',
    'llegó dañada',
    (route) => route.fulfill({ contentType: 'application/json', body: '{"results": [' }),
  ],
  ['JSON of another shape', 'llegó dañada', (route) => route.fulfill({ json: { hello: 'world' } })],
  ['no answer', 'No pudimos llegar', (route) => route.abort('connectionrefused')],
]
const SCREENS = [
  ['dashboard', '**/api/core/dashboard/', '[data-figure="investment"]'],
  ['payments', '**/api/payments/direct-payments/**', '.payment-lists tbody tr'],
  ['withdrawals', '**/api/withdrawals/terms/', '.withdrawal-available .money'],
  ['referrals', '**/api/tree/get-referrals/**', 'tbody tr bdi'],
] as const

test('a bad answer is reported by its kind, and trying again brings the screen', async ({ page }) => {
  await openAs(page, 'ana')
  for (const [path, call, content] of SCREENS)
    await test.step(path, async () => {
      const alert = page.getByRole('main').getByRole('alert')
      const again = alert.getByRole('button', { name: 'Reintentar' }).first()
      // One route all along: a page that asks again by itself never finds a good answer between two bad ones.
      let bad = BAD[0]
      const given = new Set<BadAnswer>()
      await page.route(call, (route) => {
        given.add(bad)
        return bad[2](route)
      })
      await page.goto(`/${path}`)
      for (const [index, kind] of BAD.entries()) {
        bad = kind
        if (index > 0) await again.click()
        // Two of them read the same.
        await expect.poll(() => given.has(kind)).toBe(true)
        await expect(alert.filter({ hasText: kind[1] }).first()).toBeVisible()
      }
      await page.unroute(call)
      const shown = page.locator(content).first()
      // A page asks again by itself when the server answers elsewhere: then the button is gone before it is pressed.
      await again.or(shown).first().click()
      await expect(shown).toBeVisible()
    })
  await test.step('a slow answer is waited for, and said to be', async () => {
    const letGo = await holdBack(page, '**/api/core/dashboard/')
    await page.goto('/dashboard')
    await expect(page.getByText('Esto tarda más de lo normal', { exact: false })).toBeVisible()
    letGo()
    await expect(page.locator('[data-figure="investment"]')).toBeVisible()
  })
})

test('the first message lasts from when it is drawn, however long what draws it takes', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth/login/')
  await page.route('**/api/auth/token/', (route) => route.fulfill({ status: 500, body: '' }))
  const letGo = await holdBack(page, '**/assets/Toasts-*.js')
  const asked = page.waitForRequest('**/assets/Toasts-*.js')
  await fillSignIn(page, 'ana')
  await asked
  await page.clock.fastForward(60_000)
  letGo()
  const message = page.locator('.toast-place[data-shown]').filter({ hasText: 'Tuvimos un problema' })
  await expect(message).toBeVisible()
  await page.clock.fastForward(3_000)
  await expect(message).toBeVisible()
  await page.clock.fastForward(2_000)
  await expect(message).toHaveCount(0)
})

test('what is pressed stays where it is when the figures above it come', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'mateod')
  const letGo = await holdBack(page, '**/api/withdrawals/terms/')
  await page.goto('/withdrawals')
  const goOn = page.getByRole('button', { name: 'Continuar' })
  await expect(page.locator('.chat-button')).toBeVisible()
  const before = await goOn.boundingBox()
  letGo()
  await expect(page.locator('.withdrawal-available .money')).toBeVisible()
  expect(await goOn.boundingBox()).toEqual(before)
})

test('amounts are read as people paste them, and asked back where they have two readings', async ({
  page,
}) => {
  const pasted = {
    es: ['1.000,50', '1 000,50', 'US$ 1,000.50'],
    en: ['1,000.50', '$1,000.50 ', '1.000,50'],
  } as const
  for (const language of ['es', 'en'] as const) {
    const written = wordsIn(language)('written')
    await page.setViewportSize(language === 'es' ? LAPTOP : PHONE)
    await openAs(page, 'ana', '/dashboard', language)
    await page
      .getByRole('button', { name: language === 'es' ? 'Invertir ahora' : 'Invest now' })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox')
    for (const text of pasted[language]) {
      await field.fill(text)
      await expect(dialog.locator('.summary dd').first()).toHaveText(written('$1,000.50'))
    }
    await field.fill('1.000')
    await expect(dialog.locator('.summary dd').first()).toHaveText(written('$0.00'))
    await dialog.getByRole('button', { name: written('$1,000.00') }).click()
    await expect(field).toHaveValue(language === 'es' ? '1000,00' : '1000.00')
    await expect(dialog.locator('.summary dd').first()).toHaveText(written('$1,000.00'))
    await page.keyboard.press('Escape')
    await closed(dialog)
    await page.goto('/withdrawals')
    await page.getByLabel(language === 'es' ? 'Monto' : 'Amount', { exact: true }).fill('1.050,25')
    await expect(page.locator('.withdrawal-quote dd').first()).toHaveText(written('$1,050.25'))
    expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
  }
})

test('back closes what lies open over a page, and not the page', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'ana', '/payments')
  const home = page
    .getByRole('navigation', { name: 'Accesos rápidos' })
    .getByRole('link', { name: 'Tablero' })
  const openHome = () => follow(page, home, GREETING)
  await openHome()
  const invest = page.getByRole('button', { name: 'Invertir ahora' }).first()
  const dialog = page.getByRole('dialog')

  await test.step('on the way back', async () => {
    await invest.click()
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
  await test.step('closed in another way it leaves no step behind, however often', async () => {
    for (let time = 0; time < 2; time += 1) {
      await invest.click()
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
    await closed(dialog)
    await page.goBack()
    await expect(heading(page, 'Pagos')).toBeVisible()
  })
  await test.step('a link that is pressed while that step is taken back leads on all the same', async () => {
    await openHome()
    await invest.click()
    await expect(dialog).toBeVisible()
    // The browser takes the step some moments after it was asked to; the link is pressed in between.
    await page.evaluate(`{
      const { go } = history
      history.go = (steps) => {
        history.go = go
        history.go(steps)
        document.querySelector('.phone-bar a[href="/payments"]').click()
      }
    }`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(heading(page, 'Pagos')).toBeVisible()
    await page.goBack()
    await expect(heading(page, GREETING)).toBeVisible()
    await page.goBack()
    await expect(heading(page, 'Pagos')).toBeVisible()
  })
  await test.step('the menu as well, and a link in it leads on', async () => {
    const menu = page.getByRole('navigation', { name: 'Navegación' })
    await page.getByRole('button', { name: 'Más', exact: true }).click()
    await expect(menu).toBeVisible()
    await expect.poll(() => page.evaluate('history.state?.opened ?? 0')).toBe(1)
    await page.goBack()
    await expect(menu).toBeHidden()
    await expect(page).toHaveURL(/\/payments/)
    await page.getByRole('button', { name: 'Más', exact: true }).click()
    await follow(page, menu.getByRole('link', { name: 'Perfil' }), 'Perfil')
    await page.goBack()
    await expect(heading(page, 'Pagos')).toBeVisible()
    await expect(page).toHaveURL(/\/payments/)
  })
})

test('a session that ends in the middle of a form takes nothing that was typed, and two clicks send once', async ({
  page,
}) => {
  await withoutStream(page.context())
  await openAs(page, 'ana', '/profile?then=withdrawals')
  await expect(
    page.getByText('Registra la billetera que recibirá tus retiros', { exact: false }),
  ).toBeVisible()
  await wholePage(page)
  let sent = 0
  await page.route('**/api/auth/user/', async (route) => {
    if (route.request().method() === 'PATCH') sent += 1
    await route.continue()
  })
  await page.getByLabel('Apellido').fill(`Paz ${Date.now() % 1000}`)
  await page.getByRole('button', { name: 'Guardar cambios' }).dblclick()
  await expect(page.getByText('Todo está guardado.')).toBeVisible()
  expect(sent).toBe(1)

  await page.getByLabel('Nombre', { exact: true }).fill('Ana María')
  // Both in one step of the page: what it asks for by itself must not find the session gone before the press does.
  await expect(page.getByRole('button', { name: 'Guardar cambios' })).toBeEnabled()
  await page.evaluate(`localStorage.removeItem('session')
    Array.from(document.querySelectorAll('button')).find(({ textContent }) => textContent === 'Guardar cambios').click()`)
  await page.waitForURL(/\/auth\/login\/?\?next=/)
  await fillSignIn(page, 'ana')
  await page.waitForURL('**/profile**')
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Ana María')
  await page.getByRole('button', { name: 'Descartar cambios' }).click()
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Ana')
  await page.getByLabel('Apellido').fill('Paz')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Todo está guardado.')).toBeVisible()
})
