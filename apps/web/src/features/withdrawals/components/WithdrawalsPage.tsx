import type { Withdrawal } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type ReactNode, useEffect, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { isSome } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, PagedTable } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconCheck, IconWallet, IconX } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useCancelWithdrawalMutation, useWithdrawalsQuery } from '../api.ts'
import { currentOf, type Step, stepsOf } from '../timeline.ts'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import './withdrawals.css'

export function WithdrawalsPage() {
  const { t } = useTranslation('withdrawals')
  const current = useLatest()
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      <div className="withdrawal-columns" data-alone={current === null}>
        <WithdrawalForm />
        {current === null ? null : <CurrentWithdrawal withdrawal={current} />}
      </div>
      <WithdrawalHistory />
    </div>
  )
}

/** The withdrawal under way, and the one that was while the page is open. It moves by the stream of events. */
function useLatest() {
  const [followed, setFollowed] = useState<number | null>(null)
  const rows = useWithdrawalsQuery(1).data?.results
  const newest = rows === undefined ? null : (currentOf(rows, null)?.id ?? null)
  useEffect(() => {
    if (newest !== null) setFollowed(newest)
  }, [newest])
  return rows === undefined ? null : currentOf(rows, followed)
}

function WithdrawalHistory() {
  const { t } = useTranslation('withdrawals')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useWithdrawalsQuery(page)
  return (
    <section className="card" aria-labelledby="withdrawal-history">
      <div className="list-head">
        <h2 id="withdrawal-history">{t('history.title')}</h2>
      </div>
      <PagedTable
        list={list}
        caption={t('history.title')}
        columns={useColumns()}
        rowKey={(row) => row.id}
        detail={(row) => (
          <div className="stack-16 withdrawal-detail">
            <Timeline withdrawal={row} />
            <Facts withdrawal={row} />
            <CancelButton withdrawal={row} />
          </div>
        )}
        page={page}
        onPage={setPage}
        empty={<EmptyState icon={IconWallet} text={t('history.empty')} />}
      />
    </section>
  )
}

function useColumns(): Column<Withdrawal>[] {
  const { t } = useTranslation('withdrawals')
  return [
    column(t('history.date'), (row) => formats.dateTime(row.date)),
    figureColumn(t('history.amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
    column(t('history.status'), (row) => <StatusBadge withdrawal={row} />),
    column(t('history.hash'), ({ payment_link: link }) =>
      link === null ? '-' : <OutsideLink href={link}>{t('history.view')}</OutsideLink>,
    ),
  ]
}

function CurrentWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <section className="card card-pad stack-16 withdrawal-current" aria-labelledby="withdrawal-current">
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

function Facts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <dl className="facts stack-8 withdrawal-facts">
      <Fact name={t('quote.fee')}>{formats.money(`-${withdrawal.fee}`)}</Fact>
      <Fact name={t('quote.arrives')}>
        <strong>{formats.exact(withdrawal.arrives)}</strong> USDT
      </Fact>
      {isSome(withdrawal.from_principal) ? (
        <Fact name={t('quote.fromPrincipal')}>{formats.money(withdrawal.from_principal)}</Fact>
      ) : null}
      <Fact className="withdrawal-wallet" name={t('form.wallet')}>
        <Address value={withdrawal.wallet_address} />
      </Fact>
    </dl>
  )
}

function CancelButton({ withdrawal }: { withdrawal: Withdrawal }) {
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
          <div className="stack-16">
            <p>{t('cancel.text', { amount: formats.money(withdrawal.amount) })}</p>
            <div className="row-12 row-end">
              <Button onClick={close} disabled={isLoading}>
                {t('cancel.keep')}
              </Button>
              <Button kind="danger" busy={isLoading} onClick={() => void confirm()}>
                {t('cancel.button')}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

const BADGES: Record<Withdrawal['status'], string> = { 1: 'badge-wait', 2: 'badge-ok', 3: 'badge-bad' }

/** Pending, approved, refused: what members know a withdrawal by. Its stage says the rest. */
function StatusBadge({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return <span className={`badge ${BADGES[withdrawal.status]}`}>{t(`status.${withdrawal.status}`)}</span>
}

function Timeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <ol className="timeline" aria-label={t('timeline.label')}>
      {stepsOf(withdrawal).map((step) => (
        <li key={step.stage} data-state={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="centred timeline-mark" aria-hidden="true">
            <Mark state={step.state} />
          </span>
          <div className="timeline-text">
            <p className="timeline-title">{t(`timeline.${step.stage}`)}</p>
            <StepNote step={step} withdrawal={withdrawal} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state }: { state: Step['state'] }) {
  if (state === 'done') return <IconCheck size={14} stroke={2.4} />
  if (state === 'ended') return <IconX size={14} stroke={2.4} />
  return state === 'now' ? <span className="spinner" /> : null
}

/** The steps that something is waited for at, without anything to count. */
const WAITS = ['approved', 'signed', 'broadcast', 'completed'] as const

/** When it happened; or, of the step under way, what is waited for. */
function StepNote({ step: { stage, at, state }, withdrawal }: { step: Step; withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const { confirmations, confirms_needed: needed, reason } = withdrawal
  const waited = state === 'now' ? WAITS.find((known) => known === stage) : undefined
  if (state === 'next') return null
  if (state === 'now' && stage === 'confirming')
    return (
      <Note>
        {t('timeline.blocks', { seen: confirmations ?? 0, needed })} <ExplorerLink withdrawal={withdrawal} />
      </Note>
    )
  if (waited !== undefined) return <Note>{t(`waits.${waited}`)}</Note>
  return (
    <>
      {at === null ? null : (
        <Note>
          <time dateTime={at}>{formats.dateTime(at)}</time>
        </Note>
      )}
      {state === 'ended' && reason !== null ? <Note>{reason}</Note> : null}
      {state === 'done' && stage === 'completed' ? (
        <Note>
          <ExplorerLink withdrawal={withdrawal} />
        </Note>
      ) : null}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="muted small">{children}</p>
}

function ExplorerLink({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  if (withdrawal.payment_link === null) return null
  return (
    <OutsideLink href={withdrawal.payment_link} className="small">
      {t('timeline.transaction')}
    </OutsideLink>
  )
}
