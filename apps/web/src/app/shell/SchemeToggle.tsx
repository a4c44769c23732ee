import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { IconMoon, IconSun } from '../../ui/icons.ts'
import '../../ui/menu.css'
import { themeStore } from '../themeStore.ts'

export function SchemeToggle() {
  const { t } = useTranslation('app')
  const settings = useSyncExternalStore(themeStore.subscribe, themeStore.get)
  const isDark = settings.theme === 'dark'
  const label = t(isDark ? 'toLight' : 'toDark')
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => themeStore.set({ ...settings, theme: isDark ? 'light' : 'dark' })}
    >
      {isDark ? <IconSun size={20} stroke={1.5} /> : <IconMoon size={20} stroke={1.5} />}
    </button>
  )
}
