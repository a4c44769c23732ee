/**
 * The look, as settings. They are stored whole under `themeSettings`, and applied as attributes of the page; style
 * sheets do the rest. A stored value nobody knows falls back to the plainest one.
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
    size: (typeof SIDENAV_SIZES)[number]
  }
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

/** Below 768 px the sidebar lies over the page; below 1200 px it is a bar of icons; above, as the member likes it. */
export function sidenavFor(width: number, chosen: ThemeSettings['sidebar']['size']): string {
  if (width < 768) return 'full'
  return width < 1200 ? 'iconbar' : chosen
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
    'nav-skin': settings.sidebar.theme,
    'nav-menu': settings.sidebar.menu,
    'content-skin': settings.layout.contentSkin,
  }
}
