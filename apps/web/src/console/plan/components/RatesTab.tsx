import type { DeclaredRate } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { Name } from '../../../ui/Name.tsx'
import { PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { usePlace } from '../../shared/place.ts'
import { useRatesQuery } from '../api.ts'
import { isDay } from '../days.ts'
import { RateCard } from './RateCard.tsx'
import './rates.css'

export function RatesTab() {
  const { t } = useTranslation('console/plan')
  const place = usePlace()
  const list = useRatesQuery(place.page)
  const columns = useColumns()
  const wanted = place.day ?? ''
  return (
    <div className="rates">
      <RateCard declared={list.data?.results ?? []} wantedDay={isDay(wanted) ? wanted : null} />
      <section className="card">
        <h2 className="table-title">{t('rates.title')}</h2>
        <PagedTable
          list={list}
          caption={t('rates.title')}
          columns={columns}
          rowKey={(row) => row.day}
          page={place.page}
          onPage={(page) => place.show('rates', { page })}
          empty={<EmptyState text={t('rates.empty')} />}
        />
      </section>
    </div>
  )
}

function useColumns(): Column<DeclaredRate>[] {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  return [
    { key: 'day', header: t('rates.day'), cell: (row) => formats.day(row.day) },
    {
      key: 'percentage',
      header: t('rates.percentage'),
      figure: true,
      cell: (row) => <strong>{formats.exactPercent(row.percentage)}</strong>,
    },
    {
      key: 'target',
      header: t('rates.target'),
      figure: true,
      cell: (row) => <span className="muted">{formats.exactPercent(row.target)}</span>,
    },
    {
      key: 'by',
      header: t('rates.by'),
      cell: (row) => (
        <span className="two-lines">
          <Name text={row.declared_by} />
          <span>{formats.dateTime(row.declared_at)}</span>
        </span>
      ),
    },
  ]
}
