/** Hands for the screens in English. */
import { expect, type Locator, type Page, type Route } from '@playwright/test'

export async function inEnglish(page: Page): Promise<void> {
  await page.evaluate("localStorage.setItem('language', 'en')")
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
}

/** The toast that says this. */
export const said = (page: Page, text: string): Locator =>
  page.locator('.toast').filter({ hasText: text }).first()

/** A refusal as the server words it. */
export const problem = (status: number, detail: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', json: { status, detail, code: 'x' } })
