import type { Page } from '@playwright/test'
import { z } from 'zod'
import { PASSWORD, register } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { codeOf, freshCode } from '../tools/testing/one-time-code.ts'
import { axeFaults, overflow } from './axe.ts'
import { expect, test } from './fixture.ts'

const ES = {
  identity: 'Correo o usuario',
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  account: 'Tu cuenta',
  signOut: 'Cerrar sesión',
  newDevice: 'Entrada desde un dispositivo nuevo',
  endUnknown: 'Cerrar la sesión de Dispositivo desconocido',
  ended: 'La sesión se cerró.',
  current: 'Contraseña actual',
  next: 'Contraseña nueva',
  repeat: 'Repite la contraseña nueva',
  change: 'Cambiar contraseña',
  wrong: 'La contraseña actual no es correcta.',
  changed: 'Tu contraseña cambió. Las demás sesiones se cerraron.',
  twoFactor: 'Verificación en dos pasos',
  turnOn: 'Activar',
  appCode: 'Código que muestra la aplicación',
  stored: 'Los guardé en un lugar seguro.',
  notStored: 'Guárdalos antes de continuar',
  done: 'Listo',
  on: 'Activa',
  code: 'Código',
  recovery: 'Código de recuperación',
  forgot: '¿Olvidaste tu contraseña?',
  email: 'Correo electrónico',
  send: 'Enviar código',
  sent: 'Si ese correo está registrado',
  mailCode: 'Código del correo',
  refused: 'El código no es correcto o ya no sirve',
  reset: 'Tu contraseña cambió. Inicia sesión con la nueva.',
}
const EN: typeof ES = {
  identity: 'E-mail or username',
  password: 'Password',
  signIn: 'Sign in',
  account: 'Your account',
  signOut: 'Logout',
  newDevice: 'Sign-in from a new device',
  endUnknown: 'End the session of Unknown device',
  ended: 'The session has ended.',
  current: 'Current password',
  next: 'New password',
  repeat: 'Repeat the new password',
  change: 'Change password',
  wrong: 'The current password is not correct.',
  changed: 'Your password has changed. All other sessions have ended.',
  twoFactor: 'Two-step verification',
  turnOn: 'Turn on',
  appCode: 'Code that the app shows',
  stored: 'I have stored them in a safe place.',
  notStored: 'Store them before you go on',
  done: 'Done',
  on: 'On',
  code: 'Code',
  recovery: 'Recovery code',
  forgot: 'Forgot your password?',
  email: 'E-mail',
  send: 'Send code',
  sent: 'If that e-mail is registered',
  mailCode: 'Code from the e-mail',
  refused: 'The code is not right or no longer good',
  reset: 'Your password has changed. Sign in with the new one.',
}
type Words = typeof ES

const SECOND = 'second-password'
const THIRD = 'third-password'
const letters = z.array(z.object({ subject: z.string(), text: z.string() }))

async function enter(page: Page, words: Words, username: string, password: string): Promise<void> {
  await page.getByLabel(words.identity).fill(username)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: words.signIn }).click()
}

async function leave(page: Page, words: Words): Promise<void> {
  await page.getByRole('button', { name: words.account }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await page.waitForURL('**/auth/login**')
}

async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus()
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+V')
}

/** Looks at the whole page at once: what a bar over it hides in part would count as too small to press. */
async function lookAt(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width, height: 3000 })
  expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
  await page.setViewportSize({ width, height })
}

