import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormats } from '../../../ui/useFormats.ts'
import { placeLink } from '../../shared/place.ts'
import { isShort, objectionsTo, prorataOf, type RunDecision } from '../runStages.ts'
import { Reasons } from './RunParts.tsx'

/** What a decision does, in sentences with this run's own figures. */
export function Consequences({ run, decision }: { run: PayoutRun; decision: RunDecision }) {
  if (decision === 'release') return <OfRelease run={run} />
  return decision === 'prorate' ? <OfProrata run={run} /> : <OfCancelling run={run} />
}

function OfRelease({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  const figures = {
    amount: formats.money(run.payable),
    items: formats.count(run.items),
    count: run.items,
    missing: formats.money(run.missing),
  }
  return (
    <>
      <p>{t('decide.release.who', figures)}</p>
      <Reasons reasons={objectionsTo(run)} />
      {isShort(run) ? <p>{t('decide.release.pool', figures)}</p> : null}
      <p className="muted">{t('decide.release.after')}</p>
    </>
  )
}

function OfProrata({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  const share = prorataOf(run)
  if (share === null) return <Reasons reasons={run.reasons} />
  if (share.paid === 0n) return <p>{t('decide.prorate.empty')}</p>
  const figures = {
    paid: formats.money(formatMicro(share.paid)),
    total: formats.money(formatMicro(share.total)),
    rest: formats.money(formatMicro(share.rest)),
    percent: formats.percent(share.percent),
  }
  return (
    <>
      <p>{t('decide.prorate.share', figures)}</p>
      <p>
        <strong>{t('decide.prorate.rest', figures)}</strong>
      </p>
    </>
  )
}

function OfCancelling({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  const isDaily = run.kind === 'passive'
  return (
    <>
      <p>{t('decide.cancel.what', { amount: formats.money(run.total) })}</p>
      {isDaily ? (
        <p className="muted">
          {t('decide.cancel.rate', { day: formats.day(run.period) })}{' '}
          <Link to={placeLink('rates', { day: run.period })}>{t('decide.cancel.toRates')}</Link>
        </p>
      ) : (
        <p className="muted">{t('decide.cancel.same')}</p>
      )}
    </>
  )
}
