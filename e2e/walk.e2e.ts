/** Every screen of a member, in both languages, by mouse on a laptop and by finger on a phone: something done on each. */
import { expect, type Locator, test } from '@playwright/test'
import { journeyPassword } from '../tools/testing/journey-place.ts'
import { overflow } from './axe.ts'
import { amend, heading as headingOf, openIn, product, toast } from './fixture.ts'
import { reviewWithdrawal } from './payees.ts'
import { button, deviceOf, enter, go, type Person, personAt } from './person.ts'

/** Invested, brought in others, is paid; no other journey signs in as her. */
const MEMBER = 'sofiar'

const heading = ({ page }: Person, name: string | RegExp) => headingOf(page, name)

/** Through the navigation, as a member goes; on a phone it has to be opened first. */
async function follow(person: Person, name: string, title: string | RegExp = name): Promise<void> {
  const { page, say } = person
  if (person.onPhone) await person.press(button(person, say('menu')))
  const navigation = page.getByRole('navigation', { name: say('navigation') })
  await go(person, navigation.getByRole('link', { name, exact: true }), title)
}

/** Nothing of a list stands beside the window: on a phone each row is a card that names its figures. */
async function expectRows(person: Person, table: Locator): Promise<void> {
  const cell = table.locator('tbody tr').first().locator('td[data-label]').nth(1)
  await expect(cell.locator('.table-value')).toHaveText(/\S/)
  // Each row is a card on a phone, however its lines are laid out.
  if (person.onPhone) await expect(cell).not.toHaveCSS('display', 'table-cell')
  else await expect(cell).toHaveCSS('display', 'table-cell')
  expect(await overflow(person.page)).toBe(0)
}

/** On a phone a payment is two lines, and as tall as a finger. */
async function expectBriefRows({ page }: Person, table: Locator): Promise<void> {
  const lines = table.locator('tbody tr').first().locator('.brief > *')
  await expect(lines).toHaveText([/\$/, /·.*20\d\d/])
  const box = await table.locator('tbody tr').first().boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect(box?.height).toBeLessThan(72)
  expect(await overflow(page)).toBe(0)
}

async function pagesOfVisitors(person: Person): Promise<void> {
  const { page, say, press } = person
  await go(person, page.getByRole('link', { name: say('forgot') }), say('recover'))
  await page.getByLabel(say('email')).fill('nobody')
  await press(button(person, say('send')))
  await expect(page.getByText(say('badEmail'))).toBeVisible()
  await go(person, page.getByRole('link', { name: say('haveCode') }), say('chooseNew'))
  await press(button(person, say('reset')))
  await expect(page.getByText(say('sevenDigits'))).toBeVisible()

  await page.goto('/auth/not-me#a-link')
  await press(button(person, say('notMe')))
  await expect(page.getByRole('alert')).toContainText(say('badLink'))
  expect(await overflow(page)).toBe(0)

  // It comes back by itself after a while, and is to be pressed before.
  await page.route('/offline.html', (route) =>
    route.request().method() === 'HEAD' ? route.abort() : route.continue(),
  )
  await page.goto('/offline.html')
  await expect(heading(person, say('offline'))).toBeVisible()
  expect(await overflow(page)).toBe(0)
  const again = page.waitForEvent('load')
  await press(button(person, say('offlineAgain')))
  await again
}

async function signIn(person: Person): Promise<void> {
  const { page, say } = person
  await page.goto('/nowhere')
  await expect(heading(person, say('notFound'))).toBeVisible()
  await go(person, page.getByRole('link', { name: say('home') }), say('signInTitle'))
  await enter(person, MEMBER, journeyPassword)
  await expect(heading(person, say('greeting'))).toBeVisible()
}

async function staysAMember(person: Person): Promise<void> {
  await person.page.goto('/operator')
  await expect(heading(person, person.say('notFound'))).toBeVisible()
  await person.page.goto('/')
  await person.page.waitForURL('**/dashboard')
  await expect(heading(person, person.say('greeting'))).toBeVisible()
}

