import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { IconCoins } from '../../../ui/icons.ts'
import { PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { type PassivePayment, usePassivePaymentsQuery } from '../api.ts'
import { PaidAmount } from './PaidAmount.tsx'
import { Why } from './Why.tsx'

interface PlaceProps {
  page: number
  onPage: (page: number) => void
}

export function PassiveTable({ page, onPage }: PlaceProps) {
  const { t } = useTranslation('payments')
  const formats = useFormats()
  const list = usePassivePaymentsQuery(page)
  const columns: Column<PassivePayment>[] = [
    { key: 'date', header: t('column.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'investment',
      header: t('column.investmentAmount'),
      figure: true,
      cell: (row) => formats.money(row.current_investment_amount),
    },
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
      caption={t('tab.passive')}
      columns={columns}
      rowKey={(row) => row.id}
      detail={(row) => <Why why={row.why} amount={row.amount} state={row.state} />}
      page={page}
      onPage={onPage}
      empty={
        <EmptyState
          icon={<IconCoins size={26} stroke={1.4} aria-hidden="true" />}
          text={t('empty.passive')}
        />
      }
    />
  )
}
