import { storage } from '../api/storage.ts'
import { attributesOf, sidenavFor, THEME_KEY, type ThemeSettings, themeFrom } from '../ui/theme.ts'

const PAGE_COLORS = { dark: '#11161c', light: '#f6f5f2' }

type Listener = () => void

let settings = themeFrom(storage.get(THEME_KEY), new URLSearchParams(window.location.search))
const listeners = new Set<Listener>()

export const themeStore = {
  get: (): ThemeSettings => settings,
  subscribe(listener: Listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Saves at every change, and shows it at once. */
  set(next: ThemeSettings) {
    settings = next
    storage.set(THEME_KEY, JSON.stringify(next))
    apply()
    for (const listener of listeners) listener()
  },
}

/** Opened and closed by the burger below the width where the member's own choice counts; forgotten on crossing it. */
let opened: string | null = null

export function sidenavSize(): string {
  return document.documentElement.dataset['sidenavSize'] ?? 'default'
}

function apply(): void {
  const root = document.documentElement
  for (const [name, value] of Object.entries(attributesOf(settings))) root.setAttribute(`data-${name}`, value)
  root.setAttribute('data-sidenav-size', opened ?? sidenavFor(window.innerWidth, settings.sidebar.size))
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAGE_COLORS[settings.theme])
}

/** The burger from 768 px on: between the bar of icons and the whole sidebar. */
export function toggleSidenav(): void {
  const next = sidenavSize() === 'iconbar' ? 'default' : 'iconbar'
  if (window.innerWidth >= 1200) {
    opened = null
    themeStore.set({ ...settings, sidebar: { ...settings.sidebar, size: next } })
    return
  }
  opened = next
  apply()
}

for (const width of [768, 1200])
  window.matchMedia(`(min-width: ${width}px)`).addEventListener('change', () => {
    opened = null
    apply()
  })
