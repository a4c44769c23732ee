import type { QueuedWithdrawal, WithdrawalRisk } from '@aval/contract'
import { formatMicro, type Micro, micro } from '@aval/money'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { microOf } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconAlertTriangle, IconClock } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { ApprovalsLink } from '../../shared/ApprovalsLink.tsx'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { usePlace } from '../../shared/place.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { QUEUES, type Queue, useRefuseWithdrawalsMutation, useWithdrawalQueueQuery } from '../api.ts'
import { Dossier } from './Dossier.tsx'
import './queue.css'

/** Others ask and decide at the same time. */
const EVERY = 5000

/** Withdrawals by what is to be done about them; several can be refused with one code. */
export function WithdrawalsTab() {
  const { t } = useTranslation('console/withdrawals')
  const place = usePlace()
  const state: Queue = QUEUES.find((name) => name === place.state) ?? 'requested'
  const polling = usePolling(state === 'closed' ? 0 : EVERY)
  const list = quiet(useWithdrawalQueueQuery({ state, page: place.page }, polling))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  /** What was read when it was asked stays what is refused, while the list may learn of news. */
  const [asked, setAsked] = useState<readonly QueuedWithdrawal[] | null>(null)
  const rows = list.data?.results ?? []
  // What left the page meanwhile is no longer chosen.
  const selected = rows.filter((row) => chosen.has(row.id))

  const choose = (id: number, wanted: boolean) => {
    const others = [...chosen].filter((other) => other !== id)
    setChosen(new Set(wanted ? [...others, id] : others))
  }
  const show = (next: Queue, page: number) => {
    setChosen(new Set())
    place.show('withdrawals', { state: next === 'requested' ? null : next, page })
  }
  return (
    <section className="card queue">
      {state === 'requested' ? (
        <div className="queue-approve row-8 row-apart">
          <p className="muted small">{t('approveElsewhere')}</p>
          <ApprovalsLink className="button button-primary" />
        </div>
      ) : null}
      <FilteredTable
        filter={t('filter')}
        choices={QUEUES}
        current={state}
        textOf={(choice) => t(`queue.${choice}`)}
        onShow={show}
        list={list}
        caption={t('title')}
        columns={useColumns(state, chosen, choose)}
        rowKey={(row) => row.id}
        note={rowNotes}
        detail={(row) => <Dossier id={row.id} onRefuse={() => setAsked([row])} />}
        page={place.page}
        empty={<EmptyState text={t(`none.${state}`)} />}
      />
      <Selection rows={selected} onRefuse={() => setAsked(selected)} onClear={() => setChosen(new Set())} />
      {asked === null ? null : (
        <RefuseDialog
          rows={asked}
          onClose={() => setAsked(null)}
          onRefused={() => {
            setAsked(null)
            setChosen(new Set())
          }}
        />
      )}
    </section>
  )
}

function useColumns(
  state: Queue,
  chosen: ReadonlySet<number>,
  onChoose: (id: number, wanted: boolean) => void,
): Column<QueuedWithdrawal>[] {
  const { t } = useTranslation('console/withdrawals')
  return [
    column(t('member'), (row) => (
      <span className="row-8 one-line">
        {state === 'requested' && row.can_refuse ? (
          <input
            type="checkbox"
            className="queue-check"
            checked={chosen.has(row.id)}
            aria-label={t('choose', { number: row.id, member: row.username })}
            onClick={(event) => event.stopPropagation()}
            onChange={(event) => onChoose(row.id, event.target.checked)}
          />
        ) : null}
        <TwoLines
          first={<MemberName id={row.member_id} username={row.username} />}
          second={<Name text={row.email} />}
        />
      </span>
    )),
    column(t('date'), (row) => formats.shortStamp(row.date)),
    figureColumn(t('amount'), (row) => (
      <TwoLines
        first={<strong>{formats.money(row.amount)}</strong>}
        second={t('arrives', { amount: formats.exact(row.arrives) })}
      />
    )),
    column(t('wallet'), (row) => (
      <TwoLines
        first={shortHash(row.wallet_address)}
        second={row.wallet_since === null ? '–' : t('walletSince', { date: formats.date(row.wallet_since) })}
      />
    )),
    column(t('stage'), (row) => <Stage row={row} />),
  ]
}

const BADGES: Record<QueuedWithdrawal['status'], string> = { 1: 'badge-wait', 2: 'badge-ok', 3: 'badge-bad' }

