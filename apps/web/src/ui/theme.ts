/**
 * The look, as settings. They are stored whole under `themeSettings`, and applied as attributes of the page; style
 * sheets do the rest. An unknown stored value falls back to the plainest one.
 */
export const THEME_KEY = 'themeSettings'

export const COLORS = ['primary', 'secondary', 'success', 'warning', 'info', 'danger'] as const
export const SCHEMES = ['light', 'dark'] as const
export const FONTS = ['public', 'inter'] as const
export const LAYOUT_TYPES = ['vertical', 'horizontal'] as const
export const LAYOUT_MODES = ['boxed', 'fluid'] as const
export const CONTENT_SKINS = ['default', 'smooth', 'shadow', 'border', 'modern', 'creative'] as const
export const HEADER_SKINS = ['light', 'dark'] as const
export const NAV_SKINS = ['light', 'dark', 'brand', 'transparent'] as const
export const NAV_MENUS = ['soft', 'solid'] as const
export const SIDENAV_SIZES = [
  'default',
  'compact',
  'iconbar',
  'full',
  'detach',
  'fullscreen',
  'show-on-hover',
] as const

export type SidenavSize = (typeof SIDENAV_SIZES)[number]

export interface ThemeSettings {
  color: (typeof COLORS)[number]
  theme: (typeof SCHEMES)[number]
  font: (typeof FONTS)[number]
  layout: {
    type: (typeof LAYOUT_TYPES)[number]
    mode: (typeof LAYOUT_MODES)[number]
    contentSkin: (typeof CONTENT_SKINS)[number]
  }
  header: { theme: (typeof HEADER_SKINS)[number]; logo: boolean }
  sidebar: {
    theme: (typeof NAV_SKINS)[number]
    menu: (typeof NAV_MENUS)[number]
    size: SidenavSize
  }
  /** Whether the panel that changes all this is shown. */
  customizer: boolean
}

export const START_SETTINGS: ThemeSettings = {
  color: 'warning',
  theme: 'dark',
  font: 'public',
  layout: { type: 'vertical', mode: 'boxed', contentSkin: 'modern' },
  header: { theme: 'light', logo: true },
  sidebar: { theme: 'light', menu: 'soft', size: 'default' },
  customizer: false,
}

/** What "Reset" gives: other than the start, the plainest of everything, with the panel left open to see it. */
export const RESET_SETTINGS: ThemeSettings = {
  ...START_SETTINGS,
  color: 'primary',
  theme: 'light',
  customizer: true,
}

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

function pick<Option>(value: unknown, options: readonly Option[], fallback: Option): Option {
  return options.find((option) => option === value) ?? fallback
}

function savedFields(stored: string | null): Fields | null {
  if (stored === null) return null
  try {
    const parsed: unknown = JSON.parse(stored)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : null
  } catch {
    return null
  }
}

/** @param query the address's query, which overrides what is stored */
export function themeFrom(stored: string | null, query: URLSearchParams): ThemeSettings {
  const saved = savedFields(stored) ?? (START_SETTINGS as unknown as Fields)
  const layout = fieldsOf(saved['layout'])
  const header = fieldsOf(saved['header'])
  const sidebar = fieldsOf(saved['sidebar'])
  return {
    color: pick(saved['color'], COLORS, 'primary'),
    theme: pick(saved['theme'], SCHEMES, 'light'),
    font: pick(query.get('theme_font') ?? saved['font'], FONTS, 'public'),
    layout: {
      type: pick(query.get('layout_type') ?? layout['type'], LAYOUT_TYPES, 'vertical'),
      mode: pick(query.get('layout_mode') ?? layout['mode'], LAYOUT_MODES, 'boxed'),
      contentSkin: pick(layout['contentSkin'], CONTENT_SKINS, 'modern'),
    },
    header: {
      theme: pick(query.get('header_theme') ?? header['theme'], HEADER_SKINS, 'light'),
      logo: pick(header['logo'], [true, false], true),
    },
    sidebar: {
      theme: pick(query.get('menu_theme') ?? sidebar['theme'], NAV_SKINS, 'light'),
      menu: pick(query.get('menu_item') ?? sidebar['menu'], NAV_MENUS, 'soft'),
      size: pick(sidebar['size'], SIDENAV_SIZES, 'default'),
    },
    customizer: pick(saved['customizer'], [true, false], false),
  }
}

/** Widths at which the sidebar changes by itself; below the first of them it always lies over the page. */
export const SIDENAV_WIDTHS = { overlay: 768, bar: 992, whole: 1200 } as const

/**
 * The size that a window of this width starts with: under 992 px out of sight, under 1200 a bar of icons, above as the
 * member likes it. With the navigation in a bar at the top, what remains of the sidebar is the overlay.
 */
export function sidenavFor(
  width: number,
  type: ThemeSettings['layout']['type'],
  chosen: SidenavSize,
): SidenavSize {
  if (type === 'horizontal' || width < SIDENAV_WIDTHS.bar) return 'full'
  return width < SIDENAV_WIDTHS.whole ? 'iconbar' : chosen
}

/** What the burger does: from a size that is out of sight it opens the overlay, else it folds and unfolds. */
export function afterBurger(size: SidenavSize): 'overlay' | 'iconbar' | 'default' {
  if (size === 'full' || size === 'fullscreen') return 'overlay'
  return size === 'iconbar' ? 'default' : 'iconbar'
}

/** The page attributes (without `data-`) that show these settings. */
export function attributesOf(settings: ThemeSettings): Record<string, string> {
  return {
    'color-scheme': settings.theme,
    theme: settings.color,
    font: settings.font,
    'layout-type': settings.layout.type,
    'layout-mode': settings.layout.mode,
    'header-skin': settings.header.theme,
    'header-logo': settings.header.logo ? 'shown' : 'hidden',
    'nav-skin': settings.sidebar.theme,
    'nav-menu': settings.sidebar.menu,
    'content-skin': settings.layout.contentSkin,
  }
}
