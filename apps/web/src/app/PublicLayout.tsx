import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { formats } from '../ui/format.ts'
import { Skeleton } from '../ui/States.tsx'
import { PublicHead } from './layouts.tsx'
import './publicLayout.css'

/** The layout for visitors: the page's card, and from 992 px the promise beside it. */
export function PublicLayout() {
  return (
    <div className="public">
      <PublicHead />
      <main className="public-main">
        <Suspense fallback={<Skeleton width={440} height={420} />}>
          <Outlet />
        </Suspense>
        <Pledge />
      </main>
    </div>
  )
}

/** The brand's promise as an example: one payment and how it was computed. */
function Pledge() {
  const { t } = useTranslation('identity')
  return (
    <aside className="pledge" aria-label={t('pledge.label')}>
      <p className="pledge-line">{t('pledge.line')}</p>
      <div className="pledge-card card card-pad">
        <div className="pledge-head row-12 row-apart one-line">
          <span>{t('pledge.payment')}</span>
          <strong>{formats.signed('33.33')}</strong>
        </div>
        <dl className="facts">
          <div>
            <dt className="muted">{t('pledge.basis')}</dt>
            <dd>{formats.money('10000')}</dd>
          </div>
          <div>
            <dt className="muted">{t('pledge.rate')}</dt>
            <dd>{`× ${formats.percent(10)} ÷ 30`}</dd>
          </div>
          <div>
            <dt className="muted">{t('pledge.source')}</dt>
            <dd>{t('pledge.pool')}</dd>
          </div>
        </dl>
      </div>
      <p className="muted small">{t('pledge.note')}</p>
    </aside>
  )
}
