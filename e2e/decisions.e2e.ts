/** A decision from the console to the approvals page: proposed, shown, signed, applied. */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { openApprovals, signByCode } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { openAs, operatorsCode, speak } from './fixture.ts'

/** Confirms what the console asks a code for. */
async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Código de seis dígitos').fill(await operatorsCode('olga'))
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog).toBeHidden()
}

/** Proposes a plan in the console: another passive target, from the last day of a year on. */
async function proposePlan(page: Page, percent: string, year: number): Promise<Locator> {
  await openAs(page, 'olga', '/operator?tab=plan&new=1')
  await page.getByLabel('Meta por período').fill(percent)
  await page.getByLabel('Vigente desde el').fill(`${year}-12-31`)
  await page.getByRole('button', { name: 'Revisar cambios' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Proponer versión' }).click()
  await confirm(page)
  const waiting = page.locator('.proposed').filter({ hasText: String(year) })
  await expect(waiting.getByText('Espera aprobación')).toBeVisible()
  return waiting
}

test('a plan is proposed in the console, signed on the approvals page with what it changes, and then stored', async ({
  page,
  browser,
}) => {
  const waiting = await proposePlan(page, '9', 2093)
  await expect(page.getByRole('cell', { name: /2093/ })).toHaveCount(0)
  await expect(waiting.getByRole('link', { name: 'Ir a aprobar' })).toBeVisible()
  await expectAccessible(page, 390, 1280)

  const olga = await openApprovals(browser, 'olga')
  const shown = olga.locator('.decision').filter({ hasText: '2093' })
  await expect(shown.getByText('Reemplazar el plan')).toBeVisible()
  await expect(shown.getByText('Ganancia pasiva: meta por período')).toBeVisible()
  await expect(shown.locator('del')).toHaveText('10%')
  await expect(shown.locator('ins')).toHaveText('9%')
  await expectAccessible(olga, 390, 1280)
  await shown.getByRole('checkbox').check()
  await olga.getByRole('button', { name: 'Revisar decisiones' }).click()
  await expect(olga.getByRole('heading', { name: 'Vas a firmar 1 decisión' })).toBeVisible()
  await expectAccessible(olga, 390, 1280)
  await signByCode(olga, 'olga')
  await expect(olga.getByText('El firmante la aceptó')).toBeVisible()
  await expect(olga.getByText('1 decisión tiene todas sus aprobaciones y se aplicó.')).toBeVisible()
  await olga.getByRole('button', { name: 'Volver a la lista' }).click()
  await expect(shown).toHaveCount(0)

  // The console hears of it by itself; loaded anew it says the same.
  await expect(waiting).toHaveCount(0)
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
})

test('a proposal that is taken back is not there to be signed, also where it was chosen before', async ({
  page,
  browser,
}) => {
  const waiting = await proposePlan(page, '8', 2094)
  const olga = await openApprovals(browser, 'olga')
  const shown = olga.locator('.decision').filter({ hasText: '2094' })
  await shown.getByRole('checkbox').check()
  await waiting.getByRole('button', { name: 'Retirar' }).click()
  await confirm(page)
  await expect(waiting).toHaveCount(0)
  await expect(shown.getByText('Ya no está: se canceló o se decidió')).toBeVisible()
  await expect(olga.getByRole('button', { name: 'Revisar decisiones' })).toHaveCount(0)
  await shown.getByRole('checkbox').click()
  await expect(shown).toHaveCount(0)
  await speak(page, 'en')
  await expect(page.getByRole('cell', { name: /2094/ })).toHaveCount(0)
})
