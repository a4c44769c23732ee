import { twoFactorSetup } from '@aval/contract'
import { expect, type Page, test } from '@playwright/test'
import { mailTo, PASSWORD, register, signIn } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { codeOf, freshCode } from '../tools/testing/one-time-code.ts'
import { until } from '../tools/testing/until.ts'
import { addAuthenticator, type Device } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { closed, enterPassword, openAs, product, signOut, toast } from './fixture.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Llaves de acceso' })
const dialog = (page: Page) => page.getByRole('dialog')

/** Signs out while nobody touches the device, which could otherwise answer what the sign-in offers by itself; until it does offer. */
async function signOutToOffer(page: Page, device: Device): Promise<void> {
  await device.isTouched(false)
  await signOut(page)
  await expect.poll(() => page.evaluate("'isOffered' in window")).toBe(true)
}

test('a member adds a passkey, signs in with it, answers the second step with it, and removes it', async ({
  page,
}) => {
  const member = await register(product.url, '0', 'passkeyowner')
  await openAs(page, member, '/security')
  const device = await addAuthenticator(page)
  await page.addInitScript(`{
    const { get } = CredentialsContainer.prototype
    CredentialsContainer.prototype.get = function (options) {
      if (options.mediation === 'conditional') window.isOffered = true
      return get.call(this, options)
    }
  }`)

  await test.step('adding one takes the password, and a closed window of the device loses nothing', async () => {
    await expect(card(page).getByText('Todavía no tienes llaves de acceso.')).toBeVisible()
    await card(page).getByRole('button', { name: 'Agregar llave de acceso' }).click()
    await expect(dialog(page).getByLabel('Contraseña actual')).toBeFocused()
    await dialog(page).getByLabel('Nombre').fill('Mi llavero')
    await dialog(page).getByLabel('Contraseña actual').fill('not-the-password')
    await dialog(page).getByRole('button', { name: 'Continuar' }).click()
    await expect(dialog(page).getByText('La contraseña actual no es correcta.')).toBeVisible()
    await expectAccessible(page, 390, 1280)
    await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
    await device.recognises(false)
    await dialog(page).getByRole('button', { name: 'Continuar' }).click()
    await expect(dialog(page).getByText('No se creó ninguna llave de acceso.')).toBeVisible()
    await expect(dialog(page).getByLabel('Nombre')).toHaveValue('Mi llavero')
    await device.recognises(true)
    await dialog(page).getByRole('button', { name: 'Continuar' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(card(page).getByRole('row').filter({ hasText: 'Mi llavero' })).toContainText('Nunca')
    await expectAccessible(page, 390, 1280)
  })

  await test.step('a device has one of an account', async () => {
    await card(page).getByRole('button', { name: 'Agregar llave de acceso' }).click()
    await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Continuar' }).click()
    await expect(
      dialog(page).getByText('Este dispositivo ya tiene una llave de acceso de tu cuenta.'),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await closed(dialog(page))
  })

  await test.step('the e-mail about it says so', async () => {
    const text = await until('the message', async () => {
      const mails = await mailTo(product, 'passkeyowner@example.com')
      return mails.find(({ text: words }) => words.includes('Llave de acceso agregada'))?.text ?? null
    })
    expect(text).toContain('/auth/not-me#')
  })

  await test.step('it signs in, without a password', async () => {
    await signOutToOffer(page, device)
    await expectAccessible(page, 390, 1280)
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click()
    await page.waitForURL('**/dashboard**')
  })

  await test.step('it is offered where the e-mail is typed, and signs in when it is chosen there', async () => {
    await signOutToOffer(page, device)
    await expect(page.getByLabel('Correo o usuario')).toHaveAttribute('autocomplete', 'username webauthn')
    // The device answers the page's offer, for which nobody pressed a button.
    await device.isTouched(true)
    await page.reload()
    await page.waitForURL('**/dashboard**')
  })

  const secret =
    await test.step('with two-factor on, it answers the second step instead of a code', async () => {
      const wire = await signIn(product.url, 'passkeyowner', PASSWORD)
      const made = (await wire.post('auth/two-factor/setup/', { current_password: PASSWORD })).as(
        twoFactorSetup,
      ).secret
      expect((await wire.post('auth/two-factor/confirm/', { code: codeOf(made) })).status).toBe(200)
      await device.isTouched(false)
      // That ended the page's session.
      await page.reload()
      await page.waitForURL('**/auth/login**')
      await enterPassword(page, 'passkeyowner', PASSWORD)
      await page.waitForURL('**/auth/otp**')
      await expectAccessible(page, 390, 1280)
      await device.recognises(false)
      await device.isTouched(true)
      await page.getByRole('button', { name: 'Usar mi llave de acceso' }).click()
      await expect(page.getByRole('button', { name: 'Usar mi llave de acceso' })).toBeEnabled()
      await expect(page).toHaveURL(/auth\/otp/)
      await device.recognises(true)
      await page.getByRole('button', { name: 'Usar mi llave de acceso' }).click()
      await page.waitForURL('**/dashboard**')
      return made
    })

  await test.step('it is renamed, and removed with password and code; then it opens nothing', async () => {
    await page.goto('/security')
    const row = card(page).getByRole('row').filter({ hasText: 'Mi llavero' })
    await expect(row).not.toContainText('Nunca')
    await row.getByRole('button', { name: 'Cambiar nombre' }).click()
    await dialog(page).getByLabel('Nombre').fill('')
    await dialog(page).getByRole('button', { name: 'Guardar' }).click()
    await expect(dialog(page).getByText('Escribe un nombre')).toBeVisible()
    await dialog(page).getByLabel('Nombre').fill('Mi teléfono')
    await dialog(page).getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(page, 'Guardamos el nombre.')).toBeVisible()
    await card(page).getByRole('button', { name: 'Quitar Mi teléfono' }).click()
    await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Quitar', exact: true }).click()
    await expect(dialog(page).getByText('Escribe los seis dígitos')).toBeVisible()
    await expectAccessible(page, 390, 1280)
    const code = (await freshCode(journeyDataDir, 'passkeyowner', secret)) ?? ''
    await dialog(page).getByLabel('Código de tu aplicación').fill(code)
    await dialog(page).getByRole('button', { name: 'Quitar', exact: true }).click()
    await expect(card(page).getByText('Todavía no tienes llaves de acceso.')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Llave de acceso quitada' })).toBeVisible()

    await signOutToOffer(page, device)
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click()
    await expect(page.getByText('No pudimos comprobar esa llave de acceso.')).toBeVisible()
    await expectAccessible(page, 390, 1280)
  })
})

test('where the page was opened at another address it says where passkeys work', async ({ page }) => {
  const member = await register(product.url, '0', 'passkeyelsewhere')
  await openAs(page, member, '/security')
  await page.route('**/api/auth/passkeys/', (route) =>
    route.fulfill({ json: { results: [], most: 10, origin: 'https://aval.example', available: true } }),
  )
  await page.reload()
  await expect(card(page).getByText('Las llaves de acceso valen solo en https://aval.example.')).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Agregar llave de acceso' })).toHaveCount(0)
  await expectAccessible(page, 390, 1280)
})
