import { useTranslation } from 'react-i18next'
import { IconBinaryTree, IconCoins, IconDots, IconLayoutDashboard, IconPlus } from '../../ui/icons.ts'
import { NavLink } from '../../ui/Link.tsx'
import { memberPageAt } from '../memberPages.ts'
import './phoneBar.css'

interface PhoneBarProps {
  /** Whether the whole navigation lies open. */
  isOpen: boolean
  onInvest: () => void
  onMore: () => void
}

const PAGES = {
  home: { to: '/dashboard', Icon: IconLayoutDashboard },
  payments: { to: '/payments', Icon: IconCoins },
  network: { to: '/network-marketing', Icon: IconBinaryTree },
} as const

/** What a thumb reaches: the three pages that members open most, investing, and the way to all the rest. */
export function PhoneBar({ isOpen, onInvest, onMore }: PhoneBarProps) {
  const { t } = useTranslation('app')
  const page = (name: keyof typeof PAGES) => {
    const { to, Icon } = PAGES[name]
    return (
      <NavLink to={to} className="phone-place" onPointerEnter={() => void memberPageAt(to)?.prefetch()}>
        <Icon size={22} stroke={1.6} aria-hidden="true" />
        <span>{t(`phone.${name}`)}</span>
      </NavLink>
    )
  }
  return (
    <nav className="phone-bar" aria-label={t('phone.label')}>
      {page('home')}
      {page('payments')}
      <button type="button" className="phone-place" onClick={onInvest}>
        <span className="phone-invest centred">
          <IconPlus size={22} stroke={2} aria-hidden="true" />
        </span>
        <span>{t('phone.invest')}</span>
      </button>
      {page('network')}
      <button type="button" className="phone-place" aria-expanded={isOpen} onClick={onMore}>
        <IconDots size={22} stroke={1.6} aria-hidden="true" />
        <span>{t('phone.more')}</span>
      </button>
    </nav>
  )
}
