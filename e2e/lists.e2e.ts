/** The lists as members were promised them, in English: names, columns, and what each row says. */
import { expect, type Page, type Route, test } from '@playwright/test'
import { DAY, pageOf, withdrawal } from '../apps/web/src/testing/figures.ts'
import { amend, heading, LAPTOP, openAs, problem, speak, toast } from './fixture.ts'
import { reviewWithdrawal } from './payees.ts'

const columns = (page: Page) => page.getByRole('main').getByRole('columnheader')
const rows = (page: Page) => page.getByRole('main').locator('tbody tr')

/** Answers a list as the server would: these rows, on every page of it. */
const listOf =
  (results: object[], total_pages = 1) =>
  (route: Route) =>
    route.fulfill({ json: { ...pageOf(...results), total_pages } })

test('payments: two tabs, what they list, and pages', async ({ page }) => {
  await openAs(page, 'ana', '/payments', 'en')
  await expect(heading(page, 'Payments')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My Payments' })).toBeVisible()
  await expect(page.getByText('All your payments and date.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Direct Payments' })).toHaveAttribute('aria-selected', 'true')
  const lists = page.locator('.payment-lists')
  await expect(lists.getByRole('columnheader')).toHaveText([
    'Date',
    'User',
    'Investment',
    'Level',
    'Amount',
    'Show details',
  ])
  await expect(lists.locator('tbody tr').first()).toContainText('@')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  await page.getByRole('tab', { name: 'Pasive Payments' }).click()
  await expect(lists.getByRole('columnheader')).toHaveText([
    'Date',
    'Investment amount',
    'Amount',
    'Show details',
  ])

  await test.step('pages are numbered from one, with a way forward and back', async () => {
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages.getByRole('button', { name: 'Prev' })).toBeDisabled()
    await expect(pages.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await pages.getByRole('button', { name: 'Next' }).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(pages.getByRole('button', { name: 'Prev' })).toBeEnabled()
    await pages.locator('.pagination-numbers button').last().click()
    await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled()
  })
})

