/** How a page is looked at by machine: what axe finds, whether it fits its window, and which theme it wears. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Every rule of WCAG 2.2 A and AA that axe knows. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that another colour can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Each rule that is broken, with where. Without frames there is no need for the page of its own that axe opens to join them. */
export async function axeFaults(page: Page): Promise<string[]> {
  return told(page, new AxeBuilder({ page }).setLegacyMode(true).withTags(RULES))
}

/** The same, of the rules about colours alone. */
export async function colorFaults(page: Page): Promise<string[]> {
  return told(page, new AxeBuilder({ page }).setLegacyMode(true).withRules(COLOR_RULES))
}

async function told(page: Page, axe: AxeBuilder): Promise<string[]> {
  await atRest(page)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

export type Theme = 'dark' | 'light'

/** Puts a theme on. */
export function wear(page: Page, theme: Theme): Promise<void> {
  return wearLook(page, { 'color-scheme': theme })
}

/** @param look attributes of the page, without `data-` */
export async function wearLook(page: Page, look: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(look))
    await page.evaluate(`document.documentElement.setAttribute('data-${name}', '${value}')`)
  await atRest(page)
}

/** When all colours and sizes have come. Some animations go on for ever (a skeleton's shimmer); those that change a look are short. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations === 1)
    .map(({ finished }) => finished.catch(() => undefined)))`)
}
