import type { WithdrawalTerms } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Money } from '../../../ui/Money.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'

interface AvailableProps {
  terms: {
    data?: WithdrawalTerms | undefined
    error?: unknown
    isFetching: boolean
    refetch: () => unknown
  }
}

const isSome = (amount: string) => /[1-9]/.test(amount)

/** What can be withdrawn now, and what of it is principal. */
export function Available({ terms }: AvailableProps) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  const { data } = terms
  if (data === undefined && terms.error !== undefined && !terms.isFetching)
    return <ErrorState failure={terms.error as Failure} onRetry={terms.refetch} />
  const unlocks = data?.principal_unlocks_at ?? null
  return (
    <div className="withdrawal-available">
      <p className="muted">{t('available.title')}</p>
      <p className="figure">
        {data === undefined ? <Skeleton width={160} height={34} /> : <Money amount={data.available} />}
      </p>
      {data === undefined ? null : (
        <p className="muted small">
          {isSome(data.unlocked_principal)
            ? t('available.parts', {
                balance: formats.money(data.balance),
                principal: formats.money(data.unlocked_principal),
              })
            : unlocks === null
              ? t('available.balanceOnly')
              : t('available.locked', { date: formats.longDate(unlocks) })}
        </p>
      )}
    </div>
  )
}
