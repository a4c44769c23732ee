import { useTranslation } from 'react-i18next'
import {
  IconBinaryTree,
  IconCoins,
  IconHistory,
  IconLayoutDashboard,
  IconShieldCheck,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconWallet,
} from '../../ui/icons.ts'
import { NavLink } from '../../ui/Link.tsx'
import { ConsoleApp } from '../consolePart.ts'
import { memberPageAt } from '../memberPages.ts'
import './topNav.css'

const MEMBER = [
  { to: '/dashboard', name: 'dashboard', Icon: IconLayoutDashboard },
  { to: '/withdrawals', name: 'withdrawals', Icon: IconWallet },
  { to: '/profile', name: 'profile', Icon: IconUser },
  { to: '/network-marketing', name: 'tree', Icon: IconBinaryTree },
  { to: '/referrals', name: 'referrals', Icon: IconUsers },
  { to: '/payments', name: 'payments', Icon: IconCoins },
  { to: '/investment-history', name: 'history', Icon: IconHistory },
  { to: '/security', name: 'security', Icon: IconShieldLock },
] as const

const OPERATOR = { to: '/operator', name: 'operator', Icon: IconShieldCheck } as const

/** The way to every page, in the sidebar and in the bar alike. */
export function NavLinks({ isOperator, onFollow }: { isOperator: boolean; onFollow?: () => void }) {
  const { t } = useTranslation('app')
  const prefetch = (path: string) => void (path === OPERATOR.to ? ConsoleApp : memberPageAt(path))?.prefetch()
  return (
    <ul>
      {(isOperator ? [...MEMBER, OPERATOR] : MEMBER).map(({ to, name, Icon }) => (
        <li key={to}>
          <NavLink
            to={to}
            className="nav-link"
            data-tip={t(`page.${name}`)}
            onClick={onFollow}
            onPointerEnter={() => prefetch(to)}
            onFocus={() => prefetch(to)}
          >
            <Icon size={20} stroke={1.6} aria-hidden="true" />
            <span>{t(`page.${name}`)}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  )
}

/** The navigation as a bar under the header; narrow windows have the burger and its overlay instead. */
export function TopNav({ isOperator }: { isOperator: boolean }) {
  const { t } = useTranslation('app')
  return (
    <nav className="top-nav" aria-label={t('navigation')}>
      <NavLinks isOperator={isOperator} />
    </nav>
  )
}
