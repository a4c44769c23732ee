import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  afterBurger,
  attributesOf,
  RESET_SETTINGS,
  SIDENAV_SIZES,
  START_SETTINGS,
  sidenavFor,
  themeFrom,
} from './theme.ts'

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const startScript = textOf('../../public/theme.js')

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

  it.each([
    [{ color: 'pink' }, { color: 'primary' }],
    [{ color: null }, { color: 'primary' }],
    [{ theme: 'sepia' }, { theme: 'light' }],
    [{ font: 'comic' }, { font: 'public' }],
    [{ layout: { type: 'diagonal' } }, { layout: { type: 'vertical' } }],
    [{ layout: { mode: 'huge' } }, { layout: { mode: 'boxed' } }],
    [{ layout: { contentSkin: 7 } }, { layout: { contentSkin: 'modern' } }],
    [{ layout: null }, { layout: { type: 'vertical', mode: 'boxed', contentSkin: 'modern' } }],
    [{ header: { theme: 'brand' } }, { header: { theme: 'light' } }],
    [{ header: { logo: 'yes' } }, { header: { logo: true } }],
    [{ sidebar: { theme: 'pink' } }, { sidebar: { theme: 'light' } }],
    [{ sidebar: { menu: 'hard' } }, { sidebar: { menu: 'soft' } }],
    [{ sidebar: { size: 'huge' } }, { sidebar: { size: 'default' } }],
    [{ sidebar: [] }, { sidebar: { theme: 'light', menu: 'soft', size: 'default' } }],
    [{ customizer: 'open' }, { customizer: false }],
  ])('takes %j for %j', (stored, expected) => {
    expect(themeFrom(JSON.stringify(stored), none)).toMatchObject(expected)
  })

  it('keeps every known value', () => {
    const settings = {
      color: 'danger',
      theme: 'light',
      font: 'inter',
      layout: { type: 'horizontal', mode: 'fluid', contentSkin: 'creative' },
      header: { theme: 'dark', logo: false },
      sidebar: { theme: 'brand', menu: 'solid', size: 'show-on-hover' },
      customizer: true,
    }
    expect(themeFrom(JSON.stringify(settings), none)).toEqual(settings)
    expect(themeFrom(JSON.stringify(RESET_SETTINGS), none)).toEqual(RESET_SETTINGS)
  })

  it.each([
    ['layout_type=horizontal', { layout: { type: 'horizontal' } }],
    ['layout_mode=fluid', { layout: { mode: 'fluid' } }],
    ['header_theme=dark', { header: { theme: 'dark' } }],
    ['menu_theme=brand', { sidebar: { theme: 'brand' } }],
    ['menu_item=solid', { sidebar: { menu: 'solid' } }],
    ['theme_font=inter', { font: 'inter' }],
    ['layout_mode=huge&menu_theme=', { layout: { mode: 'boxed' }, sidebar: { theme: 'light' } }],
  ])('lets the address say %s, over what is stored or not', (query, expected) => {
    for (const stored of [null, JSON.stringify(RESET_SETTINGS)])
      expect(themeFrom(stored, new URLSearchParams(query))).toMatchObject(expected)
  })
})

describe('what it starts with, and what a reset gives', () => {
  it('differs in colour, scheme and panel', () => {
    expect(START_SETTINGS).toMatchObject({ color: 'warning', theme: 'dark', customizer: false })
    expect(RESET_SETTINGS).toEqual({
      ...START_SETTINGS,
      color: 'primary',
      theme: 'light',
      customizer: true,
    })
  })
})

describe('sidenavFor', () => {
  it.each([
    [320, 'full'],
    [767, 'full'],
    [991, 'full'],
    [992, 'iconbar'],
    [1199, 'iconbar'],
    [1200, 'compact'],
    [2560, 'compact'],
  ])('at %i px gives %s', (width, size) => {
    expect(sidenavFor(width, 'vertical', 'compact')).toBe(size)
  })

  it('is out of sight at every width where the navigation is a bar', () => {
    for (const width of [320, 1000, 1920]) expect(sidenavFor(width, 'horizontal', 'default')).toBe('full')
  })
})

describe('afterBurger', () => {
  it('opens what is out of sight, and folds and unfolds the rest', () => {
    expect(SIDENAV_SIZES.map((size) => [size, afterBurger(size)])).toEqual([
      ['default', 'iconbar'],
      ['compact', 'iconbar'],
      ['iconbar', 'default'],
      ['full', 'overlay'],
      ['detach', 'iconbar'],
      ['fullscreen', 'overlay'],
      ['show-on-hover', 'iconbar'],
    ])
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
    [null, '?layout_type=horizontal'],
    [JSON.stringify({ ...RESET_SETTINGS, header: { theme: 'dark', logo: false } }), ''],
    [JSON.stringify({ sidebar: { size: 'fullscreen', menu: 7 }, header: { logo: 'no' } }), ''],
  ])('agrees with the settings for %j %j', (stored, search) => {
    const settings = themeFrom(stored, new URLSearchParams(search))
    for (const width of [390, 768, 992, 1199, 1200, 1920])
      expect(startedWith(stored, search, width)).toEqual({
        ...attributesOf(settings),
        'sidenav-size': sidenavFor(width, settings.layout.type, settings.sidebar.size),
        session: 'none',
        passkeys: 'none',
        lang: 'es',
      })
  })
})
