import { REFERRAL_STATUSES, type ReferralStatus } from '@aval/contract'
import { useTranslation } from 'react-i18next'

interface StatusFilterProps {
  status: ReferralStatus | null
  onStatus: (status: ReferralStatus | null) => void
}

const CHOICES = [null, ...REFERRAL_STATUSES]

export function StatusFilter({ status, onStatus }: StatusFilterProps) {
  const { t } = useTranslation('genealogy/referrals')
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{t('filter.label')}</legend>
      {CHOICES.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === status} onClick={() => onStatus(choice)}>
          {t(`filter.${choice ?? 'all'}`)}
        </button>
      ))}
    </fieldset>
  )
}
