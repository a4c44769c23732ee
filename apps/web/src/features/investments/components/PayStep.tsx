import type { InvoiceStatus } from '@aval/contract'
import { lazy, memo, type ReactNode, Suspense, useEffect, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { useTimeLeft } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useTermsQuery, useVerifyInvestmentMutation } from '../api.ts'
import { isPayable, useInvoice } from '../invoice.ts'
import { CancelInvoice } from './CancelInvoice.tsx'
import { LiveState } from './LiveState.tsx'
import { useEndInvoice } from './useEndInvoice.ts'

const QrCode = lazy(() => import('../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

interface NextSteps {
  /** To the first step, with an amount (plain decimal) or none. */
  onStartOver: (amount?: string) => void
  /** To the first step, with the balance chosen. */
  onInvestBalance: () => void
  onDone: () => void
}

export function PayStep({ txnId, ...next }: NextSteps & { txnId: string }) {
  const { query, deadline } = useInvoice(txnId, next.onStartOver)
  const box = useRef<HTMLDivElement>(null)
  // The button that led here is gone; without this the focus would leave the dialog.
  useEffect(() => box.current?.focus(), [])
  return (
    <div className="stack-16" ref={box} tabIndex={-1}>
      <Loaded query={query} hold={<Hold />} holdAgain>
        {(status) => <Invoice status={status} deadline={deadline} {...next} />}
      </Loaded>
    </div>
  )
}

/** As high as an invoice that waits to be paid: most do. */
const Hold = () => (
  <div className="pay-hold">
    <Skeleton width="100%" height="100%" />
  </div>
)

function Invoice({
  status,
  deadline,
  ...next
}: NextSteps & { status: InvoiceStatus; deadline: number }): ReactNode {
  const { t } = useTranslation('investments')
  const left = useTimeLeft(deadline)
  const payable = isPayable(status, left)
  const balance = Number(useTermsQuery().data?.balance ?? 0)
  const covered = payable && Number(status.received) > 0 && balance >= Number(status.from_balance)
  return (
    <>
      <LiveState status={status} left={left} />
      {covered ? <FromBalance status={status} /> : null}
      {payable && status.behind !== null ? (
        <Notice kind="wait" icon={IconAlertTriangle}>
          {t('pay.behind', { amount: formats.money(status.behind) })}
        </Notice>
      ) : null}
      {payable ? (
        <PayWhere address={status.address} amount={status.to_send} checkoutUrl={status.checkout_url} />
      ) : null}
      <div className="stack-8">
        {status.is_open ? (
          <WhileOpen status={status} payable={payable} covered={covered} {...next} />
        ) : (
          <AtTheEnd status={status} {...next} />
        )}
      </div>
    </>
  )
}

/** Needs no other transfer, so it comes before where to send one. */
function FromBalance({ status }: { status: InvoiceStatus }) {
  const { t } = useTranslation('investments')
  const { end, busy } = useEndInvoice(status.txn_id, () => undefined)
  return (
    <div className="stack-8">
      <Button kind="primary" size="large" wide busy={busy} onClick={() => void end('complete')}>
        {t('complete', { amount: formats.exact(status.from_balance) })}
      </Button>
      <p className="muted small">{t('orSend')}</p>
    </div>
  )
}

interface WhileOpenProps extends NextSteps {
  status: InvoiceStatus
  payable: boolean
  /** The balance can complete it, and is offered above. */
  covered: boolean
}

function WhileOpen({ status, payable, covered, onStartOver, onDone }: WhileOpenProps) {
  const { t } = useTranslation('investments')
  const sayFailed = useFailureToast()
  const [verify, { isLoading }] = useVerifyInvestmentMutation()
  const check = useSingleFlight(async () => {
    const answer = await verify(status.txn_id)
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    toast.success(answer.data)
    onDone()
  })
  const isStarted = Number(status.received) > 0
  return (
    <>
      <Button
        kind={covered ? 'secondary' : 'primary'}
        size="large"
        wide
        busy={isLoading}
        onClick={() => void check()}
      >
        {t('verify')}
      </Button>
      {payable && status.state !== 'confirming' ? (
        <CancelInvoice
          status={status}
          label={t(isStarted ? 'cancel.label' : 'startOver')}
          asks={isStarted ? 'cancel' : 'change'}
          onCancelled={isStarted ? () => undefined : () => onStartOver(status.investment)}
        />
      ) : null}
    </>
  )
}

/** Each end has one next step. */
function AtTheEnd({ status, onStartOver, onInvestBalance, onDone }: NextSteps & { status: InvoiceStatus }) {
  const { t } = useTranslation('investments')
  const button = (label: string, onClick: () => void) => (
    <Button kind="primary" size="large" wide onClick={onClick}>
      {label}
    </Button>
  )
  if (status.state === 'paid') return button(t('done'), onDone)
  if (Number(status.to_balance) > 0) return button(t('investBalance'), onInvestBalance)
  return button(t('another'), () => onStartOver())
}

interface PayWhereProps {
  address: string
  amount: string
  checkoutUrl: string
}

/** Kept as it is while the seconds pass beside it. */
const PayWhere = memo(function PayWhere({ address, amount, checkoutUrl }: PayWhereProps) {
  const { t } = useTranslation(['investments', 'ui'])
  return (
    <>
      <div className="pay-grid">
        <Suspense fallback={<Skeleton width={280} height={280} />}>
          <QrCode value={address} size={256} label={t('ui:qrAlt', { text: address })} />
        </Suspense>
        <div className="stack-16">
          <ToCopy
            title={t('investments:pay.amount')}
            text={amount}
            copy={[t('investments:pay.copyAmount'), t('investments:pay.amountCopied')]}
          >
            <p className="pay-amount" translate="no">
              <span>{formats.exact(amount)}</span> <span>USDT</span>
            </p>
          </ToCopy>
          <ToCopy
            title={t('investments:pay.address')}
            text={address}
            copy={[t('investments:pay.copyAddress'), t('investments:pay.addressCopied')]}
          >
            <p className="pay-address" data-address={address}>
              <Address value={address} />
            </p>
          </ToCopy>
          <Notice kind="wait" icon={IconAlertTriangle}>
            {t('investments:pay.network')}
          </Notice>
        </div>
      </div>
      <p className="muted small">
        <span>{t('investments:pay.how')}</span>{' '}
        <OutsideLink href={checkoutUrl}>{t('investments:pay.more')}</OutsideLink>
      </p>
    </>
  )
})

interface ToCopyProps {
  title: string
  text: string
  copy: readonly [label: string, confirmation: string]
  children: ReactNode
}

function ToCopy({ title, text, copy: [label, confirmation], children }: ToCopyProps) {
  return (
    <div>
      <p className="muted small">{title}</p>
      <div className="card-head">
        {children}
        <CopyButton compact text={text} label={label} confirmation={confirmation} />
      </div>
    </div>
  )
}
