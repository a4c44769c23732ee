import type { PlanVersion } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { planDiff } from '../planFields.ts'
import { currentOf, firstDayOf } from '../planRates.ts'
import { PlanDiff } from './PlanDiff.tsx'

interface Row {
  plan: PlanVersion
  /** The version before it; undefined for the first. */
  before: PlanVersion | undefined
}

/** Every version, newest first; each opens to what it changed. */
export function VersionsTable({ versions }: { versions: PlanVersion[] }) {
  const { t } = useTranslation('console/plan')
  const sorted = [...versions].sort((left, right) => right.version - left.version)
  const rows = sorted.map((plan, index): Row => ({ plan, before: sorted[index + 1] }))
  const current = currentOf(versions)
  const stateOf = ({ plan }: Row) => {
    if (plan.version === current?.version) return 'current'
    return current !== undefined && plan.starts_at > current.starts_at ? 'upcoming' : 'past'
  }
  const columns: Column<Row>[] = [
    {
      key: 'version',
      header: t('column.version'),
      cell: ({ plan }) => t('version', { version: plan.version }),
    },
    {
      key: 'starts',
      header: t('column.starts'),
      cell: ({ plan }) => {
        const day = firstDayOf(plan)
        return day === null ? t('fromStart') : formats.day(day)
      },
    },
    {
      key: 'state',
      header: t('column.state'),
      cell: (row) => {
        const state = stateOf(row)
        const tone = state === 'current' ? 'badge-ok' : state === 'upcoming' ? 'badge-accent' : ''
        return <span className={`badge ${tone}`}>{t(`state.${state}`)}</span>
      },
    },
    {
      key: 'changes',
      header: t('column.changes'),
      figure: true,
      cell: ({ plan, before }) =>
        before === undefined ? '–' : t('changes', { count: planDiff(before.document, plan.document).length }),
    },
  ]
  return (
    <DataTable
      caption={t('versions')}
      columns={columns}
      rows={rows}
      rowKey={({ plan }) => plan.version}
      detail={(row) => <VersionDetail row={row} />}
    />
  )
}

function VersionDetail({ row: { plan, before } }: { row: Row }) {
  const { t } = useTranslation('console/plan')
  if (before === undefined) return <p className="muted">{t('first')}</p>
  const changes = planDiff(before.document, plan.document)
  if (changes.length === 0) return <p className="muted">{t('noChanges')}</p>
  return (
    <div className="row-detail">
      <PlanDiff changes={changes} />
    </div>
  )
}
