import { expect, test } from '@playwright/test'
import { pageOf } from '../apps/web/src/testing/figures.ts'
import { mailTo } from '../tools/testing/client.ts'
import { expectAccessible } from './axe.ts'
import { confirm } from './deciding.ts'
import { LAPTOP, openAs, PHONE, product } from './fixture.ts'

const EMAIL = 'luis@demo.aval.example'
const SENDING = /\/support\/messages\/$/
const LOOKING = /\/support\/messages\/\?/

test('a member asks on a phone, an operator answers, and the answer comes into the chat and the mailbox', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'luis')
  await page.evaluate('window.isStillHere = true')
  const button = page.getByRole('button', { name: 'Chat en vivo' })
  const chat = page.getByRole('dialog', { name: 'Chat en vivo' })
  const message = chat.getByLabel('Tu mensaje')

  await test.step('the chat opens over the page and says who is there', async () => {
    await button.click()
    await expect(chat.getByRole('heading', { name: 'Agentes de soporte disponibles' })).toBeVisible()
    await expect(chat.getByText('te respondemos aquí o por correo en un plazo de 24 horas')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(chat).toBeHidden()
    await expect(button).toBeFocused()
  })

  await test.step('a quick reply begins the message, which outlives the chat', async () => {
    await button.click()
    await chat.getByRole('button', { name: 'Mi método de pago no funciona' }).click()
    await expect(message).toBeFocused()
    await expect(message).toHaveValue('Mi método de pago no funciona: ')
    await message.fill('Mi método de pago no funciona: <b>dice error</b>')
    await chat.getByRole('button', { name: 'Cerrar el chat' }).click()
    await page.reload()
    await button.click()
    await expect(message).toHaveValue('Mi método de pago no funciona: <b>dice error</b>')
  })

  await test.step('a message whose answer is lost is kept, sent again, and stored once', async () => {
    // Nor does the chat hear that the server is back, which would send it by itself.
    await page.route(LOOKING, (route) => route.abort())
    await page.route(SENDING, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await message.press('Enter')
    await expect(message).toHaveValue('')
    await expect(chat.getByText('No se envió.', { exact: false })).toBeVisible()
    await page.unroute(SENDING)
    await chat.getByRole('button', { name: 'Reintentar' }).click()
    await expect(chat.getByText('Enviado', { exact: true })).toBeVisible()
    await page.unroute(LOOKING)
    await expect(chat.getByText('dice error', { exact: false })).toHaveCount(1)
  })

  await test.step('operators keep texts ready in both languages', async () => {
    const console = await browser.newPage()
    await openAs(console, 'omar', '/operator/support/templates')
    await console.getByRole('button', { name: 'Agregar plantilla' }).click()
    const form = console.getByRole('dialog', { name: 'Agregar plantilla' })
    await form.getByLabel('Nombre').fill('Resuelto')
    await form.getByLabel('Español').fill('Hola, {first_name}: ya quedó resuelto.')
    await form.getByLabel('Inglés').fill('Hello {first_name}, it is solved.')
    await expectAccessible(console)
    await form.getByRole('button', { name: 'Guardar' }).click()
    await confirm(console, 'omar')
    await expect(console.getByRole('heading', { name: 'Resuelto' })).toBeVisible()
    await console.close()
  })

  await test.step('an operator finds it, and answers', async () => {
    const console = await browser.newPage()
    await openAs(console, 'olga', '/operator/support')
    const row = console.getByRole('row').filter({ hasText: EMAIL })
    await expect(row).toContainText('Su método de pago no funciona')
    await expectAccessible(console)
    await row.getByRole('link', { name: 'luis' }).focus()
    await console.keyboard.press('Enter')
    await expect(console.getByText('<b>dice error</b>', { exact: false })).toBeVisible()
    await expect(console.getByRole('heading', { name: 'Últimos pagos' })).toBeVisible()
    await expectAccessible(console)
    await console.getByRole('button', { name: 'Tomarla' }).click()
    // The first act of a quarter of an hour takes a code; what follows then takes none.
    const code = console.getByRole('dialog', { name: 'Confirma con tu código' })
    await expect(code.getByText('Responder a miembros durante los próximos 15 minutos.')).toBeVisible()
    await confirm(console)
    await expect(console.getByText('La tienes tú desde el', { exact: false })).toBeVisible()
    await console.getByLabel('Nota interna').fill('Es la tarjeta del banco.')
    await console.getByRole('button', { name: 'Guardar nota' }).click()
    await expect(console.locator('.note')).toContainText('Es la tarjeta del banco.')
    await console.getByRole('heading', { name: 'Notas internas' }).click()
    await console.keyboard.press('r')
    await expect(console.getByLabel('Tu respuesta')).toBeFocused()
    await console.getByLabel('Insertar plantilla…').selectOption('Resuelto')
    await expect(console.getByLabel('Tu respuesta')).toHaveValue('Hola, Luis: ya quedó resuelto.')
    await console.getByLabel('Tu respuesta').fill('Ya quedó resuelto.\nIntenta otra vez.')
    await console.getByRole('button', { name: 'Enviar respuesta' }).click()
    await expect(console.getByText('Respuesta enviada.')).toBeVisible()
    await expect(console.locator('.message').last()).toContainText('Ya quedó resuelto.')
    await console.getByRole('button', { name: 'Cerrar conversación' }).click()
    await expect(console.getByText('La conversación quedó cerrada.')).toBeVisible()
    await console.close()
  })

  await test.step('the answer is in the chat without a reload, and once in the mailbox', async () => {
    await expect(chat.locator('.message').last()).toContainText('Ya quedó resuelto.')
    await expect(chat.getByText('Visto', { exact: true })).toBeVisible()
    await expect(chat.getByText('Esta conversación está cerrada.', { exact: false })).toBeVisible()
    const answers = async () =>
      (await mailTo(product, EMAIL)).filter(({ subject }) => subject === 'Respondimos tu mensaje a soporte')
    await expect.poll(async () => (await answers()).length).toBe(1)
    const [letter] = await answers()
    expect(letter?.text).toContain('Intenta otra vez.')
    expect(letter?.text).toContain('> Mi método de pago no funciona: <b>dice error</b>')
    expect(letter?.text).toContain(`${product.url}/dashboard?chat=open`)
    await expect(chat.getByText('Es la tarjeta del banco.')).toHaveCount(0)
  })
})

