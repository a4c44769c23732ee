/** Every screen of a member, in both languages, by mouse on a laptop and by finger on a phone: something done on each. */
import type { Locator, Page } from '@playwright/test'
import { journeyPassword } from '../tools/testing/journey-place.ts'
import { amended } from './amended.ts'
import { overflow } from './axe.ts'
import { said } from './english.ts'
import { expect, test } from './fixture.ts'
import { type Language, WORDS, type Words } from './words.ts'

/** Invested, brought in others, is paid; no other journey signs in as her. */
const MEMBER = 'sofiar'

interface Walk {
  readonly page: Page
  readonly words: Words
  readonly url: string
  readonly onPhone: boolean
  /** What is pressed: by mouse, or by finger. */
  press(thing: Locator): Promise<void>
}

const button = (walk: Walk, name: string | RegExp) =>
  walk.page.getByRole('button', { name, exact: true }).first()
const heading = (walk: Walk, name: string | RegExp) =>
  walk.page.getByRole('heading', { level: 1, name, exact: true })

/** Through the navigation, as a member goes; on a phone it has to be opened first. */
async function follow(walk: Walk, name: string): Promise<void> {
  const { page, words } = walk
  if (walk.onPhone) await walk.press(button(walk, words.menu))
  await walk.press(
    page.getByRole('navigation', { name: words.navigation }).getByRole('link', { name, exact: true }),
  )
}

/** Nothing of a list stands beside the window: on a phone each row is a card that names its figures. */
async function expectRows(walk: Walk, table: Locator): Promise<void> {
  const cell = table.locator('tbody tr').first().locator('td[data-label]').nth(1)
  await expect(cell.locator('.table-value')).toHaveText(/\S/)
  await expect(cell).toHaveCSS('display', walk.onPhone ? 'flex' : 'table-cell')
  expect(await overflow(walk.page)).toBe(0)
}

async function pagesOfVisitors(walk: Walk): Promise<void> {
  const { page, words, press } = walk
  await press(page.getByRole('link', { name: words.forgot }))
  await page.getByLabel(words.email).fill('nobody')
  await press(button(walk, words.send))
  await expect(page.getByText(words.badEmail)).toBeVisible()
  await press(page.getByRole('link', { name: words.haveCode }))
  await page.waitForURL('**/auth/reset-password**')
  await press(button(walk, words.reset))
  await expect(page.getByText(words.sevenDigits)).toBeVisible()

  await page.goto(`${walk.url}/auth/not-me/a-link`)
  await press(button(walk, words.notMe))
  await expect(page.getByRole('alert')).toContainText(words.badLink)
  expect(await overflow(page)).toBe(0)

  await page.goto(`${walk.url}/offline.html`)
  await expect(heading(walk, words.offline)).toBeVisible()
  expect(await overflow(page)).toBe(0)
  const again = page.waitForEvent('load')
  await press(button(walk, words.offlineAgain))
  await again
}

async function enter(walk: Walk): Promise<void> {
  const { page, words } = walk
  await page.goto(`${walk.url}/nowhere`)
  await expect(heading(walk, words.notFound)).toBeVisible()
  await walk.press(page.getByRole('link', { name: words.home }))
  await page.waitForURL('**/auth/login/')
  await page.getByLabel(words.identity).fill(MEMBER)
  await page.getByLabel(words.password, { exact: true }).fill(journeyPassword)
  await walk.press(button(walk, words.signIn))
  await page.waitForURL('**/dashboard')
}

async function staysAMember(walk: Walk): Promise<void> {
  await walk.page.goto(`${walk.url}/operator`)
  await expect(heading(walk, walk.words.notFound)).toBeVisible()
  await walk.page.goto(walk.url)
  await walk.page.waitForURL(`${walk.url}/dashboard`)
}

