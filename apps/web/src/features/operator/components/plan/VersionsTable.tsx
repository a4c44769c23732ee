import type { PlanVersion } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { useFormats } from '../../../../ui/useFormats.ts'
import { planDiff } from '../../planDiff.ts'
import { currentOf, firstDayOf } from '../../planRates.ts'
import { PlanDiff } from './PlanDiff.tsx'

interface Row {
  plan: PlanVersion
  /** The version before it; undefined for the first. */
  before: PlanVersion | undefined
}

/** Every version, newest first; each opens to what it changed. */
export function VersionsTable({ versions }: { versions: PlanVersion[] }) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
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
      header: t('plan.column.version'),
      cell: ({ plan }) => t('plan.version', { version: plan.version }),
    },
    {
      key: 'starts',
      header: t('plan.column.starts'),
      cell: ({ plan }) => {
        const day = firstDayOf(plan)
        return day === null ? t('plan.fromStart') : formats.day(day)
      },
    },
    {
      key: 'state',
      header: t('plan.column.state'),
      cell: (row) => {
        const state = stateOf(row)
        const tone = state === 'current' ? 'badge-ok' : state === 'upcoming' ? 'badge-accent' : ''
        return <span className={`badge ${tone}`}>{t(`plan.state.${state}`)}</span>
      },
    },
    {
      key: 'changes',
      header: t('plan.column.changes'),
      figure: true,
      cell: ({ plan, before }) =>
        before === undefined
          ? '–'
          : t('plan.changes', { count: planDiff(before.document, plan.document).length }),
    },
  ]
  return (
    <DataTable
      caption={t('plan.versions')}
      columns={columns}
      rows={rows}
      rowKey={({ plan }) => plan.version}
      detail={(row) => <VersionDetail row={row} />}
    />
  )
}

function VersionDetail({ row: { plan, before } }: { row: Row }) {
  const { t } = useTranslation('operator')
  if (before === undefined) return <p className="muted">{t('plan.first')}</p>
  const changes = planDiff(before.document, plan.document)
  if (changes.length === 0) return <p className="muted">{t('plan.noChanges')}</p>
  return (
    <div className="row-detail">
      <PlanDiff changes={changes} />
    </div>
  )
}
