import { storage } from '../api/storage.ts'
import {
  attributesOf,
  SIDENAV_WIDTHS,
  type SidenavSize,
  sidenavFor,
  THEME_KEY,
  type ThemeSettings,
  themeFrom,
} from '../ui/theme.ts'

const PAGE_COLORS = { dark: '#11161c', light: '#f6f5f2' }

let settings = themeFrom(storage.get(THEME_KEY), new URLSearchParams(window.location.search))
/** What the member did with the sidebar below the width where their setting counts; forgotten on crossing a width. */
let forNow: SidenavSize | null = null
let size = sizeNow()
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function sizeNow(): SidenavSize {
  return forNow ?? sidenavFor(window.innerWidth, settings.layout.type, settings.sidebar.size)
}

function showSize(): void {
  size = sizeNow()
  document.documentElement.setAttribute('data-sidenav-size', size)
  for (const listener of listeners) listener()
}

function show(): void {
  const root = document.documentElement
  for (const [name, value] of Object.entries(attributesOf(settings))) root.setAttribute(`data-${name}`, value)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAGE_COLORS[settings.theme])
  showSize()
}

/** Whether a window this wide has room for a sidebar beside the page at all. */
const hasRoom = () => settings.layout.type === 'vertical' && window.innerWidth >= SIDENAV_WIDTHS.overlay

export const themeStore = {
  get: (): ThemeSettings => settings,
  subscribe,
  /** Saves at every change, and shows it at once. */
  set(next: ThemeSettings) {
    const chosen = next.sidebar.size !== settings.sidebar.size
    const turned = next.layout.type !== settings.layout.type
    settings = next
    storage.set(THEME_KEY, JSON.stringify(next))
    if (turned) forNow = null
    // A chosen size is shown even in a window that would default to another one.
    if (chosen && hasRoom()) forNow = next.sidebar.size
    show()
  },
}

/** The sidebar's size as it is worn now. */
export const sidenavStore = {
  get: (): SidenavSize => size,
  subscribe,
  /** Folds or unfolds it; where the member's setting counts, that changes the setting. */
  fold(next: 'iconbar' | 'default') {
    if (window.innerWidth >= SIDENAV_WIDTHS.whole)
      themeStore.set({ ...settings, sidebar: { ...settings.sidebar, size: next } })
    else {
      forNow = next
      showSize()
    }
  },
}

// What the start script has done already, unless it did not come.
show()

for (const width of Object.values(SIDENAV_WIDTHS))
  window.matchMedia(`(min-width: ${width}px)`).addEventListener('change', () => {
    forNow = null
    showSize()
  })

// Another tab changed the theme: apply it here too, but leave the panel as it is.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== THEME_KEY) return
  settings = { ...themeFrom(newValue, new URLSearchParams()), customizer: settings.customizer }
  show()
})
