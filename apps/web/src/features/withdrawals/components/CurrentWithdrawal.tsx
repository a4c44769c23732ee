import type { Withdrawal } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats } from '../../../ui/format.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useCancelWithdrawalMutation } from '../api.ts'
import { Timeline } from './Timeline.tsx'

/** The withdrawal that is under way; it fills by itself. */
export function CurrentWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
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

/** Takes a request back while it has not been approved. */
export function CancelButton({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const sayFailed = useFailureToast()
  const [asking, setAsking] = useState(false)
  const [cancel, { isLoading }] = useCancelWithdrawalMutation()
  const confirm = useSingleFlight(async () => {
    const answer = await cancel(withdrawal.id)
    setAsking(false)
    if (answer.error === undefined) toast.success(t('cancel.done'))
    else sayFailed(answer.error as Failure)
  })
  const close = () => {
    if (!isLoading) setAsking(false)
  }
  if (!withdrawal.can_cancel) return null
  return (
    <div>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('cancel.button')}
      </Button>
      {asking ? (
        <Dialog title={t('cancel.title')} onClose={close} width={420}>
          <p>{t('cancel.text', { amount: formats.money(withdrawal.amount) })}</p>
          <div className="withdrawal-choice">
            <Button onClick={close} disabled={isLoading}>
              {t('cancel.keep')}
            </Button>
            <Button kind="danger" busy={isLoading} onClick={() => void confirm()}>
              {t('cancel.button')}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

const BADGES: Record<Withdrawal['status'], string> = { 1: 'badge-wait', 2: 'badge-ok', 3: 'badge-bad' }

/** Pending, approved, refused: what members know a withdrawal by. Its stage says the rest. */
export function StatusBadge({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return <span className={`badge ${BADGES[withdrawal.status]}`}>{t(`status.${withdrawal.status}`)}</span>
}
