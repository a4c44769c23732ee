import type { PlanPreviewResult, PlanPreview as Preview } from '@aval/contract'
import { formatMicro, micro, parseMicro } from '@aval/money'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { memberLink } from '../../shared/place.ts'
import { usePolling } from '../../shared/useLive.ts'
import { usePlanPreviewQuery } from '../api.ts'

/** Every so many milliseconds, while it is being computed. */
const LOOK_AGAIN = 1_000

/** The preview of a number or of a document's SHA-256, asked for again until it is computed. */
export function usePreview(key: string | null) {
  const [isOpen, setIsOpen] = useState(true)
  const query = usePlanPreviewQuery(key ?? '', { skip: key === null, ...usePolling(isOpen ? LOOK_AGAIN : 0) })
  const isOver = query.error !== undefined || (query.data !== undefined && query.data.finished_at !== null)
  useEffect(() => setIsOpen(!isOver), [isOver])
  return query
}

/** What a plan would have paid instead of the present one: for whom, how much, and how long the pools last. */
export function PlanPreview({ preview }: { preview: Preview }) {
  const { t } = useTranslation('console/plan')
  const { state, progress, result } = preview
  if (state === 'failed') return <Notice kind="bad">{t('preview.failed')}</Notice>
  if (result === null) {
    const share = progress.total === 0 ? 0 : Math.floor((progress.done * 100) / progress.total)
    return (
      <div className="stack-8" role="status">
        <p className="muted">{t('preview.computing', { percent: formats.percent(share) })}</p>
        <Skeleton width="100%" height={120} />
      </div>
    )
  }
  return (
    <div className="stack-16">
      <p className="muted small">
        {t('preview.made', {
          name: preview.asked_by,
          at: formats.dateTime(preview.asked_at),
          hash: shortHash(preview.sha256),
          version: result.version,
        })}
      </p>
      {result.rules.map((rule) => (
        <Rule key={rule.rule} rule={rule} />
      ))}
      <Cover cover={result.cover} />
    </div>
  )
}

/** The preview of what a proposal's statement names, where there is one. */
export function PreviewOf({ sha256 }: { sha256: string }) {
  const { t } = useTranslation('console/plan')
  const query = usePreview(sha256)
  if (query.error !== undefined) return <p className="muted small">{t('preview.never')}</p>
  return (
    <Loaded query={query} hold={<Skeleton width="100%" height={60} />}>
      {(preview) => <PlanPreview preview={preview} />}
    </Loaded>
  )
}

type RuleResult = PlanPreviewResult['rules'][number]

/** "+$3,00": what the second is above the first. */
function difference(before: string, after: string): string {
  const [then, now] = [parseMicro(before) ?? micro(0n), parseMicro(after) ?? micro(0n)]
  return now === then ? '' : formats.signed(formatMicro(micro(now - then)))
}

function Rule({ rule }: { rule: RuleResult }) {
  const { t } = useTranslation('console/plan')
  const { present, proposed, gain, lose, from, to } = rule
  const when =
    from === to ? formats.day(from) : t('preview.days', { from: formats.day(from), to: formats.day(to) })
  if (from === '') return <p className="muted">{t(`preview.none.${rule.rule}`)}</p>
  const same = gain === 0 && lose === 0
  return (
    <section className="stack-6 preview-rule">
      <h3>
        <span>{t(`preview.rule.${rule.rule}`)}</span> <span className="muted small">{when}</span>
      </h3>
      <dl className="figures">
        <Fact name={t('preview.present')} note={t('preview.members', counted(present.members))}>
          {formats.money(present.sum)}
        </Fact>
        <Fact name={t('preview.proposed')} note={t('preview.members', counted(proposed.members))}>
          <span>{formats.money(proposed.sum)}</span>{' '}
          <span className="muted">{difference(present.sum, proposed.sum)}</span>
        </Fact>
        <Fact name={t('preview.who')}>
          {same
            ? t('preview.same')
            : t('preview.gainLose', { gain: formats.count(gain), lose: formats.count(lose) })}
        </Fact>
      </dl>
      {same ? null : <Biggest rule={rule} />}
    </section>
  )
}

const counted = (count: number) => ({ count, shown: formats.count(count) })

function Biggest({ rule }: { rule: RuleResult }) {
  const { t } = useTranslation('console/plan')
  type Row = RuleResult['biggest'][number]
  const columns: Column<Row>[] = [
    column(t('preview.member'), (row) => (
      <Link to={memberLink(row.member_id)}>
        <Name text={row.username} />
      </Link>
    )),
    figureColumn(t('preview.present'), (row) => formats.exact(row.present)),
    figureColumn(t('preview.proposed'), (row) => formats.exact(row.proposed)),
    figureColumn(t('preview.difference'), (row) => <strong>{difference(row.present, row.proposed)}</strong>),
  ]
  return (
    <details className="preview-biggest">
      <summary>{t('preview.biggest')}</summary>
      <DataTable
        caption={t('preview.biggest')}
        columns={columns}
        rows={rule.biggest}
        rowKey={(row) => row.member_id}
      />
    </details>
  )
}

function Cover({ cover }: { cover: PlanPreviewResult['cover'] }) {
  const { t } = useTranslation('console/plan')
  const days = (count: number | null) =>
    count === null ? t('preview.noEnd') : t('days', { count, shown: formats.count(count) })
  return (
    <section className="stack-6">
      <h3>{t('preview.cover')}</h3>
      <dl className="figures">
        {cover.map(({ pool, amount, present, proposed }) => (
          <Fact key={pool} name={t(`preview.pool.${pool}`)} note={formats.money(amount)}>
            {`${days(present)} → ${days(proposed)}`}
          </Fact>
        ))}
      </dl>
    </section>
  )
}
