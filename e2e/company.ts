/** Who plays in a company's first week: its operators, one of whom joins in it, and the members they deal with. */
import { createHash } from 'node:crypto'
import { addressFromPrivateKey } from '@aval/tron'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { type Client, codeByMail, mailTo, PASSWORD, register, signIn } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { freshCode } from '../tools/testing/one-time-code.ts'
import { until } from '../tools/testing/until.ts'
import { confirm, turnOnCodes } from './deciding.ts'
import { fillSignIn, heading, LAPTOP, openAs, operatorsCode, product } from './fixture.ts'
import { invest } from './payees.ts'

/** An operator at the console, in a browser of their own. */
export interface Operator {
  readonly page: Page
  readonly username: string
  /** What the authenticator shows, good for one more time. */
  code(): Promise<string>
  /** Confirms what was decided. */
  confirm(): Promise<void>
}

export const ownPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ viewport: LAPTOP })).newPage()

const operatorAt = (page: Page, username: string, code: () => Promise<string>): Operator => ({
  page,
  username,
  code,
  confirm: () => confirm(page, code),
})

/** An operator of the demo, signed in. */
export async function demoOperator(browser: Browser, username: string): Promise<Operator> {
  const page = await ownPage(browser)
  await openAs(page, username, '/operator')
  return operatorAt(page, username, () => operatorsCode(username))
}

const CAST = ['carolina', 'esteban', 'valeria', 'rodrigo', 'gonzalo', 'mariela'] as const
const NAMES: Record<(typeof CAST)[number], readonly [first: string, last: string]> = {
  carolina: ['Carolina', 'Duarte'],
  esteban: ['Esteban', 'Lozano'],
  valeria: ['Valeria', 'Quiroga'],
  rodrigo: ['Rodrigo', 'Sáenz'],
  gonzalo: ['Gonzalo', 'Ibarra'],
  mariela: ['Mariela', 'Montes'],
}
export type Cast = Readonly<Record<(typeof CAST)[number], Client>>

export const own = async (client: Client) =>
  (await client.get('auth/user/')).body as { id: number; ref_code: string; balance: number }

async function join(name: (typeof CAST)[number], sponsor: Client | null): Promise<Client> {
  const client = await register(product.url, sponsor === null ? '0' : (await own(sponsor)).ref_code, name)
  const [first_name, last_name] = NAMES[name]
  await client.patch('auth/user/', { first_name, last_name })
  return client
}

/** Five in a line, the first and the fourth of whom have invested, and one who is to work here. */
export async function members(): Promise<Cast> {
  const carolina = await join('carolina', null)
  const esteban = await join('esteban', carolina)
  const valeria = await join('valeria', esteban)
  const rodrigo = await join('rodrigo', valeria)
  const gonzalo = await join('gonzalo', rodrigo)
  await Promise.all([invest(carolina, 500), invest(rodrigo, 500)])
  return { carolina, esteban, valeria, rodrigo, gonzalo, mariela: await join('mariela', null) }
}

/** Opens a page as a member, signed in again: what renews a session is good once. */
export async function asMember(page: Page, name: keyof Cast, path: string): Promise<Client> {
  const client = await signIn(product.url, name, PASSWORD)
  await openAs(page, client, path)
  return client
}

/** Registers a wallet with the code from the mailbox. @returns its address */
export async function registerWallet(client: Client): Promise<string> {
  const wallet = addressFromPrivateKey(createHash('sha256').update(client.username).digest())
  await client.patch('auth/user/', { usdt_wallet: wallet })
  const code = await codeByMail(product, `${client.username}@example.com`, 'billetera')
  const changed = await client.patch('auth/user/', { usdt_wallet: wallet, secret_code: code })
  expect(changed.status).toBe(200)
  return wallet
}

/** The part of the address after the origin that the invitation by mail leads to. */
async function invitationOf(member: Client): Promise<string> {
  const text = await until('the invitation', async () => {
    const letters = await mailTo(product, `${member.username}@example.com`)
    return letters.find(({ text }) => text.includes('/operator/invitation#'))?.text ?? null
  })
  return /\/operator\/invitation#[\w-]+/.exec(text)?.[0] ?? ''
}

/** Opens the invitation that came by mail, on a page of the member's own. */
export async function openInvitation(browser: Browser, member: Client): Promise<Page> {
  const page = await ownPage(browser)
  await openAs(page, member, await invitationOf(member))
  await expect(page.getByText('olga te invita a trabajar para la empresa.')).toBeVisible()
  return page
}

/** Sets up the authenticator first, for the invitation asks for it, and accepts. @returns the operator, signed in again */
export async function acceptInvitation(page: Page, { username }: Client): Promise<Operator> {
  const secret = await turnOnCodes(page, PASSWORD)
  const code = async () => (await freshCode(journeyDataDir, username, secret)) ?? ''
  await page.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.getByLabel('Código de tu aplicación de autenticación').fill(await code())
  await page.getByRole('button', { name: 'Aceptar' }).click()
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await fillSignIn(page, username, PASSWORD)
  await page.waitForURL('**/auth/otp**')
  await page.getByLabel('Código').fill(await code())
  await expect(page).toHaveURL(/\/operator/)
  return operatorAt(page, username, code)
}

export interface Week {
  readonly browser: Browser
  readonly cast: Cast
  readonly olga: Operator
  /** Joins on the first day, as treasurer. */
  readonly mariela: Operator
  /** Where members look at what is theirs. */
  readonly member: Page
}

export const row = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('row').filter({ hasText: text })

/** Leads the console to a page of the navigation. */
export async function open({ page }: Operator, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: false }).first().click()
  await expect(heading(page, name)).toBeVisible()
}
