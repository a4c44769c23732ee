import type { RateCost as Cost } from '@aval/contract'
import { skipToken } from '@reduxjs/toolkit/query'
import { useTranslation } from 'react-i18next'
import { type Column, column, DataTable, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { runLink } from '../../shared/place.ts'
import { useRateCostQuery } from '../api.ts'

interface RateCostProps {
  day: string
  /** Plain decimal; null while nothing valid is typed. */
  percentage: string | null
}

/** What members get less on a day at a lower rate, before it is declared. */
export function RateCost({ day, percentage }: RateCostProps) {
  const { t } = useTranslation('console/plan')
  const { data: cost, isFetching } = useRateCostQuery(percentage === null ? skipToken : { day, percentage })
  if (percentage === null || cost === undefined) return null
  if (cost.run === null) return <p className="muted small">{t('cost.unknown')}</p>
  return (
    <section
      className="box stack-8 rate-cost"
      aria-live="polite"
      aria-busy={isFetching}
      aria-label={t('cost.title')}
    >
      <h3>{t('cost.title')}</h3>
      <dl className="figures">
        <Fact name={t('cost.atPlan', { rate: formats.exactPercent(cost.target) })}>
          {formats.money(cost.at_plan)}
        </Fact>
        <Fact name={t('cost.atDeclared', { rate: formats.exactPercent(cost.percentage) })}>
          {formats.money(cost.at_declared)}
        </Fact>
        <Fact
          name={t('cost.less')}
          note={t('cost.members', { count: cost.members, shown: formats.count(cost.members) })}
        >
          <strong>{formats.money(cost.less)}</strong>
        </Fact>
        <Fact name={t('cost.pool')}>{formats.money(cost.pool)}</Fact>
      </dl>
      <Classes classes={cost.classes} />
      <p className="muted small">
        <span>{t('cost.by')}</span>{' '}
        <Link to={runLink(cost.run.id)}>{t('cost.run', { day: formats.day(cost.run.period) })}</Link>
      </p>
    </section>
  )
}

function Classes({ classes }: { classes: Cost['classes'] }) {
  const { t } = useTranslation('console/plan')
  type Row = Cost['classes'][number]
  const columns: Column<Row>[] = [
    column(t('cost.class'), (row) => (
      <TwoLines
        first={
          row.from.startsWith('0.') ? t('cost.below') : t('cost.from', { amount: formats.money(row.from) })
        }
        second={t('cost.members', { count: row.members, shown: formats.count(row.members) })}
      />
    )),
    figureColumn(t('cost.gets'), (row) => formats.money(row.at_declared)),
    figureColumn(t('cost.lessShort'), (row) => formats.money(row.less)),
  ]
  return <DataTable caption={t('cost.title')} columns={columns} rows={classes} rowKey={(row) => row.from} />
}
