import type { InvoiceStatus } from '@aval/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readJson, storage } from '../../../api/storage.ts'
import { Button } from '../../../ui/Button.tsx'
import { useTimeLeft } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { useInvoicesQuery } from '../api.ts'
import { deadlineOf, stateAt } from '../invoice.ts'
import { CancelInvoice } from './CancelInvoice.tsx'
import { Ended, figuresOf, TimeLeft } from './LiveState.tsx'
import './pending.css'

export interface PendingInvestmentsProps {
  /** Opens the invoice of this id where it was left. */
  onContinue: (txnId: string) => void
  onInvestBalance: () => void
  /** Stands there until it is known what there is: where a page knows already that there is something. */
  hold?: ReactNode
}

const KEY = 'dismissed_invoices'
const dismissed = (): readonly unknown[] => {
  const stored = readJson(storage, KEY)
  return Array.isArray(stored) ? stored : []
}

/** What a member has not finished paying, on every device; and, for a day, what ended with money that came for it. */
export function PendingInvestments({ hold = null, ...props }: PendingInvestmentsProps) {
  const { t } = useTranslation('investments')
  const { data = [], isLoading, fulfilledTimeStamp = 0 } = useInvoicesQuery()
  const [hidden, setHidden] = useState(dismissed)
  const hide = (txnId: string) => {
    const next = [...hidden.slice(-20), txnId]
    storage.set(KEY, JSON.stringify(next))
    setHidden(next)
  }
  const shown = data.filter(({ txn_id }) => !hidden.includes(txn_id))
  if (isLoading) return hold
  if (shown.length === 0) return null
  return (
    <section className="card card-pad stack-12" aria-labelledby="pending-title">
      <h2 id="pending-title">{t('pending.title', { count: shown.length })}</h2>
      <ul className="stack-12">
        {shown.map((status, at) => (
          <Pending
            key={status.txn_id}
            status={status}
            isFirst={at === 0}
            deadline={deadlineOf(status, fulfilledTimeStamp)}
            onHide={() => hide(status.txn_id)}
            {...props}
          />
        ))}
      </ul>
    </section>
  )
}

interface PendingProps extends Omit<PendingInvestmentsProps, 'hold'> {
  status: InvoiceStatus
  /** What arrives counts for the oldest first: of several, its button stands out. */
  isFirst: boolean
  deadline: number
  onHide: () => void
}

function Pending({ status, isFirst, deadline, onContinue, onInvestBalance, onHide }: PendingProps) {
  const { t } = useTranslation('investments')
  const left = useTimeLeft(deadline)
  const state = stateAt(status, left)
  const canPay = status.is_open && left > 0
  const kind = isFirst ? 'primary' : 'secondary'
  return (
    <li className="pending row-16" data-state={status.state}>
      <div className="pending-text">
        <h3>{t('pending.of', { amount: formats.money(status.investment) })}</h3>
        <p className="muted">{t(`live.${state}`, figuresOf(status))}</p>
        {canPay ? <TimeLeft left={left} /> : state === 'confirming' ? null : <Ended status={status} />}
      </div>
      <div className="row-8">
        {canPay ? (
          <>
            <CancelInvoice status={status} label={t('pending.cancel')} onCancelled={() => undefined} />
            <Button kind={kind} onClick={() => onContinue(status.txn_id)}>
              {t('pending.continue')}
            </Button>
          </>
        ) : null}
        {status.is_open ? null : (
          <>
            <Button kind="quiet" onClick={onHide}>
              {t('pending.hide')}
            </Button>
            <Button kind="secondary" onClick={onInvestBalance}>
              {t('pending.invest')}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}
