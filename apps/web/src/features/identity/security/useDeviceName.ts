import type { SessionItem } from '@aval/contract'
import { useTranslation } from 'react-i18next'

/** `Firefox on Linux`, as far as it is known. */
export function useDeviceName(): (device: DeviceNames) => string {
  const { t } = useTranslation('identity/security')
  return ({ browser, system }) => {
    if (browser !== null && system !== null) return t('device.both', { browser, system })
    return browser ?? system ?? t('device.unknown')
  }
}

type DeviceNames = SessionItem['device']

const HANDHELD: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

export const isPhone = ({ system }: DeviceNames): boolean => HANDHELD.includes(system)
