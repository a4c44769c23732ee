import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { EmptyState } from '../../../ui/States.tsx'

type Check = OperatorReserves['checks'][number]

const BADGE = { matched: 'badge-ok', unexplained: 'badge-bad', waiting: 'badge-wait' } as const
const FEW = 8

/** The latest comparisons, newest first. */
export function ChecksTable({ checks }: { checks: Check[] }) {
  const { t } = useTranslation('console/reserves')
  const [all, setAll] = useState(false)
  const columns: Column<Check>[] = [
    { key: 'at', header: t('checks.at'), cell: (row) => formats.shortStamp(row.at) },
    {
      key: 'verdict',
      header: t('checks.verdict'),
      cell: (row) => <span className={`badge ${BADGE[row.verdict]}`}>{t(`verdict.${row.verdict}`)}</span>,
    },
    {
      key: 'drift',
      header: t('checks.drift'),
      figure: true,
      cell: (row) => (/[1-9]/.test(row.drift) ? formats.exact(row.drift) : '–'),
    },
    {
      key: 'custody',
      header: t('checks.custody'),
      figure: true,
      cell: (row) => formats.money(row.custody),
    },
    { key: 'owed', header: t('checks.owed'), figure: true, cell: (row) => formats.money(row.owed) },
  ]
  if (checks.length === 0) return <EmptyState text={t('never')} />
  return (
    <>
      <DataTable
        caption={t('checks.title')}
        columns={columns}
        rows={all ? checks : checks.slice(0, FEW)}
        rowKey={({ id }) => id}
      />
      {all || checks.length <= FEW ? null : (
        <div className="reserves-more">
          <Button size="small" onClick={() => setAll(true)}>
            {t('checks.more', { count: checks.length - FEW })}
          </Button>
        </div>
      )}
    </>
  )
}
