/** Operators whose devices have passkeys: made on the page, pinned on the signer's machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { childEnvironment, root } from '../tools/core/config.ts'
import { ownKeyFile } from '../tools/supervisor/signer.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { openApprovals } from './approving.ts'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'

/** Makes a passkey on the page. @returns the line to hand over, and the fingerprint to read out */
export async function enrol(page: Page): Promise<{ line: string; fingerprint: string }> {
  await page.getByRole('link', { name: 'Crear mi llave' }).click()
  await page.getByRole('button', { name: 'Crear la llave' }).click()
  await expect(page.getByText('Llave creada')).toBeVisible()
  const shown = async (name: string) =>
    (await page.locator('dl > div').filter({ hasText: name, visible: true }).locator('code').textContent()) ??
    ''
  return { line: await shown('Línea'), fingerprint: await shown('Huella') }
}

/** On the signer's machine: shows whose key it is, asks, and pins it. @returns what it said */
async function pin(line: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(journeyDataDir, 'secrets.json'), 'utf8'))
  const file = ownKeyFile(journeyDataDir)
  const command = spawn(process.execPath, ['tools/keys.ts', 'approver', 'add', file, '--key', line], {
    cwd: root,
    env: childEnvironment({ SIGNER_PASSPHRASE: secrets.signerPassphrase }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  command.stdout.on('data', (part: Buffer) => (said += part))
  command.stdin.end('yes\n')
  expect(await once(command, 'close')).toEqual([0, null])
  return said
}

/** The page of an operator whose device has a passkey that the signer knows. */
export async function operatorWithKey(browser: Browser, username: string): Promise<Page> {
  const page = await openApprovals(browser, username)
  await addAuthenticator(page)
  const { line, fingerprint } = await enrol(page)
  await expectAccessible(page)
  expect(await pin(line)).toContain(fingerprint)
  await page.getByRole('link', { name: 'Retiros', exact: true }).click()
  return page
}

/** Chooses all that this search finds, and approves it by passkey. */
export async function approveFound(page: Page, typed: string, count: number): Promise<void> {
  const counted = count === 1 ? '1 retiro' : `${count.toLocaleString('es-CO')} retiros`
  await page.getByLabel('Buscar').fill(typed)
  await expect(page.getByText(`${counted} ·`)).toBeVisible()
  await page.getByLabel('Elegir todo lo que se muestra').check()
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByRole('heading', { name: `Vas a firmar ${counted}` })).toBeVisible()
  await page.getByRole('button', { name: 'Aprobar con mi llave' }).click()
}
