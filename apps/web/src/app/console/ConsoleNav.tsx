import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useAbilities } from '../../console/shared/abilities.ts'
import { CONSOLE, type ConsolePage, pagePath } from '../../console/shared/place.ts'
import { Brand } from '../../ui/Brand.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { formats } from '../../ui/format.ts'
import { IconX } from '../../ui/icons.ts'
import { Link } from '../../ui/Link.tsx'
import { Overlay } from '../../ui/Overlay.tsx'
import { SidebarTrap } from '../memberParts.ts'
import { useFocusBack } from '../shell/useFocusBack.ts'
import { CONSOLE_GROUPS, CONSOLE_PAGES, pageAt } from './consolePages.ts'

interface ConsoleNavProps {
  /** Whether it lies over the page, in a window too narrow for both. */
  isOpen: boolean
  onClose: () => void
  /** How many things wait for somebody, by page. */
  waiting?: Partial<Record<ConsolePage, number>>
}

/** The way to every page that the operator's role has. */
export function ConsoleNav({ isOpen, onClose, waiting = {} }: ConsoleNavProps) {
  const { t } = useTranslation(['console/shared', 'app', 'ui'])
  const [nav, setNav] = useState<HTMLElement | null>(null)
  useFocusBack(isOpen)
  return (
    <>
      {isOpen ? <div className="console-backdrop" aria-hidden="true" onPointerDown={onClose} /> : null}
      {isOpen && nav !== null ? (
        <Overlay onClose={onClose}>
          <SidebarTrap nav={nav} onClose={onClose} />
        </Overlay>
      ) : null}
      <nav
        ref={setNav}
        className="console-nav"
        aria-label={t('app:navigation')}
        data-open={isOpen}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen) onClose()
        }}
      >
        <div className="console-brand row-8 row-apart one-line">
          <Brand />
          <IconButton Icon={IconX} className="console-close" label={t('ui:close')} onClick={onClose} />
        </div>
        {Object.entries(CONSOLE_GROUPS).map(([group, names]) => (
          <NavGroup key={group} names={names} waiting={waiting} onFollow={onClose} />
        ))}
      </nav>
    </>
  )
}

interface NavGroupProps {
  names: readonly ConsolePage[]
  waiting: Partial<Record<ConsolePage, number>>
  onFollow: () => void
}

function NavGroup({ names, waiting, onFollow }: NavGroupProps) {
  const { t } = useTranslation('console/shared')
  const { may } = useAbilities()
  const { pathname } = useLocation()
  const here = pageAt(pathname.slice(CONSOLE.length + 1))
  const shown = names.flatMap((name) => {
    const place = CONSOLE_PAGES[name]
    return place !== undefined && may(place.ability) ? [{ name, ...place }] : []
  })
  if (shown.length === 0) return null
  return (
    <ul className="console-group">
      {shown.map(({ name, Icon, Page }) => (
        <li key={name}>
          <Link
            to={pagePath(name)}
            className="console-link"
            aria-current={name === here ? 'page' : undefined}
            onClick={onFollow}
            onPointerEnter={() => void Page.prefetch()}
            onFocus={() => void Page.prefetch()}
          >
            <Icon size={20} stroke={1.6} aria-hidden="true" />
            <span>{t(`page.${name}`)}</span>
            <Waiting count={waiting[name] ?? 0} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** How many wait; above 99 it is many. */
function Waiting({ count }: { count: number }) {
  const { t } = useTranslation('console/shared')
  if (count === 0) return null
  return (
    <span className="console-waiting tiny">
      <span aria-hidden="true">{count > 99 ? '99+' : formats.count(count)}</span>
      <span className="visually-hidden">{t('waiting', { count })}</span>
    </span>
  )
}
