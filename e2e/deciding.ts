/** What operators confirm in the console. */
import { expect, type Page } from '@playwright/test'
import { operatorsCode } from './fixture.ts'

/**
 * Confirms what the console asks a code for.
 * @param who an operator of the demo by username, or what shows the code of another
 */
export async function confirm(page: Page, who: string | (() => Promise<string>) = 'olga'): Promise<void> {
  const field = page.getByLabel('Código de seis dígitos')
  // What asked for it lies behind, and goes a moment later.
  const dialog = page.getByRole('dialog').filter({ has: field })
  await field.fill(await (typeof who === 'string' ? operatorsCode(who) : who()))
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog).toBeHidden()
}
