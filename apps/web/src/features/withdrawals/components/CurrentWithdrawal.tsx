import type { Withdrawal } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { CancelButton } from './CancelButton.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Timeline } from './Timeline.tsx'

/** The withdrawal that is under way; it fills by itself. */
export function CurrentWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  return (
    <section className="card card-pad withdrawal-current" aria-labelledby="withdrawal-current">
      <div className="card-head">
        <h2 id="withdrawal-current">{t('current.title', { amount: formats.money(withdrawal.amount) })}</h2>
        <StatusBadge withdrawal={withdrawal} />
      </div>
      <p className="visually-hidden" role="status">
        {t(`timeline.${withdrawal.stage}`)}
      </p>
      <Timeline withdrawal={withdrawal} />
      <Facts withdrawal={withdrawal} />
      <CancelButton withdrawal={withdrawal} />
    </section>
  )
}

/** Fee, what arrives, and where. */
export function Facts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  return (
    <dl className="withdrawal-facts">
      <div>
        <dt>{t('quote.fee')}</dt>
        <dd>{formats.money(`-${withdrawal.fee}`)}</dd>
      </div>
      <div>
        <dt>{t('quote.arrives')}</dt>
        <dd>
          <strong>{formats.exact(withdrawal.arrives)}</strong> USDT
        </dd>
      </div>
      {/[1-9]/.test(withdrawal.from_principal) ? (
        <div>
          <dt>{t('quote.fromPrincipal')}</dt>
          <dd>{formats.money(withdrawal.from_principal)}</dd>
        </div>
      ) : null}
      <div className="withdrawal-wallet">
        <dt>{t('form.wallet')}</dt>
        <dd>
          <Address value={withdrawal.wallet_address} />
        </dd>
      </div>
    </dl>
  )
}
