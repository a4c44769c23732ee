import { createHash } from 'node:crypto'
import { addressFromPrivateKey } from '@aval/tron'
import type { Locator, Page } from '@playwright/test'
import { codeByMail } from '../tools/testing/client.ts'
import { journeyPassword } from '../tools/testing/journey-place.ts'
import { overflow } from './axe.ts'
import { expect, figure, test } from './fixture.ts'
import { type Language, WORDS, type Words } from './words.ts'

interface Hands {
  readonly page: Page
  readonly words: Words
  readonly url: string
  readonly onPhone: boolean
  /** What is pressed: by mouse, or by finger. */
  press(thing: Locator): Promise<void>
}

const button = ({ page }: Hands, name: string) => page.getByRole('button', { name, exact: true }).first()

async function enter(hands: Hands, username: string, password: string): Promise<void> {
  const { page, words } = hands
  await page.getByLabel(words.identity).fill(username)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await hands.press(button(hands, words.signIn))
  await page.waitForURL('**/dashboard**')
}

/** Signing out takes the language along with everything else. */
async function leave(hands: Hands, language: Language): Promise<void> {
  const { page, words } = hands
  await hands.press(page.getByRole('button', { name: words.account }))
  await hands.press(page.getByRole('menuitem', { name: words.signOut }))
  await page.waitForURL('**/auth/login**')
  await speak(page, language)
}

async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate(`localStorage.setItem('language', '${language}')`)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** @returns the path that the sponsor's dashboard gives out */
async function invitation({ page }: Hands): Promise<string> {
  const link = await page
    .getByText(/\/auth\/register\/\d{7}/)
    .first()
    .textContent()
  return /\/auth\/register\/\d{7}/.exec(link ?? '')?.[0] ?? ''
}

async function register(hands: Hands, username: string, password: string): Promise<void> {
  const { page, words } = hands
  await expect(page.getByText(words.invitedYou)).toBeVisible()
  await page.getByLabel(words.username, { exact: true }).fill(username)
  await page.getByLabel(words.email, { exact: true }).fill(`${username}@example.com`)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByLabel(words.repeat).fill(password)
  await page.getByRole('checkbox').check()
  expect(await overflow(page)).toBe(0)
  await hands.press(button(hands, words.createAccount))
  await page.waitForURL('**/dashboard**')
}

async function askForAddress(hands: Hands): Promise<void> {
  const { page, words, press } = hands
  await press(button(hands, words.investNow))
  const dialog = page.getByRole('dialog', { name: words.investTitle })
  await dialog.getByRole('textbox').fill(words.tenThousand)
  await press(dialog.getByRole('button', { name: words.invest, exact: true }))
  await expect(dialog.locator('[data-state="waiting"]')).toBeVisible()
  await expect(dialog.getByRole('img', { name: words.qr })).toBeVisible()
  await expect(dialog.getByText('10,050.00').first()).toBeVisible()
  await press(dialog.getByRole('button', { name: words.verify }))
  await expect(page.getByText(words.notSeen, { exact: false })).toBeVisible()
}

async function pay(hands: Hands): Promise<void> {
  const { page, words, press } = hands
  const dialog = page.getByRole('dialog')
  const [checkout] = await Promise.all([
    page.context().waitForEvent('page'),
    press(dialog.locator('a[target="_blank"][href*="checkout"]').first()),
  ])
  await checkout.getByRole('button', { name: /10,?050/ }).click()
  await expect(checkout.getByText(/[0-9a-f]{64}/).first()).toBeVisible()
  await checkout.close()
  await expect(dialog.locator('[data-state="paid"]')).toBeVisible({ timeout: 30_000 })
  await press(dialog.getByRole('button', { name: words.verify }))
  await expect(page.getByText(words.paid, { exact: false }).first()).toBeVisible()
  await expect(page.locator('[data-figure="investment"]')).toContainText('10,000.00')
}

async function dayLater(hands: Hands): Promise<void> {
  const { page, words } = hands
  await hands.press(button(hands, words.advance))
  await expect(page.locator('[data-figure="total"]')).toContainText('33.33', { timeout: 30_000 })
  expect(await figure(page, 'daily')).toBe('33.33')
  await page.goto(`${hands.url}/payments?tab=passive`)
  await expect(page.locator('.payment-lists tbody').getByText('33.33').first()).toBeVisible()
  await page.goto(`${hands.url}/investment-history`)
  await expect(page.getByText('USDT TRC20').first()).toBeVisible()
}

