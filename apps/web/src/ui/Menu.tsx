import { type ReactNode, useRef, useState } from 'react'
import { lazyPart } from './lazyPart.ts'
import './menu.css'
import { Overlay } from './Overlay.tsx'

export interface MenuItem {
  key: string
  label: string
  onSelect: () => void
  icon?: ReactNode
  /** For a choice among several; leave out for an action. */
  checked?: boolean
  lang?: string
}

interface MenuProps {
  label: string
  trigger: ReactNode
  triggerClass?: string
  /** Shown above the items. */
  head?: ReactNode
  side?: 'top' | 'bottom'
  items: readonly MenuItem[]
}

const MenuPopup = lazyPart(async () => ({ default: (await import('./MenuPopup.tsx')).MenuPopup }))
export const prefetchMenu = MenuPopup.prefetch

/** A menu button. The menu's behaviour is Base UI's, which is fetched when the button is reached. */
export function Menu({ label, trigger, triggerClass = 'icon-button', ...popup }: MenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <div className="menu">
      <button
        type="button"
        ref={button}
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prefetchMenu}
        onFocus={prefetchMenu}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open ? (
        <Overlay onClose={close}>
          <MenuPopup {...popup} label={label} button={button} onClose={close} />
        </Overlay>
      ) : null}
    </div>
  )
}
