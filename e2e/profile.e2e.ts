import { devnetAddress } from '@aval/tron'
import { expect, test } from '@playwright/test'
import { mailTo, PASSWORD, register } from '../tools/testing/client.ts'
import { until } from '../tools/testing/until.ts'
import { expectAccessible } from './axe.ts'
import { closed, enterPassword, follow, heading, openAs, product } from './fixture.ts'
import { wordsIn } from './words.ts'

const GREETING = wordsIn('es')('greeting')

/** What the newest message to a member with this in its subject says, as soon as there is one. */
const letter = (username: string, subject: string): Promise<string> =>
  until(`a message about ${subject}`, async () => {
    const letters = await mailTo(product, `${username}@example.com`)
    return letters.find((each) => each.subject.includes(subject))?.text ?? null
  })

test('a wallet takes the code that comes by e-mail, and "this was not me" takes the wallet back', async ({
  page,
  browser,
}) => {
  const member = await register(product.url)
  const { username } = member
  await openAs(page, member)
  await follow(page, page.getByRole('link', { name: 'Perfil' }), 'Perfil')

  // The checksum of an address with one letter changed is known to the server alone: it is said at the field.
  const wallet = devnetAddress('faucet')
  const field = page.getByLabel('Billetera USDT (TRC20)')
  await field.fill(`${wallet.slice(0, -1)}${wallet.endsWith('A') ? 'B' : 'A'}`)
  await page.getByLabel('Nombre', { exact: true }).fill('Sofía')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('No es una dirección TRC20')).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill(wallet)
  await page.getByRole('button', { name: 'Guardar cambios' }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`${username[0]}…@example.com`)
  const code = /\b\d{7}\b/.exec(await letter(username, 'código'))?.[0] ?? ''
  const wrong = String((Number(code) + 1) % 10_000_000).padStart(7, '0')
  await dialog.getByLabel('Código de tu correo').fill(wrong)
  await expect(dialog).toContainText('Intentos restantes: 4')
  await expect(dialog.getByLabel('Código de tu correo')).toHaveValue(wrong)
  await dialog.getByLabel('Código de tu correo').fill(code)
  await closed(dialog)
  await expect(page.getByRole('button', { name: 'Cambiar', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText(wallet).first()).toBeAttached()
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Sofía')

  const link = /http\S+\/auth\/not-me#\S+/.exec(await letter(username, 'Registraste tu billetera'))?.[0] ?? ''
  const visitor = await browser.newPage()
  await visitor.goto(link)
  // Opening the link does nothing; pressing does.
  const protect = visitor.getByRole('button', { name: 'No fui yo: proteger mi cuenta' })
  await expect(protect).toBeVisible()
  await page.reload()
  await expect(page.getByText(wallet).first()).toBeAttached()
  await protect.click()
  await expect(visitor.getByRole('heading', { name: 'Tu cuenta está protegida' })).toBeVisible()
  await visitor.close()
  await page.reload()
  await page.waitForURL('**/auth/login**')
  await enterPassword(page, username, PASSWORD)
  await expect(heading(page, GREETING)).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByLabel('Billetera USDT (TRC20)')).toHaveValue('')
  await expect(page.getByText('no sale dinero hasta que restablezcas')).toBeVisible()
})

test('a new e-mail is confirmed by a code of its own, and the former mailbox takes it back', async ({
  page,
  browser,
}) => {
  const member = await register(product.url)
  const { username } = member
  const former = `${username}@example.com`
  const next = `${username}.nuevo@example.com`
  await openAs(page, member, '/profile')
  const notice = page.getByRole('region', { name: 'Confirma tu correo' })
  await expect(notice).toContainText('No sale dinero')
  const field = page.getByLabel('Correo electrónico', { exact: true })
  await field.fill(next)
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  const dialog = page.getByRole('dialog')
  const code = dialog.getByLabel('Código de tu correo')
  await code.fill(/\b\d{7}\b/.exec(await letter(username, 'código'))?.[0] ?? '')
  await expect(dialog).toBeHidden()

  await expect(notice).toContainText(next)
  await expectAccessible(page, 390, 1280)
  // It is disabled while it works, and gone when the dialog closes: the focus goes to the way on, not to the top of the document.
  await notice.getByRole('button', { name: 'Enviarme un código' }).click()
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 390, 1280)
  await code.fill(/\b\d{7}\b/.exec(await letter(`${username}.nuevo`, 'confirmar tu correo'))?.[0] ?? '')
  await closed(dialog)
  await expect(notice).toBeHidden()
  await expect(page.getByRole('main').getByRole('link', { name: 'Volver al tablero' })).toBeFocused()

  const told = await letter(username, 'El correo de tu cuenta cambió')
  expect(told).toContain(`${former} vuelve a ser el correo de tu cuenta`)
  const visitor = await browser.newPage()
  await visitor.goto(/http\S+\/auth\/not-me#\S+/.exec(told)?.[0] ?? '')
  await visitor.getByRole('button', { name: 'No fui yo: proteger mi cuenta' }).click()
  await expect(visitor.getByRole('heading', { name: 'Tu cuenta está protegida' })).toBeVisible()
  await visitor.close()
  await page.reload()
  await page.waitForURL('**/auth/login**')
  await enterPassword(page, former, PASSWORD)
  await expect(heading(page, GREETING)).toBeVisible()
  await page.goto('/profile')
  await expect(field).toHaveValue(former)
  await expect(notice).toBeHidden()
})
