/** What an operator does to a member in the console, and what the member sees of it. */
import { expect, type Page, test } from '@playwright/test'
import { type Client, codeByMail, inMail, register } from '../tools/testing/client.ts'
import { openApprovals, signDecisions } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { confirm } from './deciding.ts'
import { openAs, product, toast } from './fixture.ts'
import { newMember } from './payees.ts'

const own = async (client: Client) =>
  (await client.get('auth/user/')).body as { id: number; ref_code: string }

/** The member's page in the console. */
async function openMember(page: Page, client: Client): Promise<void> {
  await openAs(page, 'olga', `/operator/members/${(await own(client)).id}`)
}

const act = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: name }).getByRole('button')

/** Types why, and confirms with a code. */
async function decide(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill(reason)
  await dialog.getByRole('button', { name: button }).click()
  await confirm(page)
}

test('a frozen member reads why no money leaves, and withdraws again once the account is free', async ({
  page,
  browser,
}) => {
  const username = `frozen${process.pid}`
  const { client, wallet } = await newMember(username, 200)
  const askForCode = () =>
    client.post('withdrawals/withdrawals/create-code/', { amount: '50', wallet_address: wallet })

  await openMember(page, client)
  await act(page, 'Congelar').click()
  await expect(page.getByRole('dialog').getByText('No sale dinero, no se reinvierte nada')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Congelar' }).click()
  await expect(page.getByRole('dialog').getByText('Escribe el motivo.')).toBeVisible()
  await decide(page, 'Congelar', 'Necesitamos ver tu documento otra vez.')
  await expect(toast(page, `La cuenta de ${username} está congelada.`)).toBeVisible()
  await expect(page.getByText('Congelada por olga')).toBeVisible()

  const member = await browser.newPage()
  await openAs(member, client)
  await expect(member.getByText('Necesitamos ver tu documento otra vez.')).toBeVisible()
  await member.goto('/withdrawals')
  await expect(member.getByText('Necesitamos ver tu documento otra vez.')).toBeVisible()
  const refused = await askForCode()
  expect(refused.status).toBe(403)
  expect(JSON.stringify(refused.body)).toContain('Necesitamos ver tu documento otra vez.')

  await act(page, 'Congelar').click()
  await decide(page, 'Liberar', 'Documento recibido.')
  await expect(toast(page, `La cuenta de ${username} vuelve a estar libre.`)).toBeVisible()
  expect((await askForCode()).status).toBe(200)
  const used_code = await codeByMail(product, `${username}@example.com`, `retirar ${inMail('50')}`)
  const asked = await client.post('withdrawals/withdrawals/', {
    amount: '50',
    wallet_address: wallet,
    used_code,
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  await member.close()
})

test('an admin makes a member fundator, who can then convert a referral to master', async ({
  page,
  browser,
}) => {
  const client = await register(product.url)
  const { ref_code } = await own(client)
  const referral = await register(product.url, ref_code)
  const member = await browser.newPage()
  await openAs(member, client, '/referrals')
  await expect(member.getByText(referral.username).first()).toBeVisible()
  await expect(member.getByRole('button', { name: /^Convertir en máster/ })).toHaveCount(0)

  await openMember(page, client)
  await act(page, 'Fundador').click()
  await decide(page, 'Proponer', 'Acordado con la dirección.')
  await expect(act(page, 'Fundador').filter({ hasText: 'Retirar' })).toBeVisible()
  const omar = await openApprovals(browser, 'omar')
  await signDecisions(omar, 'omar', client.username)
  await omar.context().close()
  await expect(act(page, 'Fundador').filter({ hasText: 'Quitar' })).toBeVisible()

  await member.reload()
  await expect(member.getByRole('button', { name: /^Convertir en máster/ }).first()).toBeVisible()
  await member.close()
})

test('an operator sees the account as its member does, and changes nothing there', async ({ page }) => {
  const client = await register(product.url)
  await openMember(page, client)
  await act(page, 'Ver como el miembro').click()
  await page.getByRole('dialog').getByLabel('Motivo').fill('Dice que falta un pago.')
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click()
  await confirm(page)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: `Abrir la cuenta de ${client.username}` }).click()
  const view = await opened

  const banner = view.getByText(`Ves la cuenta de ${client.username}, solo para leer`)
  await expect(banner).toBeVisible()
  await expect(view.getByRole('heading', { level: 1 })).toContainText(client.username)
  await expectAccessible(view)
  await view.goto('/profile')
  await expect(banner).toBeVisible()
  await view.getByLabel('Nombre', { exact: true }).fill('Otra')
  await view.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(view.getByText('Ves esta cuenta como la ve su miembro, solo para leer.').first()).toBeVisible()
  expect((await client.get('auth/user/')).body).toMatchObject({ first_name: '' })

  const closed = view.waitForEvent('close')
  await view.getByRole('button', { name: 'Salir', exact: true }).click()
  await closed
  // The operator's own session went on meanwhile.
  await page.reload()
  await expect(act(page, 'Ver como el miembro')).toBeVisible()
})
