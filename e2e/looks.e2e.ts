import { expect, type Locator, type Page, test } from '@playwright/test'
import { axeFaults, colorFaults, overflow, setLook } from './axe.ts'
import { faintTexts } from './contrast.ts'
import { follow, heading, LAPTOP, openAs, openIn, PHONE } from './fixture.ts'
import { resting } from './tree-fixture.ts'
import { wordsIn } from './words.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const GREETING = wordsIn('en')('greeting')
const COLORS = ['primary', 'secondary', 'success', 'warning', 'info', 'danger']

const root = (page: Page) => page.locator('html')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Ajustes de apariencia' })
const option = (page: Page, group: string, name: string) =>
  panel(page).getByRole('group', { name: group }).getByRole('radio', { name, exact: true })
/** A drawing is what one presses; the button itself is out of sight. */
const press = (button: Locator) => button.locator('xpath=ancestor::label').click()
const choose = (page: Page, group: string, name: string) => press(option(page, group, name))

const stored = (page: Page) =>
  page.evaluate<{ layout: { type: string }; sidebar: { size: string }; customizer: boolean }>(
    "JSON.parse(localStorage.getItem('themeSettings'))",
  )

test('the look is chosen by mouse and keyboard, seen at once, and kept', async ({ page }) => {
  await openAs(page, 'ana')
  const opener = page.getByRole('button', { name: 'Personalizar apariencia' })
  await opener.click()
  await expect(panel(page).getByRole('button', { name: 'Cerrar' })).toBeFocused()
  expect((await panel(page).boundingBox())?.width).toBeCloseTo(375, 2)

  await choose(page, 'Estilo de la navegación', 'Marca')
  await expect(root(page)).toHaveAttribute('data-nav-skin', 'brand')
  await option(page, 'Color', 'Aviso').focus()
  await page.keyboard.press('ArrowRight')
  await expect(root(page)).toHaveAttribute('data-theme', 'info')
  await expect(option(page, 'Color', 'Info')).toBeFocused()
  for (const [name, size] of [
    ['Compacto', 'compact'],
    ['Separado', 'detach'],
    ['Al pasar el cursor', 'show-on-hover'],
    ['Pantalla completa', 'fullscreen'],
  ] as const) {
    await choose(page, 'Menú lateral', name)
    await expect(root(page)).toHaveAttribute('data-sidenav-size', size)
    expect([size, await overflow(page)]).toEqual([size, 0])
  }
  expect(await axeFaults(page)).toEqual([])

  // The page beside the panel stays usable; Escape closes it and gives the focus back.
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await expect.poll(async () => (await stored(page)).customizer).toBe(false)
  await page.reload()
  await expect(root(page)).toHaveAttribute('data-nav-skin', 'brand')
  await expect(root(page)).toHaveAttribute('data-sidenav-size', 'fullscreen')

  // Over the whole window: the mega-menu.
  await page.getByRole('button', { name: 'Menú' }).click()
  const menu = page.getByRole('navigation', { name: 'Navegación' })
  await expect(menu.getByRole('link', { name: 'Tablero' })).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()

  await opener.press('Enter')
  await choose(page, 'Navegación', 'Horizontal')
  await expect(panel(page).getByRole('group', { name: 'Menú lateral' })).toHaveCount(0)
  const names = ['Tablero', 'Retiros', 'Perfil', 'Árbol binario', 'Referidos', 'Pagos']
  for (const [at, name] of [...names, 'Historial de inversiones', 'Seguridad'].entries())
    await expect(menu.getByRole('link').nth(at)).toHaveText(name)
  await panel(page).getByRole('button', { name: 'Restablecer' }).click()
  await expect(root(page)).toHaveAttribute('data-layout-type', 'vertical')
  await expect(root(page)).toHaveAttribute('data-theme', 'primary')
  await expect(root(page)).toHaveAttribute('data-color-scheme', 'light')
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expect.poll(() => stored(page)).toMatchObject({ layout: { type: 'vertical' }, customizer: true })
})

