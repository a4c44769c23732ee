import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { ErrorState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import type { Terms } from '../api.ts'
import type { Quote } from '../quote.ts'

interface SummaryProps {
  asked: { data?: Terms | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown }
  quote: Quote | null
  withBalance: boolean
}

/** Amount, fee, what is sent; and what it may bring, said to be an estimate. */
export function Summary({ asked, quote, withBalance }: SummaryProps) {
  const { t } = useTranslation('investments')
  const formats = useFormats()
  const terms = asked.data
  // Without its terms the cost of an amount is not known.
  if (terms === undefined && asked.error !== undefined && !asked.isFetching)
    return (
      <div className="summary">
        <ErrorState failure={asked.error as Failure} onRetry={asked.refetch} />
      </div>
    )
  const fee = withBalance ? '0' : (terms?.fee_percentage ?? '0')
  return (
    <div className="summary">
      <dl aria-live="polite" data-empty={quote === null}>
        <div>
          <dt>{t('summary.invest')}</dt>
          <dd>{formats.money(quote?.amount ?? 0)}</dd>
        </div>
        <div>
          <dt>{withBalance ? t('summary.noFee') : t('summary.fee', { percent: formats.percent(fee) })}</dt>
          <dd>{formats.signed(quote?.fee ?? 0)}</dd>
        </div>
        <div className="summary-total">
          <dt>{t(withBalance ? 'summary.fromBalance' : 'summary.send')}</dt>
          <dd>
            {formats.exact(quote?.total ?? 0)} <span>{withBalance ? 'USD' : 'USDT'}</span>
          </dd>
        </div>
      </dl>
      {terms === undefined ? null : (
        <p className="summary-note">
          {quote === null
            ? t('summary.lock', { count: terms.lock_days })
            : t('summary.estimate', { daily: formats.money(quote.daily), count: terms.lock_days })}
        </p>
      )}
    </div>
  )
}