test('in English on a laptop the chat stands beside the page, and a link from the mailbox opens it', async ({
  page,
}) => {
  await openAs(page, 'ana', '/dashboard?chat=open', 'en')
  const chat = page.getByRole('dialog', { name: 'Live Chat' })
  const message = chat.getByLabel('Your message')
  await expect(chat.getByRole('heading', { name: 'Avilable Support Agents' })).toBeVisible()
  await expect(
    chat.getByText("Ask us anything - we'll get back to you here or by email within 24 hours."),
  ).toBeVisible()
  await expect(chat.locator('.chat-agent')).toHaveCount(3)
  await expect(message).toBeFocused()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
  await expectAccessible(page)

  await message.fill('One line')
  await message.press('Shift+Enter')
  await message.pressSequentially('and another')
  await message.press('Enter')
  await expect(chat.locator('.message').last()).toContainText('One line\nand another')
  await expect(chat.getByText('Sent', { exact: true })).toBeVisible()
  await chat.getByRole('button', { name: 'Expand' }).click()
  await expect(chat.getByRole('button', { name: 'Shrink' })).toBeVisible()

  // Enlarged to 200 %, the way out is in the window as well.
  await page.setViewportSize({ width: 640, height: 400 })
  await expect(chat.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize(LAPTOP)

  // It stays while one walks through the pages beside it.
  await page.getByRole('link', { name: 'Withdrawals' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Withdrawals' })).toBeVisible()
  await expect(chat).toBeVisible()
})

test('a long conversation goes on by "Load more...", which says "Loading..." for two seconds', async ({
  page,
}) => {
  const messages = Array.from({ length: 70 }, (_, index) => ({
    id: 70 - index,
    from: index % 2 === 0 ? 'support' : 'member',
    topic: null,
    text: `Message ${70 - index}.`,
    date: '2026-01-05T15:00:00Z',
    seen: true,
  }))
  await page.route(LOOKING, (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'))
    const results = messages.slice((number - 1) * 30, number * 30)
    return route.fulfill({
      json: { ...pageOf(...results), total_pages: 3, count: 70, state: 'answered', unread: 0 },
    })
  })
  await page.clock.install()
  await openAs(page, 'ana', '/dashboard?chat=open', 'en')
  const chat = page.getByRole('dialog', { name: 'Live Chat' })
  const more = chat.getByRole('button', { name: 'Load more...' })
  const loading = chat.getByRole('button', { name: 'Loading...' })
  const message = (number: number) => chat.getByText(`Message ${number}.`, { exact: true })
  await expect(message(41)).toBeAttached()
  await expect(message(40)).toHaveCount(0)

  await page.clock.pauseAt(Date.now() + 60_000)
  await more.click()
  await expect(message(11)).toBeAttached()
  await page.clock.runFor(1_900)
  await expect(loading).toBeDisabled()
  await page.clock.runFor(100)
  await more.click()
  await expect(message(1)).toBeAttached()
  // Nothing is left to load.
  await expect(more.or(loading)).toHaveCount(0)
})
