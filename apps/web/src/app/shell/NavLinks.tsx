import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { prefetchRoute } from '../pages.ts'
import { navEntries } from './navEntries.ts'

interface NavLinksProps {
  isOperator: boolean
  onFollow?: () => void
}

/** The way to every page, in the sidebar and in the bar alike. */
export function NavLinks({ isOperator, onFollow }: NavLinksProps) {
  const { t } = useTranslation('app')
  return (
    <ul>
      {navEntries(isOperator).map(({ to, name, Icon }) => (
        <li key={to}>
          <NavLink
            to={to}
            className="nav-link"
            data-tip={t(`page.${name}`)}
            onClick={onFollow}
            onPointerEnter={() => prefetchRoute(to)}
            onFocus={() => prefetchRoute(to)}
          >
            <Icon size={20} stroke={1.6} aria-hidden="true" />
            <span>{t(`page.${name}`)}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