/** The wire's session is ended, the password changed, and the second factor set up. */
async function secure(page: Page, words: Words, isWireLive: () => Promise<boolean>) {
  await expect(page.getByText(words.newDevice)).toBeVisible()
  expect(await isWireLive()).toBe(true)
  // Of the wire's two, registering and signing in, the one that was used last stands first.
  await page.getByRole('button', { name: words.endUnknown }).first().click()
  await expect(page.getByText(words.ended)).toBeVisible()
  expect(await isWireLive()).toBe(false)

  const current = page.getByLabel(words.current)
  await current.fill('not-the-password')
  await page.getByLabel(words.next, { exact: true }).fill(SECOND)
  await page.getByLabel(words.repeat).fill(SECOND)
  await page.getByRole('button', { name: words.change }).click()
  await expect(page.getByText(words.wrong)).toBeVisible()
  await expect(current).toBeFocused()
  await expect(page.getByLabel(words.repeat)).toHaveValue(SECOND)
  await current.fill(PASSWORD)
  await page.getByRole('button', { name: words.change }).click()
  await expect(page.getByText(words.changed)).toBeVisible()
  await expect(current).toHaveValue('')

  const card = page.getByRole('region', { name: words.twoFactor })
  await card.getByRole('button', { name: words.turnOn }).click()
  const secret = (await card.locator('.address .visually-hidden').textContent()) ?? ''
  await expect(page.getByText(words.changed)).toBeHidden()
  await lookAt(page)
  await card.getByLabel(words.appCode).fill(codeOf(secret))
  const list = card.getByRole('list').getByRole('listitem')
  await expect(list).toHaveCount(10)
  const [recovery = ''] = await list.allTextContents()
  await card.getByRole('button', { name: words.done }).click()
  await expect(card.getByText(words.notStored)).toBeVisible()
  await card.getByLabel(words.stored).check()
  await lookAt(page)
  await card.getByRole('button', { name: words.done }).click()
  await expect(card.getByText(words.on, { exact: true })).toBeVisible()
  return { secret, recovery }
}

/** Forgets the password, and chooses another with the code and the link of the e-mail. */
async function recover(page: Page, words: Words, url: string, email: string): Promise<void> {
  await page.getByRole('link', { name: words.forgot }).click()
  await page.getByLabel(words.email, { exact: true }).fill(email)
  await lookAt(page)
  await page.getByRole('button', { name: words.send }).click()
  await expect(page.getByText(words.sent)).toBeVisible()
  const newest = async () => letters.parse(await (await fetch(`${url}/dev/mail.json?to=${email}`)).json())[0]
  const link = /http\S+\/auth\/reset-password\S+/
  await expect.poll(async () => link.test((await newest())?.text ?? '')).toBe(true)
  const { text = '' } = (await newest()) ?? {}
  const code = /\b\d{7}\b/.exec(text)?.[0] ?? ''
  await page.goto(link.exec(text)?.[0] ?? '')
  await expect(page.getByLabel(words.email, { exact: true })).toHaveValue(email)
  const wrong = String((Number(code) + 1) % 10_000_000).padStart(7, '0')
  await page.getByLabel(words.mailCode).fill(wrong)
  await page.getByLabel(words.next, { exact: true }).fill(THIRD)
  await page.getByLabel(words.repeat).fill(THIRD)
  await page.getByRole('button', { name: words.change }).click()
  await expect(page.getByText(words.refused)).toBeVisible()
  await expect(page.getByLabel(words.mailCode)).toBeFocused()
  await lookAt(page)
  await page.getByLabel(words.mailCode).fill(code)
  await page.getByRole('button', { name: words.change }).click()
  await expect(page.getByText(words.reset)).toBeVisible()
  await expect(page.getByLabel(words.identity)).toHaveValue(email)
}

for (const [language, width, words] of [
  ['es', 1280, ES],
  ['en', 390, EN],
] as const) {
  test(`an account is secured and recovered, in ${language} at ${width} pixels`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${product.url}/auth/login/`)
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    const wire = await register(product.url)
    const { username } = wire
    const email = `${username}@example.com`

    await page.goto(`${product.url}/auth/login/?next=/security`)
    await enter(page, words, username, PASSWORD)
    await page.waitForURL('**/security')
    const isWireLive = async () => (await wire.get('auth/user/')).status === 200
    const { secret, recovery } = await secure(page, words, isWireLive)
    await leave(page, words)
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    await page.reload()

    await enter(page, words, username, SECOND)
    await page.waitForURL('**/auth/otp**')
    const code = (await freshCode(journeyDataDir, username, secret)) ?? ''
    await paste(page, words.code, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    await page.waitForURL('**/dashboard**')
    await leave(page, words)
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    await page.reload()

    await recover(page, words, product.url, email)
    await page.getByLabel(words.password, { exact: true }).fill(THIRD)
    await page.getByRole('button', { name: words.signIn }).click()
    await page.waitForURL('**/auth/otp**')
    await paste(page, words.code, recovery)
    await expect(page.getByLabel(words.recovery)).toHaveValue(recovery)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard**')
  })
}
