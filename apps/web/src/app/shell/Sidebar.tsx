import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Brand } from '../../ui/Brand.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconX } from '../../ui/icons.ts'
import { Overlay } from '../../ui/Overlay.tsx'
import { SidebarTrap } from '../memberParts.ts'
import { FigureList, type Figures } from './FigureList.tsx'
import { NavLinks } from './NavLinks.tsx'
import { useFocusBack } from './useFocusBack.ts'
import './sidebar.css'
import './sidebarSizes.css'

interface SidebarProps {
  figures: Figures
  isOperator: boolean
  /** Where it is out of sight otherwise: whether it lies open over the page. */
  overlay: boolean
  onClose: () => void
}

export function Sidebar({ figures, isOperator, overlay, onClose }: SidebarProps) {
  const { t } = useTranslation(['app', 'ui'])
  const [nav, setNav] = useState<HTMLElement | null>(null)
  useFocusBack(overlay)
  return (
    <>
      {overlay ? <div className="sidebar-backdrop" aria-hidden="true" onPointerDown={onClose} /> : null}
      {overlay && nav !== null ? (
        <Overlay onClose={onClose}>
          <SidebarTrap nav={nav} onClose={onClose} />
        </Overlay>
      ) : null}
      <nav
        ref={setNav}
        className="sidebar"
        aria-label={t('app:navigation')}
        data-open={overlay}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && overlay) onClose()
        }}
        onPointerDown={(event) => {
          // Over the whole window it is its own backdrop.
          if (event.target === event.currentTarget && overlay) onClose()
        }}
      >
        <div className="sidebar-brand row-8 row-apart one-line">
          <Brand />
          <IconButton Icon={IconX} className="sidebar-close" label={t('ui:close')} onClick={onClose} />
        </div>
        <p className="sidebar-title" aria-hidden="true">
          {t('app:navigation')}
        </p>
        <div className="sidebar-nav">
          <NavLinks isOperator={isOperator} onFollow={onClose} />
        </div>
        <FigureList figures={figures} className="sidebar-figures stack-8" />
      </nav>
    </>
  )
}