async function dashboard(walk: Walk): Promise<void> {
  const { page, words, press } = walk
  await expect(heading(walk, words.greeting)).toBeVisible()
  await expect(page.locator('[data-figure="investment"]')).toContainText('500.00')
  expect(await overflow(page)).toBe(0)
  await press(button(walk, words.investNow))
  const dialog = page.getByRole('dialog', { name: words.investTitle })
  await dialog.getByRole('textbox').fill('600')
  await press(dialog.getByRole('button', { name: words.invest, exact: true }))
  await expect(dialog.getByRole('img', { name: words.qr })).toBeVisible()
  await expect(dialog.getByText('603.00').first()).toBeVisible()
  await press(dialog.getByRole('button', { name: words.verify }))
  await expect(said(page, words.notSeen)).toBeVisible()
  expect(await overflow(page)).toBe(0)
  // The button that was pressed was busy and dropped the focus: the key is the dialog's all the same.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

async function payments(walk: Walk): Promise<void> {
  const { page, words, press } = walk
  await press(page.getByRole('link', { name: words.allPayments }))
  await expect(heading(walk, words.payments)).toBeVisible()
  const lists = page.locator('.payment-lists')
  await expectRows(walk, lists)
  await press(lists.locator('tbody tr td').first())
  await expect(lists.locator('.table-detail').getByText(words.rule)).toBeVisible()
  for (const name of words.paymentTabs) {
    const tab = lists.getByRole('tab', { name })
    await press(tab)
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    const rows = lists.locator('tbody tr td .table-value')
    await expect(rows.or(lists.locator('.state')).first()).toHaveText(/\S/)
    expect(await overflow(page)).toBe(0)
  }
}

async function history(walk: Walk): Promise<void> {
  const { page, words } = walk
  await follow(walk, words.history)
  await expect(heading(walk, words.history)).toBeVisible()
  await expectRows(walk, page.getByRole('main'))
  await walk.press(button(walk, words.copyLink))
  await expect(said(page, words.copied)).toBeVisible()
}

/** She is no fundator: the browser is told that she were, and she thinks better of it. */
async function referrals(walk: Walk): Promise<void> {
  const { page, words, press } = walk
  await follow(walk, words.referrals)
  await expectRows(walk, page.getByRole('main'))
  await page.evaluate("navigator.clipboard.writeText('')")
  await press(button(walk, words.copyLink))
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toMatch(new RegExp(`^${walk.url}/auth/register/\\d{7}$`))
  await press(button(walk, words.convert))
  const question = page.getByRole('alertdialog', { name: words.convertTitle })
  expect(await overflow(page)).toBe(0)
  await press(question.getByRole('button', { name: words.cancel }))
  await expect(question).toBeHidden()
  await press(button(walk, words.inactive))
  await expect(page).toHaveURL(/status=inactive/)
}

async function withdrawals(walk: Walk): Promise<void> {
  await follow(walk, walk.words.withdrawals)
  await expect(heading(walk, walk.words.myWithdrawals)).toBeVisible()
  await walk.press(button(walk, walk.words.submit))
  await expect(walk.page.getByText(walk.words.amountMissing)).toBeVisible()
  await walk.page.getByLabel(walk.words.amount, { exact: true }).fill('20')
  await expect(walk.page.locator('.withdrawal-quote dd').last()).toContainText('19.00')
  expect(await overflow(walk.page)).toBe(0)
}

async function tree(walk: Walk): Promise<void> {
  const { page, words } = walk
  await follow(walk, words.tree)
  await expect(page).toHaveTitle(words.unilevelTree)
  await expect(page.locator('.tree-card').first()).toBeVisible()
  await walk.press(page.locator('.tree-switch').getByText(words.binary, { exact: true }))
  await expect(page).toHaveTitle(words.binaryTree)
  await expect(page.locator('.tree-card').first()).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function profile(walk: Walk, lastName: string): Promise<void> {
  const { page, words } = walk
  await follow(walk, words.profile)
  const phone = page.getByLabel(words.phone)
  await phone.fill('call me')
  await phone.blur()
  await expect(page.getByText(words.badPhone)).toBeVisible()
  await phone.fill('')
  await page.getByLabel(words.lastName).fill(lastName)
  await walk.press(button(walk, words.save))
  await expect(page.getByText(words.saved)).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function security(walk: Walk): Promise<void> {
  const { page, words } = walk
  await follow(walk, words.security)
  await expect(heading(walk, words.security)).toBeVisible()
  await page.getByLabel(words.currentPassword).fill(journeyPassword)
  await page.getByLabel(words.newPassword, { exact: true }).fill('short')
  await page.getByLabel(words.repeatNew).fill('other')
  await walk.press(button(walk, words.reset))
  await expect(page.getByText(words.tooShort)).toBeVisible()
  await expect(page.getByText(words.differ)).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function lookAndChat(walk: Walk, message: string): Promise<void> {
  const { page, words, press } = walk
  await follow(walk, words.profile)
  for (const name of [words.look, words.chat]) await expect(button(walk, name)).toBeVisible()
  await follow(walk, words.security)
  await press(button(walk, words.look))
  const settings = page.getByRole('dialog', { name: words.lookTitle })
  await press(settings.getByText(words.dark, { exact: true }).first())
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
  await press(settings.getByRole('button', { name: words.resetLook }))
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'light')
  await press(settings.getByRole('button', { name: words.close }))

  await press(button(walk, words.chat))
  const chat = page.getByRole('dialog', { name: words.chat })
  await chat.getByLabel(words.message).fill(message)
  await press(chat.getByRole('button', { name: words.sendMessage }))
  await expect(chat.locator('.message').last()).toContainText(message)
  await expect(chat.getByText(words.sent, { exact: true })).toBeVisible()
  await press(chat.getByRole('button', { name: words.closeChat }))
  await expect(chat).toBeHidden()
}

async function walkThrough(walk: Walk, where: string): Promise<void> {
  await test.step('before the sign-in', () => pagesOfVisitors(walk))
  await test.step('the sign-in', () => enter(walk))
  await test.step('an operator’s page is not found by a member, and the root leads a signed-in member on', () =>
    staysAMember(walk))
  await test.step('the dashboard, and investing', () => dashboard(walk))
  await test.step('payments: five lists, each with rows or a word that there are none', () => payments(walk))
  await test.step('the history of investments', () => history(walk))
  await test.step('referrals: the copied link is the registration link', () => referrals(walk))
  await test.step('withdrawals', () => withdrawals(walk))
  await test.step('the tree', () => tree(walk))
  await test.step('the profile', () => profile(walk, `Rangel ${where}`))
  await test.step('security', () => security(walk))
  await test.step('the look and the chat, which go with every page', () =>
    lookAndChat(walk, `Greetings from ${where}`))
}

const WALKS: readonly [Language, 1280 | 390][] = [
  ['es', 1280],
  ['es', 390],
  ['en', 1280],
  ['en', 390],
]

for (const [language, width] of WALKS)
  test.describe(`in ${language} at ${width} pixels`, () => {
    const onPhone = width === 390
    test.use({ viewport: { width, height: onPhone ? 844 : 800 }, hasTouch: onPhone, isMobile: onPhone })

    test('a member does something on every screen', async ({ page, product }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await amended(page, '**/api/auth/user/', { is_fundator: true })
      await page.goto(`${product.url}/auth/login/`)
      await page.evaluate(`localStorage.setItem('language', '${language}')`)
      await page.reload()
      const press = (thing: Locator) => (onPhone ? thing.tap() : thing.click())
      const walk = { page, words: WORDS[language], url: product.url, onPhone, press }
      await walkThrough(walk, `${language} ${width}`)
    })
  })
