import type { CurrentUser } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Brand } from '../../ui/Brand.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconMenu2 } from '../../ui/icons.ts'
import { FigureList, type Figures } from './FigureList.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { SchemeToggle } from './SchemeToggle.tsx'
import { UserMenu } from './UserMenu.tsx'
import './header.css'

interface HeaderProps {
  user: CurrentUser | undefined
  figures: Figures
  /** Whether the burger's overlay is open; undefined where the burger folds the sidebar instead. */
  overlay: boolean | undefined
  onBurger: () => void
}

export function Header({ user, figures, overlay, onBurger }: HeaderProps) {
  const { t } = useTranslation('app')
  return (
    <header className="header">
      <IconButton
        Icon={IconMenu2}
        className="header-burger"
        label={t('menu')}
        aria-expanded={overlay}
        onClick={onBurger}
      />
      <span className="header-brand">
        <Brand />
      </span>
      <span className="header-space" />
      <FigureList figures={figures} className="header-figures" />
      <LanguageMenu />
      <SchemeToggle />
      <UserMenu user={user} />
    </header>
  )
}
