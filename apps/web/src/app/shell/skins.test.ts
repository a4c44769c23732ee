import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Color, contrast, over, pageColors, rulesOf } from '../../ui/testing/cascade.ts'
import { COLORS, CONTENT_SKINS, HEADER_SKINS, NAV_MENUS, NAV_SKINS, SCHEMES } from '../../ui/theme.ts'

const sheet = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const rules = rulesOf(sheet('../../ui/tokens.css'), sheet('./skins.css'))

/** What small text needs on its ground. */
const READABLE = 4.5

const looks = SCHEMES.flatMap((scheme) =>
  COLORS.flatMap((color) => CONTENT_SKINS.map((skin) => ({ scheme, color, skin }))),
)
type Look = (typeof looks)[number]

const colorsOf = ({ scheme, color, skin }: Look, more: Record<string, string> = {}) =>
  pageColors(rules, { 'color-scheme': scheme, theme: color, 'content-skin': skin, ...more })

/** Pairs that are too faint, with their contrast. */
function faint(pairs: [name: string, text: Color, ground: Color][]): string[] {
  return pairs
    .map(([name, text, ground]) => ({ name, value: contrast(text, ground) }))
    .filter(({ value }) => value < READABLE)
    .map(({ name, value }) => `${name}: ${value.toFixed(2)}`)
}

describe.each(SCHEMES)('in %s', (scheme) => {
  const here = looks.filter((look) => look.scheme === scheme)

  it.each(here)('every text can be read on every surface: $color, $skin', (look) => {
    const of = colorsOf(look)
    const tint = look.skin === 'creative' ? ['--page-tint', '--card-tint'] : []
    const plain = ['--page', '--card', '--raised'].map((name) => [name, of(name)] as const)
    const tinted = tint.map((name) => {
      const ground = of(name === '--page-tint' ? '--page' : '--card')
      return [name, over(of(name), ground)] as const
    })
    const texts = ['--text', '--muted', '--faint', '--ok', '--bad', '--wait', '--note', '--accent-text']
    const pairs = [...plain, ...tinted].flatMap(([surface, ground]) =>
      texts.map((text): [string, Color, Color] => [`${text} on ${surface}`, of(text), ground]),
    )
    const soft = plain.map(([surface, ground]): [string, Color, Color] => [
      `accent tint on ${surface}`,
      of('--accent-text'),
      over(of('--accent-soft'), ground),
    ])
    expect(faint([...pairs, ...soft, ['on accent', of('--on-accent'), of('--accent')]])).toEqual([])
  })

  it.each(here)('the navigation can be read in all its skins: $color, $skin', (look) => {
    const found = NAV_SKINS.flatMap((nav) =>
      NAV_MENUS.flatMap((menu) => {
        const of = colorsOf(look, { 'nav-skin': nav, 'nav-menu': menu })
        const page = look.skin === 'creative' ? over(of('--page-tint'), of('--page')) : of('--page')
        return faint(
          [over(of('--nav-fill'), page), of('--nav-solid')].flatMap((ground) => {
            const [hover, card] = [over(of('--nav-hover'), ground), over(of('--nav-card'), ground)]
            const active = over(of('--nav-active-fill'), ground)
            const pairs: [string, Color, Color][] = [
              ['a link', of('--nav-muted'), ground],
              ['a name', of('--nav-text'), ground],
              ['a link pointed at', of('--nav-text'), hover],
              ['a label in the card', of('--nav-muted'), card],
              ['a figure in the card', of('--nav-text'), card],
              ['a tile pointed at', of('--nav-text'), over(of('--nav-hover'), card)],
              ['the page one is at', of('--nav-active-text'), active],
              [
                'the page one is at, as a tile',
                of('--nav-active-text'),
                over(of('--nav-active-fill'), ground),
              ],
            ]
            return pairs.map(([name, text, under]): [string, Color, Color] => [
              `${nav} ${menu}: ${name}`,
              text,
              under,
            ])
          }),
        )
      }),
    )
    expect(found).toEqual([])
  })

  it.each(HEADER_SKINS)('the header can be read in its skin %s', (header) => {
    const found = here.flatMap((look) => {
      const of = colorsOf(look, { 'header-skin': header })
      const ground = of('--head-fill')
      return faint([
        ['text', of('--head-text'), ground],
        ['muted', of('--head-muted'), ground],
        ['pointed at', of('--head-text'), over(of('--head-hover'), ground)],
      ])
    })
    expect(found).toEqual([])
  })
})

describe('the status colours', () => {
  it.each(SCHEMES)('can be read on their own tints in %s', (scheme) => {
    const of = colorsOf({ scheme, color: 'primary', skin: 'border' })
    const pairs = ['--page', '--card', '--raised'].flatMap((surface) =>
      ['ok', 'bad', 'wait', 'note'].map((status): [string, Color, Color] => [
        `${status} on ${surface}`,
        of(`--${status}`),
        over(of(`--${status}-soft`), of(surface)),
      ]),
    )
    expect(faint(pairs)).toEqual([])
  })
})
