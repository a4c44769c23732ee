import { devnetAddress } from '@aval/tron'
import { z } from 'zod'
import { PASSWORD, register } from '../tools/testing/client.ts'
import { enterPassword, expect, test } from './fixture.ts'

const letters = z.array(z.object({ subject: z.string(), text: z.string() }))

/** The newest message to a member with this in its subject, as soon as there is one. */
async function letter(url: string, username: string, subject: string): Promise<string> {
  const find = async () => {
    const answer = await fetch(`${url}/dev/mail.json?to=${username}@example.com`)
    return letters.parse(await answer.json()).find((each) => each.subject.includes(subject))
  }
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  return (await find())?.text ?? ''
}

test('a wallet takes the code that comes by e-mail, and "this was not me" takes the wallet back', async ({
  page,
  product,
}) => {
  const { username } = await register(product.url)
  await enterPassword(page, product.url, username, PASSWORD)
  await page.waitForURL('**/dashboard**')
  await page.getByRole('link', { name: 'Perfil' }).click()

  // The checksum of an address with one letter changed is known to the server alone: it is said at the field.
  const wallet = devnetAddress('faucet')
  const field = page.getByLabel('Billetera USDT (TRC20)')
  await field.fill(`${wallet.slice(0, -1)}${wallet.endsWith('A') ? 'B' : 'A'}`)
  await page.getByLabel('Nombre', { exact: true }).fill('Sofía')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('No es una dirección TRC20')).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill(wallet)
  await page.getByRole('button', { name: 'Guardar cambios' }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`${username[0]}…@example.com`)
  const code = /\b\d{7}\b/.exec(await letter(product.url, username, 'código'))?.[0] ?? ''
  const wrong = String((Number(code) + 1) % 10_000_000).padStart(7, '0')
  await dialog.getByLabel('Código de tu correo').fill(wrong)
  await expect(dialog).toContainText('Intentos restantes: 4')
  await expect(dialog.getByLabel('Código de tu correo')).toHaveValue(wrong)
  await dialog.getByLabel('Código de tu correo').fill(code)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Cambiar', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText(wallet).first()).toBeAttached()
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Sofía')

  const link = /http\S+\/auth\/not-me\/\S+/.exec(await letter(product.url, username, 'cambió'))?.[0] ?? ''
  const visitor = await page.context().browser()?.newPage()
  if (visitor === undefined) throw new Error('there is no browser')
  await visitor.goto(link)
  // Looking does nothing; pressing does.
  await page.reload()
  await expect(page.getByText(wallet).first()).toBeAttached()
  await visitor.getByRole('button', { name: 'No fui yo: proteger mi cuenta' }).click()
  await expect(visitor.getByRole('heading', { name: 'Tu cuenta está protegida' })).toBeVisible()
  await visitor.close()
  await page.reload()
  await page.waitForURL('**/auth/login**')
  await enterPassword(page, product.url, username, PASSWORD)
  await page.waitForURL('**/dashboard**')
  await page.goto(`${product.url}/profile`)
  await expect(page.getByLabel('Billetera USDT (TRC20)')).toHaveValue('')
  await expect(page.getByText('no sale dinero hasta que restablezcas')).toBeVisible()
})
