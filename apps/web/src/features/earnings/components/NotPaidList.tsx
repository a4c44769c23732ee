import type { NotPaid } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { Name } from '../../../ui/Name.tsx'
import type { ListPlace } from '../../../ui/PagedTable.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useNotPaidQuery } from '../api.ts'
import { REMEDIES } from '../words.ts'
import { useCells } from './cells.tsx'
import { PaymentTable } from './PaymentTable.tsx'

/** What was not paid, and why. Nothing of it is owed, so nothing of it looks like money on its way. */
export function NotPaidList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  const list = useNotPaidQuery(place.page)
  const cells = useCells()
  const columns: Column<NotPaid>[] = [
    cells.date(),
    { key: 'kind', header: t('column.kind'), cell: (row) => t(`kind.${row.kind}`) },
    {
      key: 'reason',
      header: t('column.reason'),
      cell: (row) => <span className="badge">{t(`reason.${row.reason}`)}</span>,
    },
    { key: 'from', header: t('column.from'), cell: (row) => <From row={row} /> },
    {
      key: 'amount',
      header: t('column.amount'),
      figure: true,
      cell: (row) => <span className="muted">{formats.money(row.amount)}</span>,
    },
  ]
  return (
    <>
      <p className="list-text">{t('notPaid.text')}</p>
      <PaymentTable
        {...place}
        tab="not-paid"
        list={list}
        columns={columns}
        detail={(row) => (
          <div className="why">
            <p>{row.sentence}</p>
            <p className="muted small">{t(`remedy.${REMEDIES[row.reason]}`)}</p>
          </div>
        )}
      />
    </>
  )
}

function From({ row }: { row: NotPaid }) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  const level = row.level === null ? null : t('level', { level: formats.count(row.level) })
  if (row.user_username === null) return level ?? '–'
  return (
    <span className="two-lines">
      <span>
        <Name text={row.user_username} />
      </span>
      <span>{level}</span>
    </span>
  )
}
