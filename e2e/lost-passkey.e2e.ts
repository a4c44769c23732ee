/** A member loses the passkey that moves the money, and operators put a new one in its place. */
import { expect, test } from '@playwright/test'
import { PASSWORD, signIn } from '../tools/testing/client.ts'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { openAs, product } from './fixture.ts'
import { addPasskey, keyCard, sayLost, switchOn } from './member-keys.ts'
import { operatorWithKey } from './operator-keys.ts'
import { newMember, requestWithdrawal } from './payees.ts'

const NAME = 'lostpasskey'

test('a lost passkey is replaced by a new one when operators have approved it, and the new one pays', async ({
  page: telephone,
  browser,
}) => {
  const { client } = await newMember(NAME, 500)
  await openAs(telephone, client, '/security')
  await addAuthenticator(telephone)
  await addPasskey(telephone, 'Teléfono viejo')
  await switchOn(telephone, 'Teléfono viejo')

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await openAs(page, await signIn(product.url, NAME, PASSWORD), '/security')
  await addAuthenticator(page)
  await addPasskey(page, 'Teléfono nuevo')
  await sayLost(page, 'Teléfono nuevo')
  await expect(keyCard(page).getByText('Dos personas del equipo tienen que aprobar')).toBeVisible()
  await expectAccessible(page, 390, 1280)

  const olga = await operatorWithKey(browser, 'olga')
  const decision = olga.locator('.decision').filter({ hasText: NAME })
  await expect(decision.getByText('Reemplazar la llave de acceso perdida de un miembro')).toBeVisible()
  await expectAccessible(olga, 390, 1280)
  await decision.getByRole('checkbox').check()
  await olga.getByRole('button', { name: 'Revisar decisiones' }).click()
  await olga.getByRole('button', { name: 'Aprobar con mi llave' }).click()
  await expect(olga.getByText('1 decisión tiene todas sus aprobaciones y se aplicó.')).toBeVisible()

  await page.reload()
  await expect(keyCard(page).getByText('Llave de acceso que mueve tu dinero: Teléfono nuevo')).toBeVisible()
  await page.goto('/withdrawals')
  await requestWithdrawal(page, { amount: '50', code: null })
  await context.close()
})
