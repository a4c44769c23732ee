import type { PayoutRun } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isSome } from '../../../ui/amount.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Name } from '../../../ui/Name.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { Fact } from '../../shared/Fact.tsx'
import { placeLink } from '../../shared/place.ts'

export function RunFigures({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  return (
    <div className="overview">
      <section className="card card-pad">
        <h3>{t('detail.figures')}</h3>
        <dl className="figures run-figures">
          <Fact name={t('detail.items')}>{formats.count(run.items)}</Fact>
          <Fact name={t('detail.posted')}>{formats.count(run.posted)}</Fact>
          <Fact name={t('detail.total')}>{formats.exact(run.total)} USD</Fact>
          <Fact name={t('detail.payable')}>{formats.exact(run.payable)} USD</Fact>
          {isSome(run.missing) ? (
            <Fact name={t('detail.missing')}>{formats.exact(run.missing)} USD</Fact>
          ) : null}
          <Fact name={t('detail.notPaid')} note={t('detail.notPaidNote')}>
            {formats.exact(run.not_paid)} USD
          </Fact>
        </dl>
      </section>
      <Origin run={run} />
    </div>
  )
}

/** What it was computed from, by when and whom, and the hashes that hold it to that. */
function Origin({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  return (
    <section className="card card-pad">
      <h3>{t('detail.origin')}</h3>
      <dl className="figures">
        {run.rate === null ? null : <Fact name={t('detail.rate')}>{formats.exactPercent(run.rate)}</Fact>}
        <Fact name={t('detail.plan')}>
          <Link to={placeLink('plan')}>{run.plan_version}</Link>
        </Fact>
        <Fact name={t('detail.created')}>{formats.dateTime(run.created_at)}</Fact>
        <Fact name={t('detail.finished')}>
          {run.finished_at === null ? '–' : formats.dateTime(run.finished_at)}
        </Fact>
        {run.released_by === null ? null : (
          <Fact name={t('detail.releasedBy')}>
            <Name text={run.released_by} />
          </Fact>
        )}
      </dl>
      <Hash name={t('detail.inputHash')} value={run.input_hash} copy={t('detail.copyInput')} />
      <Hash name={t('detail.itemsHash')} value={run.items_hash} copy={t('detail.copyItems')} />
    </section>
  )
}

/** A hash whole, so that it can be compared; nothing before there is one. */
function Hash({ name, value, copy }: { name: string; value: string; copy: string }) {
  const { t } = useTranslation('console/payout-runs')
  return (
    <div className="hash-fact">
      <p className="muted small">{name}</p>
      {value === '' ? (
        <p>–</p>
      ) : (
        <div>
          <p className="hash">{value}</p>
          <CopyButton compact text={value} label={copy} confirmation={t('detail.hashCopied')} />
        </div>
      )}
    </div>
  )
}
