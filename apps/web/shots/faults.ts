/** What a machine sees of a page as it is shown. */
import type { Page } from '@playwright/test'

/** Runs in the page. @returns a line for each fault */
const LOOK = `(() => {
  const faults = []
  const html = document.documentElement
  const over = html.scrollWidth - html.clientWidth
  if (over > 0) faults.push('scrolls sideways by ' + over + ' px')
  const nameOf = (one) => one.tagName.toLowerCase() + '.' + String(one.className?.baseVal ?? one.className).replaceAll(' ', '.')
  const isShown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.closest('[inert], [aria-hidden="true"], .visually-hidden, .sr-only') === null
  for (const one of document.querySelectorAll('body *')) {
    const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('')
    if (text === '' || !isShown(one)) continue
    // A name of a text that has no translation.
    if (/^[a-z][A-Za-z]*([.:][a-z][A-Za-z_]*)+$/.test(text) && !/@|\\.(example|com|png|csv|pdf)$/.test(text)) faults.push('a key is shown: ' + text)
    if (/\\{\\{|undefined|\\bNaN\\b|\\[object/.test(text)) faults.push('not filled in: ' + text)
    const style = getComputedStyle(one)
    const clips = style.overflowX === 'hidden' || style.overflowX === 'clip'
    if (clips && style.textOverflow !== 'ellipsis' && style.whiteSpace !== 'normal' && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1) faults.push('cut off: ' + nameOf(one) + ' ' + text.slice(0, 40))
    const box = one.getBoundingClientRect()
    const scrolls = one.closest('.table-scroll, .tabs, [role="tablist"], .tree-view, [data-scrolls]') !== null
    if (!scrolls && box.width > 1 && (box.right > html.clientWidth + 1 || box.left < -1) && style.position !== 'fixed' && one.closest('.skip-link, .sidebar, .tree-stage, thead, svg') === null) faults.push('out of the window: ' + nameOf(one) + ' ' + text.slice(0, 40))
  }
  for (const one of document.querySelectorAll('button, a[href], input:not([type="hidden"]), select, [role="tab"], [role="menuitem"]')) {
    if (!isShown(one)) continue
    const box = one.getBoundingClientRect()
    const inText = one.tagName === 'A' && getComputedStyle(one).display === 'inline'
    const label = (one.labels?.[0] ?? one.closest('label'))?.getBoundingClientRect()
    const high = Math.max(box.height, label?.height ?? 0)
    if (box.width > 1 && !inText && high < 24 && one.closest('svg') === null) faults.push('a target of ' + Math.round(high) + ' px: ' + nameOf(one) + ' ' + (one.textContent ?? '').slice(0, 30))
  }
  return [...new Set(faults)]
})()`

/** Nothing scrolls sideways, is cut off, out of the window, too small to be pressed, or shows the name of a text in its place. */
export const visibleFaults = (page: Page): Promise<string[]> => page.evaluate<string[]>(LOOK)

/** Collects what the console says; `take` gives it out and begins again. Calls that were made to fail are said there, too. */
export function watchConsole(page: Page) {
  let said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_FAILED/.test(message.text()))
      said.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => said.push(`thrown: ${error.message}`))
  return {
    take: () => {
      const all = said
      said = []
      return all
    },
  }
}
