/** Operators in the console: an admin invites, the member accepts, the role decides what is there, and the trail has all of it. */
import { expect, type Page, test } from '@playwright/test'
import { type Client, mailTo, PASSWORD, register } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { freshCode } from '../tools/testing/one-time-code.ts'
import { until } from '../tools/testing/until.ts'
import { expectAccessible } from './axe.ts'
import { confirm, turnOnCodes } from './deciding.ts'
import { fillSignIn, openAs, PHONE, product, toast } from './fixture.ts'

async function invite(page: Page, member: Client): Promise<void> {
  await page.getByRole('button', { name: 'Invitar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Usuario o correo').fill('nobody-at-all')
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await expect(dialog.getByText('No existe ese miembro.')).toBeVisible()
  await dialog.getByLabel('Usuario o correo').fill(`${member.username}@example.com`)
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  // Who is meant, and what the role brings, is said before anything is sent.
  await expect(dialog.getByText('No tiene la verificación en dos pasos.', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Responder a miembros')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Por qué').fill('Empieza el lunes.')
  await dialog.getByRole('button', { name: 'Invitar' }).click()
  await confirm(page, 'olga')
  await expect(toast(page, 'Invitación enviada.')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: member.username })).toContainText('En espera')
}

/** The part of the address after the origin that the mail leads to. */
async function linkOf(member: Client): Promise<string> {
  const text = await until('the invitation', async () => {
    const letters = await mailTo(product, `${member.username}@example.com`)
    return letters.find(({ text }) => text.includes('/operator/invitation#'))?.text ?? null
  })
  return /\/operator\/invitation#[\w-]+/.exec(text)?.[0] ?? ''
}

/** With two-factor off the page sets it up first. @returns its secret */
async function accept(page: Page, member: Client): Promise<string> {
  await openAs(page, member, await linkOf(member))
  await expect(page.getByText('olga te invita a trabajar para la empresa.')).toBeVisible()
  await expectAccessible(page)
  const secret = await turnOnCodes(page, PASSWORD)
  await page.getByLabel('Tu contraseña').fill(PASSWORD)
  await page
    .getByLabel('Código de tu aplicación de autenticación')
    .fill((await freshCode(journeyDataDir, member.username, secret)) ?? '')
  await page.getByRole('button', { name: 'Aceptar' }).click()
  await expect(page.getByText('Aceptaste. Vuelve a entrar con un código.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  return secret
}

test('an admin invites, the member accepts, sees what the role allows, and is dismissed', async ({
  page,
  browser,
}) => {
  const member = await register(product.url)
  await openAs(page, 'olga', '/operator/operators')
  await expectAccessible(page)
  await invite(page, member)

  const phone = await browser.newPage({ viewport: PHONE })
  const secret = await accept(phone, member)
  await expect(
    page.getByRole('row').filter({ hasText: member.username }).filter({ hasText: 'Soporte' }),
  ).toContainText('desde el')
  await fillSignIn(phone, member.username, PASSWORD)
  await phone.waitForURL('**/auth/otp**')
  await phone.getByLabel('Código').fill((await freshCode(journeyDataDir, member.username, secret)) ?? '')
  await expect(phone).toHaveURL(/\/operator/)
  await phone.goto('/operator/operators')
  await expect(phone.getByRole('heading', { name: 'Quién trabaja aquí' })).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Invitar' })).toHaveCount(0)
  await expect(phone.getByRole('link', { name: 'Registro', exact: true })).toHaveCount(0)
  await expectAccessible(phone)

  await page.getByRole('row').filter({ hasText: member.username }).getByRole('button').click()
  await page.getByRole('button', { name: 'Quitar permisos' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Por qué').fill('Se fue de la empresa.')
  await dialog.getByRole('button', { name: 'Quitar', exact: true }).click()
  await confirm(page, 'olga')
  await expect(toast(page, 'Ya no tiene permisos')).toBeVisible()
  await phone.reload()
  await expect(phone).toHaveURL(/\/auth\/login/)
  await phone.close()

  // All of it is in the trail, with its reasons.
  await page.goto('/operator/audit?who=olga&action=operator')
  const rows = page.getByRole('row')
  await expect(
    rows.filter({ hasText: `olga le quitó los permisos de operador a ${member.username}` }),
  ).toContainText('Se fue de la empresa.')
  await expect(rows.filter({ hasText: `olga invitó a ${member.username}` })).toHaveCount(1)
})

test('the trail is filtered in the address, opened entry by entry, verified by a press, and saved', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator/audit')
  await page.getByRole('button', { name: 'Verificar' }).click()
  await expect(page.getByText('Nada fue alterado, quitado, insertado ni movido.')).toBeVisible()
  await page.getByLabel('Acción').selectOption('session.begin')
  await page.getByRole('button', { name: 'Filtrar' }).click()
  await expect(page).toHaveURL(/action=session\.begin/)
  const row = page.getByRole('row').filter({ hasText: 'olga inició sesión.' }).first()
  await row.getByRole('button').click()
  await expect(page.getByText('contraseña y código').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Exportar' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^CSV/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^aval-audit-.*\.csv$/)
  await page.reload()
  await expect(row).toBeVisible()
})