test('withdrawals: what is available, what each state is called, and where the hash leads', async ({
  page,
}) => {
  await page.route(
    '**/api/withdrawals/withdrawals/?page=1',
    listOf([
      withdrawal({ id: 3, can_cancel: false }),
      withdrawal({
        id: 2,
        status: '2',
        stage: 'completed',
        payment_link: 'https://example.com/tx',
        can_cancel: false,
      }),
      withdrawal({ id: 1, status: '3', stage: 'refused', can_cancel: false }),
    ]),
  )
  await amend(page, '**/api/withdrawals/terms/', {
    wallet_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    available: '1000.00',
  })
  await openAs(page, 'ana', '/withdrawals', 'en')
  await expect(heading(page, 'My Withdrawals')).toBeVisible()
  await expect(page.getByText('Withdrawals are processed in 1 to 72 hours.')).toBeVisible()
  await expect(page.getByText('Available balance')).toBeVisible()
  await expect(page.locator('.withdrawal-available .figure')).toContainText('1,000.00')
  await expect(columns(page)).toHaveText(['Date', 'Amount (USD)', 'Status', 'Hash', 'Show details'])
  const badge = (name: string) => rows(page).locator('.badge').getByText(name, { exact: true })
  await expect(badge('Pending')).toHaveClass(/badge-wait/)
  await expect(badge('Approved')).toHaveClass(/badge-ok/)
  await expect(badge('Refused')).toHaveClass(/badge-bad/)
  await expect(
    rows(page).filter({ hasText: 'Approved' }).getByText('Completed', { exact: true }),
  ).toBeVisible()
  const view = page.getByRole('link', { name: /^View/ })
  await expect(view).toHaveCount(1)
  await expect(view).toHaveAttribute('href', 'https://example.com/tx')
  await expect(view).toHaveAttribute('target', '_blank')
  await expect(
    rows(page).filter({ hasText: 'Pending' }).getByRole('cell', { name: '-', exact: true }),
  ).toBeVisible()

  await test.step('the form: a wallet that was cleared, a code, and what is said', async () => {
    await reviewWithdrawal(page, '50', 'en')
    const wallet = page.getByLabel('USDT wallet (TRC20)')
    await wallet.selectOption('')
    const cleared = page.getByText('Wallet invalid, register USDT wallet on profile section and try again!')
    await expect(cleared).toBeVisible()
    await wallet.selectOption('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await expect(cleared).toBeHidden()
    const code = '**/api/withdrawals/withdrawals/create-code/'
    const generate = page.getByRole('button', { name: 'Generate secret code' })
    await page.route(code, problem(422, 'Not on a Sunday'), { times: 1 })
    await generate.click()
    await expect(toast(page, 'Not on a Sunday')).toBeVisible()
    await page.route(code, (route) => route.fulfill({ json: 'It is on its way' }))
    await generate.click()
    await expect(toast(page, 'It is on its way')).toBeVisible()
    await expect(page.getByText('Check your inbox', { exact: false })).toBeVisible()
    await page.getByLabel('Secret code').fill('1234567')
    const send = '**/api/withdrawals/withdrawals/'
    await page.route(send, (route) => route.fulfill({ status: 400 }), { times: 1 })
    await page.getByRole('button', { name: /^Withdraw / }).click()
    await expect(toast(page, 'An error occurred')).toBeVisible()
    await page.route(send, (route) => route.fulfill({ status: 201, json: withdrawal({ id: 4 }) }))
    await page.getByRole('button', { name: /^Withdraw / }).click()
    await expect(toast(page, 'Withdrawal made successfully!')).toBeVisible()
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('')
    await expect(page.getByLabel('Secret code')).toHaveValue('')
  })
})

test('investments, referrals and the tree: names, columns and words', async ({ page }) => {
  const made = { date: DAY, amount: '50.00', txn_id: null, txid: null, explorer_url: null }
  const entry = { ...made, status: 'completed', reversed_at: null }
  const hash = { txid: '0b96f1d3324dff'.repeat(4), explorer_url: 'https://example.com/tx' }
  const reversed = { ...made, ...hash, status: 'reversed', reversed_at: DAY }
  await page.route(
    '**/api/plans/history/?page=1',
    listOf([
      { ...entry, id: 2, pay_with_balance: true, before_investment_value: '150.00' },
      { ...reversed, id: 1, pay_with_balance: false, before_investment_value: '100.00' },
    ]),
  )
  await openAs(page, 'luis', '/investment-history', 'en')
  await expect(heading(page, 'Investment history')).toBeVisible()
  await expect(columns(page)).toHaveText(['Date', 'Amount', 'Payment method', 'New investment value'])
  await expect(rows(page).first()).toContainText('Paid with balance')
  await expect(rows(page).first()).toContainText('150.00')
  await expect(rows(page).last()).toContainText('USDT TRC20')
  await expect(rows(page).last()).toContainText('Reversed on')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()

  await test.step('a reversed investment leaves the last column in sight on a tablet', async () => {
    await speak(page, 'es')
    await page.setViewportSize({ width: 768, height: 1024 })
    await expect(rows(page).last()).toContainText('Revertida el')
    const box = page.locator('.table-box')
    expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    await page.setViewportSize(LAPTOP)
    await speak(page, 'en')
  })

  await test.step('numbers run from one to the last page, with gaps where they are many', async () => {
    const many = listOf([{ ...entry, id: 2, pay_with_balance: true, before_investment_value: '150.00' }], 40)
    await page.route(/\/api\/plans\/history\/\?page=/, many)
    await page.reload()
    const numbers = page.getByRole('navigation', { name: 'Pages' }).locator('.pagination-numbers li')
    await expect(numbers).toHaveText(['1', '2', '3', '4', '5', /^\D*$/, '40'])
    await numbers.last().getByRole('button').click()
    await expect(page).toHaveURL(/page=40/)
    await expect(numbers).toHaveText(['1', /^\D*$/, '36', '37', '38', '39', '40'])
  })

  const figures = { invested: '500.00', brought: '1700.00', earned: '49.50' }
  const person = { date: DAY, referred_username: 'eva', referred_email: 'eva@example.com', ...figures }
  await page.route(
    '**/api/tree/get-referrals/?page=1',
    listOf([
      { ...person, id: 3, status: true, is_master_code: false, referred_phone_number: '+573001234567' },
      { ...person, id: 2, status: false, is_master_code: true, referred_phone_number: '' },
    ]),
  )
  await page.goto('/referrals')
  await expect(heading(page, 'Referrals')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My Referrals' })).toBeVisible()
  await expect(page.getByText('All your referrals.')).toBeVisible()
  await expect(columns(page)).toHaveText([
    ...['User', 'Phone', 'Registration date', 'Status'],
    ...['Invested', 'Team brought', 'Earned you', 'Actions'],
  ])
  await expect(rows(page).first()).toContainText('$1,700.00')
  const [first, last] = [rows(page).first(), rows(page).last()]
  await expect(first).toContainText('eva@example.com')
  await expect(first.locator('.badge')).toHaveText('Active')
  await expect(first).toContainText('+573001234567')
  await expect(last.locator('.badge').first()).toHaveText('Inactive')
  await expect(last).toContainText('No phone number')
  await expect(last).toContainText('Master code activated!')
  await test.step('a confirmation is 32em wide at most, and a refusal is said', async () => {
    await page.route('**/api/tree/get-referrals/3/activate-master-code/', problem(403, 'Not today'))
    await first.getByRole('button', { name: /^Convert to master/ }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toHaveAttribute('style', /max-width: 32em/)
    await expect(question.locator('.confirm-mark')).toBeVisible()
    await question.getByRole('button', { name: "Yes, i'm sure!" }).click()
    await expect(toast(page, 'Not today')).toBeVisible()
  })

  await page.goto('/network-marketing')
  await expect(page).toHaveTitle(/^My Unilevel Tree · /)
  await expect(page.getByRole('heading', { level: 2, name: 'Network Marketing' })).toBeVisible()
  await expect(page.getByText('Your Network Marketing.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Binary Tree' }).first()).toBeVisible()
})

test('on the narrowest phone no figure is broken, and the reserves fit', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openAs(page, 'ana', '/investment-history')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const broken = `[...document.querySelectorAll('td[data-figure-column] > .table-value')]
    .filter((value) => value.getBoundingClientRect().height > 30).map((value) => value.textContent)`
  expect(await page.evaluate<string[]>(broken)).toEqual([])
  await page.goto('/dashboard?show=reserves')
  await expect(page.getByRole('dialog').locator('.reserves-parts')).toBeVisible()
  const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.dialog-body'))`
  expect(await page.evaluate<number>(beyond)).toBe(0)
})
