import type { Withdrawal } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconWallet } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
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
  const { t } = useTranslation('withdrawals')
  return [
    { header: t('history.date'), cell: (row) => formats.dateTime(row.date) },
    {
      header: t('history.amount'),
      figure: true,
      cell: (row) => <strong>{formats.money(row.amount)}</strong>,
    },
    { header: t('history.status'), cell: (row) => <StatusBadge withdrawal={row} /> },
    {
      header: t('history.hash'),
      cell: (row) =>
        row.payment_link === null ? (
          '-'
        ) : (
          <OutsideLink href={row.payment_link}>{t('history.view')}</OutsideLink>
        ),
    },
  ]
}
