/** Everything that the panel lets one choose: where each choice is kept, and what its options are called. */
import {
  COLORS,
  CONTENT_SKINS,
  FONTS,
  HEADER_SKINS,
  LAYOUT_MODES,
  LAYOUT_TYPES,
  NAV_MENUS,
  NAV_SKINS,
  SCHEMES,
  SIDENAV_SIZES,
  type SidenavSize,
  type ThemeSettings,
} from '../../ui/theme.ts'

type Layout = ThemeSettings['layout']
type Sidebar = ThemeSettings['sidebar']

type TextKey =
  | `color.${ThemeSettings['color']}`
  | `navigation.${Layout['type']}`
  | `layout.${Layout['mode']}`
  | `scheme.${ThemeSettings['theme']}`
  | `sidenav.${SidenavSize}`
  | `navSkin.${Sidebar['theme']}`
  | `navMenu.${Sidebar['menu']}`
  | `headerSkin.${ThemeSettings['header']['theme']}`
  | `contentSkin.${Layout['contentSkin']}`
  | `font.${ThemeSettings['font']}`

export type ChoiceName =
  | 'color'
  | 'navigation'
  | 'layout'
  | 'scheme'
  | 'sidenav'
  | 'navSkin'
  | 'navMenu'
  | 'headerSkin'
  | 'contentSkin'
  | 'font'

export interface Choice {
  name: ChoiceName
  options: { value: string; text: TextKey }[]
  read: (settings: ThemeSettings) => string
  /** The settings with this option chosen. */
  write: (settings: ThemeSettings, value: string) => ThemeSettings
  isShown: (settings: ThemeSettings) => boolean
}

interface Place<Option extends string> {
  name: ChoiceName
  options: readonly Option[]
  read: (settings: ThemeSettings) => Option
  write: (settings: ThemeSettings, option: Option) => ThemeSettings
  isShown?: (settings: ThemeSettings) => boolean
}

function choice<Option extends string>({ name, options, read, write, isShown }: Place<Option>): Choice {
  return {
    name,
    options: options.map((value) => ({ value, text: `${name}.${value}` as TextKey })),
    read,
    write(settings, value) {
      const option = options.find((known) => known === value)
      return option === undefined ? settings : write(settings, option)
    },
    isShown: isShown ?? (() => true),
  }
}

const inLayout = (settings: ThemeSettings, part: Partial<Layout>): ThemeSettings => ({
  ...settings,
  layout: { ...settings.layout, ...part },
})

const inSidebar = (settings: ThemeSettings, part: Partial<Sidebar>): ThemeSettings => ({
  ...settings,
  sidebar: { ...settings.sidebar, ...part },
})

export const CHOICES: Choice[] = [
  choice({
    name: 'color',
    options: COLORS,
    read: ({ color }) => color,
    write: (settings, color) => ({ ...settings, color }),
  }),
  choice({
    name: 'scheme',
    options: SCHEMES,
    read: ({ theme }) => theme,
    write: (settings, theme) => ({ ...settings, theme }),
  }),
  choice({
    name: 'navigation',
    options: LAYOUT_TYPES,
    read: ({ layout }) => layout.type,
    write: (settings, type) => inLayout(settings, { type }),
  }),
  choice({
    name: 'layout',
    options: LAYOUT_MODES,
    read: ({ layout }) => layout.mode,
    write: (settings, mode) => inLayout(settings, { mode }),
  }),
  choice({
    name: 'sidenav',
    options: SIDENAV_SIZES,
    read: ({ sidebar }) => sidebar.size,
    write: (settings, size) => inSidebar(settings, { size }),
    // A bar at the top has no sizes.
    isShown: ({ layout }) => layout.type === 'vertical',
  }),
  choice({
    name: 'navSkin',
    options: NAV_SKINS,
    read: ({ sidebar }) => sidebar.theme,
    write: (settings, theme) => inSidebar(settings, { theme }),
  }),
  choice({
    name: 'navMenu',
    options: NAV_MENUS,
    read: ({ sidebar }) => sidebar.menu,
    write: (settings, menu) => inSidebar(settings, { menu }),
  }),
  choice({
    name: 'headerSkin',
    options: HEADER_SKINS,
    read: ({ header }) => header.theme,
    write: (settings, theme) => ({ ...settings, header: { ...settings.header, theme } }),
  }),
  choice({
    name: 'contentSkin',
    options: CONTENT_SKINS,
    read: ({ layout }) => layout.contentSkin,
    write: (settings, contentSkin) => inLayout(settings, { contentSkin }),
  }),
  choice({
    name: 'font',
    options: FONTS,
    read: ({ font }) => font,
    write: (settings, font) => ({ ...settings, font }),
  }),
]
