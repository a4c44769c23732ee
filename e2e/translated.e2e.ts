/** What moves money, and every page, while the browser translates the page. */
import { expect, type Page, test } from '@playwright/test'
import { codeByMail, inMail, PASSWORD } from '../tools/testing/client.ts'
import { approveByCode, openApprovals, rowAt } from './approving.ts'
import { confirm, turnOnCodes } from './deciding.ts'
import { OF_MEMBERS, OF_OPERATORS, OF_VISITORS, openWhole } from './every-page.ts'
import { firstHour } from './first-hour.ts'
import { closed, fillSignIn, heading, openAs, openIn, product } from './fixture.ts'
import { newMember, requestWithdrawal } from './payees.ts'
import { personAt } from './person.ts'
import { translated } from './translator.ts'
import { wordsIn } from './words.ts'

let faults: string[]
test.beforeEach(async ({ context }) => {
  faults = await translated(context)
})
/** Translated it is, and nothing broke. */
async function expectWhole(page: Page, place = page.url()): Promise<void> {
  await expect(page.locator('font').first()).toBeAttached()
  expect([place, faults]).toEqual([place, []])
}

const say = wordsIn('es')

/** Of this run alone. */
const named = (name: string) => `${name}${Date.now() % 1_000_000}`

test('a person who reads in translation is invited, invests, is paid, and withdraws', async ({ page }) => {
  await firstHour(personAt(page, 'es', 1280))
  await expectWhole(page)
})

/** Asks for this much with the code from the mailbox. */
const ask = (page: Page, username: string, amount: string) =>
  requestWithdrawal(page, {
    amount,
    code: () => codeByMail(product, `${username}@example.com`, `retirar ${inMail(amount)}`),
  })

test('a member signs in with a wrong and the right password, takes a withdrawal back, invests the balance, and sets codes up', async ({
  page,
}) => {
  const username = named('translated')
  await newMember(username, 200)
  await test.step('a wrong password, then the right one', async () => {
    await openIn(page, 'es', '/auth/login/')
    await fillSignIn(page, username, 'another-password')
    await expect(page.getByRole('alert')).toBeVisible()
    await fillSignIn(page, username, PASSWORD)
    await expect(heading(page, say('greeting'))).toBeVisible()
    await expectWhole(page)
  })
  await test.step('a withdrawal is asked for, and taken back', async () => {
    await page.goto('/withdrawals')
    const current = await ask(page, username, '30')
    await expect(page.locator('.withdrawal-available .figure')).toContainText(/170[.,]00/)
    await current.getByRole('button', { name: say('cancelWithdrawal') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('cancelWithdrawal') })
      .click()
    await expect(current.getByText('Cancelado por ti').first()).toBeVisible()
    await expect(page.locator('.withdrawal-available .figure')).toContainText(/200[.,]00/)
    await expectWhole(page)
  })
  await test.step('the balance is invested', async () => {
    await page.goto('/dashboard')
    await page
      .getByRole('button', { name: say('investNow') })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('textbox').fill('100')
    await dialog.getByRole('button', { name: say('invest'), exact: true }).click()
    await closed(dialog)
    await expect(page.locator('[data-figure="investment"]')).toContainText(/600[.,]00/)
    await expectWhole(page)
  })
  await test.step('a password that is wrong and short, then codes', async () => {
    await page.goto('/security')
    await page.getByLabel(say('currentPassword')).fill('another-password')
    await page.getByLabel(say('newPassword'), { exact: true }).fill('short')
    await page.getByLabel(say('repeatNew')).fill('other')
    await page.getByRole('button', { name: say('reset') }).click()
    await expect(page.getByText(say('tooShort'))).toBeVisible()
    await page.getByLabel(say('newPassword'), { exact: true }).fill('long-enough-now')
    await page.getByLabel(say('repeatNew')).fill('long-enough-now')
    await page.getByRole('button', { name: say('reset') }).click()
    await expect(page.getByText(say('wrong'))).toBeVisible()
    await turnOnCodes(page, PASSWORD)
    await expect(page.getByText(say('on'), { exact: true }).first()).toBeVisible()
    await expectWhole(page)
  })
})

test('a fundator converts a referral to master', async ({ page }) => {
  await openAs(page, 'luis', '/referrals')
  const convert = page.getByRole('button', { name: say('convert') })
  await expect(convert.first()).toBeVisible()
  const before = await convert.count()
  await convert.first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sí, estoy seguro' }).click()
  await expect(convert).toHaveCount(before - 1)
  await expectWhole(page)
})

test('an operator approves a withdrawal, and refuses another', async ({ page, context }) => {
  const username = named('translatedpay')
  const { client } = await newMember(username, 200)
  await openAs(page, client, '/withdrawals')
  const paid = await ask(page, username, '31')
  const approvals = await openApprovals(context, 'olga', username)
  await rowAt(approvals, username, '31,00').getByRole('checkbox').check()
  await approveByCode(approvals, 'olga')
  await expect(approvals.getByText('El firmante la aceptó')).toBeVisible()
  await expectWhole(approvals)
  await expect(paid.getByRole('listitem').last()).toHaveAttribute('data-state', 'done')
  await page.goto('/withdrawals')
  await ask(page, username, '32')
  await expectWhole(page)

  await openAs(page, 'omar', '/operator/withdrawals')
  const row = page.getByRole('row').filter({ hasText: username })
  // Journeys before left withdrawals that nobody decided.
  for (let at = 1; !(await row.isVisible()); at += 1) {
    await page.goto(`/operator/withdrawals?page=${at}`)
    await expect(page.getByRole('row').filter({ hasText: 'Por decidir' }).first()).toBeVisible()
  }
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Rechazar' }).click()
  await page.getByLabel('Motivo').fill('Para la prueba')
  await page.getByRole('dialog').getByRole('button', { name: 'Rechazar' }).click()
  await confirm(page, 'omar')
  await expect(row).toHaveCount(0)
  await expectWhole(page)
})

async function expectEveryPageWhole(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await openWhole(page, path)
    await expectWhole(page, path)
  }
}

test('no page of visitors, members or operators loses a text', async ({ page }) => {
  await openIn(page, 'es', '/auth/login/')
  await expectEveryPageWhole(page, OF_VISITORS)
  await openAs(page, 'ana')
  await expectEveryPageWhole(page, OF_MEMBERS)
  await openAs(page, 'olga')
  await expectEveryPageWhole(page, OF_OPERATORS)
})