test('on a phone the navigation lies over the page, in English too', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'ana')
  await expect(page.getByRole('banner').getByText('Saldo')).toBeVisible()
  const burger = page.getByRole('button', { name: 'Menu', exact: true })
  await test.step('a chosen language is stored, and the page loads anew', async () => {
    await page.evaluate('window.isStillHere = true')
    await page.getByRole('button', { name: 'Idioma' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(burger).toBeVisible()
    expect(await page.evaluate<string>("localStorage.getItem('language')")).toBe('en')
    expect(await page.evaluate('window.isStillHere')).toBeUndefined()
  })
  const menu = page.getByRole('navigation', { name: 'Navigation' })
  await expect(menu).toBeHidden()
  await burger.click()
  await expect(menu.getByText('Navigation')).toBeVisible()
  await page.mouse.click(380, 400)
  await expect(menu).toBeHidden()
  await expect(burger).toBeFocused()

  await page.getByRole('button', { name: 'Customize the look' }).click()
  const settings = page.getByRole('dialog', { name: 'Preview Settings' })
  await expect(settings.getByText('Customize and preview in real time')).toBeVisible()
  await test.step('“Buy Now” leads to the dashboard', async () => {
    await page.goto('/profile')
    await follow(page, settings.getByRole('link', { name: 'Buy Now' }), GREETING)
    await expect(settings).toBeHidden()
    await page.getByRole('button', { name: 'Customize the look' }).click()
  })
  await press(settings.getByRole('radio', { name: 'Horizontal' }))
  await settings.getByRole('button', { name: 'Close' }).click()
  await burger.click()
  await follow(page, menu.getByRole('link', { name: 'Payments' }), 'Payments')
  await expect(page).toHaveTitle(/Payments · /)
  await expect(menu).toBeHidden()
  expect(await overflow(page)).toBe(0)

  // A new page begins at its top; the way back leads to where one was.
  const scrolled = () => page.evaluate<number>('Math.round(window.scrollY)')
  await expect(page.getByRole('table').first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate('window.scrollTo(0, 320)')
  await expect.poll(scrolled).toBe(320)
  await burger.click()
  await follow(page, menu.getByRole('link', { name: 'Profile' }), 'Profile')
  await expect.poll(scrolled).toBe(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect.poll(scrolled).toBe(320)
})

test('axe finds nothing on the dashboard in any colour, skin or scheme', async ({ page }) => {
  await openAs(page, 'ana')
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
  const skins = ['light', 'dark', 'brand', 'transparent', 'light', 'brand']
  const contents = ['default', 'smooth', 'shadow', 'border', 'modern', 'creative']
  for (const scheme of ['light', 'dark'])
    for (const [at, color] of COLORS.entries()) {
      const look = {
        'color-scheme': scheme,
        theme: color,
        'nav-skin': skins[at] ?? '',
        'nav-menu': at % 2 === 0 ? 'soft' : 'solid',
        'content-skin': contents[at] ?? '',
        'header-skin': at < 3 ? 'light' : 'dark',
      }
      await setLook(page, look)
      expect([look, await colorFaults(page)]).toEqual([look, []])
    }
  await test.step('every text can be read on its ground in every one of them', async () => {
    expect(await faintTexts(page)).toEqual([])
  })
})

test('sizes, times and colours are as agreed', async ({ page }) => {
  await openAs(page, 'ana')
  await page.getByRole('button', { name: 'Copiar enlace' }).click()
  await expect(page.locator('.toast')).toHaveCSS('max-width', '350px')
  await page.getByRole('button', { name: 'Compartir tu enlace' }).click()
  await expect(page.getByRole('dialog')).toHaveCSS('animation', /^0\.3s .* rise$/)
  await expect(page.locator('.dialog-backdrop')).toHaveCSS('animation', /^0\.15s .* appear$/)

  const accents = ['#3e97ff', '#7d8aa2', '#25b865', '#e49e3d', '#02a0e4', '#d13b4c']
  for (const [at, theme] of COLORS.entries()) {
    await setLook(page, { theme })
    expect(
      await page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`),
    ).toBe(accents[at])
  }

  // The drawing is as high as the window, in both views, and its tools are in sight.
  await page.goto('/network-marketing')
  const card = page.locator('.tree-card-member').first()
  await expect(card).toHaveCSS('background-color', 'rgb(39, 48, 58)')
  await expect(card).toHaveCSS('border-color', 'rgb(255, 255, 255)')
  for (const { width, height } of [{ width: 1280, height: 900 }, PHONE, LAPTOP])
    for (const view of ['unilevel', 'binary']) {
      await page.setViewportSize({ width, height })
      await page.goto(`/network-marketing?view=${view}`)
      await expect(card).toBeVisible()
      await expect.poll(async () => (await page.locator('.tree-board').boundingBox())?.height).toBe(height)
      await expect(page.locator('.tree-tools')).toBeInViewport({ ratio: 1 })
    }
  // A master has another frame around the card and the picture; a card that is drawn again loses what was written on it.
  await resting(card)
  await card.evaluate((element) => element.setAttribute('data-master', 'true'))
  for (const framed of [card, card.locator('.tree-avatar')])
    await expect(framed).toHaveCSS('border-color', 'rgb(228, 158, 61)')
})

const ERROR_PAGES = [
  ['error-pages/server-error', 'Error del servidor', 'Server error'],
  ['error-pages/not-authorized', 'Sin autorización', 'Not authorized'],
  ['error-pages/comming-soon', 'Muy pronto', 'Coming soon'],
  ['error-pages/under-maintenance', 'En mantenimiento', 'Under maintenance'],
  ['nobody/was/here', 'Página no encontrada', 'Page not found'],
] as const

test('every error page says what is the matter and leads on, in both languages', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const [at, language] of (['es', 'en'] as const).entries())
    for (const [path, ...titles] of ERROR_PAGES)
      await test.step(`/${path} in ${language}`, async () => {
        await openIn(page, language, `/${path}`)
        const title = titles[at] ?? ''
        await expect(heading(page, title)).toBeVisible()
        await expect(page).toHaveTitle(`${title} · Aval`)
        await expect(page.getByRole('main').getByRole('link')).toHaveCount(1)
        expect(await axeFaults(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
      })
})

test('a page whose code does not come can be tried again, with the shell around it', async ({ page }) => {
  await openAs(page, 'ana')
  await page.route(/HistoryPage/, (route) => route.abort())
  const menu = page.getByRole('navigation', { name: 'Navegación' })
  await menu.getByRole('link', { name: 'Historial de inversiones' }).click()
  await expect(page.getByRole('heading', { name: 'No pudimos abrir esta página' })).toBeVisible()
  await expect(menu).toBeVisible()
  await page.unroute(/HistoryPage/)
  await follow(page, page.getByRole('button', { name: 'Reintentar' }), 'Historial de inversiones')

  // A page that throws says what happened, in the same place.
  const broken = "export const HistoryPage = () => { throw new Error('broken') }"
  await page.route(/HistoryPage-.*\.js/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: broken }),
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(menu).toBeVisible()
  await page.unroute(/HistoryPage-.*\.js/)
  await follow(page, page.getByRole('button', { name: 'Reintentar' }), 'Historial de inversiones')

  // An address that leads nowhere keeps the navigation as well; below /apps/ there is no footer.
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.goto('/apps/nothing')
  await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible()
  await expect(menu).toBeVisible()
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expect(page.getByRole('main')).toHaveAttribute('data-app', 'true')

  // A tab that was opened before a deployment asks for files that are gone: it is loaded again.
  let isGone = true
  await page.route(/HistoryPage-.*\.js/, (route) => (isGone ? route.abort() : route.continue()))
  await page.route(
    ({ pathname }) => pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body: '<p>Another version</p>' }),
  )
  await page.goto('/withdrawals')
  page.once('domcontentloaded', () => {
    isGone = false
  })
  await follow(page, menu.getByRole('link', { name: 'Historial de inversiones' }), 'Historial de inversiones')
  await expect.poll(() => isGone).toBe(false)

  // Nor is there a blank page where the server is away at the start.
  await page.route('**/api/auth/token/refresh/', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Sin conexión con Aval' })).toBeVisible()
  await page.unroute('**/api/auth/token/refresh/')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
})
