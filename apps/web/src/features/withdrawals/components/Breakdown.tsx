import type { WithdrawalTerms } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import type { WithdrawalQuote } from '../quote.ts'

/** Amount, fee, what arrives, and where it is taken from: before anything is confirmed. */
export function Breakdown({
  quote,
  terms,
}: {
  quote: WithdrawalQuote | null
  terms: WithdrawalTerms | undefined
}) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  const usesPrincipal = quote !== null && /[1-9]/.test(quote.fromPrincipal)
  return (
    <div className="withdrawal-quote">
      <dl aria-live="polite" data-empty={quote === null}>
        <div>
          <dt>{t('quote.amount')}</dt>
          <dd>{formats.money(quote?.amount ?? 0)}</dd>
        </div>
        <div>
          <dt>{t('quote.fee')}</dt>
          <dd>{formats.money(`-${quote?.fee ?? terms?.fee ?? 0}`)}</dd>
        </div>
        <div className="withdrawal-total">
          <dt>{t('quote.arrives')}</dt>
          <dd>
            {formats.exact(quote?.arrives ?? 0)} <span>USDT</span>
          </dd>
        </div>
      </dl>
      {usesPrincipal ? (
        <p className="withdrawal-source">
          {t('quote.source', {
            balance: formats.money(quote.fromBalance),
            principal: formats.money(quote.fromPrincipal),
          })}
        </p>
      ) : null}
    </div>
  )
}
