import { useTranslation } from 'react-i18next'
import { countdownText, useTimeLeft } from '../../../../ui/countdown.ts'
import { formats } from '../../../../ui/format.ts'
import { IconAlertTriangle, IconClock } from '../../../../ui/icons.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { useAccountSecurityQuery } from '../api.ts'
import './profile.css'

/** What keeps money in for now, and for how long. */
export function CoolingNotice() {
  const { t } = useTranslation('identity/profile')
  const { data } = useAccountSecurityQuery()
  if (data?.locked === true)
    return (
      <Notice kind="bad" icon={IconAlertTriangle}>
        {t('cooling.locked')}
      </Notice>
    )
  return data?.cools_until == null ? null : <Countdown until={data.cools_until} />
}

function Countdown({ until }: { until: string }) {
  const { t } = useTranslation('identity/profile')
  const left = useTimeLeft(Date.parse(until))
  if (left <= 0) return null
  return (
    <p className="notice notice-wait">
      <IconClock size={18} stroke={1.6} aria-hidden="true" />
      <span className="row-16 row-apart profile-cooling">
        <span>{t('cooling.text', { until: formats.dateTime(until) })}</span>
        <strong className="profile-left" role="timer" translate="no" aria-label={t('cooling.left')}>
          {countdownText(left)}
        </strong>
      </span>
    </p>
  )
}
