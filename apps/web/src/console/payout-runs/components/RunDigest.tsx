import type { RunDigest as Digest, PayoutRun } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { runLink } from '../../shared/place.ts'
import { quiet, useLive } from '../../shared/useLive.ts'
import { useRunDigestQuery } from '../api.ts'

const HOLD = [
  [120, 18],
  ['100%', 130],
] as const

/** A run by rule and level, and how it differs from the run before of its kind. */
export function RunDigest({ run }: { run: PayoutRun }) {
  const query = useRunDigestQuery(run.id)
  // A big run's figures are made by a job, a moment after its seal.
  useLive(query.data?.ready === false, query.refetch)
  const hold = (
    <div className="overview">
      <SkeletonCard bars={HOLD} />
      <SkeletonCard bars={HOLD} />
    </div>
  )
  return (
    <Loaded query={quiet(query)} hold={hold} card>
      {(digest) =>
        digest.ready ? (
          <div className="overview">
            <Rules digest={digest} run={run} />
            {run.kind === 'direct' ? null : <Compared digest={digest} run={run} />}
          </div>
        ) : (
          hold
        )
      }
    </Loaded>
  )
}

function Rules({ digest, run }: { digest: Digest; run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const nameOf = ({ kind, level }: Digest['rules'][number]) => {
    if (kind === 'master') return t('read.masterLevel', { level })
    return level === null ? t(kind === 'binary' ? 'kind.binary' : 'kind.passive') : t('read.level', { level })
  }
  return (
    <section className="card card-pad">
      <h2>{t('digest.rules')}</h2>
      {digest.rules.length === 0 ? <p className="muted">{t('read.empty.items')}</p> : null}
      <dl className="figures">
        {digest.rules.map((rule) => (
          <Fact
            key={`${rule.kind} ${rule.level}`}
            name={nameOf(rule)}
            note={t('digest.of', {
              count: rule.count,
              shown: formats.count(rule.count),
              basis: formats.money(rule.basis),
            })}
          >
            {`${formats.exact(rule.amount)} USD`}
          </Fact>
        ))}
        {digest.missed.map((row) => (
          <Fact
            key={row.reason}
            name={
              <Link to={runLink(run.id, { view: 'missed' })}>
                {t('digest.notPaid', { reason: t(`read.why.${row.reason}`) })}
              </Link>
            }
            note={t('digest.count', { count: row.count, shown: formats.count(row.count) })}
          >
            <span className="muted">{`${formats.exact(row.amount)} USD`}</span>
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Compared({ digest, run }: { digest: Digest; run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const { before, fresh, gone } = digest
  if (before === null)
    return (
      <section className="card card-pad">
        <h2>{t('digest.compared')}</h2>
        <p className="muted">{t('digest.first')}</p>
      </section>
    )
  const counted = (count: number) => t('digest.count', { count, shown: formats.count(count) })
  return (
    <section className="card card-pad">
      <h2>{t('digest.compared')}</h2>
      <dl className="figures">
        <Fact
          name={<Link to={runLink(before.id)}>{formats.day(before.period)}</Link>}
          note={counted(before.items)}
        >
          {`${formats.exact(before.amount)} USD`}
        </Fact>
        <Fact
          name={<Link to={runLink(run.id, { view: 'fresh' })}>{t('digest.fresh')}</Link>}
          note={counted(fresh.count)}
        >
          {`+${formats.exact(fresh.amount)} USD`}
        </Fact>
        <Fact
          name={<Link to={runLink(run.id, { view: 'gone' })}>{t('digest.gone')}</Link>}
          note={digest.gone_reasons
            .map(({ reason, count }) => `${t(`read.why.${reason}`)}: ${formats.count(count)}`)
            .join(' · ')}
        >
          {`−${formats.exact(gone.amount)} USD`}
        </Fact>
        <Fact name={<Link to={runLink(run.id, { view: 'changes' })}>{t('digest.changed')}</Link>}>
          {t('digest.upDown', { up: formats.count(digest.raised), down: formats.count(digest.lowered) })}
        </Fact>
      </dl>
    </section>
  )
}
