/** How a page is looked at by machine: what axe finds, whether it fits its window, and which theme it wears. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every rule of WCAG 2.2 A and AA that axe knows. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that another colour can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Each rule that is broken, with where. */
export function axeFaults(page: Page): Promise<string[]> {
  return told(page, { type: 'tag', values: RULES })
}

/** The same, of every rule there is: also of those that are only good advice. */
export function everyFault(page: Page): Promise<string[]> {
  return told(page, null)
}

/** The same, of the rules about colours alone. */
export function colorFaults(page: Page): Promise<string[]> {
  return told(page, { type: 'rule', values: COLOR_RULES })
}

/** Axe stays in a page for the next time, and tells of what is broken alone: with all that is right it took three times as long. */
async function told(
  page: Page,
  runOnly: { type: string; values: readonly string[] } | null,
): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const options = { ...(runOnly !== null && { runOnly }), resultTypes: ['violations'], iframes: false }
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`)
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

/**
 * Puts a look on at once, without the half second in which a page changes its colours.
 * @param look attributes of the page, without `data-`
 */
export async function wearLook(page: Page, look: Record<string, string>): Promise<void> {
  await page.evaluate(`(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets = [still]
    for (const [name, value] of ${JSON.stringify(Object.entries(look))})
      document.documentElement.setAttribute('data-' + name, value)
  })()`)
  await atRest(page)
}

/**
 * When all colours and sizes have come. Some animations go on for ever (a skeleton's shimmer); those that change a look are short.
 * Where a colour is inherited, one begins when another ends.
 */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const running = () => document.getAnimations().filter(
      ({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations === 1)
    for (let all = running(); all.length > 0; all = running())
      await Promise.all(all.map(({ finished }) => finished.catch(() => undefined)))
  })()`)
}
