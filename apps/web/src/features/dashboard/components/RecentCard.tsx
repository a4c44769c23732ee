import type { Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowBackUp,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBinaryTree,
  IconTrendingUp,
  IconUserPlus,
  IconWallet,
} from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'

type RecentEvent = Dashboard['recent'][number]

const SHOWN = 3

const ICONS: Record<RecentEvent['kind'], ReactNode> = {
  passive: <IconArrowDownLeft size={18} stroke={1.6} />,
  direct: <IconUserPlus size={18} stroke={1.6} />,
  master: <IconUserPlus size={18} stroke={1.6} />,
  binary: <IconBinaryTree size={18} stroke={1.6} />,
  investment: <IconTrendingUp size={18} stroke={1.6} />,
  deposit: <IconWallet size={18} stroke={1.6} />,
  reversal: <IconArrowBackUp size={18} stroke={1.6} />,
  withdrawal: <IconArrowUpRight size={18} stroke={1.6} />,
}

const TARGETS: Record<RecentEvent['kind'], string> = {
  passive: '/payments?tab=passive',
  direct: '/payments',
  master: '/payments',
  binary: '/payments?tab=binary',
  investment: '/investment-history',
  deposit: '/investment-history',
  reversal: '/payments',
  withdrawal: '/withdrawals',
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
            <li key={`${event.kind} ${event.date} ${event.from ?? ''} ${event.amount}`}>
              <RecentLine event={event} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** An investment stays the member's own; a reversal takes back, and a withdrawal leaves. Everything else arrives. */
function shownAmount({ kind, amount }: RecentEvent): string {
  if (kind === 'investment') return formats.money(amount)
  const leaves = kind === 'reversal' || kind === 'withdrawal'
  return formats.signed(leaves ? `-${amount.replace('-', '')}` : amount)
}

function RecentLine({ event }: { event: RecentEvent }) {
  const { t } = useTranslation('dashboard')
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
      <span className="recent-amount">{shownAmount(event)}</span>
    </Link>
  )
}
