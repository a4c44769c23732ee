import type { SupportTimes } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useSupportTimesQuery } from '../api.ts'
import { waitOf } from '../waits.ts'

type Waits = SupportTimes['week']

/** How long members waited for a first answer. */
export function AnswerTimes() {
  const { t } = useTranslation('console/support')
  const [open, setOpen] = useState(false)
  const query = useSupportTimesQuery()
  return (
    <section className="times" aria-label={t('times.title')}>
      <Loaded query={query} hold={<Skeleton width={260} height={38} />}>
        {(times) => (
          <>
            <Figures name={t('times.week')} waits={times.week} />
            <Figures name={t('times.month')} waits={times.month} />
            {times.operators.length === 0 ? null : (
              <Button size="small" kind="quiet" onClick={() => setOpen(true)}>
                {t('times.byOperator')}
              </Button>
            )}
            {open ? <ByOperator times={times} onClose={() => setOpen(false)} /> : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Figures({ name, waits }: { name: string; waits: Waits }) {
  const { t } = useTranslation('console/support')
  return (
    <div>
      <p className="muted small">{name}</p>
      <p className="row-8">
        <strong>
          <Wait seconds={waits.median} />
        </strong>
        {waits.p90 === null ? null : (
          <span className="muted small">
            <span>{t('times.p90')}</span> <Wait seconds={waits.p90} />
            <span>{` · ${t('times.count', { count: waits.count })}`}</span>
          </span>
        )}
      </p>
    </div>
  )
}

function Wait({ seconds }: { seconds: number | null }) {
  const { t } = useTranslation('console/support')
  if (seconds === null) return <span>–</span>
  const { unit, figures } = waitOf(seconds)
  return <span>{t(`times.${unit}`, figures)}</span>
}

type Row = SupportTimes['operators'][number]

function ByOperator({ times, onClose }: { times: SupportTimes; onClose: () => void }) {
  const { t } = useTranslation('console/support')
  const of = (name: string, waitsOf: (row: Row) => Waits): Column<Row> =>
    figureColumn(name, (row) => (
      <span className="times-cell">
        <Wait seconds={waitsOf(row).median} />
        <span className="muted tiny">
          {waitsOf(row).p90 === null ? null : (
            <>
              <span>{t('times.p90')}</span> <Wait seconds={waitsOf(row).p90} />
              <span> ·</span>{' '}
            </>
          )}
          <span>{t('times.count', { count: waitsOf(row).count })}</span>
        </span>
      </span>
    ))
  return (
    <Dialog title={t('times.title')} width={560} onClose={onClose}>
      <p className="muted small">
        {`${t('times.text')}${times.newest === null ? '' : ` ${t('times.newest', { count: times.newest, shown: formats.count(times.newest) })}`}`}
      </p>
      <DataTable
        caption={t('times.title')}
        columns={[
          column(t('times.operator'), (row: Row) => <Name text={row.operator} />),
          of(t('times.week'), (row) => row.week),
          of(t('times.month'), (row) => row.month),
        ]}
        rows={times.operators}
        rowKey={(row) => row.operator}
      />
    </Dialog>
  )
}
