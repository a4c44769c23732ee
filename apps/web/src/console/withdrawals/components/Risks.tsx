import type { RiskMark } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'

/** What is behind a mark: since when, how much, whose wallet it is too. */
function whyOf({ name, since, what }: RiskMark): string | null {
  if (since !== null) return formats.shortStamp(since)
  if (what === null) return null
  if (name === 'large_share') return formats.percent(what)
  return name === 'wallet_shared' ? what : formats.money(what)
}

/** What to check before approving, in plain words with why. A first withdrawal is said, and warns of nothing. */
export function Risks({ marks }: { marks: readonly RiskMark[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-risks" aria-label={t('risks')}>
      {marks.map((mark) => {
        const why = whyOf(mark)
        const isFact = mark.name === 'first_withdrawal'
        return (
          <li key={mark.name} className={isFact ? 'badge' : 'badge badge-wait'}>
            {isFact ? null : <IconAlertTriangle size={13} stroke={1.8} aria-hidden="true" />}
            <span>{why === null ? t(`risk.${mark.name}`) : `${t(`risk.${mark.name}`)}: ${why}`}</span>
          </li>
        )
      })}
    </ul>
  )
}
