import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { attributesOf, COLORS, SCHEMES, START_SETTINGS, sidenavFor, themeFrom } from './theme.ts'

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const startScript = textOf('../../public/theme.js')
// The formatter's quotes are not the test's concern.
const tokens = textOf('./tokens.css').replaceAll('"', "'")

const none = new URLSearchParams()

describe('themeFrom', () => {
  it('starts dark with the warning accent', () => {
    expect(themeFrom(null, none)).toEqual(START_SETTINGS)
  })

  it.each(['', '{', 'null', '7', '"dark"'])('starts afresh on junk %j', (stored) => {
    expect(themeFrom(stored, none)).toEqual(START_SETTINGS)
  })

  it('falls back value by value', () => {
    const stored = {
      color: 'pink',
      theme: 'sepia',
      font: 7,
      layout: 'x',
      sidebar: { theme: 'brand', size: 'huge' },
    }
    const settings = themeFrom(JSON.stringify(stored), none)
    expect(settings).toMatchObject({
      color: 'primary',
      theme: 'light',
      font: 'public',
      layout: { type: 'vertical', mode: 'boxed', contentSkin: 'modern' },
      header: { theme: 'light' },
      sidebar: { theme: 'brand', menu: 'soft', size: 'default' },
    })
  })

  it('lets the address override what is stored', () => {
    const query = new URLSearchParams(
      'layout_type=horizontal&layout_mode=fluid&menu_theme=dark&theme_font=inter',
    )
    expect(themeFrom(null, query)).toMatchObject({
      font: 'inter',
      layout: { type: 'horizontal', mode: 'fluid' },
      sidebar: { theme: 'dark' },
    })
  })
})

describe('sidenavFor', () => {
  it('follows the width of the window', () => {
    expect(sidenavFor(767, 'default')).toBe('full')
    expect(sidenavFor(768, 'default')).toBe('iconbar')
    expect(sidenavFor(1199, 'default')).toBe('iconbar')
    expect(sidenavFor(1200, 'default')).toBe('default')
    expect(sidenavFor(1200, 'iconbar')).toBe('iconbar')
  })
})

/** Runs the blocking script against a page made of plain objects. */
function startedWith(stored: string | null, search: string, width = 1280): Record<string, string> {
  const attributes: Record<string, string> = {}
  const page = {
    documentElement: {
      set lang(value: string) {
        attributes['lang'] = value
      },
      setAttribute: (name: string, value: string) => {
        attributes[name.replace('data-', '')] = value
      },
    },
    querySelector: () => null,
  }
  const storage = { getItem: (key: string) => (key === 'themeSettings' ? stored : null) }
  const run = new Function('document', 'localStorage', 'location', 'window', startScript)
  run(page, storage, { search }, { innerWidth: width })
  return attributes
}

describe('the start script', () => {
  it.each([
    [null, ''],
    ['{', ''],
    ['[]', ''],
    [JSON.stringify({ ...START_SETTINGS, theme: 'light', color: 'info' }), ''],
    [JSON.stringify({ color: 'pink', theme: 'sepia', layout: null, sidebar: { theme: 'brand' } }), ''],
    [null, '?layout_mode=fluid&menu_theme=dark&theme_font=inter&header_theme=dark&menu_item=solid'],
    [null, '?layout_mode=huge'],
  ])('agrees with the settings for %j %j', (stored, search) => {
    const settings = themeFrom(stored, new URLSearchParams(search))
    expect(startedWith(stored, search)).toEqual({
      ...attributesOf(settings),
      'sidenav-size': sidenavFor(1280, settings.sidebar.size),
      lang: 'es',
    })
  })
})

type Rgb = [number, number, number]

const rgb = (hex: string): Rgb => {
  const full = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex
  return [1, 3, 5].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb
}
const mix = (over: Rgb, under: Rgb, share: number) =>
  over.map((part, index) => part * share + (under[index] ?? 0) * (1 - share)) as Rgb
const luminance = (color: Rgb) => {
  const [red, green, blue] = color.map((part) => {
    const scaled = part / 255
    return scaled <= 0.03928 ? scaled / 12.92 : ((scaled + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (left: Rgb, right: Rgb) => {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The values a block of the token sheet gives, found by its selector. */
function block(selector: string): Record<string, string> {
  const start = tokens.indexOf(`${selector} {`)
  const body = tokens.slice(tokens.indexOf('{', start) + 1, tokens.indexOf('}', start))
  return Object.fromEntries(
    [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1], match[2]]),
  )
}

describe('the colours', () => {
  it.each(COLORS)('keep 4.5:1 on and beside the accent %s', (color) => {
    const accent = block(`[data-theme='${color}']`)
    const fill = rgb(accent['--accent'] ?? '')
    expect(contrast(rgb(accent['--on-accent'] ?? ''), fill)).toBeGreaterThanOrEqual(4.5)
    for (const scheme of SCHEMES) {
      const surfaces = block(`[data-color-scheme='${scheme}']`)
      const text = rgb(block(`[data-color-scheme='${scheme}'][data-theme='${color}']`)['--accent-text'] ?? '')
      for (const surface of ['--page', '--card', '--raised']) {
        const under = rgb(surfaces[surface] ?? '')
        expect(contrast(text, under)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(text, mix(fill, under, 0.14))).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it.each(SCHEMES)('keep 4.5:1 for every text colour on every surface in %s', (scheme) => {
    const values = block(`[data-color-scheme='${scheme}']`)
    for (const surface of ['--page', '--card', '--raised']) {
      const under = rgb(values[surface] ?? '')
      for (const text of ['--text', '--muted', '--faint', '--ok', '--bad', '--wait', '--note']) {
        const color = rgb(values[text] ?? '')
        expect(contrast(color, under), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
      for (const status of ['--ok', '--bad', '--wait', '--note']) {
        const color = rgb(values[status] ?? '')
        expect(
          contrast(color, mix(color, under, 0.12)),
          `${status} tint on ${surface}`,
        ).toBeGreaterThanOrEqual(4.4)
      }
    }
  })
})
