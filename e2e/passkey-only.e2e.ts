/** Only my passkey moves money: switched on, used, and asked for by every other way; the signer pays nothing without it. */
import { createHash } from 'node:crypto'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey } from '@aval/tron'
import { expect, type Page, test } from '@playwright/test'
import { type Client, codeByMail, PASSWORD, register } from '../tools/testing/client.ts'
import { until } from '../tools/testing/until.ts'
import { approve, openApprovals } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { openAs, product } from './fixture.ts'

const NAME = 'passkeyonly'
const EMAIL = `${NAME}@example.com`
const walletOf = (seed: string) => addressFromPrivateKey(createHash('sha256').update(seed).digest())
const WALLET = walletOf(NAME)

test.describe.configure({ timeout: 180_000 })

/** The device that keeps the member's passkeys. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** A member with a wallet and 500 to withdraw. */
async function newMember(): Promise<Client> {
  const client = await register(product.url, '0', NAME)
  const invoice = await client.post('plans/create-investment-payment/', { amount: 500 })
  const { address, amount, txn_id: key } = invoice.as(investmentPayment).result
  const paid = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: address, amount: String(Number(amount) + 500), key }),
  })
  expect(paid.ok).toBe(true)
  await client.patch('auth/user/', { usdt_wallet: WALLET })
  const code = await codeByMail(product, EMAIL, 'billetera')
  expect((await client.patch('auth/user/', { usdt_wallet: WALLET, secret_code: code })).status).toBe(200)
  await until('the balance', async () => {
    const { body } = await client.get('auth/user/')
    return (body as { balance: number }).balance >= 500 ? true : null
  })
  return client
}

const card = (page: Page) => page.getByRole('region', { name: 'Solo mi passkey mueve dinero' })
const dialog = (page: Page) => page.getByRole('dialog')

test('a member lets only a passkey move money, withdraws with it, and nothing else does', async ({
  page,
  browser,
}) => {
  const member = await newMember()
  await openAs(page, member, '/security')
  await addAuthenticator(page)

  await test.step('a passkey is added, and switched on', async () => {
    await expect(card(page).getByText('Primero agrega una passkey aquí arriba.')).toBeVisible()
    await page.getByRole('button', { name: 'Agregar passkey' }).click()
    await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
    await dialog(page).getByLabel('Nombre').fill('Mi llavero')
    await dialog(page).getByRole('button', { name: 'Continuar' }).click()
    await expect(dialog(page)).toBeHidden()
    await card(page).getByRole('button', { name: 'Activar' }).click()
    await expect(dialog(page).getByText('Otras apps y programas ya no podrán retirar por ti')).toBeVisible()
    await expectAccessible(page, 390, 1280)
    await dialog(page).getByRole('button', { name: 'Firmar con passkey' }).click()
    await expect(card(page).getByText('Mueve el dinero: Mi llavero')).toBeVisible()
    await expect(card(page).getByText('Activado')).toBeVisible()
    await expectAccessible(page, 390, 1280)
  })

  await test.step('codes move nothing any more', async () => {
    const call = { amount: '50', wallet_address: WALLET, used_code: '1234567' }
    expect((await member.post('withdrawals/withdrawals/', call)).status).toBe(422)
    expect((await member.post('withdrawals/withdrawals/create-code/', {})).status).toBe(422)
    expect((await member.patch('auth/user/', { usdt_wallet: walletOf('other') })).status).toBe(422)
  })

  await test.step('a withdrawal is signed by the passkey, approved, and paid', async () => {
    await page.goto('/withdrawals')
    await page.getByLabel('Monto', { exact: true }).fill('50')
    await expect(page.getByRole('button', { name: 'Generar código secreto' })).toHaveCount(0)
    await expectAccessible(page, 390, 1280)
    await page.getByRole('button', { name: 'Retirar con passkey' }).click()
    await expect(page.getByText('¡Retiro realizado con éxito!')).toBeVisible()
    const approvals = await openApprovals(browser, 'olga')
    await approve(approvals, 'olga', NAME, '50.00')
    await approvals.close()
    const current = page.getByRole('region', { name: 'Retiro de $50.00' })
    await expect(current.getByRole('listitem').last()).toHaveAttribute('data-state', 'done')
  })

  await test.step('the wallet is changed by the passkey', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Cambiar', exact: true }).click()
    await page.getByLabel('Billetera USDT (TRC20)').fill(walletOf('next'))
    await page.getByRole('button', { name: 'Guardar cambios' }).click()
    await expect(page.getByText('Guardamos tu billetera.')).toBeVisible()
    expect((await member.get('auth/user/')).body).toMatchObject({ usdt_wallet: walletOf('next') })
  })

  await test.step('and the passkey switches it off', async () => {
    await page.goto('/security')
    await card(page).getByRole('button', { name: 'Desactivar' }).click()
    await dialog(page).getByRole('button', { name: 'Firmar con passkey' }).click()
    await expect(card(page).getByText('Desactivado')).toBeVisible()
    expect((await member.get('auth/user/')).body).toMatchObject({ passkey_only: false })
  })
})
