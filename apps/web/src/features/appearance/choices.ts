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
  type ThemeSettings,
} from '../../ui/theme.ts'

type Texts = typeof import('./locales/es.json')

export type ChoiceName = keyof Texts['group']
type TextKey = { [Name in ChoiceName]: `${Name}.${string & keyof Texts[Name]}` }[ChoiceName]

export interface Choice {
  name: ChoiceName
  options: { value: string; text: TextKey }[]
  read: (settings: ThemeSettings) => string
  /** The settings with this option chosen; the same where there is no such option. */
  write: (settings: ThemeSettings, value: string) => ThemeSettings
}

/** Kept at the top of the settings. */
function choice<Field extends 'color' | 'theme' | 'font'>(
  name: ChoiceName,
  field: Field,
  options: readonly ThemeSettings[Field][],
): Choice {
  return {
    name,
    options: options.map((value) => ({ value, text: `${name}.${value}` as TextKey })),
    read: (settings) => settings[field],
    write: (settings, value) => {
      const option = options.find((known) => known === value)
      return option === undefined ? settings : { ...settings, [field]: option }
    },
  }
}

/** Kept among the settings of one part of the page. */
function choiceIn<Part extends 'layout' | 'header' | 'sidebar', Field extends keyof ThemeSettings[Part]>(
  name: ChoiceName,
  part: Part,
  field: Field,
  options: readonly (ThemeSettings[Part][Field] & string)[],
): Choice {
  return {
    name,
    options: options.map((value) => ({ value, text: `${name}.${value}` as TextKey })),
    read: (settings) => String(settings[part][field]),
    write: (settings, value) => {
      const option = options.find((known) => known === value)
      return option === undefined ? settings : { ...settings, [part]: { ...settings[part], [field]: option } }
    },
  }
}

export const CHOICES: readonly Choice[] = [
  choice('color', 'color', COLORS),
  choice('scheme', 'theme', SCHEMES),
  choiceIn('navigation', 'layout', 'type', LAYOUT_TYPES),
  choiceIn('layout', 'layout', 'mode', LAYOUT_MODES),
  choiceIn('sidenav', 'sidebar', 'size', SIDENAV_SIZES),
  choiceIn('navSkin', 'sidebar', 'theme', NAV_SKINS),
  choiceIn('navMenu', 'sidebar', 'menu', NAV_MENUS),
  choiceIn('headerSkin', 'header', 'theme', HEADER_SKINS),
  choiceIn('contentSkin', 'layout', 'contentSkin', CONTENT_SKINS),
  choice('font', 'font', FONTS),
]

/** A navigation in a bar at the top has no sizes of a sidebar. */
export const choicesFor = ({ layout }: ThemeSettings): Choice[] =>
  CHOICES.filter(({ name }) => name !== 'sidenav' || layout.type === 'vertical')
