import { expect, figure, signIn, signOut, test } from './fixture.ts'

test('a person is invited, registers, invests, is paid the next day, and the sponsor sees the commission', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const username = `nuevo${Date.now() % 1_000_000}`
  const password = 'una-clave-larga'

  await test.step('the sponsor copies the registration link', async () => {
    await signIn(page, product.url, 'ana')
  })
  const link = await page
    .getByText(/\/auth\/register\/\d{7}/)
    .first()
    .textContent()
  const invitation = /\/auth\/register\/\d{7}/.exec(link ?? '')?.[0] ?? ''
  await signOut(page)

  await test.step('the link says who invites, and registers', async () => {
    await page.goto(`${product.url}${invitation}`)
    await expect(page.getByText('te invitó')).toBeVisible()
    await page.getByLabel('Usuario').fill(username)
    await page.getByLabel('Correo electrónico').fill(`${username}@example.com`)
    await page.getByLabel('Contraseña', { exact: true }).fill(password)
    await page.getByLabel('Repite la contraseña').fill(password)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Crear cuenta' }).click()
    await page.waitForURL('**/dashboard**')
  })

  await test.step('the dashboard begins with zeros', async () => {
    await expect(page.locator('[data-figure="investment"]')).toContainText('0.00')
    expect(await figure(page, 'total')).toBe('0.00')
    expect(await figure(page, 'daily')).toBe('0.00')
  })

  await test.step('an investment of 1,000 asks for 1,005.00 at an address with its QR code', async () => {
    await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('1000')
    await dialog.getByRole('button', { name: 'Invertir', exact: true }).click()
    await expect(dialog.locator('[data-state="waiting"]')).toBeVisible()
    await expect(dialog.getByText('1,005.00').first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Verificar pago' }).click()
    await expect(page.getByText('Todavía no vemos tu pago', { exact: false })).toBeVisible()
  })

  await test.step('paid on the checkout page, the dialog turns to paid by itself, and Verify says so', async () => {
    const dialog = page.getByRole('dialog')
    const [checkout] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.locator('a[target="_blank"][href*="checkout"]').first().click(),
    ])
    await checkout.getByRole('button', { name: /1,?005/ }).click()
    await expect(checkout.getByText(/[0-9a-f]{64}/).first()).toBeVisible()
    await checkout.close()
    await expect(dialog.locator('[data-state="paid"]')).toBeVisible({ timeout: 30_000 })
    await dialog.getByRole('button', { name: 'Verificar pago' }).click()
    await expect(page.getByText('Pago confirmado', { exact: false }).first()).toBeVisible()
    await expect(page.locator('[data-figure="investment"]')).toContainText('1,000.00')
  })

  await test.step('a day later the profit is there, and explained', async () => {
    await page.getByRole('button', { name: 'Avanzar un día' }).click()
    await expect(page.locator('[data-figure="total"]')).toContainText('3.33', { timeout: 30_000 })
    expect(await figure(page, 'daily')).toBe('3.33')
    await page.goto(`${product.url}/payments?tab=passive`)
    await expect(page.getByText('3.33').first()).toBeVisible()
    await page.goto(`${product.url}/investment-history`)
    await expect(page.getByText('USDT TRC20').first()).toBeVisible()
  })

  await test.step('the sponsor sees the referral’s direct payment, and why', async () => {
    await page.goto(`${product.url}/dashboard`)
    await signOut(page)
    await signIn(page, product.url, 'ana')
    await page.goto(`${product.url}/payments`)
    const row = page.getByRole('row', { name: new RegExp(username) })
    await expect(row).toContainText('50.00')
    await row.getByRole('button').first().click()
    await expect(page.getByText(`que ${username} invirtió`, { exact: false })).toBeVisible()
  })
})
