import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageColors, rulesOf } from './testing/cascade.ts'

const source = new URL('../', import.meta.url)
const sheet = (path: string) => readFileSync(new URL(path, source), 'utf8')

/** What a sheet says inside the first rule with this selector. */
function ruleOf(path: string, selector: string): string {
  const text = sheet(path)
  const at = text.indexOf(`${selector} {`)
  expect(at, `${selector} in ${path}`).toBeGreaterThanOrEqual(0)
  return text.slice(at, text.indexOf('}', at))
}

const CARDS = 'features/genealogy/tree/components/cards.css'
const TREE = 'features/genealogy/tree/components/tree.css'

describe('the sizes, times and colours that were agreed', () => {
  it.each([
    ['a master’s card has another frame', CARDS, '.tree-card[data-master="true"]', 'var(--tree-master)'],
    ['and so has the picture', CARDS, '.tree-card[data-master="true"] .tree-avatar', 'var(--tree-master)'],
    ['which is orange', TREE, '.tree-page', '--tree-master: #e49e3d'],
    ['where others have a white one', TREE, '.tree-page', '--tree-edge: #fff'],
    ['the tree fills the window’s height', TREE, '.tree-board', 'height: calc(100dvh - var(--header)'],
    ['on dark grey', TREE, '.tree-page', '--tree-card: #27303a'],
    ['a toast is at most 350 px wide', 'ui/toasts.css', '.toast', 'max-width: 350px'],
    ['the toast of a confirmation is 360 px wide', 'ui/toasts.css', '.toast-of-dialog', 'width: 360px'],
    ['a modal comes in 300 ms', 'ui/dialog.css', '.dialog', 'animation: rise 300ms'],
    ['its backdrop comes in 150 ms', 'ui/dialog.css', '.dialog-backdrop', 'animation: appear 150ms'],
    [
      'the look panel is 375 px wide',
      'features/appearance/components/appearance.css',
      '.settings-panel',
      'width: min(375px',
    ],
  ])('%s', (_what, path, selector, line) => {
    expect(ruleOf(path, selector)).toContain(line)
  })

  it.each([
    ['primary', '3e97ff'],
    ['secondary', '7d8aa2'],
    ['success', '25b865'],
    ['warning', 'e49e3d'],
    ['info', '02a0e4'],
    ['danger', 'd13b4c'],
  ])('the colour %s is #%s', (theme, hex) => {
    const color = pageColors(rulesOf(sheet('ui/tokens.css')), { 'color-scheme': 'dark', theme })('--accent')
    expect(color.rgb.map((part) => part.toString(16).padStart(2, '0')).join('')).toBe(hex)
  })

  it('pages change at 576, 768 and 992 px; besides there are three finer widths', () => {
    const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.css'),
    )
    const widths = sheets.flatMap((name) =>
      [...sheet(name).matchAll(/@media \((max|min)-width: (\d+)px\)/g)].map(([, side, width]) =>
        side === 'max' ? Number(width) + 1 : Number(width),
      ),
    )
    expect([...new Set(widths)].sort((one, other) => one - other)).toEqual([360, 480, 576, 768, 992, 1280])
  })
})
