import { lazy, Suspense, useEffect, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { IconAlertTriangle, IconExternalLink } from '../../../ui/icons.ts'
import { Skeleton } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useVerifyInvestmentMutation } from '../api.ts'
import type { OpenInvoice } from '../openInvoice.ts'
import { useInvoice } from '../useInvoice.ts'
import { LiveState } from './LiveState.tsx'

const QrCode = lazy(() => import('../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

interface PayStepProps {
  invoice: OpenInvoice
  onStartOver: () => void
  onVerified: () => void
}

export function PayStep({ invoice, onStartOver, onVerified }: PayStepProps) {
  const { t } = useTranslation(['investments', 'ui'])
  const sayFailed = useFailureToast()
  const status = useInvoice(invoice.txnId, onStartOver)
  const [verify, { isLoading }] = useVerifyInvestmentMutation()
  const state = status?.state ?? 'waiting'
  const box = useRef<HTMLDivElement>(null)

  // The button that led here is gone; without this the focus would leave the dialog.
  useEffect(() => box.current?.focus(), [])

  const check = useSingleFlight(async () => {
    const answer = await verify(invoice.txnId)
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    toast.success(answer.data)
    onVerified()
  })

  return (
    <div className="pay" ref={box} tabIndex={-1}>
      <LiveState invoice={invoice} status={status} />
      {state === 'waiting' || state === 'confirming' ? <PayWhere invoice={invoice} /> : null}
      <div className="pay-actions">
        <Button kind="primary" size="large" wide busy={isLoading} onClick={() => void check()}>
          {t('investments:verify')}
        </Button>
        {state === 'paid' ? (
          <Button kind="quiet" onClick={onVerified}>
            {t('ui:close')}
          </Button>
        ) : (
          <Button kind="quiet" onClick={onStartOver}>
            {t('investments:startOver')}
          </Button>
        )}
      </div>
    </div>
  )
}

function PayWhere({ invoice }: { invoice: OpenInvoice }) {
  const { t } = useTranslation(['investments', 'ui'])
  const formats = useFormats()
  return (
    <>
      <div className="pay-grid">
        <Suspense fallback={<Skeleton width={256} height={256} />}>
          <QrCode value={invoice.address} size={256} label={t('ui:qrAlt', { text: invoice.address })} />
        </Suspense>
        <div className="pay-facts">
          <div className="pay-fact">
            <p className="pay-label">{t('investments:pay.amount')}</p>
            <div className="pay-value">
              <p className="pay-amount">
                {formats.exact(invoice.amount)} <span>USDT</span>
              </p>
              <CopyButton
                compact
                text={invoice.amount}
                label={t('investments:pay.copyAmount')}
                confirmation={t('investments:pay.amountCopied')}
              />
            </div>
          </div>
          <div className="pay-fact">
            <p className="pay-label">{t('investments:pay.address')}</p>
            <div className="pay-value">
              <p className="pay-address" data-address={invoice.address}>
                <Address value={invoice.address} />
              </p>
              <CopyButton
                compact
                text={invoice.address}
                label={t('investments:pay.copyAddress')}
                confirmation={t('investments:pay.addressCopied')}
              />
            </div>
          </div>
          <p className="notice notice-wait">
            <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
            <span>{t('investments:pay.network')}</span>
          </p>
        </div>
      </div>
      <p className="muted small pay-how">
        {t('investments:pay.how')}{' '}
        <a href={invoice.checkoutUrl} target="_blank" rel="noreferrer">
          {t('investments:pay.more')}
          <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">{t('ui:opensNewTab')}</span>
        </a>
      </p>
    </>
  )
}
