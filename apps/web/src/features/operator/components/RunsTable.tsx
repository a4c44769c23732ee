import type { PayoutRun } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useRunsQuery } from '../api.ts'

interface PlaceProps {
  page: number
  onPage: (page: number) => void
}

const TONES: Partial<Record<string, string>> = { done: 'badge-ok', held: 'badge-wait', failed: 'badge-bad' }

/** States the interface has words for; a newer server's are shown as they are. */
const KNOWN = ['computing', 'sealed', 'checks', 'released', 'posting', 'done', 'held'] as const

export function RunsTable({ page, onPage }: PlaceProps) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
  const list = useRunsQuery(page)
  const stateText = (state: string) => {
    const known = KNOWN.find((name) => name === state)
    return known === undefined ? state : t(`runs.state.${known}`)
  }
  const columns: Column<PayoutRun>[] = [
    {
      key: 'period',
      header: t('runs.period'),
      cell: (run) => (
        <span className="two-lines">
          <span>{run.investor ?? run.period}</span>
          <span>{t(`runs.kind.${run.kind}`)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      header: t('runs.stateTitle'),
      cell: (run) => <span className={`badge ${TONES[run.state] ?? ''}`}>{stateText(run.state)}</span>,
    },
    {
      key: 'posted',
      header: t('runs.posted'),
      figure: true,
      cell: (run) => `${formats.count(run.posted)} / ${formats.count(run.items)}`,
    },
    {
      key: 'total',
      header: t('runs.total'),
      figure: true,
      cell: (run) => <strong>{formats.money(run.total)}</strong>,
    },
    {
      key: 'missing',
      header: t('runs.missing'),
      figure: true,
      cell: (run) => (/[1-9]/.test(run.missing) ? formats.money(run.missing) : '–'),
    },
  ]
  return (
    <PagedTable
      list={list}
      caption={t('runs.title')}
      columns={columns}
      rowKey={(run) => run.id}
      detail={(run) => <RunDetail run={run} />}
      page={page}
      onPage={onPage}
      empty={<EmptyState text={t('runs.empty')} />}
    />
  )
}

function RunDetail({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
  return (
    <dl className="figures run-detail">
      <div>
        <dt>{t('runs.started')}</dt>
        <dd>{formats.dateTime(run.created_at)}</dd>
      </div>
      <div>
        <dt>{t('runs.finished')}</dt>
        <dd>{run.finished_at === null ? '–' : formats.dateTime(run.finished_at)}</dd>
      </div>
      <div>
        <dt>{t('runs.plan')}</dt>
        <dd>{run.plan_version}</dd>
      </div>
      <div>
        <dt>{t('runs.hash')}</dt>
        <dd className="hash">{run.input_hash}</dd>
      </div>
    </dl>
  )
}
