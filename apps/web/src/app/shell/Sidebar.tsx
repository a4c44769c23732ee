import { useFocusReturn, useFocusTrap } from '@mantine/hooks'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { Brand } from '../../ui/Brand.tsx'
import {
  IconBuildingBank,
  IconCoins,
  IconHistory,
  IconLayoutDashboard,
  type IconProps,
  IconShieldLock,
  IconUser,
  IconWallet,
} from '../../ui/icons.ts'
import { Skeleton } from '../../ui/States.tsx'
import { useFormats } from '../../ui/useFormats.ts'
import { prefetchRoute } from '../pages.ts'
import './sidebar.css'

export interface Figures {
  /** Undefined while it is on its way, null when it could not be had. */
  balance: number | null | undefined
  investment: number | null | undefined
}

interface SidebarProps {
  figures: Figures
  isOperator: boolean
  /** Below 768 px: whether it lies open over the page. */
  overlay: boolean
  onClose: () => void
}

interface Entry {
  to: string
  name: 'dashboard' | 'payments' | 'withdrawals' | 'history' | 'profile' | 'security' | 'operator'
  Icon: ComponentType<IconProps>
}

const ENTRIES: Entry[] = [
  { to: '/dashboard', name: 'dashboard', Icon: IconLayoutDashboard },
  { to: '/payments', name: 'payments', Icon: IconCoins },
  { to: '/withdrawals', name: 'withdrawals', Icon: IconWallet },
  { to: '/investment-history', name: 'history', Icon: IconHistory },
  { to: '/profile', name: 'profile', Icon: IconUser },
  { to: '/security', name: 'security', Icon: IconShieldLock },
]
const OPERATOR: Entry = { to: '/operator', name: 'operator', Icon: IconBuildingBank }

export function Sidebar({ figures, isOperator, overlay, onClose }: SidebarProps) {
  const { t } = useTranslation('app')
  const trap = useFocusTrap(overlay)
  useFocusReturn({ opened: overlay })
  const entries = isOperator ? [...ENTRIES, OPERATOR] : ENTRIES
  return (
    <>
      {overlay ? <div className="sidebar-backdrop" aria-hidden="true" onPointerDown={onClose} /> : null}
      <nav
        ref={trap}
        className="sidebar"
        aria-label={t('navigation')}
        data-open={overlay}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && overlay) onClose()
        }}
      >
        <div className="sidebar-brand">
          <Brand />
        </div>
        <div className="sidebar-nav">
          <ul>
            {entries.map(({ to, name, Icon }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  className="sidebar-link"
                  data-tip={t(`page.${name}`)}
                  onClick={onClose}
                  onPointerEnter={() => prefetchRoute(to)}
                  onFocus={() => prefetchRoute(to)}
                >
                  <Icon size={20} stroke={1.6} aria-hidden="true" />
                  <span>{t(`page.${name}`)}</span>
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
        <FiguresCard figures={figures} />
      </nav>
    </>
  )
}

function FiguresCard({ figures }: { figures: Figures }) {
  const { t } = useTranslation('app')
  const formats = useFormats()
  return (
    <dl className="sidebar-figures">
      {(['balance', 'investment'] as const).map((name) => {
        const amount = figures[name]
        return (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              {amount === undefined ? (
                <Skeleton width={80} height={14} />
              ) : amount === null ? (
                '–'
              ) : (
                formats.money(amount)
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
