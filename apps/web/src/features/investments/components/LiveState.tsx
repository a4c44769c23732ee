import type { InvoiceStatus } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countdownText, useTimeLeft } from '../../../ui/countdown.ts'
import { IconAlertTriangle, IconCheck, IconClock, IconExternalLink } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import type { OpenInvoice } from '../openInvoice.ts'

interface LiveStateProps {
  invoice: OpenInvoice
  /** Undefined until the first answer: nothing has been seen, so far as we know. */
  status: InvoiceStatus | undefined
}

const MARKS: Record<InvoiceStatus['state'], ReactNode> = {
  waiting: <span className="live-pulse" />,
  confirming: <span className="spinner" />,
  short: <IconAlertTriangle size={20} stroke={1.7} />,
  paid: <IconCheck size={22} stroke={2.2} />,
  expired: <IconClock size={20} stroke={1.7} />,
}

/** Where the payment stands, advancing by itself. */
export function LiveState({ invoice, status }: LiveStateProps) {
  const { t } = useTranslation(['investments', 'ui'])
  const formats = useFormats()
  const state = status?.state ?? 'waiting'
  const seen = status?.confirmations ?? 0
  const needed = status?.confirms_needed ?? 0
  const figures = { seen, needed, amount: formats.money(status?.investment ?? 0) }
  return (
    <section className="live" data-state={state} aria-label={t('investments:live.label')}>
      <span className="live-mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      <div className="live-text">
        <p className="live-title" role="status">
          {t(`investments:live.${state}`, figures)}
        </p>
        {state === 'waiting' ? <Deadline deadline={invoice.deadline} /> : null}
        {state === 'confirming' ? (
          <progress
            className="live-progress"
            max={needed}
            value={seen}
            aria-label={t('investments:live.label')}
          />
        ) : null}
        {state === 'short' || state === 'expired' ? <p className="live-detail">{status?.message}</p> : null}
        {state === 'paid' ? <p className="live-detail">{t('investments:live.paidDetail', figures)}</p> : null}
        {status?.explorer_url ? (
          <a href={status.explorer_url} target="_blank" rel="noreferrer" className="small">
            {t('investments:live.transaction')}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        ) : null}
      </div>
    </section>
  )
}

function Deadline({ deadline }: { deadline: number }) {
  const { t } = useTranslation('investments')
  const left = useTimeLeft(deadline)
  if (left <= 0) return <p className="live-detail">{t('live.late')}</p>
  return (
    <p className="live-detail">
      {t('live.left')} <time role="timer">{countdownText(left)}</time>
    </p>
  )
}
