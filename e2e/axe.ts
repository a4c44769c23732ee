/** How a page is looked at by machine: what axe finds, whether it fits its window, and which theme it wears. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Every rule of WCAG 2.2 A and AA that axe knows. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Each rule that is broken, with where. */
export async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

export type Theme = 'dark' | 'light'

/** Puts the theme on, where it is not worn already. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  const worn = await page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
  if (!worn.includes(theme))
    await page
      .getByRole('button', { name: theme === 'light' ? 'Usar tema claro' : 'Usar tema oscuro' })
      .click()
}
