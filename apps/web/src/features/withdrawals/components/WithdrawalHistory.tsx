import type { Withdrawal } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconExternalLink, IconWallet } from '../../../ui/icons.ts'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { useWithdrawalsQuery } from '../api.ts'
import { CancelButton, Facts, StatusBadge } from './CurrentWithdrawal.tsx'
import { Timeline } from './Timeline.tsx'

export function WithdrawalHistory() {
  const { t } = useTranslation('withdrawals')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useWithdrawalsQuery(page)
  return (
    <section className="card" aria-labelledby="withdrawal-history">
      <div className="withdrawal-history-head">
        <h2 id="withdrawal-history">{t('history.title')}</h2>
      </div>
      <PagedTable
        // Rows that move a step while one looks at them are no news for the table.
        list={{ ...list, isFetching: list.isFetching && list.currentData === undefined }}
        caption={t('history.title')}
        columns={useColumns()}
        rowKey={(row) => row.id}
        detail={(row) => (
          <div className="withdrawal-detail">
            <Timeline withdrawal={row} />
            <Facts withdrawal={row} />
            <CancelButton withdrawal={row} />
          </div>
        )}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState
            icon={<IconWallet size={26} stroke={1.4} aria-hidden="true" />}
            text={t('history.empty')}
          />
        }
      />
    </section>
  )
}

function useColumns(): Column<Withdrawal>[] {
  const { t } = useTranslation(['withdrawals', 'ui'])
  return [
    { key: 'date', header: t('withdrawals:history.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'amount',
      header: t('withdrawals:history.amount'),
      figure: true,
      cell: (row) => <strong>{formats.money(row.amount)}</strong>,
    },
    {
      key: 'status',
      header: t('withdrawals:history.status'),
      cell: (row) => <StatusBadge withdrawal={row} />,
    },
    {
      key: 'hash',
      header: t('withdrawals:history.hash'),
      cell: (row) =>
        row.payment_link === null ? (
          '-'
        ) : (
          <a
            href={row.payment_link}
            target="_blank"
            rel="noreferrer"
            onClick={(event) => event.stopPropagation()}
          >
            {t('withdrawals:history.view')}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        ),
    },
  ]
}
