/** Only my passkey moves money: switched on, used, and asked for by every other way; the signer pays nothing without it. */
import { createHash } from 'node:crypto'
import { addressFromPrivateKey } from '@aval/tron'
import { expect, type Page, test } from '@playwright/test'
import { approve, openApprovals } from './approving.ts'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { closed, openAs } from './fixture.ts'
import { addPasskey, keyCard } from './member-keys.ts'
import { newMember, requestWithdrawal, reviewWithdrawal } from './payees.ts'

const NAME = 'passkeyonly'
const walletOf = (seed: string) => addressFromPrivateKey(createHash('sha256').update(seed).digest())

const dialog = (page: Page) => page.getByRole('dialog')

test('a member lets only a passkey move money, withdraws with it, and nothing else does', async ({
  page,
  browser,
}) => {
  const { client: member, wallet } = await newMember(NAME, 500)
  await openAs(page, member, '/security')
  await addAuthenticator(page)

  await test.step('a passkey is added, and switched on', async () => {
    await expect(keyCard(page).getByText('Primero agrega una llave de acceso aquí arriba.')).toBeVisible()
    await addPasskey(page, 'Mi llavero')
    await keyCard(page).getByRole('button', { name: 'Activar' }).click()
    await expect(dialog(page).getByText('Otras apps y programas ya no podrán retirar por ti')).toBeVisible()
    await expectAccessible(page, 390, 1280)
    await dialog(page).getByRole('button', { name: 'Firmar con llave de acceso' }).click()
    await closed(dialog(page))
    await expect(keyCard(page).getByText('Llave de acceso que mueve tu dinero: Mi llavero')).toBeVisible()
    await expect(keyCard(page).getByText('Activado')).toBeVisible()
    // The whole page: what a bar over it hides in part would count as too small to press.
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 4000 })
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 1280, height: 844 })
  })

  await test.step('codes move nothing any more', async () => {
    const call = { amount: '50', wallet_address: wallet, used_code: '1234567' }
    expect((await member.post('withdrawals/withdrawals/', call)).status).toBe(422)
    expect((await member.post('withdrawals/withdrawals/create-code/', {})).status).toBe(422)
    expect((await member.patch('auth/user/', { usdt_wallet: walletOf('other') })).status).toBe(422)
  })

  await test.step('a withdrawal is signed by the passkey, approved, and paid', async () => {
    await page.goto('/withdrawals')
    await reviewWithdrawal(page, '50')
    await expect(page.getByRole('button', { name: 'Generar código secreto' })).toHaveCount(0)
    await expectAccessible(page, 390, 1280)
    await page.getByRole('button', { name: /^¿Cuánto retiras/ }).click()
    const current = await requestWithdrawal(page, { amount: '50', code: null })
    const approvals = await openApprovals(browser, 'olga', NAME)
    await approve(approvals, 'olga', NAME, '50,00')
    await approvals.close()
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
    await keyCard(page).getByRole('button', { name: 'Desactivar' }).click()
    await dialog(page).getByRole('button', { name: 'Firmar con llave de acceso' }).click()
    await expect(keyCard(page).getByText('Desactivado')).toBeVisible()
    expect((await member.get('auth/user/')).body).toMatchObject({ passkey_only: false })
  })
})
