import { useTranslation } from 'react-i18next'
import { NavLinks } from './NavLinks.tsx'
import './topNav.css'

/** The navigation as a bar under the header; narrow windows have the burger and its overlay instead. */
export function TopNav({ isOperator }: { isOperator: boolean }) {
  const { t } = useTranslation('app')
  return (
    <nav className="top-nav" aria-label={t('navigation')}>
      <NavLinks isOperator={isOperator} />
    </nav>
  )
}
