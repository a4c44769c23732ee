import type { InvoiceStatus } from '@aval/contract'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useDispatch } from 'react-redux'
import { CHANGED_BY_INVESTING, client } from '../../../api/client.ts'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { countdownText, useTimeLeft } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCheck, IconClock } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useInvoiceStatusQuery, useVerifyInvestmentMutation } from '../api.ts'
import { forgetInvoice, type OpenInvoice } from '../openInvoice.ts'

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
    <div className="stack-16" ref={box} tabIndex={-1}>
      <LiveState invoice={invoice} status={status} />
      {state === 'waiting' || state === 'confirming' ? <PayWhere invoice={invoice} /> : null}
      <div className="stack-8">
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
  return (
    <>
      <div className="pay-grid">
        <Suspense fallback={<Skeleton width={256} height={256} />}>
          <QrCode value={invoice.address} size={256} label={t('ui:qrAlt', { text: invoice.address })} />
        </Suspense>
        <div className="stack-16">
          <div>
            <p className="muted small">{t('investments:pay.amount')}</p>
            <div className="card-head">
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
          <div>
            <p className="muted small">{t('investments:pay.address')}</p>
            <div className="card-head">
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
          <Notice kind="wait" icon={IconAlertTriangle}>
            {t('investments:pay.network')}
          </Notice>
        </div>
      </div>
      <p className="muted small">
        {t('investments:pay.how')}{' '}
        <OutsideLink href={invoice.checkoutUrl}>{t('investments:pay.more')}</OutsideLink>
      </p>
    </>
  )
}

interface LiveStateProps {
  invoice: OpenInvoice
  /** Undefined until the first answer: nothing has been seen, so far as we know. */
  status: InvoiceStatus | undefined
}

const TONES = { waiting: '', confirming: '', short: 'notice-wait', paid: 'notice-ok', expired: 'notice-wait' }

const MARKS: Record<InvoiceStatus['state'], ReactNode> = {
  waiting: <span className="live-pulse" />,
  confirming: <span className="spinner" />,
  short: <IconAlertTriangle size={20} stroke={1.7} />,
  paid: <IconCheck size={22} stroke={2.2} />,
  expired: <IconClock size={20} stroke={1.7} />,
}

function LiveState({ invoice, status }: LiveStateProps) {
  const { t } = useTranslation('investments')
  const state = status?.state ?? 'waiting'
  const seen = status?.confirmations ?? 0
  const needed = status?.confirms_needed ?? 0
  const figures = { seen, needed, amount: formats.money(status?.investment ?? 0) }
  return (
    <section
      className={`row-16 one-line live ${TONES[state]}`}
      data-state={state}
      aria-label={t('live.label')}
    >
      <span className="centred live-mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      <div className="live-text">
        <p className="live-title" role="status">
          <strong>{t(`live.${state}`, figures)}</strong>
        </p>
        {state === 'waiting' ? <Deadline deadline={invoice.deadline} /> : null}
        {state === 'confirming' ? (
          <progress className="live-progress" max={needed} value={seen} aria-label={t('live.label')} />
        ) : null}
        {state === 'short' || state === 'expired' ? <p className="muted">{status?.message}</p> : null}
        {state === 'paid' ? <p className="muted">{t('live.paidDetail', figures)}</p> : null}
        {status?.explorer_url ? (
          <OutsideLink href={status.explorer_url} className="small">
            {t('live.transaction')}
          </OutsideLink>
        ) : null}
      </div>
    </section>
  )
}

function Deadline({ deadline }: { deadline: number }) {
  const { t } = useTranslation('investments')
  const left = useTimeLeft(deadline)
  if (left <= 0) return <p className="muted">{t('live.late')}</p>
  return (
    <p className="muted">
      {t('live.left')} <time role="timer">{countdownText(left)}</time>
    </p>
  )
}

const EVERY = 2000
const FINAL: readonly InvoiceStatus['state'][] = ['paid', 'expired']

/** Follows an invoice every two seconds while someone can see it, and lets go once nothing more can happen. */
function useInvoice(txnId: string, onGone: () => void): InvoiceStatus | undefined {
  const dispatch = useDispatch()
  const visible = usePageVisible()
  const [done, setDone] = useState(false)
  const { data, error, refetch } = useInvoiceStatusQuery(txnId, {
    pollingInterval: done || !visible ? 0 : EVERY,
    refetchOnMountOrArgChange: true,
  })
  const state = data?.state
  // Kept here, unknown there: the server has another database now.
  const isGone = (error as Failure | undefined)?.status === 404
  const wasVisible = useRef(visible)

  useEffect(() => {
    if (visible && !wasVisible.current && !done) void refetch()
    wasVisible.current = visible
  }, [visible, done, refetch])

  useEffect(() => {
    if (state === undefined || !FINAL.includes(state)) return
    setDone(true)
    forgetInvoice()
    // Paid without a press of a button: every figure on the page behind is stale now.
    if (state === 'paid') dispatch(client.util.invalidateTags([...CHANGED_BY_INVESTING]))
  }, [state, dispatch])

  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])

  return data
}