/** The form misses a wallet, leads to where it is registered, and from there back. */
async function registerWallet(hands: Hands, username: string, wallet: string): Promise<void> {
  const { page, words, press } = hands
  await page.goto(`${hands.url}/withdrawals`)
  await press(page.getByRole('link', { name: words.toProfile }))
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeVisible()
  await page.getByLabel(words.wallet).fill(wallet)
  await press(button(hands, words.save))
  const code = await codeByMail({ url: hands.url }, `${username}@example.com`, words.walletLetter)
  await page.getByRole('dialog').getByLabel(words.mailCode).fill(code)
  await expect(page.getByRole('dialog')).toBeHidden()
  await press(page.getByRole('link', { name: words.backToWithdrawal }))
}

async function withdraw(hands: Hands, username: string, wallet: string): Promise<void> {
  const { page, words, press } = hands
  await expect(page.getByLabel(words.wallet)).toHaveValue(wallet)
  await page.getByLabel(words.amount, { exact: true }).fill('20')
  await expect(page.locator('.withdrawal-quote dd').last()).toContainText('19.00')
  await press(button(hands, words.generate))
  const code = await codeByMail({ url: hands.url }, `${username}@example.com`, words.withdrawLetter)
  await page.getByLabel(words.secretCode).fill(code)
  await press(button(hands, words.submit))
  await expect(page.getByText(words.withdrawn)).toBeVisible()
  const current = page.getByRole('region', { name: words.withdrawalOf })
  await expect(current.getByRole('button', { name: words.cancelWithdrawal })).toBeVisible()
  await expect(page.locator('.withdrawal-available .figure')).toContainText('13.33')
  expect(await overflow(page)).toBe(0)
}

async function firstHour(hands: Hands, language: Language): Promise<void> {
  const { page, words, url } = hands
  const username = `nuevo${Date.now() % 1_000_000}`
  const password = 'una-clave-larga'
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())

  await page.goto(`${url}/auth/login/`)
  await speak(page, language)
  await enter(hands, 'ana', journeyPassword)
  const link = await test.step('the sponsor has a registration link', () => invitation(hands))
  await leave(hands, language)
  await page.goto(`${url}${link}`)
  await test.step('the link says who invites, and registers', () => register(hands, username, password))
  await test.step('the dashboard begins with zeros', async () => {
    await expect(page.locator('[data-figure="investment"]')).toContainText('0.00')
    expect(await figure(page, 'total')).toBe('0.00')
    expect(await figure(page, 'daily')).toBe('0.00')
  })
  await test.step('10,000 ask for 10,050.00 at an address with its QR code', () => askForAddress(hands))
  await test.step('once paid on the checkout page, the dialog says so by itself', () => pay(hands))
  await test.step('a day later the profit is there, and explained', () => dayLater(hands))
  await test.step('a wallet is registered', () => registerWallet(hands, username, wallet))
  await test.step('a withdrawal is asked for', () => withdraw(hands, username, wallet))
  await test.step('the sponsor sees the referral’s direct payment, and why', async () => {
    await leave(hands, language)
    await enter(hands, 'ana', journeyPassword)
    await page.goto(`${url}/payments`)
    const row = page.getByRole('row', { name: new RegExp(username) })
    await expect(row).toContainText('500.00')
    await hands.press(row.getByRole('button').first())
    await expect(page.getByText(words.why(username), { exact: false })).toBeVisible()
  })
}

for (const [language, width] of [
  ['es', 390],
  ['en', 1280],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    const onPhone = width === 390
    test.use({ viewport: { width, height: onPhone ? 844 : 800 }, hasTouch: onPhone, isMobile: onPhone })

    test('a person is invited, registers, invests, is paid the next day, withdraws, and the sponsor sees the commission', async ({
      page,
      product,
    }) => {
      const press = (thing: Locator) => (onPhone ? thing.tap() : thing.click())
      await firstHour({ page, words: WORDS[language], url: product.url, onPhone, press }, language)
    })
  })
