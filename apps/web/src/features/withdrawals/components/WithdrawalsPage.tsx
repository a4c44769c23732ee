import type { Withdrawal } from '@aval/contract'
import { WITHDRAWAL_HOURS } from '@aval/contract/deadlines'
import { useQueryState } from 'nuqs'
import { useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { isSome } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, PagedTable } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { FailureGroup } from '../../../ui/FailureGroup.tsx'
import { formats } from '../../../ui/format.ts'
import { IconCircleCheck, IconWallet } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useCancelWithdrawalMutation, useWithdrawalsQuery } from '../api.ts'
import { currentOf } from '../timeline.ts'
import { Timeline, useStageWords } from './Timeline.tsx'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import './withdrawals.css'

export function WithdrawalsPage() {
  const { t } = useTranslation('withdrawals')
  const [current, isAwaited] = useLatest()
  const [sent, setSent] = useState<number | null>(null)
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text', { hours: WITHDRAWAL_HOURS })} />
      <FailureGroup>
        <div className="withdrawal-columns" data-awaited={isAwaited}>
          <WithdrawalForm onSent={({ id }) => setSent(id)} />
          <div className="withdrawal-side">
            {current === null ? null : (
              <CurrentWithdrawal key={current.id} withdrawal={current} isNew={current.id === sent} />
            )}
            <WithdrawalHistory />
          </div>
        </div>
      </FailureGroup>
    </div>
  )
}

/**
 * The withdrawal under way, and the one that was while the page is open. It moves by the stream of events.
 * @returns and whether the first answer, which says whether there is one, is awaited
 */
function useLatest(): [Withdrawal | null, boolean] {
  const [followed, setFollowed] = useState<number | null>(null)
  const { data, isFetching } = useWithdrawalsQuery(1)
  const rows = data?.results
  const newest = rows === undefined ? null : (currentOf(rows, null)?.id ?? null)
  useEffect(() => {
    if (newest !== null) setFollowed(newest)
  }, [newest])
  return rows === undefined ? [null, isFetching] : [currentOf(rows, followed), false]
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
            <Whole withdrawal={row} />
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
    column(t('history.status'), (row) => <Status withdrawal={row} />),
    column(t('history.hash'), ({ payment_link: link }) =>
      link === null ? '-' : <OutsideLink href={link}>{t('history.view')}</OutsideLink>,
    ),
  ]
}

interface CurrentProps {
  withdrawal: Withdrawal
  /** It was sent a moment ago, on this page: the member is led here. */
  isNew: boolean
}

function CurrentWithdrawal({ withdrawal, isNew }: CurrentProps) {
  const { t } = useTranslation('withdrawals')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNew) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  return (
    <section className="card card-pad stack-16 withdrawal-current" aria-labelledby="withdrawal-current">
      <div className="card-head">
        <h2 id="withdrawal-current" ref={heading} tabIndex={-1}>
          {t('current.title', { amount: formats.money(withdrawal.amount) })}
        </h2>
        <StatusBadge withdrawal={withdrawal} />
      </div>
      <p className="visually-hidden" role="status">
        {useStageWords()(withdrawal)}
      </p>
      <Whole withdrawal={withdrawal} />
    </section>
  )
}

/** How it ended, or how it goes; what it cost, and where it goes to. */
function Whole({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <>
      {withdrawal.stage === 'completed' ? (
        <Notice kind="ok" icon={IconCircleCheck}>
          {t('current.arrived', { amount: formats.exact(withdrawal.arrives) })}
        </Notice>
      ) : null}
      <Timeline withdrawal={withdrawal} />
      <Facts withdrawal={withdrawal} />
      <CancelButton withdrawal={withdrawal} />
    </>
  )
}

function Facts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <dl className="facts stack-8 withdrawal-facts">
      <Fact name={t('quote.fee')}>{formats.money(`-${withdrawal.fee}`)}</Fact>
      <Fact name={t('quote.arrives')}>
        <strong>{formats.exact(withdrawal.arrives)}</strong>
        <span> USDT</span>
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

/** The badge, and beside it where the withdrawal stands. */
function Status({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const words = useStageWords()(withdrawal)
  return (
    <span className="withdrawal-status">
      <StatusBadge withdrawal={withdrawal} />
      {words === t(`status.${withdrawal.status}`) ? null : <span className="muted small">{words}</span>}
    </span>
  )
}
