/** What the browser's own translator does to a page, and extensions that mark words: for journeys that are read in translation. */
import type { BrowserContext } from '@playwright/test'

/**
 * Puts every text into two `<font>`s, also what is added or changed later, but what says that it is not to be translated. What a text
 * becomes is longer by a character that neither people nor locators see.
 */
const TRANSLATOR = `(() => {
  const KEPT = '[translate=no], .notranslate, script, style, noscript, title, textarea, code, svg, [data-translated]'
  const font = () => {
    const element = document.createElement('font')
    element.style.verticalAlign = 'inherit'
    return element
  }
  const translate = (text) => {
    if (text.parentElement === null || !/\\S/.test(text.data) || text.parentElement.closest(KEPT) !== null) return
    // React keeps hold of a text that stands beside others. One that is alone is written by way of its element.
    if (Object.keys(text).some((key) => key.startsWith('__reactFiber')))
      console.warn('fragile text:', text.data, 'of', text.parentElement.outerHTML.slice(0, 120))
    const outer = font()
    outer.dataset.translated = ''
    outer.append(font())
    outer.firstChild.append(text.data + '\\u200b')
    text.replaceWith(outer)
  }
  const translateIn = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return translate(node)
    if (node.nodeType !== Node.ELEMENT_NODE) return
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    texts.forEach(translate)
  }
  const observe = () => {
    document.documentElement.classList.add('translated-ltr')
    translateIn(document.documentElement)
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === 'characterData') translateIn(target)
        else addedNodes.forEach(translateIn)
    }).observe(document, { childList: true, characterData: true, subtree: true })
  }
  addEventListener('DOMContentLoaded', observe)
})()`

/**
 * All pages of this browser are translated from now on.
 * @returns what then goes wrong, as it is found: errors, and texts that React would lose track of
 */
export async function translated(context: BrowserContext): Promise<string[]> {
  const faults: string[] = []
  const find = (fault: string) => (faults.includes(fault) ? 0 : faults.push(fault))
  context.on('console', (message) => {
    if (/fragile text|NotFoundError|removeChild|insertBefore/.test(message.text())) find(message.text())
  })
  context.on('weberror', (error) => find(error.error().message))
  await context.addInitScript(TRANSLATOR)
  return faults
}
