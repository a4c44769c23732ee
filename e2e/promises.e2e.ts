/** The screens as members were promised them, in English: names, columns, states, and what is said when. */
import { expect, type Page, test } from '@playwright/test'
import { register } from '../tools/testing/client.ts'
import { amend, closed, holdBack, openAs, problem, product, toast } from './fixture.ts'
import { reviewWithdrawal } from './payees.ts'

const SOME_WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const INVEST = '**/api/plans/create-investment-payment/'

/** The figure beside a label of the dashboard. */
const tile = (page: Page, name: string) =>
  page
    .locator('.counters > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

test('a new member invests step by step, and forms say what is missing', async ({ page }) => {
  const member = await register(product.url)
  await openAs(page, member, '/dashboard', 'en')

  await test.step('the dashboard greets by name and shows what was promised', async () => {
    await expect(page).toHaveTitle(/^Dashboard · /)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      new RegExp(`^Good (Morning|Afternoon|Night), ${member.username}$`),
    )
    for (const name of ['Daily', 'Investment value', 'Total Profit'])
      await expect(page.getByRole('region', { name, exact: true })).toContainText('0.00')
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
    for (const name of ['Direct users', 'Indirect users']) await expect(tile(page, name)).toHaveText('0')
    const link = page.getByRole('textbox', { name: 'Your registration link' })
    await expect(link).toHaveText(new RegExp(`^${product.url}/auth/register/\\d{7}$`))
    await expect(link).toHaveAttribute('aria-readonly', 'true')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = toast(page, 'Link copied')
    // It goes by itself: looked for from before it comes.
    const seen = copied.boundingBox()
    await page.getByRole('button', { name: 'Copy link' }).first().click()
    await expect(copied).toBeVisible()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await link.textContent())
    const box = await seen
    if (box === null) throw new Error('the toast is nowhere')
    expect(Math.abs(box.x + box.width / 2 - 640)).toBeLessThan(12)
    expect(box.y).toBeLessThan(60)
  })

  await test.step('the dashboard draws the figures and the progress that it is answered', async () => {
    await amend(page, '**/api/core/dashboard/', {
      daily_payment: 3.33,
      investment_amount: 1000,
      total_profit: 28.33,
      investment_progress: 42,
      direct_users: 3,
      indirect_users: 7,
    })
    await page.reload()
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '42')
    for (const [name, figure] of [
      ['Daily', '3.33'],
      ['Investment value', '1,000.00'],
      ['Total Profit', '28.33'],
    ] as const)
      await expect(page.getByRole('region', { name, exact: true })).toContainText(figure)
    for (const [name, count] of [
      ['Direct users', '3'],
      ['Indirect users', '7'],
    ] as const)
      await expect(tile(page, name)).toHaveText(count)
    await page.unroute('**/api/core/dashboard/')
    await page.reload()
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
  })

  await page.getByRole('button', { name: 'Invest now' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Increase my investment' })
  const amount = dialog.getByRole('textbox')
  await test.step('step one checks the amount as it is typed and left, and offers no balance that is not there', async () => {
    await expect(dialog.getByRole('checkbox')).toHaveCount(0)
    const missing = dialog.getByText('Invest amount is required')
    await expect(missing).toBeHidden()
    await amount.focus()
    await amount.blur()
    await expect(missing).toBeVisible()
    await amount.fill('500')
    await expect(missing).toBeHidden()
    await amount.fill('')
    await dialog.getByRole('button', { name: 'Invest', exact: true }).click()
    await expect(missing).toBeVisible()
    await amount.fill('abc')
    await expect(dialog.getByText('Amount is invalid')).toBeVisible()
    await amount.fill('500')
    await expect(dialog.getByText('Amount is invalid')).toBeHidden()
  })

  await test.step('a failure is said in the server’s words, or that an error occurred', async () => {
    const invest = dialog.getByRole('button', { name: 'Invest', exact: true })
    await page.route(INVEST, (route) => route.fulfill({ status: 400 }), { times: 1 })
    await invest.click()
    await expect(toast(page, 'An error occurred')).toBeVisible()
    await page.route(INVEST, problem(422, 'Not on a Sunday'), { times: 1 })
    await invest.click()
    await expect(toast(page, 'Not on a Sunday')).toBeVisible()
  })

  await test.step('step two says what to send and where, and verifies', async () => {
    const letGo = await holdBack(page, INVEST)
    const invest = dialog.getByRole('button', { name: 'Invest', exact: true })
    await invest.click()
    await expect(invest).toHaveAttribute('aria-busy', 'true')
    await expect(invest.locator('.spinner')).toBeVisible()
    letGo()
    await expect(toast(page, 'Transaction created successfully!')).toBeVisible()
    await expect(dialog.getByText('502.50').first()).toBeVisible()
    await expect(dialog.getByText('To this address (USDT, TRC20 network)')).toBeVisible()
    const address = await dialog.locator('[data-address]').getAttribute('data-address')
    const code = dialog.getByRole('img', { name: `QR code of ${address}` })
    await expect(code).toHaveAttribute('width', '256')
    await expect(dialog.getByText('you can also click “Verify payment”', { exact: false })).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'More information' })).toHaveAttribute('href', /checkout/)
    const verify = dialog.getByRole('button', { name: 'Verify payment' })
    await page.route('**/api/plans/verify-investment-amount/', problem(422, 'Nothing seen yet'), { times: 1 })
    await verify.click()
    await expect(toast(page, 'Nothing seen yet')).toBeVisible()
    await page.route('**/api/plans/verify-investment-amount/', (route) =>
      route.fulfill({ json: 'It is paid' }),
    )
    await verify.click()
    await expect(toast(page, 'It is paid')).toBeVisible()
    await closed(dialog)
  })

  await test.step('a withdrawal wants an amount, a wallet and a code', async () => {
    const terms = '**/api/withdrawals/terms/'
    await amend(page, terms, { available: '100.00', balance: '100.00' })
    await page.goto('/withdrawals')
    const field = page.getByLabel('Amount', { exact: true })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Amount is required', { exact: true })).toBeVisible()
    await field.fill('abc')
    await expect(page.getByText('Amount is invalid')).toBeVisible()
    await field.fill('-5')
    await expect(page.getByText('Amount must be positive')).toBeVisible()
    await reviewWithdrawal(page, '50', 'en')
    await page.getByRole('button', { name: 'Register wallet' }).click()
    await expect(page.getByText('Wallet address USDT TRC20 is required.', { exact: true })).toBeVisible()
    await amend(page, terms, { available: '100.00', balance: '100.00', wallet_address: SOME_WALLET })
    await page.reload()
    await page.getByRole('button', { name: 'I already have a code' }).click()
    await page.getByRole('button', { name: /^Withdraw / }).click()
    await expect(page.getByText('Secret code is required.', { exact: true })).toBeVisible()
  })
})

test('the balance is offered whole, and pays without a second step', async ({ page }) => {
  // Others withdraw from the same balance meanwhile.
  await amend(page, '**/api/auth/user/', { balance: 123.45 })
  await amend(page, '**/api/plans/terms/', { balance: '123.45' })
  await openAs(page, 'luis', '/dashboard', 'en')
  await page.getByRole('button', { name: 'Invest now' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Increase my investment' })
  const whole = dialog.getByRole('checkbox', { name: /^Pay with my passive balance/ })
  await dialog.getByRole('textbox').fill('abc')
  await expect(dialog.getByText('Amount is invalid')).toBeVisible()
  await whole.check()
  await expect(dialog.getByText('Amount is invalid')).toBeHidden()
  await expect(dialog.getByRole('textbox')).toHaveValue('123.45')
  // What it does to the balance has a journey of its own.
  await page.route(INVEST, (route) => route.fulfill({ json: { message: 'Done' } }))
  await dialog.getByRole('button', { name: 'Invest', exact: true }).click()
  await expect(toast(page, 'Transaction successfully, investment increased!')).toBeVisible()
  await expect(dialog).toBeHidden()
})
