import { useTranslation } from 'react-i18next'
import type { DeviceNames } from './devices.ts'

/** `Firefox on Linux`, as far as it is known. */
export function useDeviceName(): (device: DeviceNames) => string {
  const { t } = useTranslation('identity/security')
  return ({ browser, system }) => {
    if (browser !== null && system !== null) return t('device.both', { browser, system })
    return browser ?? system ?? t('device.unknown')
  }
}
