import type { WithdrawalTerms } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { countdownText } from '../../../ui/countdown.ts'
import { IconClock, IconShieldCheck } from '../../../ui/icons.ts'
import { useTimeLeft } from '../../../ui/useTimeLeft.ts'

/** What keeps money from leaving just now, said before anybody fills in a form. */
export function Obstacle({ terms }: { terms: WithdrawalTerms | undefined }) {
  const { t } = useTranslation('withdrawals')
  if (terms === undefined) return null
  if (terms.paused)
    return (
      <p className="notice notice-wait" role="status">
        <IconShieldCheck size={18} stroke={1.6} aria-hidden="true" />
        <span>{t('obstacle.paused')}</span>
      </p>
    )
  if (terms.cools_until === null) return null
  return <Cooling until={terms.cools_until} />
}

function Cooling({ until }: { until: string }) {
  const { t } = useTranslation('withdrawals')
  const left = useTimeLeft(Date.parse(until))
  if (left <= 0) return null
  return (
    <p className="notice notice-wait">
      <IconClock size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('obstacle.cooling')} <time role="timer">{countdownText(left)}</time>
      </span>
    </p>
  )
}
