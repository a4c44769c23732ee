import type { OperatorOverview } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'

const HELD = ['principal', 'balances', 'held', 'company_revenue', 'company_capital'] as const

/** Where every unit of money stands: what custody holds, and whose it is. */
export function OverviewCards({ data }: { data: OperatorOverview }) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
  const { head, solid, scanned } = data.chain
  const behind = Math.max(0, solid - scanned)
  return (
    <div className="overview">
      <section className="card card-pad">
        <h2 className="overview-label">{t('overview.custody')}</h2>
        <p className="figure">
          <Money amount={data.custody} />
        </p>
        <dl className="figures">
          {HELD.map((name) => (
            <div key={name}>
              <dt>{t(`overview.${name}`)}</dt>
              <dd>{formats.money(data[name])}</dd>
            </div>
          ))}
          {data.pools.map((pool) => (
            <div key={pool.pool}>
              <dt>{t(`pool.${pool.pool}.title`)}</dt>
              <dd>{formats.money(pool.amount)}</dd>
            </div>
          ))}
        </dl>
        <dl className="figures owed">
          <div>
            <dt>
              {t('overview.receivables')}
              <span className="owed-note">{t('overview.receivablesNote')}</span>
            </dt>
            <dd>{formats.money(data.receivables)}</dd>
          </div>
        </dl>
      </section>
      <section className="card card-pad">
        <div className="card-head">
          <h2 className="overview-label">{t('overview.chain')}</h2>
          <span className={`badge ${behind > 5 ? 'badge-wait' : 'badge-ok'}`}>
            {behind > 5 ? t('overview.behind', { count: behind }) : t('overview.upToDate')}
          </span>
        </div>
        <dl className="figures">
          <div>
            <dt>{t('overview.head')}</dt>
            <dd>{formats.count(head)}</dd>
          </div>
          <div>
            <dt>{t('overview.solid')}</dt>
            <dd>{formats.count(solid)}</dd>
          </div>
          <div>
            <dt>{t('overview.scanned')}</dt>
            <dd>{formats.count(scanned)}</dd>
          </div>
          <div>
            <dt>{t('overview.members')}</dt>
            <dd>{formats.count(data.members)}</dd>
          </div>
        </dl>
        <div className="company-address">
          <p className="muted small">{t('overview.address')}</p>
          <div>
            <Address value={data.company_address} />
            <CopyButton
              compact
              text={data.company_address}
              label={t('overview.copyAddress')}
              confirmation={t('overview.addressCopied')}
            />
          </div>
        </div>
      </section>
    </div>
  )
}

export function OverviewSkeleton() {
  return (
    <div className="overview" aria-busy="true">
      <div className="card card-pad">
        <Skeleton width={120} height={14} />
        <Skeleton width={220} height={30} />
        <Skeleton width="100%" height={180} />
      </div>
      <div className="card card-pad">
        <Skeleton width={120} height={14} />
        <Skeleton width="100%" height={210} />
      </div>
    </div>
  )
}
