/** What operators confirm in the console. */
import { expect, type Page } from '@playwright/test'
import { operatorsCode } from './fixture.ts'

/** Confirms what the console asks a code for. */
export async function confirm(page: Page, username = 'olga'): Promise<void> {
  const field = page.getByLabel('Código de seis dígitos')
  // What asked for it lies behind, and goes a moment later.
  const dialog = page.getByRole('dialog').filter({ has: field })
  await field.fill(await operatorsCode(username))
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog).toBeHidden()
}
