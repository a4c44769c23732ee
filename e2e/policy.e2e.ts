import { expect, type Page, test } from '@playwright/test'
import { openAs, product, watchPolicy } from './fixture.ts'

/** The pages of people are watched where axe looks at them (accessibility.e2e.ts). */
const OTHERS = ['auth/register/0000001', 'api/docs/', 'dev/mail'] as const

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.locator('h1, .boot h1').first()).toBeVisible()
  await expect(page.locator('.skeleton, .boot-mark')).toHaveCount(0)
}

/** Letters bring styles of their own, tag by tag. */
async function readLetter(page: Page): Promise<void> {
  await page.request.post('/api/auth/reset-password/send/', {
    data: { email: 'ana@demo.aval.example' },
  })
  const letters = async () => (await page.request.get('/dev/mail.json')).json() as Promise<{ name: string }[]>
  await expect.poll(async () => (await letters()).length).toBeGreaterThan(0)
  await page.goto(`/dev/mail/${(await letters())[0]?.name}`)
  const heading = page.frameLocator('iframe').locator('.ink').first()
  await expect(heading).toHaveCSS('font-size', '18px')
}

test('no page asks another origin for anything, nor needs what the policy stops', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  const faults = await watchPolicy(context)
  const page = await context.newPage()
  for (const path of OTHERS) {
    await visit(page, `/${path}`)
    expect([path, faults]).toEqual([path, []])
  }
  await readLetter(page)

  await openAs(page, 'olga', '/dashboard?show=reserves')
  await visit(page, '/dashboard')
  await page.getByRole('button', { name: 'Chat en vivo' }).click()
  const chat = page.getByRole('dialog', { name: 'Chat en vivo' })
  await expect(chat).toBeVisible()
  await chat.press('Escape')
  await expect(chat).toBeHidden()
  await visit(page, '/dashboard')
  await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
  await page.getByRole('dialog').getByRole('textbox').first().fill('700')
  const toast = page.locator('.toast').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Invertir', exact: true }).click()
  await toast
  await expect(page.locator('.qr svg')).toBeVisible()
  expect(faults).toEqual([])

  // The watch does find faults.
  const script = "document.body.insertAdjacentHTML('beforeend', '<b>text</b>')"
  await expect(page.evaluate(script)).rejects.toThrow(/Trusted/)
  await page.evaluate("document.body.setAttribute('style', 'color: red')")
  await page.evaluate("fetch('https://elsewhere.example/').catch(() => undefined)")
  await expect.poll(() => faults.join('\n')).toMatch(/insertAdjacentHTML|require-trusted-types/)
  await expect.poll(() => faults.join('\n')).toContain('style-src')
  await expect.poll(() => faults.join('\n')).toContain('elsewhere.example')
  await context.close()
})

test('a proof of work is solved by a worker that the policy lets run', async ({ page }) => {
  const solved = page.waitForEvent('worker')
  await page.goto('/auth/register/0')
  await page.locator('input').first().fill('someone')
  expect((await solved).url()).toContain(`${product.url}/assets/`)
})