async function dashboard(person: Person): Promise<void> {
  const { page, say, press } = person
  await expect(page.locator('[data-figure="investment"]')).toContainText(say('written')('500.00'))
  expect(await overflow(page)).toBe(0)
  await press(button(person, say('investNow')))
  const dialog = page.getByRole('dialog', { name: say('investTitle') })
  await dialog.getByRole('textbox').fill('600')
  await press(dialog.getByRole('button', { name: say('invest'), exact: true }))
  await expect(dialog.getByRole('img', { name: say('qr') })).toBeVisible()
  await expect(dialog.getByText(say('written')('603.00')).first()).toBeVisible()
  await press(dialog.getByRole('button', { name: say('verify') }))
  await expect(toast(page, say('notSeen'))).toBeVisible()
  expect(await overflow(page)).toBe(0)
  await press(dialog.getByRole('button', { name: say('startOver') }))
  await press(page.getByRole('alertdialog').getByRole('button', { name: say('startOverConfirm') }))
  await expect(dialog.getByRole('textbox')).toHaveValue(/600/)
  // The button that was pressed is gone, and the focus with it: the key is the dialog's all the same.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

async function payments(person: Person): Promise<void> {
  const { page, say, press } = person
  await go(person, page.getByRole('link', { name: say('allPayments') }), say('payments'))
  const lists = page.locator('.payment-lists')
  if (person.onPhone) await expectBriefRows(person, lists)
  else await expectRows(person, lists)
  await press(lists.locator('tbody tr td').first())
  await expect(lists.locator('.table-detail').getByText(say('rule'))).toBeVisible()
  for (const name of say('paymentTabs')) {
    const tab = lists.getByRole('tab', { name })
    await press(tab)
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    const rows = lists.locator('tbody tr td .table-value')
    await expect(rows.or(lists.locator('.state')).first()).toHaveText(/\S/)
    expect(await overflow(page)).toBe(0)
  }
}

async function history(person: Person): Promise<void> {
  const { page, say } = person
  await follow(person, say('history'))
  await expectRows(person, page.getByRole('main'))
  await person.press(button(person, say('copyLink')))
  await expect(toast(page, say('copied'))).toBeVisible()
}

/** She is no fundator: the browser gets an answer that says so, and she cancels. */
async function referrals(person: Person): Promise<void> {
  const { page, say, press } = person
  await follow(person, say('referrals'))
  await expectRows(person, page.getByRole('main'))
  await page.evaluate("navigator.clipboard.writeText('')")
  await press(button(person, say('copyLink')))
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toMatch(new RegExp(`^${product.url}/auth/register/\\d{7}$`))
  await press(button(person, say('convert')))
  const question = page.getByRole('alertdialog', { name: say('convertTitle') })
  expect(await overflow(page)).toBe(0)
  await press(question.getByRole('button', { name: say('cancel') }))
  await expect(question).toBeHidden()
  await press(button(person, say('inactive')))
  await expect(page).toHaveURL(/status=inactive/)
}

async function withdrawals(person: Person): Promise<void> {
  await follow(person, person.say('withdrawals'), person.say('myWithdrawals'))
  await person.press(button(person, person.say('continue')))
  await expect(person.page.getByText(person.say('amountMissing'))).toBeVisible()
  await reviewWithdrawal(person.page, '20', person.language)
  await expect(person.page.locator('.withdrawal-quote dd').last()).toContainText(/19[.,]00/)
  expect(await overflow(person.page)).toBe(0)
}

async function tree(person: Person): Promise<void> {
  const { page, say } = person
  await follow(person, say('tree'), say('unilevelTree'))
  await expect(page).toHaveTitle(say('unilevelTree'))
  await expect(page.locator('.tree-card').first()).toBeVisible()
  await person.press(page.locator('.tree-switch').getByText(say('binary'), { exact: true }))
  await expect(page).toHaveTitle(say('binaryTree'))
  await expect(page.locator('.tree-card').first()).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function profile(person: Person, lastName: string): Promise<void> {
  const { page, say } = person
  await follow(person, say('profile'))
  const phone = page.getByLabel(say('phone'))
  await phone.fill('call me')
  await phone.blur()
  await expect(page.getByText(say('badPhone'))).toBeVisible()
  await phone.fill('')
  await page.getByLabel(say('lastName')).fill(lastName)
  await person.press(button(person, say('save')))
  await expect(page.getByText(say('saved'))).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function security(person: Person): Promise<void> {
  const { page, say } = person
  await follow(person, say('security'))
  await page.getByLabel(say('currentPassword')).fill(journeyPassword)
  await page.getByLabel(say('newPassword'), { exact: true }).fill('short')
  await page.getByLabel(say('repeatNew')).fill('other')
  await person.press(button(person, say('reset')))
  await expect(page.getByText(say('tooShort'))).toBeVisible()
  await expect(page.getByText(say('differ'))).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

async function lookAndChat(person: Person, message: string): Promise<void> {
  const { page, say, press } = person
  await follow(person, say('profile'))
  for (const name of [say('look'), say('chat')]) await expect(button(person, name)).toBeVisible()
  await follow(person, say('security'))
  await press(button(person, say('look')))
  const settings = page.getByRole('dialog', { name: say('lookTitle') })
  await press(settings.getByText(say('dark'), { exact: true }).first())
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
  await press(settings.getByRole('button', { name: say('resetLook') }))
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'light')
  await press(settings.getByRole('button', { name: say('close') }))

  await press(button(person, say('chat')))
  const chat = page.getByRole('dialog', { name: say('chat') })
  await chat.getByLabel(say('message')).fill(message)
  await press(chat.getByRole('button', { name: say('sendMessage') }))
  await expect(chat.locator('.message').last()).toContainText(message)
  await expect(chat.getByText(say('sent'), { exact: true })).toBeVisible()
  await press(chat.getByRole('button', { name: say('closeChat') }))
  await expect(chat).toBeHidden()
}

async function walkThrough(person: Person, where: string): Promise<void> {
  await test.step('before the sign-in', () => pagesOfVisitors(person))
  await test.step('the sign-in', () => signIn(person))
  await test.step('an operator’s page is not found by a member, and the root leads a signed-in member on', () =>
    staysAMember(person))
  await test.step('the dashboard, and investing', () => dashboard(person))
  await test.step('payments: five lists, each with rows or a word that there are none', () =>
    payments(person))
  await test.step('the history of investments', () => history(person))
  await test.step('referrals: the copied link is the registration link', () => referrals(person))
  await test.step('withdrawals', () => withdrawals(person))
  await test.step('the tree', () => tree(person))
  await test.step('the profile', () => profile(person, `Rangel ${where}`))
  await test.step('security', () => security(person))
  await test.step('the look and the chat, which go with every page', () =>
    lookAndChat(person, `Greetings from ${where}`))
}

for (const language of ['es', 'en'] as const)
  for (const width of [1280, 390] as const)
    test.describe(`in ${language} at ${width} pixels`, () => {
      test.use({ ...deviceOf(width), permissions: ['clipboard-read', 'clipboard-write'] })

      test('a member does something on every screen', async ({ page }) => {
        await amend(page, '**/api/auth/user/', { is_fundator: true })
        await openIn(page, language, '/auth/login/')
        await walkThrough(personAt(page, language, width), `${language} ${width}`)
      })
    })
