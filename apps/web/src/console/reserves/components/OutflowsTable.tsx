import type { OperatorReserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { shortHash } from '../../../ui/groups.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'

type Outflow = OperatorReserves['outflows'][number]

/** Transfers out of our addresses that we did not make. */
export function OutflowsTable({ outflows }: { outflows: Outflow[] }) {
  const { t } = useTranslation(['console/reserves', 'ui'])
  const formats = useFormats()
  const columns: Column<Outflow>[] = [
    { key: 'date', header: t('console/reserves:outflows.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'value',
      header: t('console/reserves:outflows.value'),
      figure: true,
      cell: (row) => `${formats.exact(row.value)} USDT`,
    },
    {
      key: 'from',
      header: t('console/reserves:outflows.from'),
      cell: (row) => <span className="hash">{shortHash(row.from)}</span>,
    },
    {
      key: 'to',
      header: t('console/reserves:outflows.to'),
      cell: (row) => <span className="hash">{shortHash(row.to)}</span>,
    },
    {
      key: 'hash',
      header: t('console/reserves:outflows.hash'),
      cell: (row) =>
        row.explorer_url === null ? (
          shortHash(row.txid)
        ) : (
          <a href={row.explorer_url} target="_blank" rel="noreferrer" className="hash-link">
            {shortHash(row.txid)}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        ),
    },
  ]
  return (
    <DataTable
      caption={t('console/reserves:outflows.title')}
      columns={columns}
      rows={outflows}
      rowKey={({ txid, to, value }) => `${txid}-${to}-${value}`}
    />
  )
}
