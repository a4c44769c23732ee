import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { IconPalette } from '../../ui/icons.ts'
import { Overlay } from '../../ui/Overlay.tsx'
import { RESET_SETTINGS } from '../../ui/theme.ts'
import { part } from '../i18n.ts'
import { themeStore } from '../themeStore.ts'
import './settingsDock.css'

const AppearancePanel = part(
  async () => (await import('../../features/appearance/components/AppearancePanel.tsx')).AppearancePanel,
  'appearance',
)

const showPanel = (customizer: boolean) => themeStore.set({ ...themeStore.get(), customizer })

/** The button at the window's side, and the panel that it opens. Whether that is open is one of the settings itself. */
export function SettingsDock() {
  const { t } = useTranslation('app')
  const settings = useSyncExternalStore(themeStore.subscribe, themeStore.get)
  const button = useRef<HTMLButtonElement>(null)
  // A panel that was left open opens with the page, but does not take the focus.
  const [asked, setAsked] = useState(false)
  const close = useCallback(() => {
    showPanel(false)
    button.current?.focus()
  }, [])
  return (
    <>
      <button
        type="button"
        ref={button}
        className="settings-tab centred"
        aria-label={t('settings')}
        title={t('settings')}
        aria-haspopup="dialog"
        aria-expanded={settings.customizer}
        onPointerEnter={AppearancePanel.prefetch}
        onFocus={AppearancePanel.prefetch}
        onClick={() => {
          setAsked(true)
          showPanel(!settings.customizer)
        }}
      >
        <IconPalette size={18} stroke={1.6} aria-hidden="true" />
      </button>
      {settings.customizer ? (
        <Overlay onClose={close}>
          <AppearancePanel
            settings={settings}
            takesFocus={asked}
            onChange={themeStore.set}
            onReset={() => themeStore.set(RESET_SETTINGS)}
            onClose={close}
          />
        </Overlay>
      ) : null}
    </>
  )
}
