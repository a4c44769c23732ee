import type { CurrentUser } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { BrandMark } from '../../ui/Brand.tsx'
import { IconMenu2 } from '../../ui/icons.ts'
import { useFormats } from '../../ui/useFormats.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { SchemeToggle } from './SchemeToggle.tsx'
import { UserMenu } from './UserMenu.tsx'

interface HeaderProps {
  user: CurrentUser | undefined
  overlay: boolean
  onBurger: () => void
}

export function Header({ user, overlay, onBurger }: HeaderProps) {
  const { t } = useTranslation('app')
  const formats = useFormats()
  return (
    <header className="header">
      <button
        type="button"
        className="icon-button"
        aria-label={t('menu')}
        aria-expanded={overlay || undefined}
        onClick={onBurger}
      >
        <IconMenu2 size={20} stroke={1.6} />
      </button>
      <span className="header-brand">
        <BrandMark size={26} />
      </span>
      <span className="header-space" />
      {/* Where the sidebar's card is out of sight, the balance stays in view here. */}
      {user === undefined ? null : (
        <span className="header-balance">
          <span className="muted">{t('balance')}</span> <strong>{formats.money(user.balance)}</strong>
        </span>
      )}
      <LanguageMenu />
      <SchemeToggle />
      <UserMenu user={user} />
    </header>
  )
}
