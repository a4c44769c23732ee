import type { QueuedWithdrawal } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, type ListState, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { shortHash } from '../../../ui/groups.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import type { Queue, WithdrawalDecision } from '../api.ts'
import { Dossier } from './Dossier.tsx'
import { rowNotes } from './RowNotes.tsx'

interface QueueTableProps {
  list: ListState<QueuedWithdrawal>
  state: Queue
  chosen: ReadonlySet<number>
  onChoose: (id: number, wanted: boolean) => void
  onDecide: (decision: WithdrawalDecision['decision'], row: QueuedWithdrawal) => void
  page: number
  onPage: (page: number) => void
}

export function QueueTable({ list, state, chosen, onChoose, onDecide, page, onPage }: QueueTableProps) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <PagedTable
      list={list}
      caption={t('title')}
      columns={useColumns(state, chosen, onChoose)}
      rowKey={(row) => row.id}
      note={rowNotes}
      detail={(row) => <Dossier id={row.id} onDecide={(decision) => onDecide(decision, row)} />}
      page={page}
      onPage={onPage}
      empty={<EmptyState text={t(`none.${state}`)} />}
    />
  )
}

function useColumns(
  state: Queue,
  chosen: ReadonlySet<number>,
  onChoose: (id: number, wanted: boolean) => void,
): Column<QueuedWithdrawal>[] {
  const { t } = useTranslation('console/withdrawals')
  const member: Column<QueuedWithdrawal> = {
    key: 'member',
    header: t('member'),
    cell: (row) => (
      <span className="queue-member">
        {state === 'requested' && row.can_approve ? (
          <input
            type="checkbox"
            className="queue-check"
            checked={chosen.has(row.id)}
            aria-label={t('choose', { number: row.id, member: row.username })}
            onClick={(event) => event.stopPropagation()}
            onChange={(event) => onChoose(row.id, event.target.checked)}
          />
        ) : null}
        <span className="two-lines">
          <span>
            <Name text={row.username} />
          </span>
          <span>
            <Name text={row.email} />
          </span>
        </span>
      </span>
    ),
  }
  return [
    member,
    { key: 'date', header: t('date'), cell: (row) => formats.shortStamp(row.date) },
    {
      key: 'amount',
      header: t('amount'),
      figure: true,
      cell: (row) => (
        <span className="two-lines">
          <span>
            <strong>{formats.money(row.amount)}</strong>
          </span>
          <span>{t('arrives', { amount: formats.exact(row.arrives) })}</span>
        </span>
      ),
    },
    {
      key: 'wallet',
      header: t('wallet'),
      cell: (row) => (
        <span className="two-lines">
          <span>{shortHash(row.wallet_address)}</span>
          <span>
            {row.wallet_since === null ? '–' : t('walletSince', { date: formats.date(row.wallet_since) })}
          </span>
        </span>
      ),
    },
    {
      key: 'stage',
      header: t('stage'),
      cell: (row) => <Stage row={row} />,
    },
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
    <span className="queue-stage">
      <span className={`badge ${BADGES[row.status]}`}>{t(`stages.${stage}`)}</span>
      {detail === null ? null : <span className="muted small">{detail}</span>}
    </span>
  )
}
