/** What a member does in the first hour, step by step. */
import { createHash } from 'node:crypto'
import { addressFromPrivateKey } from '@aval/tron'
import { expect, type Page, test } from '@playwright/test'
import { codeByMail } from '../tools/testing/client.ts'
import { overflow } from './axe.ts'
import { heading, openAs, openIn, product } from './fixture.ts'
import { requestWithdrawal, reviewWithdrawal } from './payees.ts'
import { advanceDay, button, leave, type Person } from './person.ts'

/** A figure of the dashboard is this number of USD, and no other that ends in it. */
const expectFigure = (page: Page, name: 'daily' | 'total', amount: string) =>
  expect(page.locator(`[data-figure="${name}"]`)).toHaveText(
    new RegExp(`^[^\\d.,]*${amount.replaceAll('.', '\\.')}[^\\d.,]*$`),
  )

/** @returns the path that the sponsor's dashboard gives out */
async function invitation({ page }: Person): Promise<string> {
  const link = await page
    .getByText(/\/auth\/register\/\d{7}/)
    .first()
    .textContent()
  return /\/auth\/register\/\d{7}/.exec(link ?? '')?.[0] ?? ''
}

async function register(person: Person, username: string): Promise<void> {
  const { page, say } = person
  const password = 'una-clave-larga'
  await expect(page.getByText(say('invitedYou'))).toBeVisible()
  await page.getByLabel(say('username'), { exact: true }).fill(username)
  await page.getByLabel(say('email'), { exact: true }).fill(`${username}@example.com`)
  await page.getByLabel(say('password'), { exact: true }).fill(password)
  await page.getByLabel(say('repeat')).fill(password)
  await page.getByRole('checkbox').check()
  expect(await overflow(page)).toBe(0)
  await person.press(button(person, say('createAccount')))
  await expect(heading(page, say('greeting'))).toBeVisible()
  // The form was long; the page it led to begins at its top.
  await expect(page.locator('[data-figure="investment"]')).toBeVisible()
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(0)
}

async function askForAddress(person: Person): Promise<void> {
  const { page, say, press } = person
  await press(button(person, say('investNow')))
  const dialog = page.getByRole('dialog', { name: say('investTitle') })
  await dialog.getByRole('textbox').fill(say('tenThousand'))
  await press(dialog.getByRole('button', { name: say('invest'), exact: true }))
  await expect(dialog.locator('[data-state="waiting"]')).toBeVisible()
  await expect(dialog.getByRole('img', { name: say('qr') })).toBeVisible()
  await expect(dialog.getByText(say('written')('10,050.00')).first()).toBeVisible()
  await press(dialog.getByRole('button', { name: say('verify') }))
  await expect(page.getByText(say('notSeen'), { exact: false })).toBeVisible()
}

async function pay(person: Person): Promise<void> {
  const { page, say, press } = person
  const dialog = page.getByRole('dialog')
  const [checkout] = await Promise.all([
    page.context().waitForEvent('page'),
    press(dialog.locator('a[target="_blank"][href*="checkout"]').first()),
  ])
  await checkout.getByRole('button', { name: /10,?050/ }).click()
  await expect(checkout.getByText(/[0-9a-f]{64}/).first()).toBeVisible()
  await checkout.close()
  await expect(dialog.locator('[data-state="paid"]')).toBeVisible()
  await press(dialog.getByRole('button', { name: say('done') }))
  await expect(page.locator('[data-figure="investment"]')).toContainText(say('written')('10,000.00'))
}

async function dayLater(person: Person): Promise<void> {
  const { page, say } = person
  await advanceDay(person)
  await expect(page.locator('[data-figure="total"]')).toContainText(say('written')('33.33'))
  await expectFigure(page, 'daily', say('written')('33.33'))
  await page.goto('/payments?tab=passive')
  await expect(page.locator('.payment-lists tbody').getByText(say('written')('33.33')).first()).toBeVisible()
  await page.goto('/investment-history')
  await expect(page.getByText('USDT TRC20').first()).toBeVisible()
}

/** A wallet that is missing is registered on the way, and the amount is kept. */
async function registerWallet(person: Person, username: string, wallet: string): Promise<void> {
  const { page, say, press } = person
  await page.goto('/withdrawals')
  await reviewWithdrawal(page, '20', person.language)
  await page.getByLabel(say('walletAddress')).fill(wallet)
  await press(button(person, say('registerWallet')))
  const code = await codeByMail(product, `${username}@example.com`, say('walletLetter'))
  await page.getByLabel(say('mailCode')).fill(code)
  await expect(page.getByLabel(say('wallet'))).toHaveValue(wallet)
  await expect(page.locator('.withdrawal-quote dd').last()).toContainText(/19[.,]00/)
}

async function withdraw(person: Person, username: string): Promise<void> {
  const { page, say, press, language } = person
  await press(page.getByRole('button', { name: say('howMuch') }))
  const code = () => codeByMail(product, `${username}@example.com`, say('withdrawLetter'))
  const current = await requestWithdrawal(page, { amount: '20', code, language })
  await expect(current.getByRole('button', { name: say('cancelWithdrawal') })).toBeVisible()
  await expect(page.locator('.withdrawal-available .figure')).toContainText(/13[.,]33/)
  expect(await overflow(page)).toBe(0)
}

/** A person is invited, registers, invests, is paid the next day, withdraws, and the sponsor sees the commission. */
export async function firstHour(person: Person): Promise<void> {
  const { page, say, language } = person
  const username = `nuevo${Date.now() % 1_000_000}`
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())

  await openAs(page, 'ana', '/dashboard', language)
  const link = await test.step('the sponsor has a registration link', () => invitation(person))
  await leave(person)
  await openIn(page, language, link)
  await test.step('the link says who invites, and registers', () => register(person, username))
  await test.step('the dashboard begins with zeros', async () => {
    await expect(page.locator('[data-figure="investment"]')).toContainText(say('written')('0.00'))
    await expectFigure(page, 'total', say('written')('0.00'))
    await expectFigure(page, 'daily', say('written')('0.00'))
  })
  await test.step('10,000 ask for 10,050.00 at an address with its QR code', () => askForAddress(person))
  await test.step('once paid on the checkout page, the dialog says so by itself', () => pay(person))
  await test.step('a day later the profit is there, and explained', () => dayLater(person))
  await test.step('a wallet is registered', () => registerWallet(person, username, wallet))
  await test.step('a withdrawal is asked for', () => withdraw(person, username))
  await test.step('the sponsor sees the referral’s direct payment, and why', async () => {
    await openAs(page, 'ana', '/payments', language)
    const row = page.getByRole('row', { name: new RegExp(username) })
    await expect(row).toContainText(say('written')('500.00'))
    await person.press(row.getByRole('button').first())
    await expect(page.getByText(say('why')(username), { exact: false })).toBeVisible()
  })
}
