import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/Button.tsx'
import { IconMoon, IconSun } from '../../ui/icons.ts'
import '../../ui/menu.css'
import { themeStore } from '../themeStore.ts'

export function SchemeToggle() {
  const { t } = useTranslation('app')
  const settings = useSyncExternalStore(themeStore.subscribe, themeStore.get)
  const isDark = settings.theme === 'dark'
  return (
    <IconButton
      Icon={isDark ? IconSun : IconMoon}
      stroke={1.5}
      label={t(isDark ? 'toLight' : 'toDark')}
      tip
      onClick={() => themeStore.set({ ...settings, theme: isDark ? 'light' : 'dark' })}
    />
  )
}
