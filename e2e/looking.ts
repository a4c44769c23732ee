/** Looks at whole pages in every theme, language and width that they are judged in. */
import type { Page } from '@playwright/test'
import { axeFaults, overflow, wear } from './axe.ts'
import { expect } from './fixture.ts'

/** Each page in Spanish on a laptop, then in English on a phone; in both themes without being loaded anew. */
export const PASSES = [
  { language: 'es', width: 1280, themes: ['dark', 'light'] },
  { language: 'en', width: 390, themes: ['light', 'dark'] },
] as const
type Pass = (typeof PASSES)[number]

/** What axe finds in the two themes of a pass, and by how much the page is too wide. */
async function faults(page: Page, { width, themes }: Pass): Promise<string[]> {
  const found: string[] = []
  for (const theme of themes) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    found.push(...(await axeFaults(page)).map((fault) => `${theme}, ${width}: ${fault}`))
    const over = await overflow(page)
    if (over > 0) found.push(`${width}: ${over} px too wide`)
  }
  return found
}

/** One page in all four looks. */
export async function faultsOfAll(page: Page): Promise<string[]> {
  return [...(await faults(page, PASSES[0])), ...(await faults(page, PASSES[1]))]
}

/** Loads each page, waits for all that it shows, and looks at it. */
export async function lookThrough(
  page: Page,
  url: string,
  paths: readonly string[],
  pass: Pass,
): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize({ width: pass.width, height: 844 })
    await page.goto(`${url}/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect([path, await faults(page, pass)]).toEqual([path, []])
  }
}
