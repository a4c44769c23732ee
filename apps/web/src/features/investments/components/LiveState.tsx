import type { InvoiceStatus } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countdownText } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCheck, IconClock } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { stateAt } from '../invoice.ts'

type State = InvoiceStatus['state']

const TONES: Record<State, string> = {
  waiting: '',
  confirming: '',
  partly_paid: 'notice-wait',
  paid: 'notice-ok',
  expired: 'notice-wait',
  cancelled: 'notice-wait',
}

const MARKS: Record<State, ReactNode> = {
  waiting: <span className="live-pulse" />,
  confirming: <span className="spinner" />,
  partly_paid: <IconAlertTriangle size={20} stroke={1.7} />,
  paid: <IconCheck size={22} stroke={2.2} />,
  expired: <IconClock size={20} stroke={1.7} />,
  cancelled: <IconClock size={20} stroke={1.7} />,
}

/** The figures that the sentences about an invoice have. */
export const figuresOf = (status: InvoiceStatus) => ({
  seen: status.confirmations,
  needed: status.confirms_needed,
  invested: formats.money(status.investment),
  received: formats.exact(status.received),
  due: formats.exact(status.amount),
  missing: formats.exact(status.to_send),
  surplus: formats.exact(status.to_balance),
  seenAmount: formats.exact(status.on_the_way),
})

/** What an invoice is waiting for, or how it ended. `left`: milliseconds to its end. */
export function LiveState({ status, left }: { status: InvoiceStatus; left: number }) {
  const { t } = useTranslation('investments')
  const state = stateAt(status, left)
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
          <strong>{t(`live.${state}`, figuresOf(status))}</strong>
        </p>
        <Detail status={{ ...status, state }} left={left} />
        {status.explorer_url ? (
          <OutsideLink href={status.explorer_url} className="small">
            {t('live.transaction')}
          </OutsideLink>
        ) : null}
      </div>
    </section>
  )
}

function Detail({ status, left }: { status: InvoiceStatus; left: number }) {
  const { t } = useTranslation('investments')
  const figures = figuresOf(status)
  const isShort = Number(status.missing) > 0
  switch (status.state) {
    case 'waiting':
      return <TimeLeft left={left} />
    case 'confirming':
      return (
        <>
          <progress
            className="live-progress"
            max={status.confirms_needed}
            value={status.confirmations}
            aria-label={t('live.label')}
          />
          {isShort ? <p className="muted">{t('live.missing', figures)}</p> : null}
        </>
      )
    case 'partly_paid':
      return (
        <>
          <progress
            className="live-progress"
            max={Number(status.amount)}
            value={Number(status.received)}
            aria-label={t('live.label')}
          />
          <p className="muted">{t('live.missing', figures)}</p>
          <TimeLeft left={left} />
        </>
      )
    case 'paid':
      return (
        <>
          <p className="muted">{t('live.paidDetail', figures)}</p>
          {status.unlocks_at === null ? null : (
            <p className="muted">{t('live.unlocks', { date: formats.date(status.unlocks_at) })}</p>
          )}
          {status.first_payment_day === null || status.first_payment === null ? null : (
            <p className="muted">
              {t('live.firstPayment', {
                amount: formats.money(status.first_payment),
                day: formats.day(status.first_payment_day),
              })}
            </p>
          )}
          {Number(status.to_balance) > 0 ? <p>{t('live.surplus', figures)}</p> : null}
        </>
      )
    default:
      return <Ended status={status} />
  }
}

/** What became of the money, of an invoice that ended unpaid. */
export function Ended({ status }: { status: InvoiceStatus }) {
  const { t } = useTranslation('investments')
  const text = () => {
    if (status.is_open) return t('live.late')
    // The server's sentence begins with what the title says already.
    if (status.state !== 'cancelled') return status.message
    return t(Number(status.to_balance) > 0 ? 'live.returned' : 'live.stillComing', figuresOf(status))
  }
  return <p className="muted">{text()}</p>
}

export function TimeLeft({ left }: { left: number }) {
  const { t } = useTranslation('investments')
  return (
    <p className="muted">
      <span>{t('live.left')}</span>{' '}
      <time role="timer" translate="no">
        {countdownText(left)}
      </time>
    </p>
  )
}
