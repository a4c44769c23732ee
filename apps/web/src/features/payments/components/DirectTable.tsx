import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { IconUserPlus } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { type DirectPayment, useDirectPaymentsQuery } from '../api.ts'
import { PaidAmount } from './PaidAmount.tsx'
import { Why } from './Why.tsx'

interface PlaceProps {
  page: number
  onPage: (page: number) => void
}

export function DirectTable({ page, onPage }: PlaceProps) {
  const { t } = useTranslation('payments')
  const formats = useFormats()
  const list = useDirectPaymentsQuery(page)
  const columns: Column<DirectPayment>[] = [
    { key: 'date', header: t('column.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'user',
      header: t('column.user'),
      cell: (row) => (
        <span className="two-lines">
          <span>
            <Name text={row.user_username} />
          </span>
          <span>{row.user_email}</span>
        </span>
      ),
    },
    {
      key: 'investment',
      header: t('column.investment'),
      figure: true,
      cell: (row) => formats.money(row.investment_amount),
    },
    { key: 'level', header: t('column.level'), figure: true, cell: (row) => formats.count(row.level) },
    {
      key: 'amount',
      header: t('column.amount'),
      figure: true,
      cell: (row) => <PaidAmount amount={row.amount} state={row.state} />,
    },
  ]
  return (
    <PagedTable
      list={list}
      caption={t('tab.direct')}
      columns={columns}
      rowKey={(row) => row.id}
      detail={(row) => <Why why={row.why} amount={row.amount} state={row.state} />}
      page={page}
      onPage={onPage}
      empty={
        <EmptyState
          icon={<IconUserPlus size={26} stroke={1.4} aria-hidden="true" />}
          text={t('empty.direct')}
        />
      }
    />
  )
}
