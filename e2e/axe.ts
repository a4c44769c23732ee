/** What axe finds on a page, whether the page fits its window, and in which themes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every rule of WCAG 2.2 A and AA that axe knows. */
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** Those of them that another colour can break. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Each rule that is broken, with where. */
export const axeFaults = (page: Page): Promise<string[]> => runAxe(page, { runOnly: RULES })

/** The same, of every rule there is: also of those that are only good advice. */
export const everyFault = (page: Page): Promise<string[]> => runAxe(page, {})

/** The same, of the rules about colours alone. */
export const colorFaults = (page: Page): Promise<string[]> => runAxe(page, { runOnly: COLOR_RULES })

/** What floats at the window's edges. It covers whatever row lies under it just then, which axe would take for a small target. */
const FLOATING = '.phone-bar, .demo-bar, .chat-button, .settings-tab, .shell-top'

/** Axe stays in a page for the next time, and reports violations alone: with all that is right it took three times as long. */
async function runAxe(page: Page, rules: object): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const options = { ...rules, resultTypes: ['violations'], iframes: false }
  return page.evaluate<string[]>(`(async () => {
    const floating = [...document.querySelectorAll(${JSON.stringify(FLOATING)})]
    for (const element of floating) element.style.position = 'static'
    try {
      const { violations } = await axe.run(${JSON.stringify(options)})
      return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', '))
    } finally {
      for (const element of floating) element.style.position = ''
    }
  })()`)
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Fields of a narrow window with letters below 16 px: a phone enlarges the page around such a one, and leaves it so. */
const smallFields = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`innerWidth > 767 ? [] : [...document.querySelectorAll('input, select, textarea')]
    .filter(({ type }) => !['checkbox', 'radio', 'range', 'file', 'hidden'].includes(type))
    .filter((field) => Number(getComputedStyle(field).fontSize.replace('px', '')) < 16)
    .map((field) => 'below 16 px: ' + field.outerHTML.slice(0, 120))`)

/**
 * What is wrong with the page in both themes, one after the other without loading it again. The theme changes colours
 * alone, so in the second one only the rules about colours are checked.
 */
async function themeFaults(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [theme, faultsOf] of [
    ['dark', axeFaults],
    ['light', colorFaults],
  ] as const) {
    await setLook(page, { 'color-scheme': theme })
    const faults = await faultsOf(page)
    found.push(...faults.map((fault) => `${theme}: ${fault}`))
    if (theme === 'dark') found.push(...(await smallFields(page)))
    const wide = await overflow(page)
    if (wide > 0) found.push(`${theme}: ${wide} px too wide`)
  }
  return found
}

/** In both themes axe finds nothing, and the page fits its window: as it is shown now, or at each of these widths. */
export async function expectAccessible(page: Page, ...widths: readonly number[]): Promise<void> {
  for (const width of widths.length === 0 ? ['as shown'] : widths) {
    if (typeof width === 'number') await page.setViewportSize({ width, height: 844 })
    expect([page.url(), width, await themeFaults(page)]).toEqual([page.url(), width, []])
  }
}

/**
 * Sets a look at once, without the half second in which a page changes its colours.
 * @param look attributes of the page, without `data-`
 */
export async function setLook(page: Page, look: Record<string, string>): Promise<void> {
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
 * Waits until all colours and sizes have come. Some animations never end (a skeleton's shimmer); those that change a look are short.
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