function Stage({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation('console/withdrawals')
  const { stage, approvals, approvals_needed: needed, confirmations, confirms_needed } = row
  const detail =
    stage === 'requested'
      ? t('approvals', { given: approvals.length, needed })
      : stage === 'confirming'
        ? t('blocks', { seen: confirmations ?? 0, needed: confirms_needed })
        : null
  return (
    <span className="queue-stage row-8">
      <span className={`badge ${BADGES[row.status]}`}>{t(`stages.${stage}`)}</span>
      {detail === null ? null : <span className="muted small">{detail}</span>}
    </span>
  )
}

/** Risks of a withdrawal, what it waits for, what did not arrive; null where there is nothing. */
function rowNotes(row: QueuedWithdrawal) {
  if (row.risks.length === 0 && row.delay === null && row.short_by === null) return null
  return <RowNotes row={row} />
}

function RowNotes({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation('console/withdrawals')
  const { risks, delay, short_by: short } = row
  return (
    <div className="stack-8">
      {risks.length === 0 ? null : <Risks risks={risks} />}
      {delay === null ? null : (
        <Notice kind="wait" icon={IconClock}>
          {t(`delay.${delay.code}`)}{' '}
          <span className="muted">
            {t('since', { time: formats.shortStamp(delay.since) })}
            {delay.detail === '' ? '' : ` · ${delay.detail}`}
          </span>
        </Notice>
      )}
      {short === null ? null : <Notice kind="bad">{t('short', { amount: formats.exact(short) })}</Notice>}
    </div>
  )
}

/** What to check before approving, in plain words. */
function Risks({ risks }: { risks: readonly WithdrawalRisk[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-risks row-8" aria-label={t('risks')}>
      {risks.map((risk) => (
        <li key={risk} className="badge badge-wait">
          <IconAlertTriangle size={13} stroke={1.8} aria-hidden="true" />
          {t(`risk.${risk}`)}
        </li>
      ))}
    </ul>
  )
}

interface SelectionProps {
  rows: readonly QueuedWithdrawal[]
  onRefuse: () => void
  onClear: () => void
}

const totalOf = (rows: readonly QueuedWithdrawal[]): Micro =>
  rows.reduce((sum, row) => micro(sum + microOf(row.amount)), micro(0n))

function Selection({ rows, onRefuse, onClear }: SelectionProps) {
  const { t } = useTranslation('console/withdrawals')
  if (rows.length === 0) return null
  return (
    <div className="queue-selection row-8 row-apart" role="status">
      <p>
        {t('chosen', { count: rows.length })} <strong>{formats.money(formatMicro(totalOf(rows)))}</strong>
      </p>
      <div className="row-8 row-end">
        <Button kind="quiet" size="small" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button kind="danger" size="small" onClick={onRefuse}>
          {t('refuse')}
        </Button>
      </div>
    </div>
  )
}

const LONGEST_REASON = 300

interface RefuseDialogProps {
  rows: readonly QueuedWithdrawal[]
  onClose: () => void
  onRefused: () => void
}

/** Says whose withdrawals will not be paid, asks why, and carries it out with one code. */
function RefuseDialog({ rows, onClose, onRefused }: RefuseDialogProps) {
  const { t } = useTranslation('console/withdrawals')
  const [send] = useRefuseWithdrawalsMutation()
  const figures = { count: rows.length, amount: formats.money(formatMicro(totalOf(rows))) }
  const reason = {
    label: t('reason'),
    hint: t('reasonHint'),
    longest: LONGEST_REASON,
    missing: t('reasonMissing'),
  }
  return (
    <ReasonDialog
      title={t('refuseTitle', figures)}
      width={560}
      send={send}
      what={t('confirm', figures)}
      bodyOf={(why) => ({ ids: rows.map((row) => row.id), reason: why })}
      reason={reason}
      submit={t('refuse')}
      danger
      onDecided={onRefused}
      onClose={onClose}
    >
      <Refused rows={rows} />
    </ReasonDialog>
  )
}

function Refused({ rows }: { rows: readonly QueuedWithdrawal[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-decided stack-8">
      {rows.map((row) => (
        <li key={row.id} className="box stack-6">
          <div className="card-head">
            <Name text={row.username} />
            <strong>{formats.money(row.amount)}</strong>
          </div>
          <p className="muted small">{t('arrives', { amount: formats.exact(row.arrives) })}</p>
          <p className="small">
            <Address value={row.wallet_address} />
          </p>
          {row.risks.length === 0 ? null : <Risks risks={row.risks} />}
        </li>
      ))}
    </ul>
  )
}
