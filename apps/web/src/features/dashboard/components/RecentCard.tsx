import type { Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconArrowDownLeft, IconTrendingUp, IconUserPlus, IconWallet } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { useFormats } from '../../../ui/useFormats.ts'

type RecentEvent = Dashboard['recent'][number]

const SHOWN = 3

const ICONS: Record<RecentEvent['kind'], ReactNode> = {
  passive: <IconArrowDownLeft size={18} stroke={1.6} />,
  direct: <IconUserPlus size={18} stroke={1.6} />,
  master: <IconUserPlus size={18} stroke={1.6} />,
  investment: <IconTrendingUp size={18} stroke={1.6} />,
  deposit: <IconWallet size={18} stroke={1.6} />,
}

const TARGETS: Record<RecentEvent['kind'], string> = {
  passive: '/payments?tab=passive',
  direct: '/payments',
  master: '/payments',
  investment: '/investment-history',
  deposit: '/investment-history',
}

export function RecentCard({ recent }: { recent: RecentEvent[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <section className="card dashboard-recent">
      <div className="card-head">
        <h2>{t('recent.title')}</h2>
        {recent.length === 0 ? null : (
          <Link to="/payments" className="small">
            {t('recent.all')}
          </Link>
        )}
      </div>
      {recent.length === 0 ? (
        <p className="recent-empty">{t('recent.empty')}</p>
      ) : (
        <ul className="recent">
          {recent.slice(0, SHOWN).map((event) => (
            <li key={`${event.kind} ${event.date} ${event.from ?? ''}`}>
              <RecentLine event={event} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RecentLine({ event }: { event: RecentEvent }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  // An investment leaves the member's pocket; everything else arrives.
  const amount = event.kind === 'investment' ? formats.money(event.amount) : formats.signed(event.amount)
  return (
    <Link to={TARGETS[event.kind]} className="recent-line">
      <span className="recent-icon" aria-hidden="true">
        {ICONS[event.kind]}
      </span>
      <span className="recent-text">
        <span>{t(`recent.${event.kind}`)}</span>
        <span className="muted small">
          {formats.shortStamp(event.date)}
          {event.from === null ? null : (
            <>
              {' · '}
              <Name text={event.from} />
            </>
          )}
        </span>
      </span>
      <span className="recent-amount">{amount}</span>
    </Link>
  )
}
